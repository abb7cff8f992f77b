import { languageHeader } from '@voltdeck/contract/envelope';
import { defaultLanguage, type Language, languages } from '@voltdeck/contract/languages';
import { all as english } from '@voltdeck/phrases/en/all';
import { fill, type PhraseKey, type PhraseParams, type Phrases } from '@voltdeck/phrases/phrase';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';

const phrasesOf: Readonly<Record<Language, Phrases>> = { 'zh-CN': chinese, en: english };

/** One text of the product in the caller's language. */
export function say(language: Language, key: PhraseKey, params?: PhraseParams): string {
  return fill(phrasesOf[language][key], params);
}

/** The text of a key composed from database values; null when there is none. */
export function sayIfKnown(language: Language, key: string): string | null {
  const phrases = phrasesOf[language];
  return Object.hasOwn(phrases, key) ? phrases[key as PhraseKey] : null;
}

/** The header `language` (specification section 7); Chinese when it is absent or unknown. */
export function languageOf(headers: Readonly<Record<string, string | string[] | undefined>>): Language {
  const given = headers[languageHeader];
  return languages.find((language) => language === given) ?? defaultLanguage;
}
