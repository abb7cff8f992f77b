import type { Coupon } from '@voltdeck/contract/coupons';
import type { CardId, CouponId, CustomerId, SiteId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
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

type Value = { amountFen?: number; percent?: number; maxFen?: number };
type Terms = Value & {
  bearer?: Coupon['bearer'];
  budgetFen?: number;
  siteIds?: number[];
  from?: number;
  to?: number;
};

const longAgo = instant(Date.parse('2026-01-01T00:00:00Z'));

async function coupon({ bearer = 'platform', ...terms }: Terms, customerIds: readonly CustomerId[]): Promise<CouponId> {
  const { id } = await database.db
    .insertInto('coupons')
    .values({
      name: 'Welcome',
      kind: terms.percent === undefined ? 'amount' : 'percent',
      amount_fen: terms.amountFen === undefined ? null : fen(terms.amountFen),
      percent: terms.percent ?? null,
      max_fen: terms.maxFen === undefined ? null : fen(terms.maxFen),
      site_ids: (terms.siteIds ?? null) as never,
      from_at: terms.from === undefined ? null : instant(terms.from),
      to_at: terms.to === undefined ? null : instant(terms.to),
      bearer,
      budget_fen: terms.budgetFen === undefined ? null : fen(terms.budgetFen),
      created_at: longAgo,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const customer_id of customerIds) {
    await database.db
      .insertInto('customer_coupons')
      .values({ coupon_id: id, customer_id, given_at: longAgo })
      .execute();
  }
  return id;
}

async function customer(phone: string): Promise<CustomerId> {
  const { id } = await database.db
    .insertInto('customers')
    .values({ phone, nickname: phone })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const from = instant(Date.parse('2026-11-20T16:00:00Z'));
const to = instant(from + 2 * hourMs);

/** 12 kWh from midnight of the station's valley: 3.60 yuan of electricity and 3.60 of service. */
async function charge(station: Awaited<ReturnType<typeof connectStation>>, card: string): Promise<void> {
  const passTo = (at: Instant) => {
    floor.clock.now = at;
  };
  passTo(from);
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: card,
    meterStart: 0,
    timestamp: toIso(from),
  });
  passTo(to);
  await station.call('StopTransaction', { transactionId, idTag: card, meterStop: 12_000, timestamp: toIso(to) });
}

const orderOf = (cardId: CardId) =>
  database.db
    .selectFrom('orders')
    .select([
      'id',
      'site_id',
      'amount_fen',
      'service_fee_fen',
      'discount_fen',
      'paid_fen',
      'refunded_fen',
      'owed_fen',
      'payment_state',
    ])
    .where('card_id', '=', cardId)
    .executeTakeFirstOrThrow();
const usesOf = (couponId: CouponId) =>
  database.db
    .selectFrom('customer_coupons')
    .select(['order_id', 'amount_fen'])
    .where('coupon_id', '=', couponId)
    .where('order_id', 'is not', null)
    .execute();

let people = 0;
/** A customer with a card of 100 yuan who charges once. */
async function chargeOnce(terms: readonly Terms[], balanceFen = 10_000) {
  people += 1;
  const number = `C0FFEE000000${String(people).padStart(4, '0')}`;
  const customerId = await customer(`1370000${String(people).padStart(4, '0')}`);
  const cardId = await floor.addCard(number, balanceFen);
  await database.db.updateTable('cards').set({ customer_id: customerId }).where('id', '=', cardId).execute();
  const coupons: CouponId[] = [];
  for (const each of terms) coupons.push(await coupon(each, [customerId]));
  await floor.addStation(`COUPON-${people}`);
  const station = await connectStation(floor, `COUPON-${people}`);
  await charge(station, number);
  await station.end();
  floor.clock.now = null;
  return { cardId, coupons, order: await orderOf(cardId) };
}

describe('a charge whose payer has coupons', () => {
  test('the one that takes the most off the service fee applies, once, and the bill after it is paid', async () => {
    const { order, coupons } = await chargeOnce([{ amountFen: 100 }, { percent: 50 }, { amountFen: 150 }]);
    expect(order).toMatchObject({
      amount_fen: 720,
      service_fee_fen: 360,
      discount_fen: 180,
      paid_fen: 540,
      owed_fen: 0,
      payment_state: 'paid',
    });
    const uses = await Promise.all(coupons.map(usesOf));
    expect(uses).toEqual([[], [{ order_id: order.id, amount_fen: 180 }], []]);
  });

  test('it takes off no more than the service fee, its cap and its budget, and none that is not valid', async () => {
    expect((await chargeOnce([{ amountFen: 5_000 }])).order.discount_fen).toBe(360);
    expect((await chargeOnce([{ percent: 90, maxFen: 70 }])).order.discount_fen).toBe(70);
    expect((await chargeOnce([{ amountFen: 300, budgetFen: 120 }])).order.discount_fen).toBe(120);
    expect((await chargeOnce([{ amountFen: 300, siteIds: [999_999 as SiteId] }])).order.discount_fen).toBe(0);
    expect((await chargeOnce([{ amountFen: 300, to: from - hourMs }])).order.discount_fen).toBe(0);
    expect((await chargeOnce([{ amountFen: 300, to: to - 1 }])).order.discount_fen).toBe(0);
    expect((await chargeOnce([{ amountFen: 300, from: to + 1 }])).order.discount_fen).toBe(0);
  });

  test('charges that end together never take off more than the budget', async () => {
    const three = [1, 2, 3].map((each) => ({
      number: `BADGE0000000000${each}`,
      name: `BUDGET-${each}`,
      phone: `1360000000${each}`,
    }));
    const customerIds: CustomerId[] = [];
    const cardIds: CardId[] = [];
    for (const { number, name, phone } of three) {
      const customerId = await customer(phone);
      const cardId = await floor.addCard(number, 10_000);
      await database.db.updateTable('cards').set({ customer_id: customerId }).where('id', '=', cardId).execute();
      await floor.addStation(name);
      customerIds.push(customerId);
      cardIds.push(cardId);
    }
    const couponId = await coupon({ amountFen: 300, budgetFen: 500 }, customerIds);
    const stations = await Promise.all(three.map(({ name }) => connectStation(floor, name)));
    await Promise.all(stations.map((station, index) => charge(station, three[index]?.number ?? '')));
    for (const station of stations) await station.end();
    floor.clock.now = null;
    const orders = await Promise.all(cardIds.map(orderOf));
    const taken = orders.map(({ discount_fen }) => discount_fen).sort((a, b) => a - b);
    expect(taken).toEqual([0, 200, 300]);
    expect(orders.every(({ discount_fen, paid_fen }) => discount_fen + paid_fen === 720)).toBe(true);
    const row = await database.db
      .selectFrom('coupons')
      .select('used_fen')
      .where('id', '=', couponId)
      .executeTakeFirst();
    expect(row?.used_fen).toBe(500);
  });

  test('what a balance cannot pay of the bill after its coupon is owed, and no more', async () => {
    const { order } = await chargeOnce([{ amountFen: 120 }], 500);
    expect(order).toMatchObject({ discount_fen: 120, paid_fen: 500, owed_fen: 100, payment_state: 'partly_paid' });
  });

  test('the platform or the site bears it, and a refund gives back no more than was paid', async () => {
    const expense = async () =>
      (
        await database.db
          .selectFrom('ledger_accounts')
          .select((eb) => eb.fn.sum<number>('balance_fen').as('sum'))
          .where('key', '=', 'coupon-expense')
          .executeTakeFirstOrThrow()
      ).sum;
    const before = Number(await expense());
    const bySite = await chargeOnce([{ amountFen: 200, bearer: 'site' }]);
    expect(Number(await expense())).toBe(before);
    const byPlatform = await chargeOnce([{ amountFen: 200, bearer: 'platform' }]);
    expect(Number(await expense())).toBe(before - 200);
    for (const { order, cardId } of [bySite, byPlatform]) {
      const refund = (amountFen: number) =>
        transact(database.db, (trx) =>
          refundOrder(trx, platformCaller(), order.id, { amountFen: fen(amountFen), reason: 'Sorry' }, to),
        );
      expect((await refund(521)).ok).toBe(false);
      expect((await refund(520)).ok).toBe(true);
      expect(await orderOf(cardId)).toMatchObject({ refunded_fen: 520, payment_state: 'refunded' });
      expect(await floor.balanceOf(`card:${cardId}`)).toBe(10_000);
    }
    expect(Number(await expense())).toBe(before);
  });
});
