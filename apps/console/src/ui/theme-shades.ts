import type { Appearance } from './appearance.ts';

/**
 * Specification section 9. White text on it has a contrast of only 3.63, so it is used for marks, and a darker shade
 * for fills.
 */
export const defaultThemeColour = '#5f7df9';

/** Offered beside the free choice; each is dark enough for marks on white. */
export const presetColours = [
  defaultThemeColour,
  '#1677ff',
  '#0e7c86',
  '#12805c',
  '#6d4fc4',
  '#b0369a',
  '#c2452d',
  '#9a6700',
  '#3d4a63',
] as const;

/** Minimum contrast of readable text (WCAG 2.2, 1.4.3); marks need less (1.4.11). */
export const textContrastMin = 4.5;
export const markContrastMin = 3;
/** A filled button has to stand out on a dark panel. */
const fillContrastMin = 1.6;

type Rgb = readonly [number, number, number];
/** Oklab in polar form: lightness 0…1, chroma, hue in radians. */
type Lch = { l: number; c: number; h: number };

export function isColour(text: unknown): text is string {
  return typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);
}

function channelsOf(colour: string): Rgb {
  const at = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(toLinear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio", 1…21. */
export function contrastOf(a: string, b: string): number {
  const [first, second] = [luminance(a), luminance(b)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** https://bottosson.github.io/posts/oklab: steps of lightness look even, and hues stay constant. */
function toLch(colour: string): Lch {
  const [red, green, blue] = channelsOf(colour).map(toLinear) as unknown as Rgb;
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: Math.atan2(b, a),
  };
}

function linearOf({ l, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

const chromaSteps = 12;

/** The nearest displayable colour: reduces chroma until it fits. */
function toColour(wanted: Lch): string {
  const l = Math.min(1, Math.max(0, wanted.l));
  let c = wanted.c;
  let linear = linearOf({ l, c, h: wanted.h });
  for (let step = 0; step < chromaSteps && linear.some((value) => value < -0.0005 || value > 1.0005); step += 1) {
    c *= step === chromaSteps - 1 ? 0 : 0.8;
    linear = linearOf({ l, c, h: wanted.h });
  }
  const hex = (value: number) =>
    Math.round(Math.min(1, Math.max(0, toGamma(Math.min(1, Math.max(0, value))))) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${linear.map(hex).join('')}`;
}

const lightnessStep = 0.01;

/** Changes the lightness until the colour passes; ends at black or white. */
function moved(from: Lch, direction: 1 | -1, passes: (colour: string) => boolean): string {
  for (let l = from.l; l >= 0 && l <= 1; l += direction * lightnessStep) {
    const colour = toColour({ ...from, l });
    if (passes(colour)) return colour;
  }
  return direction === 1 ? '#ffffff' : '#000000';
}

/** The tokens of tokens.css that do not follow the theme colour; keep both in step. */
const surroundings = {
  light: { panel: '#ffffff', surfaces: ['#f5f7fa', '#ffffff', '#f7f9fc'], faint: '#5f697d', menu: '#5c6577' },
  dark: {
    panel: '#1a1e28',
    surfaces: ['#12151c', '#1a1e28', '#222734', '#1e2330', '#151922'],
    faint: '#97a1b4',
    menu: '#aeb7c7',
  },
} as const satisfies Record<Appearance, object>;

/** The tokens that follow the theme colour, named as in tokens.css. */
export type ThemeShades = {
  theme: string;
  /** The theme colour for marks: unchanged, or shifted until visible. */
  'theme-mark': string;
  strong: string;
  'strong-hover': string;
  'strong-text': string;
  focus: string;
  hover: string;
  active: string;
};

/**
 * Readable shades of a theme colour: white text on `strong` and `strong-hover`, `strong-text` on every surface, and
 * every text on the tints. The hue stays as chosen.
 */
export function shadesOf(theme: string, appearance: Appearance): ThemeShades {
  const { panel, surfaces, faint, menu } = surroundings[appearance];
  const isLight = appearance === 'light';
  const chosen = toLch(theme);
  const carriesWhite = (colour: string) => contrastOf(colour, '#ffffff') >= textContrastMin;
  const isSeen = (colour: string) => isLight || contrastOf(colour, panel) >= fillContrastMin;

  // From the chosen lightness down until white is readable, or up where it would vanish on the panel.
  const lowest = moved(chosen, -1, carriesWhite);
  const strong = isSeen(lowest) ? lowest : moved(toLch(lowest), 1, isSeen);
  const base = toLch(strong);
  const darker = toColour({ ...base, l: base.l - 0.05 });
  const lighter = toColour({ ...base, l: base.l + 0.07 });
  const strongHover = base.l > 0.3 && isSeen(darker) ? darker : carriesWhite(lighter) ? lighter : strong;

  const tint = (l: number, c: number) =>
    moved({ l, c: Math.min(chosen.c, c), h: chosen.h }, isLight ? 1 : -1, (colour) =>
      [faint, menu].every((text) => contrastOf(text, colour) >= textContrastMin),
    );
  const hover = isLight ? tint(0.97, 0.014) : tint(0.285, 0.03);
  const active = isLight ? tint(0.95, 0.024) : tint(0.33, 0.06);

  const carriers = [...surfaces, hover, active];
  const strongText = moved(
    isLight ? base : { ...chosen, l: Math.max(chosen.l, 0.7), c: Math.min(chosen.c, 0.13) },
    isLight ? -1 : 1,
    (colour) => carriers.every((carrier) => contrastOf(colour, carrier) >= textContrastMin),
  );
  const mark = moved(chosen, isLight ? -1 : 1, (colour) => contrastOf(colour, panel) >= markContrastMin);
  return {
    theme,
    'theme-mark': contrastOf(theme, panel) >= markContrastMin ? theme : mark,
    strong,
    'strong-hover': strongHover,
    'strong-text': strongText,
    focus: strongText,
    hover,
    active,
  };
}

/** Applies a theme colour to the document; the default is already in tokens.css. */
export function applyThemeColour(theme: string, appearance: Appearance): void {
  const { style } = document.documentElement;
  const isDefault = theme.toLowerCase() === defaultThemeColour;
  for (const [name, colour] of Object.entries(shadesOf(theme, appearance))) {
    if (isDefault) style.removeProperty(`--${name}`);
    else style.setProperty(`--${name}`, colour);
  }
}
