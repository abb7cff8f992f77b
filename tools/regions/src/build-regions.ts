import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { areaList } from '@vant/area-data';
import { countryRows } from './countries.ts';
import { divisionRows, type RegionRow } from './division-rows.ts';
import rules from './english-name-rules.json' with { type: 'json' };

export const regionsFile = fileURLToPath(
  new URL('../../../packages/regions/src/regions.generated.json', import.meta.url),
);
export const provincesFile = fileURLToPath(
  new URL('../../../packages/regions/src/provinces.generated.json', import.meta.url),
);

/** `[code, Chinese name, English name, short Chinese name, short English name, longitude, latitude]` */
export type ProvinceRow = [number, string, string, string, string, number, number];

/** Divisions that `@vant/area-data` lacks or has under another code. */
const added = new Set([711180, 711480, 711481]);

/** Every region, China's divisions first, then Abroad; ordered by code. */
export function buildRegionRows(): RegionRow[] {
  return [...divisionRows, ...countryRows()];
}

/** The 34 provinces and Abroad with the short names that labels use. */
export function buildProvinceRows(): ProvinceRow[] {
  const english = rules.provinces as Record<string, string[]>;
  return buildRegionRows()
    .filter(([code]) => code % 10_000 === 0 && (code < 900_000 || code === 900_000))
    .map(([code, zh, en, longitude, latitude]) => [
      code,
      zh,
      en,
      zh.replace(/(壮族|回族|维吾尔)?自治区$|特别行政区$|省$|市$/, ''),
      english[code]?.[1] ?? en,
      longitude,
      latitude,
    ]);
}

/** The differences between the curated rows and `@vant/area-data`, as readable lines; empty if there are none. */
export function divisionDrift(): string[] {
  const published = new Map(
    Object.values(areaList).flatMap((list) => Object.entries(list).map(([code, zh]) => [Number(code), zh] as const)),
  );
  const kept = new Map(divisionRows.map(([code, zh]) => [code, zh]));
  const lines: string[] = [];
  for (const [code, zh] of published) {
    const ours = kept.get(code);
    if (ours === undefined && !leftOutOnPurpose(code)) lines.push(`missing ${code} ${zh}`);
    if (ours !== undefined && ours !== zh) lines.push(`renamed ${code} ${ours} to ${zh}`);
  }
  for (const [code, zh] of kept) {
    if (!published.has(code) && !added.has(code)) lines.push(`withdrawn ${code} ${zh}`);
  }
  return lines;
}

/**
 * Functional zones are not divisions of GB/T 2260 (county part 71 to 79 and 90 to 99); for Taiwan the published list
 * has duplicates, misspelt and abolished rows.
 */
function leftOutOnPurpose(code: number): boolean {
  const county = code % 100;
  return (county >= 71 && county <= 79) || county >= 90 || Math.floor(code / 10_000) === 71;
}

/** One row per line, so that a change of one division changes one line. */
export function rowsText(rows: readonly (readonly unknown[])[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
}

if (import.meta.main) {
  for (const line of divisionDrift()) console.warn(line);
  writeFileSync(regionsFile, rowsText(buildRegionRows()));
  writeFileSync(provincesFile, rowsText(buildProvinceRows()));
  console.log(`${buildRegionRows().length} regions, ${buildProvinceRows().length} provinces`);
}
