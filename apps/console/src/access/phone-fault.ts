import type { PhraseKey } from '../phrases.ts';

const phoneLength = 11;

/** Specification section 5: digits only and exactly eleven. @returns what is wrong with it, or null */
export function phoneFault(phone: string): PhraseKey | null {
  const text = phone.trim();
  if (text === '') return 'access.phoneMissing';
  if (!/^\d+$/.test(text)) return 'access.phoneDigits';
  return text.length === phoneLength ? null : 'access.phoneLength';
}
