import { keepText } from '../keep-text.ts';
import { defaultThemeColour, isColour } from '../ui/theme-shades.ts';

/** Specification section 2: the settings of the panel, under these names. */
export type LayoutSettings = {
  theme: string;
  /** Whether the tab bar is shown. */
  tagsView: boolean;
  /** Whether the header stays in place while the page scrolls. */
  fixedHeader: boolean;
  sidebarLogo: boolean;
  /** Whether the top bar has a button for the settings panel. */
  showSettings: boolean;
};

export const layoutSettingsKey = 'layout-setting';

/** Specification section 9: saving and resetting take a second, so that the user notices. */
export const settingsDelayMs = 1_000;

export const defaultLayout: LayoutSettings = {
  theme: defaultThemeColour,
  tagsView: true,
  fixedHeader: true,
  sidebarLogo: true,
  showSettings: true,
};

function parsed(kept: string | null): unknown {
  if (kept === null) return null;
  try {
    return JSON.parse(kept);
  } catch {
    // Unreadable text under our key counts as nothing stored.
    return null;
  }
}

/** The saved settings; missing or invalid ones take their defaults. */
export function readLayout(kept: string | null): LayoutSettings {
  const value = parsed(kept);
  if (typeof value !== 'object' || value === null) return defaultLayout;
  const given = value as Partial<Record<keyof LayoutSettings, unknown>>;
  const flag = (name: Exclude<keyof LayoutSettings, 'theme'>) => {
    const found = given[name];
    return typeof found === 'boolean' ? found : defaultLayout[name];
  };
  return {
    theme: isColour(given.theme) ? given.theme.toLowerCase() : defaultLayout.theme,
    tagsView: flag('tagsView'),
    fixedHeader: flag('fixedHeader'),
    sidebarLogo: flag('sidebarLogo'),
    showSettings: flag('showSettings'),
  };
}

export function keepLayout(layout: LayoutSettings): void {
  keepText(localStorage, layoutSettingsKey, JSON.stringify(layout));
}

export function forgetLayout(): void {
  localStorage.removeItem(layoutSettingsKey);
}
