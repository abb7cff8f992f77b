export const appearances = ['light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

/** What may be chosen: one of the two, or whichever the system shows. */
export const appearanceChoices = [...appearances, 'system'] as const;
export type AppearanceChoice = (typeof appearanceChoices)[number];

const appearanceKey = 'voltdeck-appearance';
const systemDark = '(prefers-color-scheme: dark)';

/** What was chosen; the system's while nothing was. */
export function readAppearanceChoice(): AppearanceChoice {
  const kept = localStorage.getItem(appearanceKey);
  return appearanceChoices.find((choice) => choice === kept) ?? 'system';
}

/** What a choice means at this moment. */
export function appearanceOf(choice: AppearanceChoice): Appearance {
  if (choice !== 'system') return choice;
  return matchMedia(systemDark).matches ? 'dark' : 'light';
}

export function applyAppearance(appearance: Appearance = appearanceOf(readAppearanceChoice())): void {
  document.documentElement.dataset.theme = appearance;
}

export function keepAppearance(choice: AppearanceChoice): void {
  localStorage.setItem(appearanceKey, choice);
}

/** Calls back whenever the system turns dark or light. */
export function onSystemAppearance(callback: () => void): void {
  matchMedia(systemDark).addEventListener('change', callback);
}
