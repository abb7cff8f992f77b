import { type Language, languages } from '@voltdeck/contract/languages';
import type { MenuProps } from 'antd';
import { chooseLanguage, language, languageNames } from '../language.ts';
import { phrase } from '../phrases.ts';
import { chooseSize, type Size, sizes } from './preferences.ts';

type Items = NonNullable<MenuProps['items']>;

const sizeKey = (size: Size) => `size ${size}`;
const languageKey = (candidate: Language) => `language ${candidate}`;

/** The four sizes, with the current one marked. */
export function sizeItems(current: Size): Items {
  return sizes.map((size) => ({
    key: sizeKey(size),
    label: phrase(`shell.size.${size}`),
    className: size === current ? 'menu-chosen' : '',
    'aria-current': size === current,
    onClick: () => chooseSize(size),
  }));
}

/** Specification section 2: the active language is disabled. */
export function languageItems(): Items {
  return languages.map((candidate) => ({
    key: languageKey(candidate),
    label: <span lang={candidate}>{languageNames[candidate]}</span>,
    disabled: candidate === language,
    onClick: () => chooseLanguage(candidate),
  }));
}
