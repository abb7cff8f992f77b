import type { CardId, CustomerId, OrderId, SiteId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountKey, cardAccount, customerAccount } from './account.ts';
import { type Settlement, settleTransfer } from './settle.ts';

type Amounts = { heldFen: number; availableFen: number; electricityFeeFen: number; serviceFeeFen: number };

const card = cardAccount(12 as CardId);

function settled(amounts: Amounts, wallet = card): Settlement {
  const made = settleTransfer({
    orderId: 41 as OrderId,
    siteId: 3 as SiteId,
    wallet,
    heldFen: fen(amounts.heldFen),
    availableFen: fen(amounts.availableFen),
    electricityFeeFen: fen(amounts.electricityFeeFen),
    serviceFeeFen: fen(amounts.serviceFeeFen),
  });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return made.value;
}

const moves = ({ transfer }: Settlement) =>
  transfer?.postings.map(({ from, to, amountFen }) => `${from} -> ${to} ${amountFen}`) ?? [];

describe('settling a charge', () => {
  test('a settlement pays from held money and returns the rest of it', () => {
    const paid = settled({ heldFen: 2_000, availableFen: 500, electricityFeeFen: 960, serviceFeeFen: 700 });
    expect(moves(paid)).toEqual([
      'card-held:12 -> electricity-income:site:3 960',
      'card-held:12 -> service-income:site:3 700',
      'card-held:12 -> card:12 340',
    ]);
    expect(paid).toMatchObject({
      paidFen: 1_660,
      shortfallFen: 0,
      releasedFen: 340,
      transfer: { key: 'order:41:settle', reason: 'charge_settled', orderId: 41 },
    });
  });

  test('a settlement takes free money when the held money is not enough', () => {
    const paid = settled({ heldFen: 1_000, availableFen: 1_000, electricityFeeFen: 960, serviceFeeFen: 700 });
    expect(moves(paid)).toEqual([
      'card-held:12 -> electricity-income:site:3 960',
      'card-held:12 -> service-income:site:3 40',
      'card:12 -> service-income:site:3 660',
    ]);
    expect(paid).toMatchObject({ paidFen: 1_660, shortfallFen: 0, releasedFen: 0 });
  });

  test("a settlement books what is missing as the owner's debt", () => {
    const customer = customerAccount(7 as CustomerId);
    const paid = settled({ heldFen: 500, availableFen: 300, electricityFeeFen: 960, serviceFeeFen: 700 }, customer);
    expect(moves(paid)).toEqual([
      'customer-held:7 -> electricity-income:site:3 500',
      'customer:7 -> electricity-income:site:3 300',
      'receivable:customer:7 -> electricity-income:site:3 160',
      'receivable:customer:7 -> service-income:site:3 700',
    ]);
    expect(paid).toMatchObject({ paidFen: 800, shortfallFen: 860, releasedFen: 0 });
  });

  test('a settlement of a free charge returns all held money', () => {
    const paid = settled({ heldFen: 500, availableFen: 0, electricityFeeFen: 0, serviceFeeFen: 0 });
    expect(moves(paid)).toEqual(['card-held:12 -> card:12 500']);
    expect(paid).toMatchObject({ paidFen: 0, shortfallFen: 0, releasedFen: 500 });
  });

  test('a settlement of a free charge without a hold moves nothing', () => {
    expect(settled({ heldFen: 0, availableFen: 800, electricityFeeFen: 0, serviceFeeFen: 0 })).toEqual({
      transfer: null,
      paidFen: 0,
      shortfallFen: 0,
      releasedFen: 0,
    });
  });

  test.each(['heldFen', 'availableFen', 'electricityFeeFen', 'serviceFeeFen'])(
    'a settlement refuses a negative %s',
    (field) => {
      const sound = { heldFen: fen(1), availableFen: fen(1), electricityFeeFen: fen(1), serviceFeeFen: fen(1) };
      const made = settleTransfer({
        orderId: 41 as OrderId,
        siteId: 3 as SiteId,
        wallet: card,
        ...sound,
        [field]: fen(-1),
      });
      expect(made).toEqual({ ok: false, error: { code: 'ledger.amount_negative', field, amountFen: -1 } });
    },
  );

  test('a settlement never loses or creates a fen, for any held and free money and any fees', () => {
    const amount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 1e12 }));
    const amounts = fc.record({
      heldFen: amount,
      availableFen: amount,
      electricityFeeFen: amount,
      serviceFeeFen: amount,
    });
    fc.assert(
      fc.property(amounts, ({ heldFen, availableFen, electricityFeeFen, serviceFeeFen }) => {
        const { transfer, paidFen, shortfallFen, releasedFen } = settled({
          heldFen,
          availableFen,
          electricityFeeFen,
          serviceFeeFen,
        });
        const change = (account: string) =>
          (transfer?.postings ?? []).reduce((sum, { from, to, amountFen }) => {
            return sum + (to === (account as AccountKey) ? amountFen : 0) - (from === account ? amountFen : 0);
          }, 0);
        const due = electricityFeeFen + serviceFeeFen;
        expect(change('electricity-income:site:3')).toBe(electricityFeeFen);
        expect(change('service-income:site:3')).toBe(serviceFeeFen);
        expect(change('card-held:12')).toBe(0 - heldFen);
        expect(change('card:12')).toBe(heldFen - paidFen);
        expect(change('receivable:card:12')).toBe(0 - shortfallFen);
        expect(paidFen).toBe(Math.min(due, heldFen + availableFen));
        expect(paidFen + shortfallFen).toBe(due);
        expect(releasedFen).toBe(Math.max(0, heldFen - due));
        expect(availableFen + change('card:12')).toBeGreaterThanOrEqual(0);
        // A debt arises only when nothing is left to take.
        if (shortfallFen > 0) expect(availableFen + change('card:12')).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
