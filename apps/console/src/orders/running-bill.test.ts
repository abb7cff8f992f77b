import type { OrderDetail } from '@voltdeck/contract/orders';
import { describe, expect, test } from 'vitest';
import { runningLines } from './running-bill.ts';

const price = (electricity: number) => ({ electricity, service: 0 });
const order = {
  state: 'charging',
  lines: [],
  startedAt: '2026-11-20T22:30:00.000Z',
  energyWh: 20_000,
  tariff: {
    id: 1,
    name: 'T',
    kind: 'energy',
    detail: {
      kind: 'energy',
      prices: { sharp: price(120_000), peak: price(100_000), flat: price(80_000), valley: price(40_000) },
      slots: [
        { start: '00:00', end: '07:00', period: 'valley' },
        { start: '07:00', end: '24:00', period: 'flat' },
      ],
    },
  },
} as unknown as OrderDetail;
const reading = { at: '2026-11-20T23:00:00.000Z', energyWh: 10_000, powerW: 20_000 };

describe('the bill of a running charge', () => {
  test('the bill of a running charge is priced from the readings so far, on both sides of 07:00 in Shanghai', () => {
    const lines = runningLines(order, [reading], Date.parse('2026-11-20T23:30:00.000Z'));
    expect(
      lines?.map((line) => [line.kind === 'energy' && line.period, line.energyWh, line.electricityFeeFen]),
    ).toEqual([
      ['valley', 10_000, 400],
      ['flat', 10_000, 800],
    ]);
    expect(lines?.at(-1)?.to).toBe('2026-11-20T23:30:00.000Z');
  });

  test('an order that has bill lines, has ended or has no rule is left unchanged', () => {
    expect(runningLines({ ...order, state: 'completed' }, [reading], null)).toBeNull();
    expect(runningLines({ ...order, tariff: null }, [reading], null)).toBeNull();
    expect(runningLines(order, [], null)).toBeNull();
  });
});
