import type { PhraseKey } from '../phrases.ts';

const phoneLength = 11;

/** Specification section 5: exactly eleven digits. @returns what is wrong, or null */
export function phoneFault(phone: string): PhraseKey | null {
  const text = phone.trim();
  if (text === '') return 'access.phoneMissing';
  if (!/^\d+$/.test(text)) return 'access.phoneDigits';
  return text.length === phoneLength ? null : 'access.phoneLength';
}
