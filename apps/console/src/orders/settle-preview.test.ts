import type { OrderDetail } from '@voltdeck/contract/orders';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { type Instant, instant } from '@voltdeck/units/instant';
import { priceE5 } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { proposalPreview, settlePreview } from './settle-preview.ts';

const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});
const tariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(120_000, 0),
    peak: price(100_000, 0),
    flat: price(60_000, 40_000),
    valley: price(30_000, 20_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '24:00', period: 'flat' },
  ],
};
const at = (text: string) => instant(Date.parse(`${text}+08:00`));
const startedAt = at('2026-11-21T06:30:00');
const charge = (byHand: { energyWh: number; endedAt: Instant }) => ({ tariff, startedAt, byHand, heldFen: 1000 });
const overSeven = { energyWh: 20_000, endedAt: at('2026-11-21T07:30:00') };

describe('preview of a settlement by hand', () => {
  test('energy is spread evenly and priced on both sides of 07:00', () => {
    // 10 kWh at 0.50 and 10 kWh at 1.00 yuan: 5.00 + 10.00
    const preview = settlePreview(charge(overSeven));
    expect(preview).toMatchObject({ kind: 'bill', fromHeldFen: 1000, beyondHeldFen: 500, givenBackFen: 0 });
    if (preview.kind === 'bill') expect(preview.bill.amountFen).toBe(1500);
  });

  test('what was held beyond the bill is returned', () => {
    expect(settlePreview(charge({ ...overSeven, energyWh: 0 }))).toMatchObject({
      kind: 'bill',
      fromHeldFen: 0,
      givenBackFen: 1000,
    });
  });

  test('energy of a charge with an unknown start is priced at its end', () => {
    const preview = settlePreview({ ...charge(overSeven), startedAt: null });
    if (preview.kind !== 'bill') throw new Error(preview.kind);
    expect(preview.bill.lines).toMatchObject([{ period: 'flat', energyWh: 20_000 }]);
  });

  test('an end before the start and a missing rule are reported, not priced', () => {
    const early = { ...overSeven, endedAt: instant(startedAt - 1) };
    expect(settlePreview(charge(early))).toEqual({ kind: 'ends-too-early' });
    expect(settlePreview({ ...charge(overSeven), tariff: null })).toEqual({ kind: 'no-rule' });
  });

  test('a proposal is previewed as the settlement that it proposes', () => {
    const order = {
      tariff: { id: 1, name: 'T', kind: 'energy', detail: tariff },
      startedAt: new Date(startedAt).toISOString(),
      proposal: { energyWh: 20_000, endedAt: new Date(overSeven.endedAt).toISOString(), lines: null },
      heldFen: 1000,
    } as unknown as OrderDetail;
    expect(proposalPreview(order)).toEqual(settlePreview(charge(overSeven)));
    expect(proposalPreview({ ...order, proposal: null })).toBeNull();
  });

  test('a proposal with its bill is previewed as that bill, until other figures are entered', () => {
    const line = {
      kind: 'energy',
      from: new Date(startedAt).toISOString(),
      to: new Date(overSeven.endedAt).toISOString(),
      period: 'valley',
      energyWh: 20_000,
      electricityPriceE5: 30_000,
      servicePriceE5: 20_000,
      electricityFeeFen: 600,
      serviceFeeFen: 400,
    };
    const proposal = {
      energyWh: 20_000,
      endedAt: line.to,
      lines: [line],
    } as unknown as NonNullable<OrderDetail['proposal']>;
    const proposed = settlePreview({ ...charge(overSeven), proposal });
    expect(proposed).toMatchObject({ kind: 'bill', isSpread: false, bill: { amountFen: 1000, energyWh: 20_000 } });
    const other = settlePreview({ ...charge({ ...overSeven, energyWh: 20_001 }), proposal });
    expect(other).toMatchObject({ kind: 'bill', isSpread: true, bill: { energyWh: 20_001 } });
    const later = settlePreview({ ...charge({ ...overSeven, endedAt: instant(overSeven.endedAt + 1) }), proposal });
    expect(later).toMatchObject({ isSpread: true });
  });
});
