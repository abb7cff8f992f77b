import type { FilePurpose } from '@voltdeck/contract/files';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { PhraseKey } from '../../phrases.ts';
import type { RecordChoices } from '../list/list-view.ts';
import type { FieldKind, FormPicture } from './field-kinds.ts';

export type FieldOption = { value: string | number; label: ReactNode; disabled?: boolean; style?: CSSProperties };

export type PictureSlotOption = { value: string; label: string };

type RequiredKeys<Body> = { [K in keyof Body]-?: undefined extends Body[K] ? never : K }[keyof Body];

/** The values of a form: those of the body while it is being filled in. Pictures keep what is needed to show them. */
export type FormValues<Body> = { [K in keyof Body]?: Body[K] | undefined };

type Words<Value> = [Extract<Value, string>] extends [never]
  ? { word?: undefined }
  : string extends Extract<Value, string>
    ? { word?: undefined }
    : { word?: (value: Extract<Value, string>) => ReactNode };

/**
 * What a form adds to a field beyond the schema. The schema already says whether it is required, its bounds, length,
 * format and usually its kind.
 */
export type FormField<Body, Key extends keyof Body, Rec> = Words<Body[Key]> & {
  label: PhraseKey;
  /** Overrides the kind derived from schema and name. */
  kind?: FieldKind;
  /** A sentence below the field. */
  hint?: PhraseKey | ((values: FormValues<Body>) => string | undefined);
  /** Shown within the empty field. */
  placeholder?: PhraseKey;
  /** Starts a group of fields. */
  heading?: PhraseKey;
  /** What a switch says while it is on and off, where that is not yes and no. */
  flagWords?: readonly [on: PhraseKey, off: PhraseKey];
  /** Two consecutive short fields share a row. */
  isShort?: boolean;
  /** The number of lines of a long text. */
  rows?: number;
  /** The choices, if they are not the schema's values with their `word`. */
  options?: readonly FieldOption[];
  /** The list of records to choose from, if the field's name does not determine it. */
  choices?: RecordChoices;
  /** With `slots`, each picture has one of them, and is sent as `{ key, slot }`. */
  pictures?: { purpose: FilePurpose; max?: number; slots?: readonly PictureSlotOption[] };
  /** The initial value from a record that stores it differently. */
  from?: (record: Rec) => Body[Key] | readonly FormPicture[] | null | undefined;
  shownIf?: (values: FormValues<Body>) => boolean;
  fixedIf?: (values: FormValues<Body>) => boolean;
  /** Whether the field is required although the schema makes it optional. */
  requiredIf?: (values: FormValues<Body>) => boolean;
  /** What is wrong beyond the schema's rules, in words. Checked again when a field of `checkedWith` changes. */
  check?: (value: Exclude<Body[Key], undefined>, values: FormValues<Body>) => string | null;
  checkedWith?: readonly (keyof Body & string)[];
  autoComplete?: string;
  className?: string | ((values: FormValues<Body>) => string);
  /** A custom control, which gets `id`, `value` and `onChange` from the form. */
  control?: ReactElement;
  /** What stands beside the control. */
  beside?: ReactElement;
  /** What stands below the field. */
  below?: (values: FormValues<Body>) => ReactNode;
};

/** A field for everything that the body requires, and for its optional parts as needed. */
export type FormFields<Body, Rec> = {
  [K in RequiredKeys<Body> & string]: FormField<Body, K, Rec>;
} & { [K in Exclude<keyof Body, RequiredKeys<Body>> & string]?: FormField<Body, K, Rec> };

/** A field of any form. */
export type AnyField = Omit<
  FormField<Record<string, unknown>, string, unknown>,
  'word' | 'check' | 'from' | 'className' | 'hint' | 'shownIf' | 'fixedIf' | 'requiredIf' | 'below'
> & {
  word?: (value: never) => ReactNode;
  check?: (value: never, values: never) => string | null;
  from?: (record: never) => unknown;
  hint?: PhraseKey | ((values: never) => string | undefined);
  shownIf?: (values: never) => boolean;
  fixedIf?: (values: never) => boolean;
  requiredIf?: (values: never) => boolean;
  className?: string | ((values: never) => string);
  below?: (values: never) => ReactNode;
};
