import {
  type EnergyTariff,
  type HourTariff,
  type Period,
  type PowerTier,
  periods,
  type RiderChoice,
  type Tariff,
  type TariffSlot,
} from '@voltdeck/tariffs/tariff';
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

/** A version that is not in force, or a rule that the history does not use. */
export type SpareTariff = NamedTariff & {
  /** Index into `tariffs` of the version in force; null for a rule of its own. */
  versionOf: number | null;
  /** When it took effect, counted back from the first charge; `next-month` waits for the first of the next month. */
  effective: { daysBefore: number } | 'next-month';
  /** Index into `agents`; null for a rule of the platform. */
  agent: number | null;
  /** What riders read of it. */
  note: string;
};

/** The same prices with some of them changed by so many yuan. */
function withPrices(
  { name, tariff }: NamedTariff,
  more: Partial<Readonly<Record<Period, Partial<Readonly<Record<'electricity' | 'service', number>>>>>>,
): NamedTariff {
  if (tariff.kind !== 'energy') throw new Error(`${name} has no periods`);
  const prices = { ...tariff.prices };
  for (const period of periods) {
    const { electricity, service } = tariff.prices[period];
    prices[period] = {
      electricity: priceE5(electricity + Math.round((more[period]?.electricity ?? 0) * 1e5)),
      service: priceE5(service + Math.round((more[period]?.service ?? 0) * 1e5)),
    };
  }
  return { name, tariff: { ...tariff, prices } };
}

const [northern, , southern, western] = tariffs;
if (northern === undefined || southern === undefined || western === undefined) throw new Error('no tariffs');

const own = { versionOf: null, agent: null, note: '' } as const;

/** For the taxis of Chengdu: its stations change to it while somebody watches. */
export const taxiTariff = '成都出租车优惠电价';
/** What the sites in Wuhan change to next month, and what a rehearsal has compared with their past charges. */
export const nightTariff = '华中夜间优惠电价';
/** The default of an agent of its own. */
export const lingnanTariff = '岭南驿电自营电价';

/** Earlier and coming versions, the earliest of a rule first, and rules that no past charge was priced by. */
export const spareTariffs: readonly SpareTariff[] = [
  {
    ...withPrices(northern, { valley: { electricity: 0.06 } }),
    versionOf: 0,
    effective: { daysBefore: 700 },
    agent: null,
    note: '',
  },
  {
    ...withPrices(northern, { valley: { electricity: 0.03 } }),
    versionOf: 0,
    effective: { daysBefore: 520 },
    agent: null,
    note: '',
  },
  {
    ...withPrices(southern, { sharp: { electricity: 0.04 }, valley: { electricity: -0.02 } }),
    versionOf: 2,
    effective: 'next-month',
    agent: null,
    note: '',
  },
  {
    name: '电动自行车按时长计费',
    tariff: {
      ...byHour,
      tiers: tiersOf([0, null, 30]),
      prepayment: {
        kind: 'prepaid',
        choices: choicesOf([1, 2], [2, 4], [3, 6], [4, 8], [5, 10], [6, 12]),
      },
    },
    ...own,
    effective: { daysBefore: 300 },
    note: '先付后充，没用完的金额退回余额',
  },
  {
    name: '电动自行车按电量计费',
    tariff: {
      kind: 'energy',
      prices: pricesOf([0.6, 0.4], [0.6, 0.4], [0.6, 0.4], [0.6, 0.4]),
      slots: slotsOf([0, 'flat']),
    },
    ...own,
    effective: { daysBefore: 290 },
  },
  {
    name: '电动自行车固定金额充满',
    tariff: { ...byHalfHour, prepayment: { kind: 'fixed', choices: choicesOf([2, 4], [3, 8], [5, null]) } },
    ...own,
    effective: { daysBefore: 120 },
    note: '按所选金额收取，提前拔枪不退款',
  },
  {
    ...withPrices(western, { peak: { service: -0.12 }, valley: { service: -0.08 } }),
    ...own,
    name: taxiTariff,
    agent: 3,
    effective: { daysBefore: 30 },
    note: '成都各站，高峰与低谷服务费下调',
  },
  {
    ...withPrices(western, { flat: { service: 0.02 }, valley: { service: -0.15 } }),
    ...own,
    name: nightTariff,
    effective: { daysBefore: 20 },
    note: '23:00 至次日 07:00 服务费优惠',
  },
  {
    ...withPrices(southern, { flat: { service: 0.05 } }),
    ...own,
    name: lingnanTariff,
    agent: 2,
    effective: { daysBefore: 200 },
  },
];

/** Yuan with the hours that they pay for, or until the battery is full. */
function choicesOf(...choices: readonly [yuan: number, hours: number | null][]): RiderChoice[] {
  return choices.map(([yuan, hours]) => ({ amountFen: fen(yuan * 100), hours, energyWh: null }));
}

/** Indexes into `tariffs` of the platform's defaults for new stations. */
export const defaultTariffs = { 'four-wheel': 0, 'two-wheel': 4 } as const;
