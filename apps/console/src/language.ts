import { defaultLanguage, type Language } from '@voltdeck/contract/languages';
import { keepText } from './keep-text.ts';

/** The storage key (specification section 9). */
export const languageKey = 'change-language';

/** The stored choice; Chinese by default. */
export function readLanguage(storage: Pick<Storage, 'getItem'>): Language {
  return storage.getItem(languageKey) === 'en' ? 'en' : defaultLanguage;
}

/** Stores the choice and reloads the page: only one language is loaded at a time. */
export function chooseLanguage(language: Language): void {
  keepText(localStorage, languageKey, language);
  location.reload();
}

/** The default where there is no storage, or a browser refuses it. */
function keptLanguage(): Language {
  try {
    return typeof localStorage === 'undefined' ? defaultLanguage : readLanguage(localStorage);
  } catch {
    return defaultLanguage;
  }
}

export const language: Language = keptLanguage();

/** Each language's name in that language, so that those who need it can read it. */
export const languageNames: Readonly<Record<Language, string>> = { 'zh-CN': '中文', en: 'English' };
