import { abnormalRules } from '@voltdeck/charging/states';
import { evidenceSentence } from '@voltdeck/contract/flag-evidence';
import type { OrderFlag } from '@voltdeck/contract/orders';
import { all as english } from '@voltdeck/phrases/en/all';
import { fill } from '@voltdeck/phrases/phrase';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import { describe, expect, test } from 'vitest';

const from = '2026-11-20T01:00:00.000Z';
const to = '2026-11-20T01:00:04.000Z';

/** Every shape of evidence that the rules store. */
const shapes: Readonly<Record<OrderFlag['rule'], readonly object[]>> = {
  no_stop_received: [
    { lastReadingAt: from },
    { lastReadingAt: null },
    { lastReadingAt: from, portFreeAt: to },
    { nextStartAt: to },
    { waitedHours: 24 },
    { waitedMinutes: 10 },
  ],
  meter_backwards: [
    { from, fromWh: 99_000, to, toWh: 12_300 },
    { from, fromWh: 2, to: from, toWh: 1 },
    { meterStartWh: 9, meterStopWh: 8, energyWh: 7 },
  ],
  meter_jump: [
    { from, fromWh: 12_300, to, toWh: 99_000, ratedPowerW: 7_000 },
    { from, fromWh: 1, to: from, toWh: 2, ratedPowerW: 7_000 },
    { meterStartWh: 1, meterStopWh: 9, energyWh: 7 },
  ],
  energy_without_time: [{ energyWh: 5_000, ratedPowerW: 7_000 }],
  amount_above_prepaid: [
    { heldFen: 100, amountFen: 300, shortfallFen: 200 },
    { heldFen: 100, amountFen: 100, forgoneFen: 50 },
  ],
  station_lost: [{ lastReadingAt: from }, { lastReadingAt: null }],
  settlement_failed: [{ because: 'price.charge_too_long' }],
  price_missing: [{}],
  clock_wrong: [
    { stationTime: '1970-01-01T00:00:00Z', receivedAt: from },
    { stationTime: '2026-11-20T00:00:00Z', receivedAt: to, startedAt: from },
  ],
  card_not_accepted: [
    { cardNumber: 'A1', authorization: 'blocked' },
    { cardNumber: null, authorization: 'unknown' },
  ],
  start_missing: [
    { transaction: 7, cardNumber: null },
    { transaction: 7, cardNumber: 'A1', meterStopWh: 4_000, stationTime: from },
    { transaction: 'VD7', cancelledOrder: '2026112001' },
  ],
  amount_differs: [
    { stationAmountE4: 123_400, stationFen: 1_234, oursFen: 1_200, energyWh: 1, periodsWh: 1 },
    { stationAmountE4: 123_400, stationFen: 1_234, oursFen: 1_200, energyWh: 1_000, billedWh: 900 },
  ],
  energy_implausible: [{ energyWh: 80_000, deliverableWh: 2_100, durationSeconds: 90, ratedPowerW: 7_000 }],
  power_implausible: [{ at: from, powerW: 900_000, ratedPowerW: 7_000 }],
  record_contradicts: [
    { energyWh: 5_000, periodsWh: 9_000, registersWh: 9_000, amountWh: null, readWh: null },
    { energyWh: null, periodsWh: 9_000, registersWh: 9_000, amountWh: null, readWh: null },
  ],
  record_unasked: [
    { cardNumber: 'A1', because: 'overlaps', otherOrder: '2026112001', otherFrom: from, otherTo: to },
    { cardNumber: 'A1', because: 'card_not_accepted' },
    { cardNumber: 'A1', because: 'not_an_offline_card' },
    { cardNumber: 'A1', because: 'above_balance', amountFen: 900 },
  ],
  register_missing: [{ register: 'start' }, { register: 'stop' }, { register: 'start', told: -1 }],
  port_unregistered: [{ connectorNumber: 3 }],
  stop_differs: [{ energyWh: 6_000, billedWh: 5_000, meterStopWh: 6_000, at: null }],
  message_failed: [{ message: '{}', fault: 'out of range', receivedAt: from }],
};

const languages = { 'zh-CN': chinese, en: english } as const;
const sayIn = (language: keyof typeof languages, missing: string[] = []) => ({
  words: (key: string, params?: Readonly<Record<string, string | number>>) => {
    const texts: Readonly<Record<string, string>> = languages[language];
    const text = texts[key];
    if (text === undefined) {
      missing.push(key);
      return null;
    }
    return fill(text, params);
  },
  time: (iso: string) => iso,
});

describe('evidence in words', () => {
  test.each(abnormalRules)('every evidence of %s is a sentence without gaps in both languages', (rule) => {
    for (const language of ['zh-CN', 'en'] as const) {
      for (const evidence of shapes[rule]) {
        const missing: string[] = [];
        const said = evidenceSentence({ rule, evidence: { ...evidence } }, sayIn(language, missing));
        expect(missing).toEqual([]);
        expect(said).not.toMatch(/[{}]|undefined|null|NaN/);
      }
    }
  });

  test('a jump of the meter is told with both registers, the time in between and the rated power', () => {
    const jump = { rule: 'meter_jump', evidence: { ...shapes.meter_jump[0] } } as const;
    expect(evidenceSentence(jump, sayIn('en'))).toBe(
      'The meter jumped from 12.300 to 99.000 kWh in 4 s, rated power 7.0 kW',
    );
    expect(evidenceSentence(jump, sayIn('zh-CN'))).toBe('4 秒内电表读数从 12.300 kWh 跳到 99.000 kWh，额定功率 7.0 kW');
  });

  test('every instant is told as the reader’s other times are, that of a wrong clock too', () => {
    for (const evidence of shapes.clock_wrong) {
      const said = evidenceSentence(
        { rule: 'clock_wrong', evidence: { ...evidence } },
        { ...sayIn('en'), time: () => 'then' },
      );
      expect(said).not.toMatch(/\d/);
    }
  });
});
