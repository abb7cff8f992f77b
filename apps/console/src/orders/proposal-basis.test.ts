import type { OrderDetail } from '@voltdeck/contract/orders';
import { describe, expect, test } from 'vitest';
import { proposalBasis } from './proposal-basis.ts';

type Flags = OrderDetail['flags'];

const waiting = (
  proposedWh: number,
  toldWh: number,
  evidence?: Record<string, unknown>,
  meterStopWh = 1 as number | null,
) =>
  ({
    proposal: { energyWh: proposedWh, endedAt: '2026-11-21T00:00:00.000Z' },
    energyWh: toldWh,
    meterStopWh,
    flags: evidence === undefined ? [] : ([{ rule: 'record_contradicts', at: '', evidence }] as Flags),
  }) as unknown as OrderDetail;

describe('what a proposed settlement was found from', () => {
  const witnesses = { energyWh: 90_000, periodsWh: 30_000, registersWh: 31_000, readWh: 29_000 };

  test.each([
    ['a figure that nobody doubts', waiting(90_000, 90_000), 'told'],
    ['the periods of a record', waiting(30_000, 90_000, witnesses), 'periods'],
    ['the registers of a record', waiting(31_000, 90_000, witnesses), 'registers'],
    ['the readings beside a record', waiting(29_000, 90_000, witnesses), 'readings'],
    ['the last reading, where the end was not told', waiting(12_000, 12_000, undefined, null), 'readings'],
    ['what the meter counted in steps that can be', waiting(4_000, 90_000), 'counted'],
    ['nothing that can be believed', waiting(0, 90_000, witnesses), 'nothing'],
    ['an empty charge, as it was told', waiting(0, 0), 'told'],
  ] as const)('%s', (_title, order, basis) => {
    expect(proposalBasis(order)).toBe(basis);
  });

  test('an order without a proposal has no basis', () => {
    expect(proposalBasis({ ...waiting(1, 1), proposal: null })).toBeNull();
  });
});
