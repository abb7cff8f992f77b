import type { ChargeLog } from '@voltdeck/contract/readings';
import { hourMs } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';
import { durationText, energyText, moneyText, nothingText, percentText, powerText, tenthText } from '../ui/figures.ts';

export type ChargeFigures = {
  durationMs: number | null;
  energyWh: number;
  peakPowerW: number | null;
  meanPowerW: number | null;
  fromSoc: number | null;
  toSoc: number | null;
  cableMaxC: number | null;
  amountFen: number | null;
  electricityFeeFen: number | null;
  serviceFeeFen: number | null;
};

/** What two charges are compared by. A running charge lasts until its last reading. */
export function chargeFigures(charge: ChargeLog): ChargeFigures {
  const { points, startedAt, endedAt, energyWh } = charge;
  const end = endedAt ?? points.at(-1)?.at ?? null;
  const durationMs = startedAt === null || end === null ? null : Math.max(0, Date.parse(end) - Date.parse(startedAt));
  const socs = points.flatMap(({ socPercent }) => (socPercent === null ? [] : [socPercent]));
  return {
    durationMs,
    energyWh,
    peakPowerW: highest(points.map(({ powerW }) => powerW)),
    meanPowerW: durationMs === null || durationMs === 0 ? null : (energyWh * hourMs) / durationMs,
    fromSoc: socs[0] ?? null,
    toSoc: socs.at(-1) ?? null,
    cableMaxC: highest(points.map(({ cableTemperatureC }) => cableTemperatureC)),
    amountFen: charge.amountFen,
    electricityFeeFen: charge.electricityFeeFen,
    serviceFeeFen: charge.serviceFeeFen,
  };
}

function highest(values: readonly (number | null)[]): number | null {
  return values.reduce((high, value) => (value !== null && (high === null || value > high) ? value : high), null);
}

export type FigureRow = { key: string; label: string; one: string; other: string; difference: string };

/** The figures of both charges in words, and what the second has more than the first. */
export function figureRows(one: ChargeFigures, other: ChargeFigures): FigureRow[] {
  const row = (
    key: string,
    label: string,
    read: (figures: ChargeFigures) => number | null,
    text: (value: number) => string,
  ): FigureRow => {
    const [first, second] = [read(one), read(other)];
    const more = first === null || second === null ? null : second - first;
    return {
      key,
      label,
      one: first === null ? nothingText : text(first),
      other: second === null ? nothingText : text(second),
      difference: more === null ? nothingText : signed(more, text),
    };
  };
  const percent = (value: number) => percentText(value, 0);
  const kw = (value: number) => `${powerText(value)} kW`;
  return [
    row(
      'energy',
      phrase('readings.energy'),
      ({ energyWh }) => energyWh,
      (wh) => `${energyText(wh)} kWh`,
    ),
    row('duration', phrase('readings.duration'), ({ durationMs }) => durationMs, durationText),
    row('peak', phrase('readings.peakPower'), ({ peakPowerW }) => peakPowerW, kw),
    row('mean', phrase('readings.meanPower'), ({ meanPowerW }) => meanPowerW, kw),
    {
      key: 'soc',
      label: phrase('readings.socFromTo'),
      one: socText(one),
      other: socText(other),
      difference: gainText(one, other, percent),
    },
    row(
      'cable',
      phrase('readings.maxTemperature'),
      ({ cableMaxC }) => cableMaxC,
      (c) => `${tenthText(c)} °C`,
    ),
    row('electricity', phrase('readings.electricityFee'), ({ electricityFeeFen }) => electricityFeeFen, moneyText),
    row('service', phrase('readings.serviceFee'), ({ serviceFeeFen }) => serviceFeeFen, moneyText),
    row('amount', phrase('readings.amount'), ({ amountFen }) => amountFen, moneyText),
  ];
}

function signed(more: number, text: (value: number) => string): string {
  return more === 0 ? text(0) : `${more > 0 ? '+' : '−'}${text(Math.abs(more))}`;
}

function socText({ fromSoc, toSoc }: ChargeFigures): string {
  return fromSoc === null || toSoc === null ? nothingText : `${Math.round(fromSoc)} → ${percentText(toSoc, 0)}`;
}

/** By how much more the second battery rose. */
function gainText(one: ChargeFigures, other: ChargeFigures, text: (value: number) => string): string {
  const gain = ({ fromSoc, toSoc }: ChargeFigures) => (fromSoc === null || toSoc === null ? null : toSoc - fromSoc);
  const [first, second] = [gain(one), gain(other)];
  return first === null || second === null ? nothingText : signed(second - first, text);
}
