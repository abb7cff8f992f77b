import { cardAccount, customerAccount } from '@voltdeck/ledger/account';
import { takeFrom } from '@voltdeck/ledger/parts';
import { hashPassword } from '@voltdeck/server/access/password';
import type { Database } from '@voltdeck/server/database/database';
import type { Place } from '@voltdeck/server/http/test-records';
import { lockParts } from '@voltdeck/server/ledger/wallet-parts';
import { insertOrder, nextNumbers } from '@voltdeck/server/orders/write-order';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';

import { type Api, signIn } from './api.ts';
import type { Dice } from './dice.ts';
import type { MoneyWorld } from './money-acts.ts';
import type { Product } from './product.ts';
import { changeRates, makeSharedPlaces } from './share-world.ts';

const cards = 5;
const customers = 5;
const ordersAtOnce = 6;

/** Two people, some cards and customers with money, and parameters under which much has to wait for the other one. */
export async function openMoneyWorld(
  product: Pick<Product, 'url' | 'signIn'>,
  database: Database,
  chance: Dice,
): Promise<{ world: MoneyWorld; asker: Api; checker: Api }> {
  const asker = await product.signIn();
  const world: MoneyWorld = {
    cards: [],
    customers: [],
    recharges: [],
    withdrawals: [],
    orders: [],
    approvals: [],
    entries: [],
  };
  for (let index = 0; index < customers; index += 1) {
    const phone = `1380000000${index}`;
    const id = await asker.createCustomer(phone, chance.whole(1_000, 30_000));
    world.customers.push({ id, phone });
  }
  for (let index = 0; index < cards; index += 1) {
    const number = `C0000000000000${index}A`;
    const id = await asker.createCard(number, chance.whole(1_000, 30_000));
    world.cards.push({ id, number });
  }
  const limits = { order_refund: 2_000, transfer: 3_000, recharge: 20_000, withdrawal: 2_000, write_off: 0 };
  for (const [kind, limit] of Object.entries(limits)) {
    await database.pool.query('update configs set value = $2 where key = $1', [
      `second_person_${kind}_fen`,
      String(limit),
    ]);
  }
  await database.pool.query(`update configs set value = '999' where key = 'withdrawals_per_day'`);
  const checker = await signInSecond(product, database);
  await refreshWorld(database.pool, world);
  return { world, asker, checker };
}

/** Somebody else who may decide what the first one asks for. */
async function signInSecond(product: Pick<Product, 'url'>, database: Database): Promise<Api> {
  const password = 'second-sight-4711';
  await database.db
    .insertInto('users')
    .values({
      user_name: 'checker',
      real_name: 'Checker',
      password_hash: await hashPassword(password),
      admin: true,
    })
    .execute();
  return signIn(product.url, { userName: 'checker', password });
}

let made: { of: Database; places: Place[] } | null = null;

/** Charges that wait for a person, with their holds, at stations whose parties get other rates from now on. */
export async function addOrders(database: Database, world: MoneyWorld, chance: Dice): Promise<void> {
  if (made?.of !== database) made = { of: database, places: await makeSharedPlaces(database, chance) };
  else await changeRates(database, made.places, chance);
  for (let index = 0; index < ordersAtOnce; index += 1) {
    const { siteId, stationId, connectorId, tariffId, agentId } = chance.pick(made.places);
    const rule = await database.db
      .selectFrom('tariffs')
      .select('detail')
      .where('id', '=', tariffId)
      .executeTakeFirstOrThrow();
    const byCard = chance.next() < 0.5;
    const cardId = byCard ? (chance.pick(world.cards).id as CardId) : null;
    const customerId = byCard ? null : (chance.pick(world.customers).id as CustomerId);
    const wallet = cardId === null ? customerAccount(customerId as CustomerId) : cardAccount(cardId);
    const upToFen = fen(chance.whole(0, 3_000));
    const at = instant(Date.now() - 2 * 60 * minuteMs);
    await database.db.transaction().execute(async (trx) => {
      const held = takeFrom(await lockParts(trx, wallet), upToFen);
      await insertOrder(
        trx,
        null,
        {
          ...nextNumbers(at),
          state: 'settling',
          waits_for: 'person',
          was_placed: true,
          payment_type: byCard ? 'card' : 'online',
          start_mode: 'remote',
          billing_type: 'energy',
          site_id: siteId,
          station_id: stationId,
          agent_id: agentId,
          connector_id: connectorId,
          connector_number: 1,
          card_id: cardId,
          customer_id: customerId,
          tariff_id: tariffId,
          tariff: JSON.stringify(rule.detail),
          meter_start_wh: 1_000,
          placed_at: at,
          started_at: at,
        },
        { hold: { wallet, held }, flags: [], facts: [], at },
      );
    });
  }
}

/** Takes up the records that the last round made. */
export async function refreshWorld(pool: Database['pool'], world: MoneyWorld): Promise<void> {
  const idsOf = async (statement: string) => {
    const { rows } = await pool.query<{ id: number }>(statement);
    return rows.map(({ id }) => Number(id));
  };
  world.recharges = await idsOf('select id from recharges order by id desc limit 30');
  world.withdrawals = await idsOf('select id from withdrawals order by id desc limit 12');
  world.orders = await idsOf('select id from orders order by id desc limit 15');
  world.approvals = await idsOf(`select id from approvals where state = 'waiting' order by id desc limit 10`);
  world.entries = await idsOf(
    `select id from ledger_transfers where reason in ('gift', 'gift_deducted', 'transfer') order by id desc limit 12`,
  );
  const { rows } = await pool.query<{ id: number; number: string }>(
    `select id, number from cards where state = 'active' order by id desc limit 6`,
  );
  if (rows.length > 0) world.cards = rows.map(({ id, number }) => ({ id: Number(id), number }));
}
