import type { ErrorCode } from '@voltdeck/contract/errors';
import { Alert, App, Button, Drawer, Form, type FormInstance, Modal } from 'antd';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { keptKey } from '../api/kept-key.ts';
import { isServerSilent, onNetwork } from '../api/network.ts';
import { Refused, Waiting } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { DisabledReason } from './DisabledReason.tsx';
import { failureText } from './failure-text.ts';
import { fieldHolding, fieldPath } from './field-path.ts';
import { followRecord, isSame } from './follow-record.ts';
import { isoDateTime } from './instants.ts';
import { useDraft } from './use-draft.ts';
import { useTell } from './use-tell.ts';

export type FormDrawerProps<Values extends object, Answer> = {
  title: string;
  open: boolean;
  /** Called when the form closes: by a button, Esc or success. */
  onClose: () => void;
  /** The initial values of the fields. */
  initial?: Partial<Values>;
  /** The verb: "Add station". */
  submitLabel: ReactNode;
  danger?: boolean;
  /** Why nothing can be sent. */
  because?: string | undefined;
  /**
   * Sends the form. The key stays the same until the values change or it succeeds, so that a second try cannot act
   * twice.
   */
  submit: (values: Values, idempotencyKey: string) => Promise<Answer>;
  /** Asks before a valid form is sent; nothing is sent unless it resolves to true. */
  asksFirst?: (values: Values) => Promise<boolean>;
  onDone?: (answer: Answer) => void;
  onValuesChange?: (changed: Partial<Values>, values: Values) => void;
  /** The fields that refusals of the whole form belong to: "number taken" belongs to the number. */
  fieldOf?: Partial<Readonly<Record<ErrorCode, keyof Values & string>>>;
  /** A short question fits a dialog; ten fields need the drawer. */
  as?: 'drawer' | 'dialog';
  /** Replaces the cancel button of a dialog that must be filled in; Esc does not close it then. */
  insteadOfLeaving?: ReactNode | undefined;
  /** The drawer's width; long texts need more. */
  widthPx?: number;
  /**
   * Identifies the form and its record ("station 12"), under which input survives a reload, a change of language and
   * signing in again, and is restored when the form opens next. Passwords are never stored.
   */
  draftKey?: string;
  /**
   * `initial` shows a record that others may change meanwhile: what the user did not touch follows it, and a
   * notice names the fields that both changed. Absent for forms whose `initial` is only where they begin.
   */
  follows?: { nameOf: (field: string) => string };
  form?: FormInstance<Values>;
  children: ReactNode;
};

type Fields = Readonly<Record<string, unknown>>;
type FieldValues<Values extends object> = Parameters<FormInstance<Values>['setFieldsValue']>[0];

const drawerWidthPx = 560;

const TouchForm = createContext<() => void>(() => {});

/** Marks the form as changed, for controls that fill in fields for the user. */
export function useTouchForm(): () => void {
  return useContext(TouchForm);
}

/**
 * Adding and changing: labels above fields, one column, errors at the fields, a question before unsaved input is lost.
 */
