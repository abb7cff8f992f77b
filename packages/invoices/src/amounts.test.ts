import { addFen, fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsOf, invoicedOf, rateBpMax, reddenedOf, takenBackOf, taxedOf } from './amounts.ts';

const order = {
  electricityFeeFen: fen(3000),
  serviceFeeFen: fen(2000),
  discountFen: fen(0),
  paidFen: fen(5000),
  giftPaidFen: fen(0),
  refundedFen: fen(0),
  refundedGiftFen: fen(0),
};

describe('the tax that an amount includes', () => {
  test.each([
    [11_300, 1300, 1300],
    [100, 1300, 12],
    [10_600, 600, 600],
    [1, 1300, 0],
    [5, 1300, 1],
    [0, 1300, 0],
    [999, 0, 0],
    [3, 10_000, 2],
  ])('of %i fen at %i hundredths of a percent it is %i', (gross, rate, tax) => {
    expect(taxedOf(fen(gross), rate)).toEqual({ grossFen: gross, netFen: gross - tax, taxFen: tax });
  });

  test('it is the true tax to within half a fen, and both parts add up to what was paid', () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 9_000_000_000_000 }));
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: rateBpMax }), (gross, rate) => {
        const { netFen, taxFen } = taxedOf(fen(gross), rate);
        expect(netFen + taxFen).toBe(gross);
        expect(netFen).toBeGreaterThanOrEqual(0);
        expect(taxFen).toBeGreaterThanOrEqual(0);
        // |tax − gross × rate / (1 + rate)| ≤ ½, in whole numbers.
        const error = BigInt(taxFen) * BigInt(10_000 + rate) - BigInt(gross) * BigInt(rate);
        const doubled = error < 0n ? -2n * error : 2n * error;
        expect(doubled <= BigInt(10_000 + rate)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  test('a negative amount and a rate out of its range are bugs', () => {
    expect(() => taxedOf(fen(-1), 600)).toThrow(RangeError);
    for (const rate of [-1, 10_001, 6.5]) expect(() => taxedOf(fen(1), rate)).toThrow(RangeError);
  });
});

describe('what of an order is invoiced', () => {
  test('all that was paid, as it was charged', () => {
    expect(invoicedOf(order)).toEqual({ amountFen: 5000, electricityFen: 3000, serviceFen: 2000 });
  });

  test('gifts are not: nobody paid them', () => {
    const invoiced = invoicedOf({ ...order, giftPaidFen: fen(2500) });
    expect(invoiced).toEqual({ amountFen: 2500, electricityFen: 1500, serviceFen: 1000 });
  });

  test('a coupon is taken off the service fee', () => {
    const invoiced = invoicedOf({ ...order, discountFen: fen(1500), paidFen: fen(3500) });
    expect(invoiced).toEqual({ amountFen: 3500, electricityFen: 3000, serviceFen: 500 });
  });

  test('what was refunded is not, and of gifts that went back nothing is taken off', () => {
    const refunded = { ...order, giftPaidFen: fen(1000), refundedFen: fen(2500), refundedGiftFen: fen(500) };
    expect(invoicedOf(refunded)).toEqual({ amountFen: 2000, electricityFen: 1200, serviceFen: 800 });
  });

  test('of an order that is all refunded nothing is left', () => {
    const invoiced = invoicedOf({ ...order, refundedFen: fen(5000) });
    expect(invoiced).toEqual({ amountFen: 0, electricityFen: 0, serviceFen: 0 });
  });
});

