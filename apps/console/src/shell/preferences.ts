import { create } from 'zustand';
import { keepText } from '../keep-text.ts';
import {
  type Appearance,
  type AppearanceChoice,
  appearanceOf,
  applyAppearance,
  keepAppearance,
  onSystemAppearance,
  readAppearanceChoice,
} from '../ui/appearance.ts';
import { applyThemeColour } from '../ui/theme-shades.ts';
import { type LayoutSettings, layoutSettingsKey, readLayout } from './layout-settings.ts';

/** Specification section 9: four sizes, small by default. */
export const sizes = ['default', 'medium', 'small', 'mini'] as const;
export type Size = (typeof sizes)[number];
const sizeKey = 'voltdeck-size';

/** Specification section 9: 1 is open, 0 is closed. */
const sidebarCookie = 'sidebarStatus';
const yearSeconds = 365 * 24 * 60 * 60;

export function isSidebarOpenIn(cookies: string): boolean {
  return !cookies.split(';').some((part) => part.trim() === `${sidebarCookie}=0`);
}

export function readSize(kept: string | null): Size {
  return sizes.find((size) => size === kept) ?? 'small';
}

type Preferences = {
  size: Size;
  appearanceChoice: AppearanceChoice;
  /** The appearance that the choice resolves to now. */
  appearance: Appearance;
  isSidebarOpen: boolean;
  /** Includes changes that are not saved yet. */
  layout: LayoutSettings;
};

export const usePreferences = create<Preferences>(() => {
  const appearanceChoice = readAppearanceChoice();
  return {
    size: readSize(localStorage.getItem(sizeKey)),
    appearanceChoice,
    appearance: appearanceOf(appearanceChoice),
    isSidebarOpen: isSidebarOpenIn(document.cookie),
    layout: readLayout(localStorage.getItem(layoutSettingsKey)),
  };
});

/** Applies size, appearance and theme to the document, from which antd's theme is read. */
export function applyPreferences({ size, appearance, layout }: Preferences = usePreferences.getState()): void {
  document.documentElement.dataset.size = size;
  applyAppearance(appearance);
  applyThemeColour(layout.theme, appearance);
}

function change(changed: Partial<Preferences>): void {
  applyPreferences({ ...usePreferences.getState(), ...changed });
  usePreferences.setState(changed);
}

export function chooseSize(size: Size): void {
  keepText(localStorage, sizeKey, size);
  change({ size });
}

export function chooseAppearance(appearanceChoice: AppearanceChoice): void {
  keepAppearance(appearanceChoice);
  change({ appearanceChoice, appearance: appearanceOf(appearanceChoice) });
}

/** Follows the system's appearance if the user chose that. Call once. */
export function followSystemAppearance(): void {
  onSystemAppearance(() => {
    const { appearanceChoice } = usePreferences.getState();
    if (appearanceChoice === 'system') change({ appearance: appearanceOf(appearanceChoice) });
  });
}

/** Previews a layout without saving it. */
export function tryLayout(part: Partial<LayoutSettings>): void {
  change({ layout: { ...usePreferences.getState().layout, ...part } });
}

export function openSidebar(isSidebarOpen: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${sidebarCookie}=${isSidebarOpen ? 1 : 0}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}`;
  usePreferences.setState({ isSidebarOpen });
}
