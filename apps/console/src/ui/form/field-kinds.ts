import type { BodyField } from '@voltdeck/contract/body-fields';
import { emptyValue } from '@voltdeck/contract/body-fields';
import { cardNumberField, linkField, newPasswordField, phoneField } from '@voltdeck/contract/fields';
import type { StoredFile } from '@voltdeck/contract/files';

/** How a field is displayed and entered. */
export type FieldKind =
  | 'text'
  | 'long-text'
  | 'rich-text'
  | 'phone'
  | 'card-number'
  | 'link'
  | 'password'
  | 'code'
  | 'code-lines'
  | 'number'
  | 'money'
  | 'energy'
  | 'power'
  | 'radio'
  | 'select'
  | 'choices'
  | 'texts'
  | 'switch'
  | 'day'
  | 'instant'
  | 'slots'
  | 'region'
  | 'degrees'
  | 'record'
  | 'picture'
  | 'pictures';

/** More choices than this become a select instead of radio buttons. */
const radiosMax = 4;
/** Texts that may be longer than this get several lines. */
const lineLengthMax = 128;

const schemaKinds = new Map<unknown, FieldKind>([
  [phoneField, 'phone'],
  [cardNumberField, 'card-number'],
  [linkField, 'link'],
  [newPasswordField, 'password'],
]);

/** The contract puts units last: the name says what a number measures. */
const namedKinds: readonly (readonly [ending: RegExp, type: BodyField['type'], kind: FieldKind])[] = [
  [/Fen$/, 'number', 'money'],
  [/Wh$/, 'number', 'energy'],
  [/[a-z]W$/, 'number', 'power'],
  [/[a-z]Id$/, 'number', 'record'],
  [/^(longitude|latitude)$/, 'number', 'degrees'],
  [/regionCode$/i, 'text', 'region'],
  [/password$/i, 'text', 'password'],
];

/** The default kind of a field, from its schema and its name. */
export function kindOf(name: string, field: BodyField): FieldKind {
  const known = schemaKinds.get(field.value);
  if (known !== undefined) return known;
  const named = namedKinds.find(([ending, type]) => type === field.type && ending.test(name));
  if (named !== undefined) return named[2];
  switch (field.type) {
    case 'text':
      return (field.lengthMax ?? 0) > lineLengthMax ? 'long-text' : 'text';
    case 'number':
      return 'number';
    case 'flag':
      return 'switch';
    case 'choice':
      return field.choices.length > radiosMax ? 'select' : 'radio';
    case 'choices':
      return 'choices';
    case 'date':
      return 'day';
    case 'instant':
      return 'instant';
    case 'other':
      return 'texts';
  }
}

/** The unit shown after a number, if its name has one. */
export function unitOf(name: string, kind: FieldKind): string | null {
  if (kind === 'energy') return 'kWh';
  if (kind === 'power') return 'kW';
  if (kind === 'degrees') return '°';
  if (kind !== 'number') return null;
  const unit = /(?:[a-z])(Kw|Kva|V|A|Percent)$/.exec(name)?.[1];
  return unit === undefined ? null : (({ Kw: 'kW', Kva: 'kVA', Percent: '%' } as Record<string, string>)[unit] ?? unit);
}

/** A picture on the server, as a form's value; with `slot`, what it shows. */
export type FormPicture = Pick<StoredFile, 'id' | 'key' | 'url' | 'name'> & { slot?: string };

const spaced: ReadonlySet<FieldKind> = new Set(['password']);

/**
 * What is sent for a field's `value`. A form's values are nearly those of the body: texts are trimmed, a picture is
 * sent as its number or key (with its slot, if it has one), and an empty field becomes `emptyValue`.
 */
export function sentValue(field: BodyField, kind: FieldKind, value: unknown): unknown {
  if (kind === 'picture') {
    const [picture] = (value ?? []) as readonly FormPicture[];
    return picture === undefined ? emptyValue(field) : field.type === 'number' ? picture.id : picture.key;
  }
  if (kind === 'pictures') {
    return ((value ?? []) as readonly FormPicture[]).map(({ key, slot }) => (slot === undefined ? key : { key, slot }));
  }
  if (typeof value === 'string' && !spaced.has(kind)) {
    const text = value.trim();
    return text === '' ? emptyValue(field) : text;
  }
  if (value === undefined || value === null || value === '') return emptyValue(field);
  return value;
}
