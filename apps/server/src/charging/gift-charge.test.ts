import { cardAccount } from '@voltdeck/ledger/account';
import { giftTransfer } from '@voltdeck/ledger/recharge';
import type { CardId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { refundOrder } from '../orders/refund-order.ts';
import { connectStation, type Floor, openFloor } from './test-charging-floor.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  await database.db
    .insertInto('users')
    .values({ user_name: 'admin', real_name: 'admin', password_hash: 'x' })
    .execute();
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

let gifts = 0;
async function give(cardId: CardId, amountFen: number): Promise<void> {
  gifts += 1;
  const wallet = cardAccount(cardId);
  const transfer = soundTransfer(giftTransfer({ id: gifts, wallet, amountFen: fen(amountFen) }));
  const movement = { wallet, type: 'gift', number: `gift ${gifts}`, paidFen: 0, giftFen: amountFen } as const;
  await database.db.transaction().execute((trx) => postTransfer(trx, transfer, instant(Date.now()), [movement]));
}

/** 12 kWh from midnight of the station's valley: 7.20 yuan. */
async function charge(number: string, card: string): Promise<void> {
  const from = instant(Date.parse('2026-11-20T16:00:00Z'));
  const passTo = (at: Instant) => {
    floor.clock.now = at;
  };
  passTo(from);
  const station = await connectStation(floor, number);
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: card,
    meterStart: 0,
    timestamp: toIso(from),
  });
  const to = instant(from + 2 * hourMs);
  passTo(to);
  await station.call('StopTransaction', { transactionId, idTag: card, meterStop: 12_000, timestamp: toIso(to) });
  await station.end();
  floor.clock.now = null;
}

const orderOf = (cardId: CardId) =>
  database.db
    .selectFrom('orders')
    .select([
      'id',
      'number',
      'held_fen',
      'held_gift_fen',
      'amount_fen',
      'paid_fen',
      'gift_paid_fen',
      'refunded_fen',
      'refunded_gift_fen',
      'owed_fen',
      'payment_state',
    ])
    .where('card_id', '=', cardId)
    .executeTakeFirstOrThrow();

const movementsOf = (cardId: CardId) =>
  database.db
    .selectFrom('movements')
    .select(['type', 'number', 'paid_fen', 'gift_fen', 'paid_after_fen', 'gift_after_fen', 'order_id'])
    .where('card_id', '=', cardId)
    .orderBy('id')
    .execute();

describe('a charge paid with gifts', () => {
  test('a charge takes paid money first and the rest from gifts, and its movement tells both', async () => {
    await floor.addStation('GIFT-1');
    const cardId = await floor.addCard('61F7000000000001', 500);
    await give(cardId, 400);
    await charge('GIFT-1', '61F7000000000001');
    const order = await orderOf(cardId);
    expect(order).toMatchObject({
      held_fen: 900,
      held_gift_fen: 400,
      amount_fen: 720,
      paid_fen: 720,
      gift_paid_fen: 220,
      payment_state: 'paid',
    });
    expect(await movementsOf(cardId)).toMatchObject([
      { type: 'gift', gift_fen: 400, paid_after_fen: 500, gift_after_fen: 400 },
      {
        type: 'consume',
        number: order.number,
        order_id: order.id,
        paid_fen: -500,
        gift_fen: -220,
        paid_after_fen: 0,
        gift_after_fen: 180,
      },
    ]);
    for (const held of ['card-held', 'card-gift-held']) expect(await floor.balanceOf(`${held}:${cardId}`)).toBe(0);
    expect(await floor.balanceOf(`card-gift:${cardId}`)).toBe(180);
  });

  test('its refunds go back to paid money and gifts in the proportion they paid, to the fen', async () => {
    await floor.addStation('GIFT-2');
    const cardId = await floor.addCard('61F7000000000002', 500);
    await give(cardId, 400);
    await charge('GIFT-2', '61F7000000000002');
    const { id } = await orderOf(cardId);
    for (const amountFen of [101, 619]) {
      const refunded = await transact(database.db, (trx) =>
        refundOrder(
          trx,
          platformCaller(),
          id,
          { amountFen: fen(amountFen), reason: 'cable fault' },
          instant(Date.now()),
        ),
      );
      expect(refunded.ok).toBe(true);
    }
    expect(await orderOf(cardId)).toMatchObject({
      refunded_fen: 720,
      refunded_gift_fen: 220,
      payment_state: 'refunded',
    });
    const moved = await movementsOf(cardId);
    expect(moved.slice(2)).toMatchObject([
      { type: 'order_refund', paid_fen: 70, gift_fen: 31, paid_after_fen: 70, gift_after_fen: 211 },
      { type: 'order_refund', paid_fen: 430, gift_fen: 189, paid_after_fen: 500, gift_after_fen: 400 },
    ]);
  });

  test('a card with gifts alone may charge, and what they do not cover is owed', async () => {
    await floor.addStation('GIFT-3');
    const cardId = await floor.addCard('61F7000000000003', 0);
    await give(cardId, 300);
    await charge('GIFT-3', '61F7000000000003');
    expect(await orderOf(cardId)).toMatchObject({
      paid_fen: 300,
      gift_paid_fen: 300,
      owed_fen: 420,
      payment_state: 'partly_paid',
    });
  });
});
