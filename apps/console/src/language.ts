import { defaultLanguage, type Language } from '@voltdeck/contract/permissions';

/** Where the choice is kept (specification section 9). */
export const languageKey = 'change-language';

/** What was chosen earlier; Chinese until something else is chosen. */
export function readLanguage(storage: Pick<Storage, 'getItem'>): Language {
  return storage.getItem(languageKey) === 'en' ? 'en' : defaultLanguage;
}

/** Keeps the choice and loads the page again: one language per load keeps the other one off the wire. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(languageKey, language);
  location.reload();
}

export const language: Language = typeof localStorage === 'undefined' ? defaultLanguage : readLanguage(localStorage);

/** Each language in its own words: whoever needs it must be able to read it. */
export const languageNames: Readonly<Record<Language, string>> = { 'zh-CN': '中文', en: 'English' };
