import { keepText } from '../keep-text.ts';

export const appearances = ['light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

/** The choices: light, dark, or whatever the system uses. */
export const appearanceChoices = [...appearances, 'system'] as const;
export type AppearanceChoice = (typeof appearanceChoices)[number];

const appearanceKey = 'voltdeck-appearance';
const systemDark = '(prefers-color-scheme: dark)';

/** The stored choice; the system's by default. */
export function readAppearanceChoice(): AppearanceChoice {
  const kept = localStorage.getItem(appearanceKey);
  return appearanceChoices.find((choice) => choice === kept) ?? 'system';
}

/** The appearance that a choice resolves to now. */
export function appearanceOf(choice: AppearanceChoice): Appearance {
  if (choice !== 'system') return choice;
  return matchMedia(systemDark).matches ? 'dark' : 'light';
}

export function applyAppearance(appearance: Appearance = appearanceOf(readAppearanceChoice())): void {
  document.documentElement.dataset.theme = appearance;
}

export function keepAppearance(choice: AppearanceChoice): void {
  keepText(localStorage, appearanceKey, choice);
}

/** Calls back whenever the system switches between dark and light. */
export function onSystemAppearance(callback: () => void): void {
  matchMedia(systemDark).addEventListener('change', callback);
}
