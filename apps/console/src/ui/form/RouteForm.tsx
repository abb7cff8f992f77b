import { type BodyField, bodyFields, faultsOfValue, isRequired } from '@voltdeck/contract/body-fields';
import type { FieldFault } from '@voltdeck/contract/errors';
import { Form, type FormInstance } from 'antd';
import { Fragment, type ReactNode, Suspense, useRef } from 'react';
import * as z from 'zod/mini';
import { type AnyRoute, type BodyInputOf, type CallArguments, call, type DoneOf } from '../../api/call.ts';
import { lazyPart } from '../../api/lazy-part.ts';
import { useRefresh } from '../../api/queries.ts';
import { Waiting } from '../../api/refused.ts';
import { phrase } from '../../phrases.ts';
import { withWords } from '../../words.ts';
import { FormDrawer, type FormDrawerProps } from '../FormDrawer.tsx';
import { fieldPath, isSamePath } from '../field-path.ts';
import { isMaskedField } from '../is-masked.ts';
import { FieldControl } from './FieldControl.tsx';
import { type FieldKind, kindOf, sentValue, unitOf } from './field-kinds.ts';
import styles from './form.module.css';
import type { AnyField, FormFields, FormValues } from './form-fields.ts';
import { FieldAroundRows } from './RowItem.tsx';
import { recordChoicesOf } from './record-choices-of.ts';
import { useLateChecks } from './use-late-checks.ts';

const MapPosition = lazyPart(withWords(['sites'], () => import('./MapPosition.tsx')));

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type OwnOf<Own extends Shape> = { [K in keyof Own]: z.input<Own[K]> };

/** The fields of a form: those of the body except what is given, and the form's own. */
type FieldsOf<R, Own extends Shape, Given> = Omit<BodyInputOf<NoInfer<R>>, keyof NoInfer<Given>> & OwnOf<NoInfer<Own>>;

export type RouteFormProps<R extends AnyRoute, Change extends AnyRoute, Rec, Own extends Shape, Given> = {
  /** The route for a new record. */
  route: R;
  params?: Readonly<Record<string, unknown>>;
  /**
   * The route for changing `record`, addressed by the record's id or `params`. Fields that it lacks cannot be changed.
   */
  change?: Change;
  /** The record to change; null for a new one. */
  record?: Rec | null;
  /** A record to copy values from. */
  likeRecord?: Rec | null;
  /** In the order of the form. */
  fields: FormFields<FieldsOf<R, Own, Given>, NonNullable<Rec>>;
  /** Fields of the form that are not sent. */
  own?: Own;
  /** Parts of the body that nobody enters. */
  given?: Given;
  /** Initial values of a new record. */
  initial?: FormValues<FieldsOf<R, Own, Given>>;
  /** Adjusts the body before it is sent, for what field kinds cannot express. */
  adjust?: (body: FormValues<FieldsOf<R, Own, Given>>) => Partial<BodyInputOf<R>>;
  /** Identifies the form and its kind of record for drafts. Without it nothing is stored. */
  draft?: string;
  /** Fields that the user did not touch follow `record` while it changes under the open form or its draft. */
  followsRecord?: boolean;
  /** Routes to refresh afterwards. */
  refreshes?: readonly AnyRoute[];
  /** Asks before a valid form is sent; nothing is sent unless it resolves to true. */
  asksFirst?: (values: FormValues<FieldsOf<R, Own, Given>>) => Promise<boolean>;
  onSaved?: (answer: DoneOf<R> | DoneOf<Change>, values: FormValues<FieldsOf<R, Own, Given>>) => void;
  onFailed?: (failure: unknown) => void;
  /** The button's text, which may depend on the values. */
  submitLabel: ReactNode | ((values: FormValues<FieldsOf<R, Own, Given>>) => ReactNode);
  /** Content above and below the fields. */
  intro?: ReactNode;
  children?: ReactNode | ((values: FormValues<FieldsOf<R, Own, Given>>) => ReactNode);
  fieldOf?: Partial<Record<string, keyof FieldsOf<R, Own, Given> & string>>;
} & Pick<
  FormDrawerProps<object, unknown>,
  'title' | 'open' | 'onClose' | 'danger' | 'because' | 'as' | 'insteadOfLeaving' | 'widthPx'
> & { form?: FormInstance };

