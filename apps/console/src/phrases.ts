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

/** What any screen may say; a chunk of its own per language. */
export async function loadCorePhrases(): Promise<void> {
  const { core } =
    language === 'en' ? await import('@voltdeck/phrases/en/core') : await import('@voltdeck/phrases/zh-CN/core');
  learnPhrases(core);
}

async function loadLogPhrases(): Promise<void> {
  const { frames } =
    language === 'en' ? await import('@voltdeck/phrases/en/frames') : await import('@voltdeck/phrases/zh-CN/frames');
  learnPhrases(frames);
}

/** For `lazy`: a part of the console together with the words of logs, which the others do not wait for. */
export function withLogPhrases<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  return async () => {
    const [loaded] = await Promise.all([load(), loadLogPhrases()]);
    return loaded;
  };
}

/** For `lazy`: the page of an order together with the words that it alone says. */
export function withOrderPhrases<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  return async () => {
    const words = language === 'en' ? import('@voltdeck/phrases/en/order') : import('@voltdeck/phrases/zh-CN/order');
    const [loaded, { order }] = await Promise.all([load(), words]);
    learnPhrases(order);
    return loaded;
  };
}
