import type { BodyField } from '@voltdeck/contract/body-fields';
import type { FilePurpose } from '@voltdeck/contract/files';
import { fen as fenOf, formatYuan, parseYuan } from '@voltdeck/units/money';
import { Checkbox, DatePicker, Input, InputNumber, Radio, Select, Switch } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type KeyboardEvent, type ReactElement, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { type PhraseKey, phrase } from '../../phrases.ts';
import { withWords } from '../../words.ts';
import type { RecordChoices } from '../list/list-view.ts';
import { isoOfWallTime, wallTimeOf } from '../list/wall-time.ts';
import { RecordSelect } from '../RecordSelect.tsx';
import { RichTextEditor } from '../RichTextEditor.tsx';
import type { FieldKind, FormPicture } from './field-kinds.ts';
import styles from './form.module.css';
import type { FieldOption, PictureSlotOption } from './form-fields.ts';

const PictureField = lazyPart(
  withWords(['content', 'errors'], async () => ({ default: (await import('../PictureField.tsx')).PictureField })),
);
const RegionField = lazyPart(() => import('../list/RegionField.tsx'));
const SlotsField = lazyPart(() => import('./SlotsField.tsx'));

export type FieldControlProps = {
  kind: FieldKind;
  field: BodyField;
  label: string;
  options: readonly FieldOption[];
  unit: string | null;
  isDisabled: boolean;
  /** Whether it may be left empty. */
  isOptional: boolean;
  rows: number | undefined;
  placeholder: string | undefined;
  autoComplete: string | undefined;
  flagWords: readonly [on: PhraseKey, off: PhraseKey] | undefined;
  choices: RecordChoices | undefined;
  recordName: string | null | undefined;
  pictures: { purpose: FilePurpose; max: number; slots?: readonly PictureSlotOption[] } | undefined;
  onBusy: (isBusy: boolean) => void;
  /** Set by the form. */
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
};

const wide = { width: '100%' } as const;

/** Enter confirms the date in a picker; by itself the browser would also submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

/**
 * The control of one field. The form's value is that of the body; it is displayed in yuan, kilowatt-hours and Shanghai
 * time.
 */
export function FieldControl({ beside, ...props }: FieldControlProps & { beside: ReactElement | undefined }) {
  if (beside === undefined) return <Control {...props} />;
  return (
    <div className={styles.withBeside}>
      <Control {...props} />
      {beside}
    </div>
  );
}

