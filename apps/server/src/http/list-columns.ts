import type { Language } from '@voltdeck/contract/languages';
import type { Column, ColumnKind } from '@voltdeck/contract/list';
import { valueIn } from '@voltdeck/contract/list';
import { parseIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { Cell, FileColumn } from './file-cells.ts';
import type { FileSource } from './list-source.ts';
import { say, sayIfKnown } from './say.ts';

/** Column width in Excel by kind, in characters. */
const widths: Readonly<Record<ColumnKind, number>> = {
  text: 22,
  number: 22,
  choice: 14,
  choices: 22,
  flag: 10,
  count: 10,
  money: 14,
  energyWh: 14,
  powerW: 12,
  powerKw: 12,
  voltageV: 10,
  voltageMv: 10,
  currentA: 10,
  currentMa: 10,
  temperatureC: 12,
  percent: 10,
  durationMs: 12,
  bytes: 12,
  instant: 20,
  exactInstant: 24,
  day: 12,
};

const units: Readonly<Partial<Record<ColumnKind, string>>> = {
  energyWh: 'kWh',
  powerW: 'kW',
  powerKw: 'kW',
  voltageV: 'V',
  voltageMv: 'V',
  currentA: 'A',
  currentMa: 'A',
  temperatureC: '°C',
  percent: '%',
  bytes: 'KiB',
};

/** A list's columns for a file: the heads of the screen with their units, and words where the screen shows words. */
export function fileColumns(
  { route: { columns }, texts = {} }: Pick<FileSource, 'texts'> & { route: Pick<FileSource['route'], 'columns'> },
  language: Language,
): FileColumn<never>[] {
  return Object.entries(columns).map(([key, column]) => {
    const textOf = texts[key];
    return {
      head: headOf(column, language),
      widthCharacters: widths[column.kind],
      cell: (row) =>
        textOf === undefined ? cellOf(column, valueIn(column, key, row), language) : { text: textOf(row, language) },
    };
  });
}

function headOf({ kind, title }: Column, language: Language): string {
  const unit = kind === 'money' ? say(language, 'export.yuan') : units[kind];
  const name = words(title, language);
  return unit === undefined ? name : `${name} (${unit})`;
}

function cellOf(column: Column, value: unknown, language: Language): Cell {
  if (value === null || value === undefined) {
    return { text: column.absent === undefined ? null : words(column.absent, language) };
  }
  switch (column.kind) {
    case 'text':
    case 'number':
      return { text: String(value) };
    case 'choice':
      return { text: sayIfKnown(language, `${column.words}.${value}`) ?? String(value) };
    case 'choices': {
      const said = (value as string[]).map((one) => sayIfKnown(language, `${column.words}.${one}`) ?? one);
      return { text: said.join(say(language, 'list.comma')) };
    }
    case 'flag': {
      const [yes, no] = Array.isArray(column.words) ? column.words : ['list.yes', 'list.no'];
      return { text: words(value === true ? yes : no, language) };
    }
    case 'money':
      return { fen: value as Fen };
    case 'energyWh':
    case 'powerW':
    case 'voltageMv':
    case 'currentMa':
      return { number: (value as number) / 1000 };
    case 'durationMs':
      return { durationMs: value as number };
    case 'bytes':
      return { number: Math.ceil((value as number) / 1024) };
    case 'exactInstant':
      return { exactAt: parseIso(value as string) };
    case 'instant':
      return { at: parseIso(value as string) };
    case 'day':
      return { day: value as string };
    default:
      return { number: value as number };
  }
}

/** The text of a phrase key from the contract. */
function words(key: string, language: Language): string {
  const text = sayIfKnown(language, key);
  if (text === null) throw new Error(`${key} has no words`);
  return text;
}
