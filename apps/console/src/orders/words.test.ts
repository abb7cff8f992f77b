import { all } from '@voltdeck/phrases/en/all';
import { priceFaultCodes } from '@voltdeck/tariffs/price-fault';
import { beforeAll, describe, expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { accountText, durationText, factsText, factText, wordFor } from './words.ts';

beforeAll(() => learnPhrases(all));

describe('words of an order', () => {
  test('a name that this console does not know is shown as it came', () => {
    expect(wordFor('orders.event', 'settled')).toBe('Settled');
    expect(wordFor('orders.event', 'teleported')).toBe('teleported');
  });

  test('accounts say what they are and whose', () => {
    expect(accountText('card-held:12')).toBe('IC card hold 12');
    expect(accountText('electricity-income:site:3')).toBe('Site electricity income 3');
    expect(accountText('receivable:card:12')).toBe('Owed by IC card 12');
    expect(accountText('receivable:customer:12')).toBe('Owed by user 12');
    expect(accountText('opening')).toBe('Opening');
  });

  test('the unit of a fact stands last in its name', () => {
    expect(factText('meterWh', 12_345)).toBe('12.345 kWh');
    expect(factText('shortfallFen', 421)).toBe('¥4.21');
    expect(factText('lostMs', 2_420_000)).toBe('40 min');
    expect(factText('ratedPowerW', 120_000)).toBe('120.0 kW');
    expect(factText('lastReadingAt', '2026-11-20T11:30:03.203Z')).toBe('2026-11-20 19:30:03');
    expect(factText('reason', 'vehicle_full')).toBe('Vehicle full');
    expect(factText('reason', 'read on site')).toBe('read on site');
    expect(factText('lastReadingAt', null)).toBe('—');
  });

  test('a reason is told by the first family of words that knows it', () => {
    expect(factText('because', 'overlaps')).toBe('another charge ran on the port');
    expect(factText('because', 'balance_exhausted')).toBe('Balance used up');
    expect(factText('because', 'not_plugged_in')).toBe('Not plugged in');
    expect(factText('outcome', 'not_begun')).toBe('the station agreed and did not begin');
  });

  test('every reason why nothing could be priced has its words', () => {
    for (const code of priceFaultCodes) expect(factText('because', code)).not.toBe(code);
  });

  test('a wait is told in hours and minutes, a charge of seconds in seconds', () => {
    expect(factText('durationSeconds', 40)).toBe('40 s');
    expect(factText('durationSeconds', 720)).toBe('12 min');
    expect(factText('waitedMinutes', 10)).toBe('10 min');
    expect(factText('waitedHours', 24)).toBe('24 h 0 min');
  });

  test('what a station clock said is shown as it came', () => {
    expect(factText('stationTime', '1970-01-01T00:32:17Z')).toBe('1970-01-01T00:32:17Z');
  });

  test('facts read from-to, in whatever order the database gives them', () => {
    const facts = {
      to: '2026-11-20T18:13:36.000Z',
      from: '2026-11-20T18:11:36.000Z',
      toWh: 16_197_404,
      fromWh: 16_197_817,
    };
    expect(factsText(facts)).toBe(
      'from 2026-11-21 02:11:36 · reading 16,197.817 kWh · to 2026-11-21 02:13:36 · reading 16,197.404 kWh',
    );
  });

  test('a duration is told in hours only where there are any', () => {
    expect(durationText(59 * 60_000)).toBe('59 min');
    expect(durationText(61 * 60_000)).toBe('1 h 1 min');
  });
});
