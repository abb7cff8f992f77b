import { text } from 'node:stream/consumers';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { beforeAll, describe, expect, test } from 'vitest';
import { userList } from '../access/users/queries.ts';
import type { Caller } from '../caller/caller.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { orderList } from '../orders/queries.ts';
import { KnownTotals } from './known-totals.ts';
import { writeFile } from './list-export.ts';
import { type AnySource, fileSourceOf, readPage, readTotals } from './list-source.ts';
import { makeOrder, makePlace } from './test-records.ts';
import { csvRows } from './test-sheets.ts';

const caller = platformCaller();
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const asked = { caller, at: now, sessionId: null, secrets: null };
/** More than two batches, most of them at the same few moments and a third without one. */
const many = 2_345;
let database: Database;

beforeAll(async () => {
  database = await freshDatabase();
  await database.pool.query(
    `insert into users (user_name, real_name, password_hash, last_login_at, created_at)
     select 'user-' || g, 'User', 'x',
            case when g % 3 = 0 then null
                 else timestamptz '2026-11-01' + (g % 4) * interval '1 microsecond' end,
            timestamptz '2026-10-01' + (g % 7) * interval '1 microsecond'
       from generate_series(1, $1) g`,
    [many],
  );
});

const pageOf = (
  source: AnySource,
  wanted: { filter?: object; sort?: string; total?: 'none'; pageSize?: number; offset?: number } = {},
) =>
  readPage(
    source,
    database.db,
    asked,
    {
      filter: wanted.filter ?? {},
      sort: wanted.sort,
      span: { limit: wanted.pageSize ?? 20, offset: wanted.offset ?? 0 },
      total: wanted.total,
    },
    new KnownTotals(),
  );

describe('the file of a list', () => {
  test.each([
    ['createdAt', 'created_at, id'],
    ['-createdAt', 'created_at desc, id desc'],
    ['lastLoginAt', 'last_login_at nulls first, id'],
    ['-lastLoginAt', 'last_login_at desc nulls last, id desc'],
    ['userName', 'lower(user_name), id'],
    ['-userName', 'lower(user_name) desc, id desc'],
  ])('an export sorted by %s holds every row once and in order, however many are equal', async (sort, order) => {
    const told: number[] = [];
    const wanted = { list: 'listUsers', caller, filter: {}, sort, format: 'csv', at: now, title: 'Users' } as const;
    const file = writeFile(fileSourceOf(userList), database.db, wanted, (rows) => told.push(rows));
    const names = csvRows(await text(file))
      .slice(1)
      .map(([name]) => name);
    const { rows } = await database.pool.query<{ user_name: string }>(`select user_name from users order by ${order}`);
    expect(names).toEqual(rows.map(({ user_name }) => user_name));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(many);
  });
});

describe('the totals of a list', () => {
  test('list totals are the sums over everything that the filter matches', async () => {
    const place = await makePlace(database, null, 'summed');
    for (const minutes of [60, 120, 180]) await makeOrder(database, place, instant(now - minutes * minuteMs));
    const { rows } = await database.pool.query<Record<string, number>>(
      `select count(*)::integer as total, sum(energy_wh)::integer as energy, sum(paid_fen)::integer as paid,
              sum(electricity_fee_fen + service_fee_fen)::integer as amount from orders`,
    );
    const totals = await readTotals(orderList, database.db, asked, {});
    expect(totals.total).toBe(3);
    expect(totals.total).toBe((await pageOf(orderList)).total);
    const [bare] = rows;
    expect([totals.total, totals.sums?.energyWh, totals.sums?.paidFen, totals.sums?.amountFen]).toEqual([
      bare?.total,
      bare?.energy,
      bare?.paid,
      bare?.amount,
    ]);
    expect(await readTotals(orderList, database.db, asked, { number: 'none' })).toMatchObject({
      total: 0,
      sums: { energyWh: 0, paidFen: 0 },
    });
  });

  test('list totals are exact up to their bound and then say "at least", without sums', async () => {
    const totals = (max: number) => readTotals(userList, database.db, asked, {}, { max });
    expect(await totals(many)).toEqual({ total: many, sums: {} });
    expect(await totals(many - 1)).toEqual({ total: many - 1, totalIsAtLeast: true, sums: null });
    const { route } = userList;
    const narrow = { ...userList, route: { ...route, countedMax: many - 1 } };
    expect(await readTotals(narrow, database.db, asked, {})).toMatchObject({ total: many - 1, totalIsAtLeast: true });
  });
});