type Drawn = {
  name: string;
  field: BodyField;
  kind: FieldKind;
  said: AnyField;
  /** Shown and never sent: the route for changes lacks it, or the record has it masked. */
  isFixed: boolean;
};
type Values = Readonly<Record<string, unknown>>;

/**
 * A form made from the body of a route. The schema defines each field's type, requirements and validation, with the
 * server's own rules and messages; the table `fields` adds labels.
 */
export function RouteForm<
  R extends AnyRoute,
  Change extends AnyRoute = R,
  Rec = unknown,
  Own extends Shape = Record<never, never>,
  Given extends object = Record<never, never>,
>(props: RouteFormProps<R, Change, Rec, Own, Given>) {
  const { route, change, record = null, likeRecord = null, own, given, initial, title, open, onClose } = props;
  const [ownForm] = Form.useForm();
  const form = props.form ?? ownForm;
  const refresh = useRefresh();
  const isChange = record !== null && change !== undefined;
  const sentTo: AnyRoute = isChange ? change : route;
  const sent = bodyFieldsOf(sentTo);
  const said = props.fields as unknown as Readonly<Record<string, AnyField>>;
  const drawn = drawnFields({ known: bodyFieldsOf(route), sent, own, said, record });
  const opening = record ?? likeRecord;
  const first: Values = opening === null ? { ...initial } : valuesOf(drawn, opening, initial);
  const watched: Values = Form.useWatch([], form) ?? first;
  const values = { ...first, ...watched };
  /** Fields with a running upload. */
  const busy = useRef(new Set<string>());

  const labelOf = (name: string) => {
    const label = said[name]?.label;
    return label === undefined ? name : phrase(label);
  };

  const send = (typed: Values, idempotencyKey: string) => {
    const body: Record<string, unknown> = {};
    for (const { name, field, kind, said, isFixed } of drawn) {
      if (isFixed) continue;
      const isShown = said.shownIf?.({ ...first, ...typed } as never) ?? true;
      const value = sentValue(field, kind, isShown ? typed[name] : undefined);
      if (value !== undefined) body[name] = value;
    }
    const adjusted = { ...given, ...((props.adjust?.(body as never) ?? body) as object) };
    const known = Object.entries(adjusted).filter(([name, value]) => sent.has(name) && value !== undefined);
    const params = isChange ? (props.params ?? { id: (record as { id: unknown }).id }) : props.params;
    const input = { params, body: Object.fromEntries(known), idempotencyKey, quiet: true };
    return call(sentTo, ...([input] as unknown as CallArguments<AnyRoute>)) as Promise<DoneOf<R> | DoneOf<Change>>;
  };
  const shown = drawn.filter(({ said }) => said.shownIf?.(values as never) ?? true);
  const checked = shown.filter(({ said }) => said.check !== undefined);
  useLateChecks(form, new Map(checked.map((one) => [one.name, ownFaultOf(one, values[one.name], values)])));
  const { draft, submitLabel, children, asksFirst } = props;
  return (
    <FormDrawer<Record<string, unknown>, DoneOf<R> | DoneOf<Change>>
      title={title}
      open={open}
      onClose={onClose}
      form={form}
      initial={first}
      {...(draft === undefined ? {} : { draftKey: draft })}
      {...(props.as === undefined ? {} : { as: props.as })}
      {...(asksFirst === undefined ? {} : { asksFirst: (typed: Values) => asksFirst(typed as never) })}
      {...(props.danger === undefined ? {} : { danger: props.danger })}
      because={props.because}
      {...(props.widthPx === undefined ? {} : { widthPx: props.widthPx })}
      {...(props.followsRecord === true && isChange ? { follows: { nameOf: labelOf } } : {})}
      insteadOfLeaving={props.insteadOfLeaving}
      fieldOf={(props.fieldOf ?? {}) as Record<string, string>}
      submitLabel={typeof submitLabel === 'function' ? submitLabel(values as never) : submitLabel}
      submit={async (typed, key) => {
        try {
          return await send(typed, key);
        } catch (failure) {
          // Nothing was done, but what waits shows on the record.
          if (failure instanceof Waiting) void refresh(...(props.refreshes ?? []));
          else props.onFailed?.(failure);
          throw failure;
        }
      }}
      onDone={(answer) => {
        void refresh(...(props.refreshes ?? []));
        props.onSaved?.(answer, form.getFieldsValue() as never);
      }}
    >
      {props.intro}
      {rowsOf(shown).map((row) => (
        <Fragment key={row[0]?.name}>
          {row[0]?.said.heading === undefined ? null : (
            <h3 className={styles.heading}>{phrase(row[0].said.heading)}</h3>
          )}
          {isPosition(row) ? (
            <Suspense>
              <MapPosition form={form} />
            </Suspense>
          ) : null}
          {row.length === 1 ? (
            drawField(row[0] as Drawn)
          ) : (
            <div className={styles.row}>{row.map((one) => drawField(one))}</div>
          )}
        </Fragment>
      ))}
      {typeof children === 'function' ? children(values as never) : children}
    </FormDrawer>
  );

  function drawField(one: Drawn) {
    const { name, field, kind, said, isFixed } = one;
    const label = phrase(said.label);
    const hint = isFixed ? undefined : hintOf(said, values);
    const isCounted = (kind === 'long-text' || kind === 'code-lines') && field.lengthMax !== null;
    const isNeeded = said.requiredIf?.(values as never) ?? false;
    const pictures = said.pictures === undefined ? undefined : { max: 1, ...said.pictures };
    /** Whether a row within the field says itself what is wrong there. */
    const hasRowFor = (path: string) =>
      path !== '' && form.getFieldsError().some((known) => isSamePath(known.name, [name, ...fieldPath(path)]));
    const faultAt = (path: string) => {
      const faults = faultsOfValue(field, sentValue(field, kind, form.getFieldValue(name)));
      const fault = faults.find((each) => each.path === path);
      return fault === undefined ? null : faultText(fault, kind);
    };
    return (
      <FieldAroundRows key={name} value={{ name, faultAt }}>
        <Form.Item
          name={name}
          label={label}
          // Neither a switch nor a radio group can be left empty.
          required={!isFixed && (isNeeded || isRequired(field) || kind === 'switch' || kind === 'radio')}
          extra={isCounted && hint !== undefined ? <span className={styles.besideCount}>{hint}</span> : hint}
          className={(typeof said.className === 'function' ? said.className(values as never) : said.className) ?? ''}
          {...(said.checkedWith === undefined ? {} : { dependencies: [...said.checkedWith] })}
          rules={[
            {
              validator: (_, value: unknown) => {
                if (isFixed) return Promise.resolve();
                const fault = faultOf(one, value, form.getFieldsValue(), { isNeeded, hasRowFor });
                return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
              },
            },
            {
              // Validate only on submit: a file that has just arrived would still count as uploading.
              validateTrigger: 'onSubmit',
              validator: () =>
                busy.current.has(name) ? Promise.reject(new Error(phrase('shell.uploadRunning'))) : Promise.resolve(),
            },
          ]}
        >
          {said.control ?? (
            <FieldControl
              kind={kind}
              field={field}
              label={label}
              unit={unitOf(name, kind)}
              options={said.options ?? optionsOf(one)}
              isDisabled={isFixed || (said.fixedIf?.(values as never) ?? false)}
              isOptional={!isFixed && !isNeeded && !isRequired(field)}
              rows={said.rows}
              placeholder={said.placeholder === undefined ? undefined : phrase(said.placeholder)}
              autoComplete={said.autoComplete}
              flagWords={said.flagWords}
              choices={kind === 'record' ? (said.choices ?? recordChoicesOf(name)) : undefined}
              recordName={recordNameOf(name, opening)}
              pictures={pictures}
              beside={said.beside}
              onBusy={(isBusy) => {
                if (isBusy) busy.current.add(name);
                else if (busy.current.delete(name) && form.getFieldError(name).length > 0) {
                  void form.validateFields([name]).catch(() => {});
                }
              }}
            />
          )}
        </Form.Item>
        {said.below?.(values as never)}
      </FieldAroundRows>
    );
  }
}

