import type { ForecastAnswer, ForecastFigures } from '@voltdeck/contract/statistics';
import { phrase } from '../phrases.ts';
import { powerText, yuanText } from '../ui/figures.ts';
import { hourText } from '../ui/instants.ts';
import { linePanels, panelsHeightPx } from '../ui/line-panels.ts';

const heightsPx = [{ heightPx: 120 }, { heightPx: 90 }] as const;
export const forecastHeightPx = panelsHeightPx(heightsPx);

type Bounds = { expected: number; low: number; high: number };
export type ForecastDay = 'tomorrow' | 'yesterday';

/** "60.0 (48.0 to 71.5)". */
export const boundsText = ({ expected, low, high }: Bounds, textOf: (value: number) => string): string =>
  phrase('forecast.withBounds', { expected: textOf(expected), low: textOf(low), high: textOf(high) });

/** Power above and income below, over the hours of a day, each with its band; of yesterday also what happened. */
export function forecastChart(forecast: ForecastFigures, actual: ForecastAnswer['yesterday']['actual'] | null) {
  const [powerPanel, incomePanel] = heightsPx;
  const { hours } = forecast;
  const happened = <Value>(of: (hour: { powerW: number; receivableFen: number }) => Value) =>
    (actual?.hours ?? []).map((hour) => [hour.hour, of(hour)] as const);
  const actualLine = (id: string, points: (readonly [number, number])[], unit: string, decimals: number) =>
    points.length === 0
      ? []
      : [{ id, name: phrase('forecast.actual'), unit, decimals, colour: 'text', points } as const];
  return linePanels({
    panels: [
      {
        ...powerPanel,
        left: { name: 'kW', splits: 3 },
        series: [
          {
            id: 'power',
            name: phrase('forecast.power'),
            unit: 'kW',
            decimals: 1,
            colour: 'charging',
            isDashed: true,
            points: hours.map(({ hour, powerW }) => [hour, powerW.expected / 1_000]),
            band: hours.map(({ hour, powerW }) => [hour, powerW.low / 1_000, powerW.high / 1_000]),
          },
          ...actualLine(
            'power that was',
            happened(({ powerW }) => powerW / 1_000),
            'kW',
            1,
          ),
        ],
      },
      {
        ...incomePanel,
        left: { name: phrase('forecast.yuan'), splits: 2 },
        series: [
          {
            id: 'income',
            name: phrase('forecast.income'),
            unit: phrase('forecast.yuan'),
            decimals: 2,
            colour: 'occupied',
            isDashed: true,
            points: hours.map(({ hour, receivableFen }) => [hour, receivableFen.expected / 100]),
            band: hours.map(({ hour, receivableFen: { low, high } }) => [hour, low / 100, high / 100]),
          },
          ...actualLine(
            'income that was',
            happened(({ receivableFen }) => receivableFen / 100),
            phrase('forecast.yuan'),
            2,
          ),
        ],
      },
    ],
    fromX: 0,
    toX: 23,
    isTime: false,
    markText: (hour) => (Number.isInteger(hour) ? hourText(hour) : ''),
    headText: hourText,
    rowsAt: (at) => {
      const hour = hours[at];
      if (hour === undefined) return [];
      return [
        [phrase('forecast.powerBand'), `${powerText(hour.powerW.low)}–${powerText(hour.powerW.high)} kW`],
        [phrase('forecast.incomeBand'), `${yuanText(hour.receivableFen.low)}–${yuanText(hour.receivableFen.high)}`],
      ];
    },
  });
}
