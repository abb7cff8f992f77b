import { fill, type PhraseKey, type PhraseParams } from '@voltdeck/phrases/phrase';
import { language } from './language.ts';

export type { PhraseKey, PhraseParams };

export type Texts = Readonly<Partial<Record<PhraseKey, string>>>;

let texts: Texts = {};

/** Adds texts in the current language. Call it before what uses them is rendered. */
export function learnPhrases(more: Texts): void {
  texts = { ...texts, ...more };
}

/**
 * The text of `key` in the current language, with `params` in its braces. A key whose phrases are not loaded is shown
 * itself and is a bug: a page names in routes.tsx the phrases that it uses.
 */
export function phrase(key: PhraseKey, params?: PhraseParams): string {
  const text = texts[key];
  if (text === undefined) console.error(`the words of ${key} are not loaded`);
  return fill(text ?? key, params);
}

/** The text for a key from the server; undefined if this console does not know it. */
export function knownPhrase(key: string): string | undefined {
  return texts[key as PhraseKey];
}

/** The phrases of the frame and of every screen; one chunk per language. */
export async function loadCorePhrases(): Promise<void> {
  const { core } =
    language === 'en' ? await import('@voltdeck/phrases/en/core') : await import('@voltdeck/phrases/zh-CN/core');
  learnPhrases(core);
}
