import type { Language } from './languages.ts';
import { builtInFacilities } from './sites.ts';

/** Further facilities than those of the specification, one per line: `lounge=休息室|Lounge`. */
export const facilitiesKey = 'site_facilities';

export type ConfiguredFacility = { code: string; names: Readonly<Record<Language, string>> };

const configuredMax = 36;
const line = /^([a-z][a-z0-9_]{0,31})=([^|=]{1,20})\|([^|=]{1,40})$/;

/** The facilities that the parameter's value adds; null if a line is malformed, repeats a code or is one too many. */
export function configuredFacilities(value: string): readonly ConfiguredFacility[] | null {
  const lines = value.split('\n').map((text) => text.trim());
  const found: ConfiguredFacility[] = [];
  const codes = new Set<string>(builtInFacilities);
  for (const text of lines.filter((one) => one !== '')) {
    const [, code = '', zh = '', en = ''] = line.exec(text) ?? [];
    if (zh.trim() === '' || en.trim() === '' || codes.has(code) || found.length === configuredMax) return null;
    codes.add(code);
    found.push({ code, names: { 'zh-CN': zh.trim(), en: en.trim() } });
  }
  return found;
}
