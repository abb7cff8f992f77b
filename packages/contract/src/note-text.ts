import type { ChargeNoteRow } from './readings.ts';

type Value = ChargeNoteRow['values'][string];

/** Which unit the end of a value's name implies, what one of it is of ours, and how many decimals are shown. */
const units: readonly { end: RegExp; unit: string; perUnit: number; decimals: number }[] = [
  { end: /^cellVoltage\w*Mv$/, unit: 'V', perUnit: 1_000, decimals: 2 },
  { end: /Mv$/, unit: 'V', perUnit: 1_000, decimals: 1 },
  { end: /Mah$/, unit: 'Ah', perUnit: 1_000, decimals: 1 },
  { end: /Ma$/, unit: 'A', perUnit: 1_000, decimals: 1 },
  { end: /Wh$/, unit: 'kWh', perUnit: 1_000, decimals: 1 },
  { end: /C$/, unit: '°C', perUnit: 1, decimals: 0 },
  { end: /Percent$/, unit: '%', perUnit: 1, decimals: 0 },
  { end: /Minutes$/, unit: 'min', perUnit: 1, decimals: 0 },
];

/** Words that a value of these fields stands for; the others are shown as they are. */
const wordedFields = /^(?:batteryType|packOwner|chargeMode|reasons|faults|errors|\w+State)$/;

/** The database keeps no order of values: these come first, in this order. */
const readingOrder: readonly string[] = [
  'reasons',
  'faults',
  'errors',
  'vin',
  'batteryType',
  'batteryMaker',
  'demandVoltageMv',
  'demandCurrentMa',
  'chargeMode',
  'outputVoltageMv',
  'outputCurrentMa',
  'measuredVoltageMv',
  'measuredCurrentMa',
  'socPercent',
  'remainingMinutes',
  'chargedMinutes',
  'cellVoltageMaxMv',
  'temperatureMaxC',
  'temperatureMinC',
];

function rankOf(key: string): number {
  const rank = readingOrder.indexOf(key);
  return rank === -1 ? readingOrder.length : rank;
}

export type NotePart = { key: string; label: string; value: string };

/**
 * What a note says, part by part: each label and value in words and units. `say` gives the words of a phrase key, null
 * where there are none.
 */
export function noteParts(values: ChargeNoteRow['values'], say: (key: string) => string | null): NotePart[] {
  const entries = Object.entries(values).sort(([one], [other]) => rankOf(one) - rankOf(other));
  return entries.flatMap(([key, value]) => {
    const text = valueText(key, value, say);
    return text === null ? [] : [{ key, label: say(`note-field.${key}`) ?? key, value: text }];
  });
}

/** The same as one line. */
export function noteText(values: ChargeNoteRow['values'], say: (key: string) => string | null): string {
  const colon = say('readings.colon') ?? ': ';
  return noteParts(values, say)
    .map(({ label, value }) => `${label}${colon}${value}`)
    .join(say('readings.semicolon') ?? '; ');
}

function valueText(key: string, value: Value | undefined, say: (key: string) => string | null): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    if (value.length === 0) return say('readings.none') ?? '';
    return value.map((one) => wordOf(one, say)).join(say('list.comma') ?? ', ');
  }
  if (typeof value === 'number') {
    const unit = units.find(({ end }) => end.test(key));
    return unit === undefined ? String(value) : figureText(key, value, unit);
  }
  return wordedFields.test(key) ? wordOf(String(value), say) : String(value);
}

/** GB/T 27930 counts a charging current below zero; people do not. */
function figureText(key: string, value: number, { unit, perUnit, decimals }: (typeof units)[number]): string {
  const shown = key.endsWith('Ma') ? Math.abs(value) : value;
  return `${(shown / perUnit).toFixed(decimals)} ${unit}`;
}

/** A flag that the vehicle itself does not trust says so. */
function wordOf(word: string, say: (key: string) => string | null): string {
  const known = say(`note-value.${word}`);
  if (known !== null) return known;
  const doubted = /^(.+)_untrusted$/.exec(word)?.[1];
  const trusted = doubted === undefined ? null : say(`note-value.${doubted}`);
  if (trusted === null) return word;
  return `${trusted}${say('readings.untrusted') ?? ''}`;
}
