import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Api, OrderDetail } from './api.ts';
import { startFirmware } from './firmware.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { dayTariff, morning, twoHourCharge } from './two-hour-charge.ts';

let product: MortalProduct;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startMortalProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/**
 * Sends every request, kills the server after some were answered, restarts it and sends all of them again under the
 * same keys.
 */
async function killWithin(requests: readonly (() => Promise<Answer<unknown>>)[], answersBeforeKill: number) {
  let answered = 0;
  const enough = Promise.withResolvers<void>();
  const first = requests.map((request) =>
    request().then(
      (answer) => {
        answered += 1;
        if (answered === answersBeforeKill) enough.resolve();
        return answer;
      },
      () => null,
    ),
  );
  if (answersBeforeKill === 0) enough.resolve();
  await enough.promise;
  await product.kill9();
  const before = await Promise.all(first);
  await product.startAgain();
  const after = await Promise.all(requests.map((request) => request()));
  return { before, after, lost: before.filter((answer) => answer === null).length };
}

describe('the same Idempotency-Key', () => {
  test('the same Idempotency-Key on a recharge with the server killed in between moves the money once', async () => {
    let lost = 0;
    for (const [round, answersBeforeKill] of [0, 2, 9].entries()) {
      const cards = Array.from({ length: 16 }, (_, index) => `${round}${String(index).padStart(15, '0')}`);
      const ids = await Promise.all(cards.map((card) => api.createCard(card, 0)));
      const requests = cards.map((cardNumber) => () => {
        const body = { cardNumber, amountFen: 12_345 };
        return api.ask<{ id: number } | null>('POST', '/recharges', body, { idempotencyKey: `recharge-${cardNumber}` });
      });
      const { before, after, lost: unanswered } = await killWithin(requests, answersBeforeKill);
      lost += unanswered;
      expect(after.map(({ httpStatus }) => httpStatus)).toEqual(cards.map(() => 200));
      for (const [index, answer] of before.entries()) {
        // Callers that were answered before get the same answer again.
        if (answer !== null) expect(after[index]?.data).toEqual(answer.data);
      }
      for (const cardId of ids) expect((await api.balanceOf({ cardId })).balanceFen).toBe(12_345);
    }
    expect(lost).toBeGreaterThan(0);
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the same Idempotency-Key on a refund with the server killed in between returns the money once', async () => {
    const orders = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const card = `F${String(index).padStart(15, '0')}`;
        const cardId = await api.createCard(card, 20_000);
        const number = `REFUND-${index}`;
        const { password } = await api.createStation({ number, siteId, tariffId });
        const firmware = startFirmware({ ocppUrl: product.ocppUrl, number, password, resendsWith: 'same-id' });
        for (const message of twoHourCharge(card, morning(1))) await firmware.tell(message);
        await firmware.stop();
        const [order] = await api.ordersOf({ cardNumber: card });
        return { id: order?.id ?? 0, cardId };
      }),
    );
    const body = { amountFen: 4_000, reason: 'Cable was too short' };
    const requests = orders.map(
      ({ id }) =>
        () =>
          api.ask<unknown>('POST', `/orders/${id}/refunds`, body, { idempotencyKey: `refund-${id}` }),
    );
    const { after } = await killWithin(requests, 3);
    expect(after.map(({ httpStatus }) => httpStatus)).toEqual(orders.map(() => 200));
    for (const { id, cardId } of orders) {
      const order = await api.get<OrderDetail>(`/orders/${id}`);
      expect(order).toMatchObject({ refundedFen: 4_000, paymentState: 'partly_refunded' });
      expect(order.refunds).toHaveLength(1);
      expect((await api.balanceOf({ cardId })).balanceFen).toBe(11_000);
    }
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the same Idempotency-Key used twice at once moves the money once; a different amount or no key is refused', async () => {
    const cardNumber = 'E000000000000001';
    const cardId = await api.createCard(cardNumber, 0);
    const recharge = (amountFen: number, idempotencyKey: string | null) =>
      api.ask('POST', '/recharges', { cardNumber, amountFen }, { idempotencyKey });
    const both = await Promise.all([recharge(500, 'at-once'), recharge(500, 'at-once')]);
    expect(both.some(({ httpStatus }) => httpStatus === 200)).toBe(true);
    for (const { httpStatus } of both) expect(httpStatus).toBeOneOf([200, 409]);
    expect((await api.balanceOf({ cardId })).balanceFen).toBe(500);
    expect(await recharge(900, 'at-once')).toMatchObject({
      httpStatus: 422,
      message: { error: 'request.repeated_differently' },
    });
    expect((await api.balanceOf({ cardId })).balanceFen).toBe(500);
    expect(await recharge(100, null)).toMatchObject({
      httpStatus: 400,
      message: { error: 'request.key_missing', message: expect.stringContaining('Idempotency-Key') },
    });
    expect((await api.balanceOf({ cardId })).balanceFen).toBe(500);
  });
});
