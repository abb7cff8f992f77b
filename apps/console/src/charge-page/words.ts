import type { Language } from '@voltdeck/contract/languages';
import { fill, type PhraseParams } from '@voltdeck/phrases/phrase';
import type { chargePage } from '@voltdeck/phrases/zh-CN/charge-page';
import type { charging } from '@voltdeck/phrases/zh-CN/charging';
import { kept } from './kept.ts';

export type Word = keyof typeof chargePage | keyof typeof charging;

const languageKey = 'charge-language';

/** What was chosen here, otherwise the first language of the browser that this product speaks. */
export const language: Language = (() => {
  const chosen = kept.get(languageKey);
  if (chosen === 'zh-CN' || chosen === 'en') return chosen;
  const first = navigator.languages.find((one) => /^(zh|en)\b/i.test(one));
  return first === undefined || /^zh/i.test(first) ? 'zh-CN' : 'en';
})();

/** Stores the other language and loads the page again: one language is loaded at a time. */
export function switchLanguage(): void {
  kept.set(languageKey, language === 'en' ? 'zh-CN' : 'en');
  location.reload();
}

let words: Readonly<Record<string, string>> = {};

export async function loadWords(): Promise<void> {
  const parts = await (language === 'en'
    ? Promise.all([import('@voltdeck/phrases/en/charge-page'), import('@voltdeck/phrases/en/charging')])
    : Promise.all([import('@voltdeck/phrases/zh-CN/charge-page'), import('@voltdeck/phrases/zh-CN/charging')]));
  words = { ...parts[0].chargePage, ...parts[1].charging };
}

export function say(word: Word, params?: PhraseParams): string {
  return fill(words[word] ?? '', params);
}
