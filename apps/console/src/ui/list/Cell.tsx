import { type Column, valueIn } from '@voltdeck/contract/list';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { knownPhrase, type PhraseKey, phrase } from '../../phrases.ts';
import type { Place } from '../../session/place.ts';
import { useMayGo } from '../../session/use-go.ts';
import { CopyNumber } from '../CopyNumber.tsx';
import {
  countText,
  durationText,
  energyText,
  nothingText,
  powerText,
  sizeText,
  tenthText,
  yuanText,
} from '../figures.ts';
import { Instant } from '../Instant.tsx';
import { StateTag } from '../StateTag.tsx';
import type { Tone } from '../state-colours.ts';
import styles from './cell.module.css';

/** The unit of each kind of figure, shown in the column head. */
export const unitOf: Partial<Readonly<Record<Column['kind'], string>>> = {
  money: '¥',
  energyWh: 'kWh',
  powerW: 'kW',
  powerKw: 'kW',
  voltageV: 'V',
  voltageMv: 'V',
  currentA: 'A',
  currentMa: 'A',
  temperatureC: '°C',
  percent: '%',
};

const figures: Partial<Readonly<Record<Column['kind'], (value: number) => string>>> = {
  count: countText,
  money: yuanText,
  energyWh: (wh) => energyText(wh),
  powerW: powerText,
  powerKw: (kw) => powerText(kw * 1000),
  voltageV: countText,
  voltageMv: powerText,
  currentA: countText,
  currentMa: powerText,
  temperatureC: tenthText,
  percent: String,
  durationMs: durationText,
  bytes: sizeText,
};

export function isFigure(kind: Column['kind']): boolean {
  return figures[kind] !== undefined;
}

/** A figure of this kind, formatted as on every screen. */
export function figureText(kind: Column['kind'], value: number): string {
  return figures[kind]?.(value) ?? String(value);
}

/** The text of a choice or a flag. */
export function wordOf({ kind, words }: Pick<Column, 'kind' | 'words'>, value: unknown): string {
  if (kind === 'flag') {
    const [yes, no] = (words ?? ['list.yes', 'list.no']) as readonly [PhraseKey, PhraseKey];
    return phrase(value === true ? yes : no);
  }
  // A value that only a newer server knows is shown unchanged.
  return knownPhrase(`${words as string}.${String(value)}`) ?? String(value);
}

type CellProps<Row> = {
  row: Row;
  name: string;
  column: Column<Row>;
  tone?: Tone | null | undefined;
  place?: Place | null | undefined;
  onOpen?: (() => void) | undefined;
  isExact?: boolean | undefined;
  /** Replaces the value. */
  text?: string | undefined;
};

/** One value of a row, rendered by its kind. */
export function Cell<Row>({
  row,
  name,
  column,
  tone,
  place,
  onOpen,
  isExact = false,
  text,
}: CellProps<Row>): ReactNode {
  if (text !== undefined) return <Named place={place} onOpen={onOpen} text={text} />;
  const { kind, absent } = column;
  const value = valueIn(column, name, row);
  if (value === null || value === undefined || value === '') {
    return absent === undefined ? nothingText : phrase(absent as PhraseKey);
  }
  const figure = figures[kind];
  if (figure !== undefined) {
    return <Named place={place} onOpen={onOpen} className="figure" text={figure(value as number)} />;
  }
  switch (kind) {
    case 'number':
      return (
        <CopyNumber value={String(value)}>
          <Named place={place} onOpen={onOpen} text={String(value)} />
        </CopyNumber>
      );
    case 'choice':
    case 'flag': {
      const word = wordOf(column, value);
      return tone === undefined || tone === null ? word : <StateTag tone={tone}>{word}</StateTag>;
    }
    case 'choices': {
      const words = (value as readonly string[]).map((one) => wordOf(column, one));
      return words.length === 0 ? nothingText : words.join(phrase('list.comma'));
    }
    case 'instant':
      return <Instant at={String(value)} exact={isExact} />;
    case 'exactInstant':
      return <Instant at={String(value)} exact />;
    case 'day':
      return <span className="figure">{String(value)}</span>;
    default:
      return <Named place={place} onOpen={onOpen} text={String(value)} />;
  }
}

type NamedProps = {
  text: string;
  place?: Place | null | undefined;
  onOpen?: (() => void) | undefined;
  className?: string;
};

/** A text with a link, if there is a target that the user may open. */
function Named({ text, place, onOpen, className }: NamedProps) {
  const mayGo = useMayGo();
  if (onOpen !== undefined) {
    return (
      <button type="button" className={styles.link} title={text} onClick={onOpen}>
        {text}
      </button>
    );
  }
  if (place !== undefined && place !== null && mayGo(place.screen)) {
    return (
      <Link to={place.address} className={className}>
        {text}
      </Link>
    );
  }
  return className === undefined ? text : <span className={className}>{text}</span>;
}
