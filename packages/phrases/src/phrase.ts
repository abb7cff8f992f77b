import type { all } from './zh-CN/all.ts';

export type PhraseKey = keyof typeof all;
export type Phrases = Readonly<Record<PhraseKey, string>>;
export type PhraseParams = Readonly<Record<string, string | number>>;

/** Puts `params` into the {braces} of a text; a brace without a value stays visible, so that a test can find it. */
export function fill(text: string, params: PhraseParams = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : String(value);
  });
}
