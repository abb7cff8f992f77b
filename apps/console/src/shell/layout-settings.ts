import { defaultThemeColour, isColour } from '../ui/theme-shades.ts';

/** Specification section 2: what the settings panel keeps, under these names. */
export type LayoutSettings = {
  theme: string;
  /** The bar of open pages. */
  tagsView: boolean;
  /** The header stays while the page scrolls below it. */
  fixedHeader: boolean;
  sidebarLogo: boolean;
  /** The way to the settings panel in the top bar. */
  showSettings: boolean;
};

export const layoutSettingsKey = 'layout-setting';

/** Specification section 9: saving and resetting take a second, so that it is seen. */
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
    // Somebody else's text under our key says nothing.
    return null;
  }
}

/** What was saved; the default for everything that was not, or that means nothing. */
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
  localStorage.setItem(layoutSettingsKey, JSON.stringify(layout));
}

export function forgetLayout(): void {
  localStorage.removeItem(layoutSettingsKey);
}
