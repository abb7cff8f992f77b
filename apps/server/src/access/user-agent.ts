/** The order matters: each browser also carries the names of those below it. */
const browsers: readonly (readonly [name: string, version: RegExp])[] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Huawei Browser', /HuaweiBrowser\/(\d+)/],
  ['QQ Browser', /M?QQBrowser\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* .*Safari\//],
];

/** Likewise: HarmonyOS and Android also say Linux, iOS also says Mac OS X. */
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['HarmonyOS', /(?:OpenHarmony|HarmonyOS)(?:[ /](\d+))?/i],
  ['Windows', /Windows(?: NT)?/],
  ['Android', /Android(?: (\d+))?/],
  ['iOS', /(?:iPhone|CPU) OS (\d+)/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
];

/**
 * The browser and the system as people call them: "Chrome 142", "Android 15". Windows and macOS no longer report their
 * version. An unknown browser is shown by its whole text; an unnamed system stays empty.
 */
export function readUserAgent(text: string): { browser: string; system: string } {
  return { browser: firstOf(browsers, text) ?? text, system: firstOf(systems, text) ?? '' };
}

function firstOf(known: readonly (readonly [string, RegExp])[], text: string): string | null {
  for (const [name, pattern] of known) {
    const match = pattern.exec(text);
    if (match !== null) return match[1] === undefined ? name : `${name} ${match[1]}`;
  }
  return null;
}
