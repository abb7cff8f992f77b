import type { OrderDetail as Order } from '@voltdeck/contract/orders';
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

  test('accounts show their kind and owner', () => {
    const order = { cardNumber: '00000000000000C5', customerId: 7, userName: '李雷', phone: null, siteId: 3 } as Order;
    const named = { ...order, siteName: 'Lakeside' };
    expect(accountText('card-held:12', named)).toBe('IC card hold 00000000000000C5');
    expect(accountText('electricity-income:site:3', named)).toBe('Site electricity income Lakeside');
    expect(accountText('service-income:site:4', named)).toBe('Site service income 4');
    expect(accountText('receivable:card:12', named)).toBe('Owed by IC card 00000000000000C5');
    expect(accountText('receivable:customer:7', named)).toBe('Owed by user 李雷');
    expect(accountText('customer:8', named)).toBe('User balance 8');
    expect(accountText('agent-share:1', named, 'Lakeside Charging')).toBe('Agent’s shares Lakeside Charging');
    expect(accountText('divider-share:2', named, 'The property')).toBe('Divider’s shares The property');
    expect(accountText('opening', named)).toBe('Opening');
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

  test('a reason is worded by the first family of phrases that knows it', () => {
    expect(factText('because', 'overlaps')).toBe('another charge ran on the port');
    expect(factText('because', 'balance_exhausted')).toBe('Balance used up');
    expect(factText('because', 'not_plugged_in')).toBe('Not plugged in');
    expect(factText('outcome', 'not_begun')).toBe('the station agreed and did not begin');
  });

  test('every reason why nothing could be priced has a phrase', () => {
    for (const code of priceFaultCodes) expect(factText('because', code)).not.toBe(code);
  });

  test('a wait is shown in hours and minutes, a charge of seconds in seconds', () => {
    expect(factText('durationSeconds', 40)).toBe('40 s');
    expect(factText('durationSeconds', 720)).toBe('12 min');
    expect(factText('waitedMinutes', 10)).toBe('10 min');
    expect(factText('waitedHours', 24)).toBe('24 h 0 min');
  });

  test("a station clock's text is shown unchanged", () => {
    expect(factText('stationTime', '1970-01-01T00:32:17Z')).toBe('1970-01-01T00:32:17Z');
  });

  test('facts read from-to, whatever order the database returns them in', () => {
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

  test('a duration shows hours only if there are any, and seconds below one minute', () => {
    expect(durationText(59_400)).toBe('59 s');
    expect(durationText(60_000)).toBe('1 min');
    expect(durationText(59 * 60_000)).toBe('59 min');
    expect(durationText(61 * 60_000)).toBe('1 h 1 min');
    expect(durationText(1_234 * 60 * 60_000)).toBe('1,234小时');
  });
});