function Control(props: FieldControlProps) {
  const { kind, field, options, unit, isDisabled, isOptional, rows, placeholder, flagWords, id, value, onChange } =
    props;
  const given = {
    ...(id === undefined ? {} : { id }),
    ...(props['aria-describedby'] === undefined ? {} : { 'aria-describedby': props['aria-describedby'] }),
    ...(props['aria-invalid'] === undefined ? {} : { 'aria-invalid': props['aria-invalid'] }),
    ...(props['aria-required'] === undefined ? {} : { 'aria-required': props['aria-required'] }),
    disabled: isDisabled,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  const text = (value as string | null | undefined) ?? '';
  const onText = (event: { target: { value: string } }) => onChange?.(event.target.value);
  const max = field.lengthMax;
  const bounded = max === null ? {} : { maxLength: max };
  switch (kind) {
    case 'text':
      return <Input {...given} {...bounded} value={text} onChange={onText} autoComplete="off" />;
    case 'code':
      return (
        <Input
          {...given}
          {...bounded}
          value={text}
          onChange={onText}
          autoComplete="off"
          className={styles.code ?? ''}
        />
      );
    case 'link':
      return <Input {...given} {...bounded} value={text} onChange={onText} inputMode="url" />;
    case 'phone':
      // Longer than the limit, so that a number pasted with spaces fits; validation reports what is too long.
      return <Input {...given} maxLength={20} value={text} onChange={onText} inputMode="numeric" autoComplete="off" />;
    case 'card-number':
      return (
        <Input
          {...given}
          maxLength={20}
          value={text}
          onChange={onText}
          className={styles.code ?? ''}
          autoComplete="off"
        />
      );
    case 'password':
      return (
        <Input.Password
          {...given}
          {...bounded}
          value={text}
          onChange={onText}
          autoComplete={props.autoComplete ?? 'new-password'}
        />
      );
    case 'long-text':
    case 'code-lines':
      return (
        <Input.TextArea
          {...given}
          {...bounded}
          showCount={max !== null}
          {...(kind === 'code-lines' ? { className: styles.code ?? '', spellCheck: false, autoComplete: 'off' } : {})}
          autoSize={{ minRows: rows ?? 2, maxRows: 14 }}
          value={text}
          onChange={onText}
        />
      );
    case 'rich-text':
      return (
        <RichTextEditor {...(id === undefined ? {} : { id })} value={text} onChange={onChange} onBusy={props.onBusy} />
      );
    case 'number':
    case 'degrees':
      return (
        <InputNumber<number>
          {...given}
          style={wide}
          suffix={unit}
          value={(value as number | null | undefined) ?? null}
          onChange={(next) => onChange?.(next ?? undefined)}
        />
      );
    case 'energy':
    case 'power':
      return (
        <InputNumber<number>
          {...given}
          style={wide}
          suffix={unit}
          precision={3}
          value={value === undefined || value === null ? null : (value as number) / 1000}
          onChange={(next) => onChange?.(next === null ? undefined : Math.round(next * 1000))}
        />
      );
    case 'money':
      return (
        <InputNumber<string>
          {...given}
          style={wide}
          stringMode
          prefix="¥"
          precision={2}
          value={value === undefined || value === null ? null : formatYuan(fenOf(value as number))}
          onChange={(next) => onChange?.(parseYuan(next ?? '') ?? undefined)}
        />
      );
    case 'radio':
      return (
        <Radio.Group
          {...given}
          optionType="button"
          options={options as { value: string; label: ReactNode }[]}
          value={value}
          onChange={(event) => onChange?.(event.target.value)}
        />
      );
    case 'select':
      return (
        <Select
          {...given}
          allowClear={isOptional}
          {...(options.length > 8 ? { showSearch: { optionFilterProp: 'label' } } : {})}
          options={options as { value: string; label: ReactNode }[]}
          value={(value as string | null | undefined) ?? null}
          onChange={(next) => onChange?.(next ?? undefined)}
        />
      );
    case 'choices':
      return (
        <Checkbox.Group
          disabled={isDisabled}
          options={options as { value: string; label: ReactNode }[]}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
        />
      );
    case 'texts':
      return (
        <Select
          {...given}
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', ' ', '\n']}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
        />
      );
    case 'switch':
      return (
        <Switch
          {...given}
          {...(flagWords === undefined
            ? {}
            : { checkedChildren: phrase(flagWords[0]), unCheckedChildren: phrase(flagWords[1]) })}
          checked={value === true}
          onChange={onChange}
        />
      );
    case 'day':
      return (
        <DatePicker
          {...given}
          style={wide}
          onKeyDown={keepForm}
          value={value ? dayjs(value as string) : null}
          onChange={(day: Dayjs | null) => onChange?.(day?.format('YYYY-MM-DD'))}
        />
      );
    case 'instant':
      return (
        <DatePicker
          {...given}
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          onKeyDown={keepForm}
          style={wide}
          value={wallTimeOf((value as string | null | undefined) ?? undefined)}
          // A picker works in seconds: an unchanged instant keeps its exact value.
          onChange={(wall: Dayjs | null) => onChange?.(wall === null ? undefined : isoOfWallTime(wall))}
        />
      );
    case 'record':
      return props.choices === undefined ? null : (
        <RecordSelect
          {...given}
          optional={isOptional}
          choices={props.choices}
          name={props.recordName}
          value={(value as number | null | undefined) ?? undefined}
          onChange={(next) => onChange?.(next)}
        />
      );
    case 'region':
      return (
        <Suspense fallback={<span className="field-bone" />}>
          <RegionField
            {...given}
            isWhole
            label={props.label}
            value={(value as string | null | undefined) ?? undefined}
            onChange={(code) => onChange?.(code)}
          />
        </Suspense>
      );
    case 'slots':
      return (
        <Suspense fallback={<span className="field-bone" />}>
          <SlotsField {...given} options={options} value={value as never} onChange={onChange} />
        </Suspense>
      );
    case 'picture':
    case 'pictures':
      return props.pictures === undefined ? null : (
        <Suspense fallback={<span className="field-bone" />}>
          <PictureField
            {...(id === undefined ? {} : { id })}
            purpose={props.pictures.purpose}
            max={props.pictures.max}
            {...(props.pictures.slots === undefined ? {} : { slots: props.pictures.slots })}
            value={value as readonly FormPicture[] | undefined}
            onChange={(pictures) => onChange?.(pictures)}
            onBusy={props.onBusy}
          />
        </Suspense>
      );
  }
}
