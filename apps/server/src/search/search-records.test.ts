import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { dayTariff, makeOrder, makePlace, type Place } from '../http/test-records.ts';
import type { SearchAnswer } from './search-records.ts';

let api: TestApi;
let lake: Place;
let hill: Place;
let orderId: OrderId;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  // One connection, so that its counters cover every statement.
  api = await openTestApi({ database: await freshDatabase({ plansOnce: true, connectionsMax: 1 }) });
  const [one, two] = [await api.addAgent('one'), await api.addAgent('two')];
  lake = await makePlace(api.database, one, 'lake');
  hill = await makePlace(api.database, two, 'hill');
  orderId = await makeOrder(api.database, lake, now, { number: '2026112112000000000009' });
  for (let minute = 1; minute <= 7; minute += 1) {
    await makeOrder(api.database, hill, instant(now + minute * minuteMs), {
      number: `202611211201000000000${minute}`,
    });
  }
});
afterAll(() => api.close());

const everything = [
  'order.read',
  'station.read',
  'connector.read',
  'site.read',
  'card.read',
  'customer.read',
  'agent.read',
  'tariff.read',
  'user.read',
  'position.read',
  'article.read',
  'config.read',
] as const;

const search = async (text: string, token?: string) => {
  const { kinds } = await answer(text, token);
  return Object.fromEntries(kinds.map(({ kind, items, totals }) => [kind, { items, totals }]));
};
const answer = async (text: string, token?: string) => {
  const path = `/search?text=${encodeURIComponent(text)}`;
  return (await api.get<SearchAnswer>(path, token === undefined ? {} : { token, language: 'en' })).data;
};
const orderNumbers = async (text: string, token?: string) =>
  ((await search(text, token)).order?.items ?? []).map(({ number }) => number);