test('net, tax, electricity and service of an invoice add up to what was paid for its orders, to the fen', () => {
  const part = fc.integer({ min: 0, max: 1_000_000 });
  const charged = fc
    .record({ electricity: part, service: part, discounted: fc.double({ min: 0, max: 1, noNaN: true }), paid: part })
    .chain((given) => {
      const discount = Math.floor(given.service * given.discounted);
      const bill = given.electricity + given.service - discount;
      return fc.record({
        electricityFeeFen: fc.constant(fen(given.electricity)),
        serviceFeeFen: fc.constant(fen(given.service)),
        discountFen: fc.constant(fen(discount)),
        paidFen: fc.constant(fen(Math.min(given.paid, bill))),
        giftShare: fc.double({ min: 0, max: 1, noNaN: true }),
        refundShare: fc.double({ min: 0, max: 1, noNaN: true }),
      });
    })
    .map(({ giftShare, refundShare, ...rest }) => {
      const gift = Math.floor(rest.paidFen * giftShare);
      const back = Math.floor((rest.paidFen - gift) * refundShare);
      const giftBack = Math.floor(gift * refundShare);
      return { ...rest, giftPaidFen: fen(gift), refundedFen: fen(back + giftBack), refundedGiftFen: fen(giftBack) };
    });
  fc.assert(
    fc.property(
      fc.array(charged, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: 2000 }),
      (orders, electricityBp, serviceBp) => {
        const invoiced = orders.map(invoicedOf);
        const amounts = amountsOf(invoiced, { electricityBp, serviceBp });
        expect(amounts.amountFen).toBe(addFen(...invoiced.map(({ amountFen }) => amountFen)));
        expect(amounts.netFen + amounts.taxFen).toBe(amounts.amountFen);
        expect(amounts.electricity.grossFen + amounts.service.grossFen).toBe(amounts.amountFen);
        expect(amounts.electricity.taxFen + amounts.service.taxFen).toBe(amounts.taxFen);
        for (const [index, { amountFen, electricityFen, serviceFen }] of invoiced.entries()) {
          const { paidFen, giftPaidFen, refundedFen, refundedGiftFen } = orders[index] ?? order;
          expect(amountFen).toBe(paidFen - giftPaidFen - (refundedFen - refundedGiftFen));
          expect(electricityFen + serviceFen).toBe(amountFen);
          expect(Math.min(electricityFen, serviceFen)).toBeGreaterThanOrEqual(0);
        }
      },
    ),
    { numRuns: 5000 },
  );
});

describe('what red letters take back', () => {
  test('of an order it is the difference by parts, and nothing where as much or more is sold now', () => {
    const held = invoicedOf(order);
    const refunded = invoicedOf({ ...order, refundedFen: fen(1000) });
    expect(takenBackOf(held, refunded)).toEqual({ amountFen: 1000, electricityFen: 600, serviceFen: 400 });
    const nothing = { amountFen: 0, electricityFen: 0, serviceFen: 0 };
    expect(takenBackOf(refunded, refunded)).toEqual(nothing);
    expect(takenBackOf(refunded, held)).toEqual(nothing);
    expect(takenBackOf(held, { amountFen: fen(0), electricityFen: fen(0), serviceFen: fen(0) })).toEqual(held);
  });

  test('refunds one after the other add up to all of the order and never take more of a part than is left', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(amount, amount, fc.array(amount, { maxLength: 6 }), (electricity, service, refunds) => {
        fc.pre(electricity + service > 0);
        const paid = { ...order, electricityFeeFen: fen(electricity), serviceFeeFen: fen(service) };
        const total = electricity + service;
        let left = invoicedOf({ ...paid, paidFen: fen(total) });
        let refunded = 0;
        for (const each of [...refunds, total]) {
          refunded = Math.min(total, refunded + each);
          const back = takenBackOf(left, invoicedOf({ ...paid, paidFen: fen(total), refundedFen: fen(refunded) }));
          expect(back.electricityFen + back.serviceFen).toBe(back.amountFen);
          expect(Math.min(back.electricityFen, back.serviceFen)).toBeGreaterThanOrEqual(0);
          left = {
            amountFen: fen(left.amountFen - back.amountFen),
            electricityFen: fen(left.electricityFen - back.electricityFen),
            serviceFen: fen(left.serviceFen - back.serviceFen),
          };
          expect(Math.min(left.electricityFen, left.serviceFen)).toBeGreaterThanOrEqual(0);
          expect(left.amountFen).toBe(total - refunded);
        }
        expect(left.amountFen).toBe(0);
      }),
      { numRuns: 5_000 },
    );
  });

  test('the taxes of red letters over parts add up to that of the invoice, and what stands has the tax of its amount', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        amount,
        fc.array(amount, { maxLength: 6 }),
        fc.integer({ min: 0, max: rateBpMax }),
        (all, backs, rate) => {
          let standing = fen(all);
          let taxFen = 0;
          for (const each of [...backs, all]) {
            const back = fen(Math.min(standing, each));
            const red = reddenedOf(standing, back, rate);
            expect(red.netFen + red.taxFen).toBe(back);
            expect(Math.min(red.netFen, red.taxFen)).toBeGreaterThanOrEqual(0);
            standing = fen(standing - back);
            taxFen += red.taxFen;
            expect(taxedOf(fen(all), rate).taxFen - taxFen).toBe(taxedOf(standing, rate).taxFen);
          }
          expect(standing).toBe(0);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('more than what stands, or less than nothing, is a bug', () => {
    expect(() => reddenedOf(fen(5), fen(6), 600)).toThrow(RangeError);
    expect(() => reddenedOf(fen(5), fen(-1), 600)).toThrow(RangeError);
  });
});
