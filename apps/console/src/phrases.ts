import { fill, type PhraseKey, type PhraseParams } from '@voltdeck/phrases/phrase';
import { language } from './language.ts';

export type { PhraseKey, PhraseParams };

let texts: Readonly<Partial<Record<PhraseKey, string>>> = {};

/** Adds texts of the language of this load. Called before the first render. */
export function learnPhrases(more: Readonly<Partial<Record<PhraseKey, string>>>): void {
  texts = { ...texts, ...more };
}

/** The text of `key` in the language of this load, with `params` in its braces. An unknown key shows itself. */
export function phrase(key: PhraseKey, params?: PhraseParams): string {
  return fill(texts[key] ?? key, params);
}

/** Every text of the console; a chunk of its own per language. */
export async function loadAllPhrases(): Promise<void> {
  const { all } =
    language === 'en' ? await import('@voltdeck/phrases/en/all') : await import('@voltdeck/phrases/zh-CN/all');
  learnPhrases(all);
}
