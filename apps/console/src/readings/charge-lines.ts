import type { ChargeLog } from '@voltdeck/contract/readings';
import { phrase } from '../phrases.ts';
import type { LinePanel, LinePoint, LineSeries } from '../ui/line-panels.ts';

/** What can be drawn of a charge, in the order of the chart. */
export const lineNames = [
  'power',
  'soc',
  'voltage',
  'demandVoltage',
  'current',
  'demandCurrent',
  'vehicleTemperature',
  'cableTemperature',
  'ambientTemperature',
] as const;
export type LineName = (typeof lineNames)[number];

type Spec = Pick<LineSeries, 'unit' | 'decimals' | 'colour' | 'isRight' | 'isDashed' | 'isFilled'>;

export const lineSpecs: Readonly<Record<LineName, Spec>> = {
  power: { unit: 'kW', decimals: 1, colour: 'charging', isFilled: true },
  soc: { unit: '%', decimals: 0, colour: 'free', isRight: true, isDashed: true },
  voltage: { unit: 'V', decimals: 1, colour: 'charging' },
  demandVoltage: { unit: 'V', decimals: 1, colour: 'charging', isDashed: true },
  current: { unit: 'A', decimals: 1, colour: 'occupied', isRight: true },
  demandCurrent: { unit: 'A', decimals: 1, colour: 'occupied', isRight: true, isDashed: true },
  vehicleTemperature: { unit: '°C', decimals: 1, colour: 'occupied' },
  cableTemperature: { unit: '°C', decimals: 1, colour: 'charging' },
  ambientTemperature: { unit: '°C', decimals: 1, colour: 'textFaint', isDashed: true },
};

/** A charge's lines by the instant in ms; only those with a value. */
export type ChargeLines = ReadonlyMap<LineName, readonly LinePoint[]>;

type Point = ChargeLog['points'][number];

const readings: Readonly<
  Record<Exclude<LineName, 'demandVoltage' | 'demandCurrent'>, (point: Point) => number | null>
> = {
  power: ({ powerW }) => thousandth(powerW),
  soc: ({ socPercent }) => socPercent,
  voltage: ({ voltageMv }) => thousandth(voltageMv),
  current: ({ currentMa }) => thousandth(currentMa),
  vehicleTemperature: ({ vehicleTemperatureC }) => vehicleTemperatureC,
  cableTemperature: ({ cableTemperatureC }) => cableTemperatureC,
  ambientTemperature: ({ ambientTemperatureC }) => ambientTemperatureC,
};

export function chargeLines({ points, demands }: Pick<ChargeLog, 'points' | 'demands'>): ChargeLines {
  const lines = new Map<LineName, readonly LinePoint[]>();
  for (const name of lineNames) {
    const line =
      name === 'demandVoltage'
        ? demands.map(({ at, voltageMv }): LinePoint => [Date.parse(at), thousandth(voltageMv)])
        : name === 'demandCurrent'
          ? demands.map(({ at, currentMa }): LinePoint => [Date.parse(at), thousandth(currentMa)])
          : points.map((point): LinePoint => [Date.parse(point.at), readings[name](point)]);
    // A field that this message does not carry is no gap in its line.
    const known = line.filter(([, value]) => value !== null);
    if (known.length > 0) lines.set(name, known);
  }
  return lines;
}

function thousandth(value: number | null): number | null {
  return value === null ? null : value / 1_000;
}

/** One series for each line that is shown; a comparison has two of each, which `nameOf` and `look` tell apart. */
type Drawn = { id: string; lines: ChargeLines; nameOf: (name: LineName) => string; look?: Partial<Spec> };

const panelLines = [
  { lines: ['power', 'soc'], heightPx: 132 },
  { lines: ['voltage', 'demandVoltage', 'current', 'demandCurrent'], heightPx: 110 },
  { lines: ['vehicleTemperature', 'cableTemperature', 'ambientTemperature'], heightPx: 84 },
] as const;

/** Where colours tell charges apart, voltage and current would look the same in one panel. */
const comparedPanelLines = [
  panelLines[0],
  { lines: ['voltage', 'demandVoltage'], heightPx: 96 },
  { lines: ['current', 'demandCurrent'], heightPx: 96 },
  panelLines[2],
] as const;

/** The panels that have something to show: power and SOC, voltage and current, temperatures. */
export function chargePanels(charges: readonly Drawn[], hidden: ReadonlySet<LineName>): LinePanel[] {
  const panels: readonly { lines: readonly [LineName, ...LineName[]]; heightPx: number }[] =
    charges.length > 1 ? comparedPanelLines : panelLines;
  return panels.flatMap(({ lines: names, heightPx }) => {
    const side = names[0] === 'current' ? { isRight: false } : {};
    const series = names
      .filter((name) => !hidden.has(name))
      .flatMap((name) =>
        charges.flatMap(({ id, lines, nameOf, look }): LineSeries[] => {
          const points = lines.get(name);
          return points === undefined
            ? []
            : [{ id: `${id}-${name}`, name: nameOf(name), ...lineSpecs[name], ...side, ...look, points }];
        }),
      );
    if (series.length === 0) return [];
    const hasLeft = series.some(({ isRight }) => isRight !== true);
    const hasRight = series.some(({ isRight }) => isRight === true);
    return [{ heightPx, series, ...axesOf(names[0], hasLeft, hasRight) }];
  });
}

function axesOf(first: LineName, hasLeft: boolean, hasRight: boolean): Pick<LinePanel, 'left' | 'right'> {
  switch (first) {
    case 'power':
      return {
        left: { name: hasLeft ? phrase('readings.powerAxis') : '', splits: 4 },
        right: hasRight ? { name: phrase('readings.socAxis'), max: 100, interval: 25 } : undefined,
      };
    case 'voltage':
      return {
        left: { name: hasLeft ? phrase('readings.voltageAxis') : '', splits: 3, begins: 'values' },
        right: hasRight ? { name: phrase('readings.currentAxis'), splits: 3 } : undefined,
      };
    case 'current':
      return { left: { name: phrase('readings.currentAxis'), splits: 3 }, right: undefined };
    default:
      return { left: { name: phrase('readings.temperatureAxis'), splits: 3, begins: 'values' }, right: undefined };
  }
}

export function lineText(name: LineName): string {
  return phrase(`readings.${name}`);
}
