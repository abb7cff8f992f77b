import type { all } from './zh-CN/all.ts';

export type PhraseKey = keyof typeof all;
export type Phrases = Readonly<Record<PhraseKey, string>>;
export type PhraseParams = Readonly<Record<string, string | number>>;

/**
 * Puts `params` into the {braces} of a text; a brace without a value stays visible, so that a test can find it.
 * `{count|site|sites}` becomes the first word if the value is one, else the second.
 */
export function fill(text: string, params: PhraseParams = {}): string {
  return text.replaceAll(
    /\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g,
    (whole, name: string, one: string | undefined, several: string | undefined) => {
      const value = params[name];
      if (value === undefined) return whole;
      if (one === undefined || several === undefined) return String(value);
      return String(value) === '1' ? one : several;
    },
  );
}