const emptySchema = z.object({});

function bodyFieldsOf(route: AnyRoute): ReadonlyMap<string, BodyField> {
  return bodyFields(route.body ?? emptySchema);
}

type Asked = {
  known: ReadonlyMap<string, BodyField>;
  sent: ReadonlyMap<string, BodyField>;
  own: Shape | undefined;
  said: Readonly<Record<string, AnyField>>;
  record: unknown;
};

/**
 * The fields in the order of the table. Fields that only a new record can set show the existing record's value, if any.
 */
function drawnFields({ known, sent, own, said, record }: Asked): readonly Drawn[] {
  const ownFields = own === undefined ? new Map<string, BodyField>() : bodyFields(z.object(own));
  return Object.entries(said).flatMap(([name, one]): Drawn[] => {
    const field = sent.get(name) ?? ownFields.get(name) ?? known.get(name);
    if (field === undefined) return [];
    const value = record === null ? undefined : (record as Values)[name];
    const isUnsent = !sent.has(name) && !ownFields.has(name);
    if (record !== null && isUnsent && value === undefined) return [];
    const isFixed = isUnsent || isMaskedField(name, value);
    const kind =
      one.kind ??
      (one.pictures === undefined ? kindOf(name, field) : (one.pictures.max ?? 1) > 1 ? 'pictures' : 'picture');
    return [{ name, field, kind, said: one, isFixed }];
  });
}