export function FormDrawer<Values extends object, Answer>(props: FormDrawerProps<Values, Answer>) {
  const { title, open, onClose, initial, submitLabel, danger, submit, onDone, onValuesChange, fieldOf, children } =
    props;
  const draft = useDraft(props.draftKey);
  const [restoredAt, setRestoredAt] = useState<string | null>(null);
  /** The fields that somebody else changed as well; null while nobody changed the record. */
  const [clashes, setClashes] = useState<readonly string[] | null>(null);
  /** What the form began with, or the record as it followed it last. */
  const began = useRef<object>({});
  const [ownForm] = Form.useForm<Values>();
  const form = props.form ?? ownForm;
  const { modal } = App.useApp();
  const tell = useTell();
  const isSilent = useSyncExternalStore(onNetwork, isServerSilent);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isBusy = useRef(false);
  const isAsking = useRef(false);
  /** The user closed the form before the server answered. */
  const isLeft = useRef(false);
  /** What was entered since the form opened; null if nothing was. */
  const typed = useRef<FieldValues<Values> | null>(null);
  const wasOpen = useRef(false);
  const underKey = useRef(keptKey());
  const formId = useId();
  const heading = useRef<HTMLSpanElement>(null);
  const opener = useRef<Element | null>(null);
  // Read during rendering: by the time effects run, the fields have the focus.
  if (open) opener.current ??= document.activeElement;

  useEffect(() => {
    if (!open) return;
    return () => {
      const dialog = document.getElementById(formId)?.closest('[role="dialog"]');
      const { activeElement } = document;
      const isLeft = activeElement === null || activeElement === document.body || dialog?.contains(activeElement);
      if (isLeft && opener.current instanceof HTMLElement) opener.current.focus();
      opener.current = null;
    };
  }, [open, formId]);

  const current = useEffectEvent(() => initial);
  useEffect(() => {
    const isBack = wasOpen.current && open;
    wasOpen.current = open;
    if (!open) return;
    isLeft.current = false;
    if (isBack || isBusy.current) {
      // The page was hidden meanwhile, which unmounted its form.
      if (typed.current !== null) form.setFieldsValue(typed.current);
      return;
    }
    const found = draft.read();
    typed.current = found === null ? null : (found.values as FieldValues<Values>);
    form.setFieldsValue(typed.current ?? ((current() ?? {}) as FieldValues<Values>));
    began.current = found?.began ?? current() ?? {};
    setRestoredAt(found?.at ?? null);
    setClashes(null);
    underKey.current = keptKey();
    setFailure(null);
  }, [open, form, draft]);

  const follow = useEffectEvent(() => {
    const now = current() ?? {};
    if (typed.current === null) {
      if (isSame(began.current, now)) return;
      began.current = now;
      form.setFieldsValue(now as FieldValues<Values>);
      return;
    }
    const followed = followRecord({
      typed: typed.current as Fields,
      began: began.current as Fields,
      now: now as Fields,
    });
    if (!followed.isChanged) return;
    began.current = now;
    typed.current = followed.values as FieldValues<Values>;
    form.setFieldsValue(typed.current);
    draft.keep(followed.values, now);
    setClashes((known) => [...new Set([...(known ?? []), ...followed.clashes])]);
    underKey.current = keptKey();
    setFailure(null);
  });
  const shownRecord = props.follows === undefined ? '' : JSON.stringify(initial);
  useEffect(() => {
    if (open && shownRecord !== '') follow();
  }, [open, shownRecord]);

  const startOver = () => {
    draft.drop();
    typed.current = null;
    setRestoredAt(null);
    setClashes(null);
    form.resetFields();
  };

  const leave = () => {
    if (isBusy.current) {
      if (!isServerSilent()) return;
      isLeft.current = true;
      onClose();
      return;
    }
    if (typed.current === null) {
      onClose();
      return;
    }
    modal.confirm({
      title: phrase('shell.systemNotice'),
      content: (
        <>
          <div>{phrase('shell.leaveForm')}</div>
          <div style={{ color: 'var(--text-second)' }}>{phrase('shell.leaveFormText')}</div>
        </>
      ),
      okText: phrase('shell.leave'),
      okButtonProps: { danger: true },
      cancelText: phrase('shell.stay'),
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => {
        draft.drop();
        onClose();
      },
    });
  };

  const place = (refused: Refused) => {
    const known = form.getFieldsError().map((field) => field.name as (string | number)[]);
    const meant = refused.code === undefined ? undefined : fieldOf?.[refused.code];
    const whole = meant === undefined ? [] : [{ path: meant, message: refused.message }];
    const faults = refused.fields.length > 0 ? refused.fields : whole;
    const placed = faults.flatMap((fault) => {
      const name = fieldHolding(known, fieldPath(fault.path));
      return name === undefined ? [] : [{ name, errors: [fault.message] }];
    });
    if (placed.length === 0) return false;
    form.setFields(placed as Parameters<typeof form.setFields>[0]);
    const first = placed[0];
    if (first !== undefined) form.scrollToField(first.name as never, { focus: true });
    // A refusal of its own says more than its fields can.
    const saysMore = refused.fields.length > 0 && refused.code !== 'request.invalid';
    return placed.length === faults.length && !saysMore;
  };

  const finish = async (values: Values) => {
    if (isBusy.current || isAsking.current || props.because !== undefined) return;
    if (props.asksFirst !== undefined) {
      isAsking.current = true;
      const isAgreed = await props.asksFirst(values);
      isAsking.current = false;
      if (!isAgreed) return;
    }
    isBusy.current = true;
    setBusy(true);
    setFailure(null);
    try {
      const answer = await underKey.current((idempotencyKey) => submit(values, idempotencyKey));
      typed.current = null;
      draft.drop();
      onDone?.(answer);
      if (!isLeft.current) onClose();
    } catch (thrown) {
      if (thrown instanceof Waiting) {
        typed.current = null;
        draft.drop();
        if (!isLeft.current) onClose();
      } else if (isLeft.current) tell(thrown);
      else if (!(thrown instanceof Refused && place(thrown))) setFailure(thrown);
    } finally {
      isBusy.current = false;
      setBusy(false);
    }
  };

  const touch = () => {
    const values = form.getFieldsValue();
    typed.current = values as FieldValues<Values>;
    draft.keep(values, props.follows === undefined ? null : began.current);
    underKey.current = keptKey();
  };
  const isTrying = busy && isSilent;
  const body = (
    <Form<Values>
      id={formId}
      form={form}
      layout="vertical"
      requiredMark="optional"
      // A reopened form starts afresh: unmounted fields forget their values.
      preserve={false}
      disabled={busy}
      scrollToFirstError={{ focus: true }}
      {...(initial === undefined ? {} : { initialValues: initial })}
      onValuesChange={(changed, values) => {
        touch();
        onValuesChange?.(changed, values);
      }}
      onFinish={finish}
    >
      <TouchForm value={touch}>
        {failure === null ? null : <FormFailure failure={failure} />}
        {isTrying ? (
          <Alert type="warning" showIcon style={{ marginBottom: 16 }} title={phrase('shell.stillTrying')} />
        ) : null}
        {restoredAt === null ? null : <DraftNotice at={restoredAt} onStartOver={startOver} />}
        {clashes === null || props.follows === undefined ? null : (
          <FollowedNotice names={clashes.map(props.follows.nameOf)} />
        )}
        {children}
        <FocusFirstField heading={heading} />
      </TouchForm>
    </Form>
  );
  const named = (
    <span ref={heading} tabIndex={-1}>
      {title}
    </span>
  );
  const buttons = (
    <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
      {props.insteadOfLeaving ?? (
        <Button onClick={leave} disabled={busy && !isTrying}>
          {phrase(isTrying ? 'shell.leaveTrying' : 'shell.cancel')}
        </Button>
      )}
      <DisabledReason
        type="primary"
        danger={danger ?? false}
        htmlType="submit"
        form={formId}
        loading={busy}
        because={props.because}
      >
        {submitLabel}
      </DisabledReason>
    </div>
  );

  if (props.as === 'dialog') {
    return (
      <Modal
        title={named}
        open={open}
        onCancel={leave}
        footer={buttons}
        mask={{ closable: false }}
        closable={props.insteadOfLeaving === undefined}
        keyboard={props.insteadOfLeaving === undefined}
        destroyOnHidden
      >
        {body}
      </Modal>
    );
  }
  return (
    <Drawer
      title={named}
      open={open}
      onClose={leave}
      // It would take the focus from the fields.
      autoFocus={false}
      size={props.widthPx ?? drawerWidthPx}
      mask={{ closable: true }}
      destroyOnHidden
      footer={buttons}
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {body}
    </Drawer>
  );
}

