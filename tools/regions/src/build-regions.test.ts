import { readFileSync } from 'node:fs';
import { polyphonic } from 'pinyin-pro';
import { describe, expect, test } from 'vitest';
import {
  buildProvinceRows,
  buildRegionRows,
  divisionDrift,
  provincesFile,
  regionsFile,
  rowsText,
} from './build-regions.ts';
import { divisionRows } from './division-rows.ts';
import rules from './english-name-rules.json' with { type: 'json' };

test('the committed region rows agree with the sources', () => {
  expect(readFileSync(regionsFile, 'utf8')).toBe(rowsText(buildRegionRows()));
  expect(readFileSync(provincesFile, 'utf8')).toBe(rowsText(buildProvinceRows()));
});

test('the divisions agree with the published ones', () => {
  expect(divisionDrift()).toEqual([]);
});

describe('English names', () => {
  test('an English name on the mainland is its pinyin, unless the rules say otherwise', () => {
    const faults = divisionRows.filter(([code, zh, en]) => code < 700_000 && !isSpeltByRule(code, zh, en));
    expect(faults).toEqual([]);
  });

  test('the check of English names notices a translated name', () => {
    expect(isSpeltByRule(150_123, '和林格尔县', 'Horinger County')).toBe(true);
    expect(isSpeltByRule(532_504, '弥勒市', 'Maitreya City')).toBe(false);
    expect(isSpeltByRule(410_204, '鼓楼区', 'Drum Tower District')).toBe(false);
  });
});

type Rules = Readonly<Record<string, string>>;

function isSpeltByRule(code: number, zh: string, en: string): boolean {
  if (String(code) in rules.provinces) return true;
  const whole = ruleFor(rules.full, zh, code);
  if (whole !== undefined) return whole === en;
  const stem = stemOf(zh);
  const written = letters(en);
  const special = ruleFor(rules.stems, stem, code) ?? ruleFor(rules.readings, stem, code);
  if (special !== undefined && written.startsWith(letters(special))) return true;
  const readings: string[][] = polyphonic(stem, { toneType: 'none', type: 'array' });
  let spelt = new Set([0]);
  for (const syllables of readings) {
    const next = new Set<number>();
    for (const at of spelt) {
      for (const syllable of syllables.map(letters)) {
        if (written.startsWith(syllable, at)) next.add(at + syllable.length);
      }
    }
    spelt = next;
  }
  return spelt.size > 0;
}

/** A rule may apply only in some places: `温泉@65` is the one whose code starts with 65. */
function ruleFor(table: Rules, name: string, code: number): string | undefined {
  const local = Object.keys(table).find((key) => {
    const [stem, prefix] = key.split('@');
    return stem === name && prefix !== undefined && String(code).startsWith(prefix);
  });
  return table[local ?? name];
}

/** A name without its kind of division and its peoples. */
function stemOf(zh: string): string {
  const kind = rules.types.find(([suffix = '']) => zh.endsWith(suffix) && zh.length > suffix.length)?.[0] ?? '';
  const peoples = Object.keys(rules.ethnic).sort((one, other) => other.length - one.length);
  let stem = zh.slice(0, zh.length - kind.length);
  for (;;) {
    const people = peoples.find((name) => stem.endsWith(name) && stem.length > name.length);
    if (people === undefined || !(zh.includes('自治') || people.endsWith('族'))) return stem;
    stem = stem.slice(0, -people.length);
  }
}

function letters(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}
