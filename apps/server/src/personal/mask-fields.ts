import { personalByName } from '@voltdeck/contract/fields';
import { maskCard, maskEmails, maskLookalikes, maskPhone, maskPlate, maskWords } from './mask-text.ts';

/**
 * Texts that may hold a card or phone anywhere: `data` of DataTransfer, `hex` and `account` of YKC frames, and the `text`
 * that an exported list was searched for, which may be a part of a number or a frame.
 */
const freeNames: ReadonlySet<string> = new Set(['data', 'hex', 'account', 'text']);

/** Masks JSON of any shape by field names; what looks like a phone or card is masked under any name. */
export function maskFields(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return maskField(name, value);
  if (Array.isArray(value)) return value.map((one) => maskFields(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskFields(inner, key)]));
}

function maskField(name: string, text: string): string {
  switch (personalByName(name)) {
    case 'phone':
      return maskPhone(text);
    case 'card':
    case 'vin':
      return maskCard(text);
    case 'plate':
      return maskPlate(text);
    case 'email':
      return maskEmails(text);
    case null:
      return freeNames.has(name) ? maskWords(text) : maskLookalikes(text);
  }
}