const fieldSelector = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), [contenteditable="true"]';
/** Choices already have an answer. */
const typedSelector = `:is(${fieldSelector}):not([type="radio"], [type="checkbox"])`;

/**
 * Focuses the first text field, or the heading if there is none. A field's autoFocus does not work here: it renders
 * before its drawer is in the document.
 */
function FocusFirstField({ heading }: { heading: RefObject<HTMLElement | null> }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    const first = form?.querySelector<HTMLElement>(typedSelector) ?? form?.querySelector<HTMLElement>(fieldSelector);
    (first ?? heading.current)?.focus({ preventScroll: true });
  }, [heading]);
  return <span ref={place} hidden />;
}

function DraftNotice({ at, onStartOver }: { at: string; onStartOver: () => void }) {
  return (
    <Alert
      type="info"
      showIcon
      style={{ marginBottom: 16 }}
      title={phrase('shell.draftBack', { time: isoDateTime(at) ?? '' })}
      action={
        <Button type="link" size="small" onClick={onStartOver}>
          {phrase('shell.draftDrop')}
        </Button>
      }
    />
  );
}

function FollowedNotice({ names }: { names: readonly string[] }) {
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      style={{ marginBottom: 16 }}
      title={phrase('shell.recordFollowed')}
      {...(names.length === 0
        ? {}
        : { description: phrase('shell.recordClashes', { fields: names.join(phrase('list.comma')) }) })}
    />
  );
}

function FormFailure({ failure }: { failure: unknown }) {
  const { text, requestId } = failureText(failure);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      style={{ marginBottom: 16 }}
      title={text}
      {...(requestId === undefined ? {} : { description: phrase('shell.requestId', { requestId }) })}
    />
  );
}
