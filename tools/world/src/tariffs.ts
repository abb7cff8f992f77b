import type { EnergyTariff, HourTariff, Period, PowerTier, Tariff, TariffSlot } from '@voltdeck/tariffs/tariff';
import { watts } from '@voltdeck/units/energy';
import { fen, priceE5 } from '@voltdeck/units/money';

export type NamedTariff = { name: string; tariff: Tariff };

/** "00-07 valley, 07-10 flat, …": the hours at which periods start, to midnight. */
function slotsOf(...borders: readonly [fromHour: number, period: Period][]): TariffSlot[] {
  const hour = (value: number) => `${String(value).padStart(2, '0')}:00`;
  return borders.map(([from, period], index) => ({
    start: hour(from),
    end: hour(borders[index + 1]?.[0] ?? 24),
    period,
  }));
}

/** Yuan per kWh, electricity and service, in the order sharp, peak, flat, valley. */
function pricesOf(...yuan: readonly [sharp: Pair, peak: Pair, flat: Pair, valley: Pair]): EnergyTariff['prices'] {
  const [sharp, peak, flat, valley] = yuan.map(([electricity, service]) => ({
    electricity: priceE5(Math.round(electricity * 1e5)),
    service: priceE5(Math.round(service * 1e5)),
  }));
  if (!sharp || !peak || !flat || !valley) throw new Error('four prices');
  return { sharp, peak, flat, valley };
}
type Pair = [electricity: number, service: number];

function tiersOf(...tiers: readonly [fromW: number, toW: number | null, feeFenPerStep: number][]): PowerTier[] {
  return tiers.map(([fromW, toW, fee]) => ({
    fromW: watts(fromW),
    toW: toW === null ? null : watts(toW),
    feeFenPerStep: fen(fee),
  }));
}

const byHour: HourTariff = {
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: tiersOf([0, 150, 18], [150, 300, 28], [300, 500, 42], [500, 1_000, 70]),
  longestRunHours: 12,
};

const byHalfHour: HourTariff = {
  kind: 'hour',
  stepMinutes: 30,
  measuredBy: 'peak',
  tiers: tiersOf([0, 200, 12], [200, 400, 20], [400, 800, 32], [800, null, 50]),
  longestRunHours: 10,
};

/** Periods as published by grid companies of these regions, with typical prices; the last two are for two-wheelers. */
export const tariffs: readonly NamedTariff[] = [
  {
    name: '华北分时电价',
    tariff: {
      kind: 'energy',
      prices: pricesOf([1.31, 0.42], [1.09, 0.45], [0.76, 0.48], [0.38, 0.42]),
      slots: slotsOf(
        [0, 'valley'],
        [7, 'flat'],
        [10, 'peak'],
        [13, 'flat'],
        [17, 'peak'],
        [18, 'sharp'],
        [20, 'peak'],
        [22, 'flat'],
        [23, 'valley'],
      ),
    },
  },
  {
    name: '长三角分时电价',
    tariff: {
      kind: 'energy',
      prices: pricesOf([1.35, 0.35], [1.16, 0.38], [0.71, 0.45], [0.31, 0.5]),
      slots: slotsOf(
        [0, 'valley'],
        [8, 'peak'],
        [11, 'valley'],
        [13, 'flat'],
        [14, 'peak'],
        [17, 'sharp'],
        [20, 'peak'],
        [22, 'valley'],
      ),
    },
  },
  {
    name: '珠三角分时电价',
    tariff: {
      kind: 'energy',
      prices: pricesOf([1.42, 0.3], [1.15, 0.35], [0.69, 0.45], [0.27, 0.48]),
      slots: slotsOf(
        [0, 'valley'],
        [8, 'flat'],
        [10, 'peak'],
        [11, 'sharp'],
        [12, 'flat'],
        [14, 'peak'],
        [15, 'sharp'],
        [17, 'peak'],
        [19, 'flat'],
      ),
    },
  },
  {
    name: '西南中部分时电价',
    tariff: {
      kind: 'energy',
      prices: pricesOf([1.18, 0.38], [0.98, 0.4], [0.64, 0.42], [0.29, 0.4]),
      slots: slotsOf(
        [0, 'valley'],
        [7, 'flat'],
        [11, 'peak'],
        [14, 'flat'],
        [17, 'peak'],
        [19, 'sharp'],
        [21, 'peak'],
        [23, 'valley'],
      ),
    },
  },
  { name: '电动自行车按小时计费', tariff: byHour },
  { name: '电动自行车按半小时计费', tariff: byHalfHour },
];

export const twoWheelTariffs = [4, 5] as const;

/** A rule of which stations have another version now, or one that is not used yet. */
export type SpareTariff = NamedTariff & {
  /** Index into `tariffs` of the version in force; null for a rule of its own. */
  versionOf: number | null;
  /** How long before the first charge it took effect. */
  daysBefore: number;
};

/** The same prices with those of the valley changed by so many yuan. */
function withValley({ name, tariff }: NamedTariff, moreYuan: number): NamedTariff {
  if (tariff.kind !== 'energy') throw new Error(`${name} has no valley`);
  const { valley } = tariff.prices;
  const electricity = priceE5(valley.electricity + Math.round(moreYuan * 1e5));
  return { name, tariff: { ...tariff, prices: { ...tariff.prices, valley: { ...valley, electricity } } } };
}

const [northern] = tariffs;
if (northern === undefined) throw new Error('no tariffs');

/** Earlier versions of the first rule, the earliest first, and two-wheel rules that nobody uses yet. */
export const spareTariffs: readonly SpareTariff[] = [
  { ...withValley(northern, 0.06), versionOf: 0, daysBefore: 700 },
  { ...withValley(northern, 0.03), versionOf: 0, daysBefore: 520 },
  {
    name: '电动自行车按时长计费',
    tariff: { ...byHour, tiers: tiersOf([0, null, 30]) },
    versionOf: null,
    daysBefore: 300,
  },
  {
    name: '电动自行车按电量计费',
    tariff: {
      kind: 'energy',
      prices: pricesOf([0.6, 0.4], [0.6, 0.4], [0.6, 0.4], [0.6, 0.4]),
      slots: slotsOf([0, 'flat']),
    },
    versionOf: null,
    daysBefore: 290,
  },
];

/** Indexes into `tariffs` of the platform's defaults for new stations. */
export const defaultTariffs = { 'four-wheel': 0, 'two-wheel': 4 } as const;
