import type { OrderLine, Period, TariffForm } from './api.ts';

/**
 * The story of every journey: two hours of charging across three price periods, with a lifetime meter that is read at
 * odd minutes, never at a price border.
 */

export type Message = {
  action: string;
  /** The station learns its transaction id from the answer to its start. */
  payload(transactionId: number): Record<string, unknown>;
  /** Event time of a reading. */
  readAt?: string;
};

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;
export const meterStartWh = 1_234_567;
/** Minutes after the start, and Wh since the start. Prices change at minutes 30 and 90. */
const registers = [
  [7, 6_903],
  [19, 18_911],
  [25, 24_940],
  [37, 36_941],
  [52, 51_977],
  [70, 69_990],
  [83, 83_021],
  [97, 97_023],
  [110, 110_044],
] as const;
const stopWh = 119_987;
export const readingsOfStory = registers.length;

/**
 * What the story costs, by hand. The energy at a price border is interpolated between its neighbours:
 *
 *     minute 30: 24,940 + 12,001 × 5/12 = 29,940 (5,000.4 rounded)      minute 90: 83,021 + 14,002 × 7/14 = 90,022
 *
 *     valley  29.940 kWh × 0.31234 = 9.3515 yuan   × 0.30125 =  9.0194
 *     flat    60.082 kWh × 0.68750 = 41.3064       × 0.40000 = 24.0328
 *     peak    29.965 kWh × 1.03999 = 31.1633       × 0.50505 = 15.1338
 */
export const handBill = {
  energyWh: 119_987,
  electricityFeeFen: 8_182,
  serviceFeeFen: 4_818,
  amountFen: 13_000,
  lines: [
    { period: 'valley', energyWh: 29_940, electricityFeeFen: 935, serviceFeeFen: 902 },
    { period: 'flat', energyWh: 60_082, electricityFeeFen: 4_131, serviceFeeFen: 2_403 },
    { period: 'peak', energyWh: 29_965, electricityFeeFen: 3_116, serviceFeeFen: 1_513 },
  ],
} as const;

/** The fields of a bill line that the hand calculation covers. */
export function calculated({ period, energyWh, electricityFeeFen, serviceFeeFen }: OrderLine) {
  return { period, energyWh, electricityFeeFen, serviceFeeFen };
}

const prices: TariffForm['prices'] = {
  valley: { electricity: 31_234, service: 30_125 },
  flat: { electricity: 68_750, service: 40_000 },
  peak: { electricity: 103_999, service: 50_505 },
  // Not used by the story: energy billed here makes every sum wrong.
  sharp: { electricity: 999_999, service: 999_999 },
};

/** The rule for a story that starts at 06:30 in Shanghai. */
export const dayTariff: TariffForm = {
  name: 'Day',
  kind: 'energy',
  prices,
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '08:00', period: 'flat' },
    { start: '08:00', end: '15:00', period: 'peak' },
    { start: '15:00', end: '24:00', period: 'sharp' },
  ],
};

const cycle = ['valley', 'flat', 'peak'] as const;

/** The same prices in turn, so that two hours have all three of them at any time of the day. */
export const cyclingTariff: TariffForm = {
  name: 'Half hours',
  kind: 'energy',
  prices,
  slots: Array.from({ length: 48 }, (_, slot) => ({
    start: clock(slot),
    end: clock(slot + 1),
    period: cycle[slot % cycle.length] ?? 'flat',
  })),
};

const dayMs = 24 * 60 * minuteMs;
const shanghaiMs = 8 * 60 * minuteMs;
/** The day on which this process started, computed once: a story across midnight stays on its day. */
const today = Math.floor((Date.now() + shanghaiMs) / dayMs);

/** 06:30 in Shanghai (UTC+8, no summer time), `daysAgo` days before today there. */
export function morning(daysAgo: number): number {
  return (today - daysAgo) * dayMs - shanghaiMs + (6 * 60 + 30) * minuteMs;
}

/**
 * The same prices around a story that starts at a half hour: half an hour of valley, an hour of flat, two and a half of
 * peak, the rest of the day sharp. It must not start at 23:00 in Shanghai, where midnight would split the hour of flat.
 */
export function tariffAround(startMs: number): TariffForm {
  const first = halfHourOfDay(startMs);
  const slots: TariffForm['slots'] = [];
  for (let slot = 0; slot < 48; slot += 1) {
    const after = (slot - first + 48) % 48;
    const period: Period = after < 1 ? 'valley' : after < 3 ? 'flat' : after < 8 ? 'peak' : 'sharp';
    const last = slots.at(-1);
    if (last?.period === period) last.end = clock(slot + 1);
    else slots.push({ start: clock(slot), end: clock(slot + 1), period });
  }
  return { name: `From ${clock(first)}`, kind: 'energy', prices, slots };
}

/** The start of a story that has just ended: the latest half hour for which all of it is past. */
export function justEnded(): number {
  const startMs = Math.floor(Date.now() / halfHourMs) * halfHourMs - 4 * halfHourMs;
  return halfHourOfDay(startMs) === 46 ? startMs - halfHourMs : startMs;
}

function halfHourOfDay(atMs: number): number {
  return Math.floor((atMs + shanghaiMs) / halfHourMs) % 48;
}

function clock(halfHours: number): string {
  return `${String(Math.floor(halfHours / 2)).padStart(2, '0')}:${halfHours % 2 === 0 ? '00' : '30'}`;
}

/** The station's messages, in order. `startMs` is the event time at which energy begins to flow. */
export function twoHourCharge(card: string, startMs: number): Message[] {
  const at = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
  const status = (state: string, minute: number): Message => ({
    action: 'StatusNotification',
    payload: () => ({ connectorId: 1, errorCode: 'NoError', status: state, timestamp: at(minute) }),
  });
  return [
    {
      action: 'BootNotification',
      payload: () => ({ chargePointVendor: 'Lakeside', chargePointModel: 'L120', firmwareVersion: '4.2.0' }),
    },
    status('Preparing', -2),
    { action: 'Authorize', payload: () => ({ idTag: card }) },
    {
      action: 'StartTransaction',
      payload: () => ({ connectorId: 1, idTag: card, meterStart: meterStartWh, timestamp: at(0) }),
    },
    status('Charging', 0),
    ...registers.map(
      ([minute, energyWh]): Message => ({
        action: 'MeterValues',
        readAt: at(minute),
        payload: (transactionId) => ({
          connectorId: 1,
          transactionId,
          meterValue: [
            {
              timestamp: at(minute),
              sampledValue: [
                { value: String(meterStartWh + energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
                { value: '60000', measurand: 'Power.Active.Import', unit: 'W' },
                { value: String(20 + Math.round(minute / 2)), measurand: 'SoC', unit: 'Percent', location: 'EV' },
              ],
            },
          ],
        }),
      }),
    ),
    {
      action: 'StopTransaction',
      payload: (transactionId) => ({
        transactionId,
        idTag: card,
        meterStop: meterStartWh + stopWh,
        timestamp: at(120),
        reason: 'Local',
      }),
    },
    status('Finishing', 120),
    status('Available', 121),
  ];
}
