import type { CardId, CustomerId, OrderId, SiteId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountKey, cardAccount, customerAccount } from './account.ts';
import type { Parts } from './parts.ts';
import { type Settlement, settleTransfer } from './settle.ts';

type Amounts = { heldFen: number; availableFen: number; electricityFeeFen: number; serviceFeeFen: number };

const paidOnly = (paidFen: number): Parts => ({ paidFen: fen(paidFen), giftFen: fen(0) });
const card = cardAccount(12 as CardId);

const sound = {
  orderId: 41 as OrderId,
  siteId: 3 as SiteId,
  wallet: card,
  held: paidOnly(1),
  available: paidOnly(1),
  electricityFeeFen: fen(1),
  serviceFeeFen: fen(1),
};

function settled(amounts: Amounts, wallet = card): Settlement {
  const made = settleTransfer({
    orderId: 41 as OrderId,
    siteId: 3 as SiteId,
    wallet,
    held: paidOnly(amounts.heldFen),
    available: paidOnly(amounts.availableFen),
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
      paid: paidOnly(1_660),
      shortfallFen: 0,
      released: paidOnly(340),
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
    expect(paid).toMatchObject({ paid: paidOnly(1_660), shortfallFen: 0, released: paidOnly(0) });
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
    expect(paid).toMatchObject({ paid: paidOnly(800), shortfallFen: 860, released: paidOnly(0) });
  });

  test('a settlement of a free charge returns all held money', () => {
    const paid = settled({ heldFen: 500, availableFen: 0, electricityFeeFen: 0, serviceFeeFen: 0 });
    expect(moves(paid)).toEqual(['card-held:12 -> card:12 500']);
    expect(paid).toMatchObject({ paid: paidOnly(0), shortfallFen: 0, released: paidOnly(500) });
  });

  test('a settlement of a free charge without a hold moves nothing', () => {
    expect(settled({ heldFen: 0, availableFen: 800, electricityFeeFen: 0, serviceFeeFen: 0 })).toEqual({
      transfer: null,
      paid: paidOnly(0),
      shortfallFen: 0,
      released: paidOnly(0),
    });
  });

  test('a settlement takes gifts last, and returns held gifts that it does not need', () => {
    const parts = (paidFen: number, giftFen: number): Parts => ({ paidFen: fen(paidFen), giftFen: fen(giftFen) });
    const made = settleTransfer({
      ...sound,
      held: parts(1_000, 300),
      available: parts(200, 900),
      electricityFeeFen: fen(960),
      serviceFeeFen: fen(400),
    });
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    expect(moves(made.value)).toEqual([
      'card-held:12 -> electricity-income:site:3 960',
      'card-held:12 -> service-income:site:3 40',
      'card:12 -> service-income:site:3 200',
      'card-gift-held:12 -> service-income:site:3 160',
      'card-gift-held:12 -> card-gift:12 140',
    ]);
    expect(made.value).toMatchObject({ paid: parts(1_200, 160), shortfallFen: 0, released: parts(0, 140) });
  });

  test.each([
    ['platform', ['card-held:12 -> service-income:site:3 400', 'coupon-expense -> service-income:site:3 300']],
    ['site', ['card-held:12 -> service-income:site:3 400']],
  ] as const)('a coupon that the %s bears takes its amount off the service fee', (bearer, service) => {
    const coupon = { amountFen: fen(300), bearer };
    const made = settleTransfer({
      ...sound,
      held: paidOnly(1_360),
      electricityFeeFen: fen(960),
      serviceFeeFen: fen(700),
      coupon,
    });
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    expect(moves(made.value)).toEqual(['card-held:12 -> electricity-income:site:3 960', ...service]);
    expect(made.value).toMatchObject({ paid: paidOnly(1_360), shortfallFen: 0 });
  });

  test('a coupon above the service fee is refused', () => {
    const coupon = { amountFen: fen(2), bearer: 'site' } as const;
    expect(settleTransfer({ ...sound, coupon })).toEqual({
      ok: false,
      error: { code: 'ledger.coupon_too_high', maxFen: 1 },
    });
  });

  test.each([
    ['heldFen', { held: paidOnly(-1) }],
    ['heldGiftFen', { held: { paidFen: fen(0), giftFen: fen(-1) } }],
    ['availableFen', { available: paidOnly(-1) }],
    ['availableGiftFen', { available: { paidFen: fen(0), giftFen: fen(-1) } }],
    ['electricityFeeFen', { electricityFeeFen: fen(-1) }],
    ['serviceFeeFen', { serviceFeeFen: fen(-1) }],
    ['couponFen', { coupon: { amountFen: fen(-1), bearer: 'site' } }],
  ] as const)('a settlement refuses a negative %s', (field, wrong) => {
    const made = settleTransfer({ ...sound, ...wrong });
    expect(made).toEqual({ ok: false, error: { code: 'ledger.amount_negative', field, amountFen: -1 } });
  });

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
        const { transfer, paid, shortfallFen, released } = settled({
          heldFen,
          availableFen,
          electricityFeeFen,
          serviceFeeFen,
        });
        const { paidFen } = paid;
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
        expect(released.paidFen).toBe(Math.max(0, heldFen - due));
        expect(availableFen + change('card:12')).toBeGreaterThanOrEqual(0);
        // A debt arises only when nothing is left to take.
        if (shortfallFen > 0) expect(availableFen + change('card:12')).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