describe('the page of a list', () => {
  test('a page comes without its total where none is requested, except the last page, which knows it', async () => {
    expect((await pageOf(userList, { total: 'none' })).total).toBeNull();
    expect((await pageOf(userList)).total).toBe(many);
    const last = await pageOf(userList, { total: 'none', pageSize: 100, offset: 2_300 });
    expect([last.items.length, last.total]).toEqual([many - 2_300, many]);
    expect(await pageOf(userList, { pageSize: 100, offset: 9_900 })).toEqual({ items: [], total: many });
  });

  test.each([
    ['placedAt', 'placed_at, id'],
    ['-placedAt', 'placed_at desc, id desc'],
    ['startedAt', 'started_at nulls first, id'],
    ['-startedAt', 'started_at desc nulls last, id desc'],
  ])(
    'of a card, whose two numbers are read apart, is one list by %s, and so are its totals and its file',
    async (sort, order) => {
      const place = await makePlace(database, null, `two numbers, ${sort}`);
      const cards = database.db
        .selectFrom('cards')
        .select(['number', 'physical_number'])
        .where('id', '=', place.cardId);
      const card = await cards.executeTakeFirstOrThrow();
      for (let made = 0; made < 9; made += 1) {
        const placedAt = instant(now - Math.floor(made / 2) * minuteMs);
        await makeOrder(database, place, placedAt, {
          number: `BY ${sort} ${made}`,
          card_number: made % 3 === 0 ? card.physical_number : card.number,
          started_at: made % 4 === 0 ? null : placedAt,
        });
      }
      const { rows } = await database.pool.query<{ number: string }>(
        `select number from orders where card_number in ($1, $2) order by ${order}`,
        [card.number, card.physical_number],
      );
      const all = rows.map(({ number }) => number);
      expect(all).toHaveLength(9);
      const filter = { cardNumber: card.number };
      const listed: string[] = [];
      for (let offset = 0; offset < 12; offset += 4) {
        const { items, total } = await pageOf(orderList, { filter, sort, pageSize: 4, offset });
        expect(total).toBe(9);
        listed.push(...(items as { number: string }[]).map(({ number }) => number));
      }
      expect(listed).toEqual(all);
      expect((await readTotals(orderList, database.db, asked, filter)).total).toBe(9);
      const wanted = { list: 'listOrders', caller, filter, sort, format: 'csv', at: now, title: 'Orders' } as const;
      const file = await text(writeFile(fileSourceOf(orderList), database.db, wanted));
      const [head = [], ...lines] = csvRows(file);
      const column = head.indexOf('Order number');
      expect(lines.map((line) => line[column])).toEqual(all);
    },
  );
});

test.each(['endedAt', '-endedAt'])(
  'an order that ends while a file sorted by %s is written is in it exactly once',
  async (sort) => {
    const place = await makePlace(database, null, `exported ${sort}`);
    const order = (given: object) => makeOrder(database, place, instant(now - 60 * minuteMs), given);
    const before = await order({});
    const ending = await order({ state: 'charging', ended_at: null, settled_at: null });
    const filter = { siteId: place.siteId };
    const ids: unknown[] = [];
    for await (const rows of fileSourceOf(orderList).batches(database.db, asked, filter, sort)) {
      ids.push(...rows.map((row) => (row as { id: unknown }).id));
      await database.db
        .updateTable('orders')
        .set({ state: 'completed', ended_at: now })
        .where('id', '=', ending)
        .execute();
    }
    expect(ids).toEqual(sort === 'endedAt' ? [ending, before] : [before, ending]);
  },
);

test('a caller who may not see phones does not learn how many orders others find by a part of one', async () => {
  const [one, other] = [await makePlace(database, null, 'many'), await makePlace(database, null, 'few')];
  await database.pool.query("update customers set phone = '13807770001' where id = $1", [one.customerId]);
  await database.pool.query("update customers set phone = '13900001380' where id = $1", [other.customerId]);
  const ofMany = await makeOrder(database, one, now);
  for (let made = 0; made < 21; made += 1) await makeOrder(database, other, now);
  await database.pool.query(
    `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                         connector_id, connector_number, customer_id, placed_at)
     select 'M' || g, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id, connector_id,
            connector_number, customer_id, placed_at from orders, generate_series(1, 10000) g where id = $1`,
    [ofMany],
  );
  const known = new KnownTotals();
  const totalFor = async (who: Caller) => {
    const wanted = { filter: { phone: '1380' }, sort: undefined, span: { limit: 20, offset: 0 }, total: undefined };
    const { total } = await readPage(orderList, database.db, { ...asked, caller: who }, wanted, known);
    return total;
  };
  expect(await totalFor(caller)).toBe(10_000);
  expect(await totalFor({ ...caller, admin: false })).toBe(21);
  await database.pool.query("delete from orders where number like 'M%'");
});