describe('the search of the top bar', () => {
  test('the search finds an order by its number, the beginning of it or the end of it, the newest first', async () => {
    const [whole, end] = ['2026112112000000000009', '00000009'];
    const found = { id: orderId, number: whole, title: whole, detail: '已完成 · Station lake' };
    for (const text of [whole, end, '0009']) {
      expect((await search(text)).order).toEqual({
        items: [found],
        totals: [{ list: 'orderListHistory', filter: 'number', total: 1, totalIsAtLeast: false }],
      });
    }
    expect((await orderNumbers('20261121')).map((number) => number.slice(-1))).toEqual(['7', '6', '5', '4', '3']);
    expect(await orderNumbers('009')).toEqual([]);
  });

  test('the search counts the matches beyond those it shows, and the list with the same filter has as many', async () => {
    const { items, totals } = (await search('20261121')).order ?? {};
    expect(items).toHaveLength(5);
    expect(totals).toEqual([{ list: 'orderListHistory', filter: 'number', total: 8, totalIsAtLeast: false }]);
    for (const [text, count] of [
      ['20261121', 8],
      ['00000009', 1],
      ['0007', 1],
      ['2026112112000000000009', 1],
      ['007', 0],
    ] as const) {
      const list = await api.get<{ total: number }>(`/orders?number=${text}`);
      expect([text, list.data.total]).toEqual([text, count]);
    }
    const stations = (await search('st-')).station;
    const list = await api.get<{ total: number }>('/stations?number=st-');
    expect(stations?.totals).toEqual([
      { list: 'deviceList', filter: 'number', total: list.data.total, totalIsAtLeast: false },
    ]);
  });

  test('the search finds an order by its transaction key, from the time part on', async () => {
    const transaction = '32010600019236012611211504050001';
    const { db } = api.database;
    await db.updateTable('orders').set({ transaction_key: transaction }).where('id', '=', orderId).execute();
    for (const text of [transaction, transaction.slice(0, 28), transaction.slice(0, 17)]) {
      expect((await search(text)).order?.items).toMatchObject([{ id: orderId, title: transaction }]);
    }
    expect(await orderNumbers(transaction.slice(0, 16))).toEqual([]);
    expect(await orderNumbers(`${transaction.slice(0, 31)}2`)).toEqual([]);
  });

  test('the search finds a station by any part of its number or name, in either case, once', async () => {
    await api.database.db
      .updateTable('stations')
      .set({ number: 'ST-LAKE-1', name: '湖滨银泰1号桩' })
      .where('id', '=', lake.stationId)
      .execute();
    const station = { id: lake.stationId, number: 'ST-LAKE-1', title: 'ST-LAKE-1', detail: '湖滨银泰1号桩' };
    for (const text of ['st-lake', 'LAKE', 'ake-1', '银泰', '1号桩']) {
      expect((await search(text)).station?.items).toEqual([station]);
    }
    expect((await search('lake')).station?.totals).toEqual([
      { list: 'deviceList', filter: 'number', total: 1, totalIsAtLeast: false },
    ]);
    expect((await search('银泰')).station?.totals).toEqual([
      { list: 'deviceList', filter: 'name', total: 1, totalIsAtLeast: false },
    ]);
    expect((await search('泰'.repeat(2))).station).toBeUndefined();
  });

  test('the search finds a gun port by its QR code and by its name', async () => {
    await api.database.db
      .updateTable('connectors')
      .set({ name: 'A枪北侧' })
      .where('id', '=', lake.connectorId)
      .execute();
    const port = {
      id: lake.connectorId,
      number: 'ST-LAKE-1',
      title: 'ST-LAKE-1-1',
      detail: '1 号枪（A枪北侧） · 湖滨银泰1号桩',
    };
    for (const text of ['ST-LAKE-1-1', 'lake-1-1', '北侧'])
      expect((await search(text)).connector?.items).toEqual([port]);
    expect((await search('ST-LAKE-1-3')).connector).toBeUndefined();
  });

  test('the search finds a card by part of either number, once', async () => {
    await api.database.db
      .updateTable('cards')
      .set({ physical_number: '04A1B2C3D4' })
      .where('id', '=', lake.cardId)
      .execute();
    const card = { id: lake.cardId, number: lake.cardNumber, detail: 'Customer lake' };
    expect((await search(lake.cardNumber.toLowerCase())).card?.items).toEqual([{ ...card, title: lake.cardNumber }]);
    for (const text of ['04a1b2', 'C3D4']) {
      expect((await search(text)).card?.items).toEqual([{ ...card, title: '04A1B2C3D4' }]);
    }
  });

  test('the search finds a registered user by the end of the phone and by part of the nickname', async () => {
    const customer = { id: lake.customerId, number: lake.phone, title: lake.phone, detail: 'Customer lake' };
    const grouped = lake.phone.replace(/^(...)(....)/, '$1 $2 ');
    for (const text of [lake.phone, lake.phone.slice(-4), grouped, `+86 ${grouped}`, `0086${lake.phone}`, 'mer lak']) {
      expect((await search(text)).customer?.items).toEqual([customer]);
    }
    expect((await search('1390')).customer?.items).toHaveLength(2);
  });

  test.each([
    ['site', 'ite la', 'Site lake'],
    ['agent', 'on', 'one'],
    ['tariff', 'le hil', 'Rule hill'],
    ['config', 'sys_ti', 'sys_title'],
    ['user', 'dmi', 'admin'],
    ['position', '岗位七', '岗位七'],
    ['article', '充电指', '充电指南'],
  ] as const)('the search finds a record of the kind %s by part of its name', async (kind, text, title) => {
    const { db } = api.database;
    if (kind === 'position')
      await db.insertInto('positions').values({ name: title, data_scope: 'platform', menu_codes: [] }).execute();
    if (kind === 'article') {
      await db
        .insertInto('articles')
        .values({ title, category: 'guide', content: '', created_at: now, changed_at: now })
        .execute();
    }
    expect((await search(text))[kind]?.items.map((item) => item.title)).toContain(title);
  });

  test('the search puts exact matches before partial ones', async () => {
    const { db } = api.database;
    const names = ['Bay 10', 'Bay 100', 'My Bay 10', 'A Bay 101', 'Old Bay 10 East', 'The Bay 10'];
    await db
      .insertInto('tariffs')
      .values(names.map((name) => ({ name, kind: 'energy' as const, detail: JSON.stringify(dayTariff) })))
      .execute();
    const { items, totals } = (await search('bay 10')).tariff ?? {};
    expect(items?.map(({ title }) => title)).toEqual([
      'Bay 10',
      'Bay 100',
      'A Bay 101',
      'My Bay 10',
      'Old Bay 10 East',
    ]);
    expect(totals).toEqual([{ list: 'rulesList', filter: 'name', total: 6, totalIsAtLeast: false }]);
  });

  test('the search takes special characters literally and needs two characters', async () => {
    for (const text of ['%%%', '___', '%_', "'; drop table orders", '\\\\\\', '🔌🔌🔌', '-1', '{}', '2026%'])
      expect(await search(text)).toEqual({});
    const short = await api.get('/search?text=a');
    expect(short.envelope.message.fields).toMatchObject([{ path: 'text', code: 'too_short' }]);
  });

  test('the search shows each kind only to users who may read it, and only their own records', async () => {
    const ofOne = lake.agentId ?? undefined;
    const agent = { scope: 'agent' as const, ...(ofOne === undefined ? {} : { agentId: ofOne }) };
    const all = await api.addUser({ name: 'all', permissions: [...everything], ...agent });
    const guard = await api.addUser({ name: 'guard', permissions: ['station.read'], ...agent });
    expect((await search('20261121', all.token)).order).toEqual({
      items: [expect.objectContaining({ id: orderId, detail: 'Completed · 湖滨银泰1号桩' })],
      totals: [{ list: 'orderListHistory', filter: 'number', total: 1, totalIsAtLeast: false }],
    });
    expect(await search('20261121', guard.token)).toEqual({});
    expect(Object.keys(await search('lake', guard.token))).toEqual(['station']);
    await api.database.db
      .updateTable('orders')
      .set({ transaction_key: '32010600019236012611211504050009' })
      .where('number', '=', '2026112112010000000007')
      .execute();
    for (const text of [
      '32010600019236012611211504050009',
      '2026112112010000000007',
      hill.stationNumber,
      'Station hill',
      `${hill.stationNumber}-1`,
      'Site hill',
      hill.cardNumber,
      hill.phone,
      'Customer hill',
      'Rule hill',
      'two',
      '充电指南',
    ]) {
      expect([text, await search(text, all.token)]).toEqual([text, {}]);
      expect(await search(text)).not.toEqual({});
    }
  });

  test.each(everything)('the search finds nothing for a position without %s', async (missing) => {
    const permissions = everything.filter((permission) => permission !== missing);
    const { token } = await api.addUser({ name: `no ${missing}`, permissions });
    const kind = missing.replace('.read', '');
    for (const text of ['2026', 'ST-', '北侧', 'Site', '0000', '139', 'on', 'Rule', 'dmi', '岗位', '充电', 'sys']) {
      expect(await search(text, token)).not.toHaveProperty([kind]);
    }
  });
});

