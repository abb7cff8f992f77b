import { defaultLanguage, type Language, languages } from '@voltdeck/contract/languages';
import { outerScreens } from '@voltdeck/contract/outer-screens';
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

/** The big screen is hung up by its address, which names its language: `/screen?language=en`. */
export function languageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Language | null {
  if (pathname !== outerScreens.screen.path) return null;
  const wanted = new URLSearchParams(search).get('language');
  return languages.find((known) => known === wanted) ?? null;
}

export const language: Language = (typeof location === 'undefined' ? null : languageOf(location)) ?? keptLanguage();

/** Each language's name in that language, so that those who need it can read it. */
export const languageNames: Readonly<Record<Language, string>> = { 'zh-CN': '中文', en: 'English' };