/** The initial values for a record; fields that the record lacks start as for a new one. */
function valuesOf(drawn: readonly Drawn[], record: unknown, initial: unknown): Values {
  const values: Record<string, unknown> = {};
  for (const { name, said } of drawn) {
    const own = said.from === undefined ? (record as Values)[name] : said.from(record as never);
    values[name] = own ?? (initial as Values | undefined)?.[name];
    if (own === null) values[name] = undefined;
  }
  return values;
}

function hintOf({ hint }: AnyField, values: Values): string | undefined {
  return typeof hint === 'function' ? hint(values as never) : hint && phrase(hint);
}

function optionsOf({ field, said }: Drawn) {
  const word = said.word as ((value: string | number) => ReactNode) | undefined;
  return field.choices.map((value) => ({ value, label: word === undefined ? String(value) : word(value) }));
}

function faultOf(
  one: Drawn,
  value: unknown,
  values: Values,
  { isNeeded, hasRowFor }: { isNeeded: boolean; hasRowFor: (path: string) => boolean },
): string | null {
  const { field, kind } = one;
  const sent = sentValue(field, kind, value);
  if (isNeeded && isNothing(sent)) return phrase('field.required');
  // The form's own check comes first, since it knows more than the schema.
  const own = ownFaultOf(one, value, values);
  if (own !== null) return own;
  const fault = faultsOfValue(field, sent).find(({ path }) => !hasRowFor(path));
  return fault === undefined ? null : faultText(fault, kind);
}

function ownFaultOf({ field, kind, said }: Drawn, value: unknown, values: Values): string | null {
  const sent = sentValue(field, kind, value);
  return isNothing(sent) ? null : (said.check?.(sent as never, values as never) ?? null);
}

const isNothing = (sent: unknown): boolean => sent === undefined || sent === null || sent === '';

/** The name for a record's "siteId" is its "siteName". */
function recordNameOf(name: string, record: unknown): string | null {
  const known = record === null ? undefined : (record as Values)[name.replace(/Id$/, 'Name')];
  return typeof known === 'string' ? known : null;
}

function rowsOf(drawn: readonly Drawn[]): readonly (readonly Drawn[])[] {
  const rows: Drawn[][] = [];
  for (const one of drawn) {
    const last = rows.at(-1);
    const isBeside = one.said.heading === undefined && isShort(one) && last?.length === 1 && isShort(last[0]);
    if (isBeside) last?.push(one);
    else rows.push([one]);
  }
  return rows;
}

function isShort(one: Drawn | undefined): boolean {
  return one !== undefined && (one.said.isShort === true || one.kind === 'degrees');
}

function isPosition(row: readonly Drawn[]): boolean {
  return row.length === 2 && row.every(({ kind }) => kind === 'degrees');
}

/** Bounds are given in the displayed unit. */
function faultText({ code, params }: FieldFault, kind: FieldKind): string {
  if (kind === 'money' && code === 'too_small' && params?.min === 1) return phrase('field.not_above', { min: 0 });
  const per = kind === 'money' ? 100 : kind === 'energy' || kind === 'power' ? 1000 : 1;
  const shown = Object.entries(params ?? {}).map(([name, bound]) => [
    name,
    per !== 1 && typeof bound === 'number' ? bound / per : bound,
  ]);
  return phrase(`field.${code}`, Object.fromEntries(shown));
}