describe('among many', () => {
  // Thousands of records are made first, on a machine that does other things as well.
  test('no search query scans a whole table', { timeout: 120_000 }, async () => {
    const { pool } = api.database;
    // Not at once: every order counts at the same agent, whose row would have a version for each of them.
    for (let first = 1; first <= 30_000; first += 3_000) {
      await pool.query(
        `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                             connector_id, connector_number, agent_id, placed_at)
         select to_char(timestamp '2025-01-01' + g * interval '5 min', 'YYYYMMDDHH24MISS') || lpad(g::text, 8, '0'),
                'completed', 'paid', 'card', 'card', 'energy', $1, $2, $3, 1, $4, now() - g * interval '1 minute'
           from generate_series($5::int, $5::int + 2999) g`,
        [hill.siteId, hill.stationId, hill.connectorId, hill.agentId, first],
      );
    }
    await pool.query(
      `insert into customers (phone, nickname) select '188' || lpad(g::text, 8, '0'), 'n' || g from generate_series(1, 8000) g;
       insert into cards (number, physical_number, customer_id)
         select 'BB' || lpad(to_hex(id), 14, '0'), 'CC' || lpad(to_hex(id), 14, '0'), id from customers where phone like '188%';
       insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w)
         select 'P' || lpad(g::text, 7, '0'), 'Name ' || g, 'fast', 'four-wheel', 'ocpp1.6', (select min(id) from sites), 7000
           from generate_series(1, 8000) g;
       analyze orders; analyze customers; analyze cards; analyze stations`,
    );
    const ofOne = lake.agentId ?? undefined;
    const { token } = await api.addUser({
      name: 'seeker',
      permissions: [...everything],
      scope: 'agent',
      ...(ofOne === undefined ? {} : { agentId: ofOne }),
    });
    const scans = async () => {
      await pool.query('select pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ name: string; reads: number }>(
        `select relname as name, seq_tup_read as reads from pg_stat_user_tables
          where relname in ('orders', 'customers', 'cards', 'stations') order by relname`,
      );
      return Object.fromEntries(rows.map(({ name, reads }) => [name, reads]));
    };
    const before = await scans();
    for (const asker of [undefined, token]) {
      for (const text of ['2025', '00012345', '3201060001923601261', 'P0012', 'me 123', 'BB00001', '0C123', '8800123'])
        await search(text, asker);
    }
    expect(await scans()).toEqual(before);
    // All that begin so are another agent's, as far as they are looked through.
    const { kinds, unfinished } = await answer('2025', token);
    expect([kinds.map(({ kind }) => kind), unfinished]).toEqual([[], ['order']]);
    expect((await answer('2025')).unfinished).toEqual([]);
    await pool.query('select count(*) from orders where held_fen = 7');
    expect(await scans()).not.toEqual(before);
  });
});
