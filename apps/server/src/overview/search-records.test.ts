import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import type { FoundRecord } from './search-records.ts';

let api: TestApi;
let lake: Place;
let hill: Place;
let orderId: OrderId;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  // One connection, so that its counters tell of every statement.
  api = await openTestApi({ database: await freshDatabase({ connectionsMax: 1 }) });
  const [one, two] = [await api.addAgent('one'), await api.addAgent('two')];
  lake = await makePlace(api.database, one, 'lake');
  hill = await makePlace(api.database, two, 'hill');
  orderId = await makeOrder(api.database, lake, now, { number: '2026112112000000000001' });
  for (let minute = 1; minute <= 7; minute += 1) {
    await makeOrder(api.database, hill, instant(now + minute * minuteMs), {
      number: `202611211201000000000${minute}`,
    });
  }
});
afterAll(() => api.close());

const search = async (text: string, token?: string) => {
  const path = `/overview/search?text=${encodeURIComponent(text)}`;
  return (await api.get<FoundRecord[]>(path, token === undefined ? {} : { token, language: 'en' })).data;
};

describe('the search of the top bar', () => {
  test('finds an order by its number and by the beginning of it, the exact one first, the newest before older ones', async () => {
    expect(await search('2026112112000000000001')).toEqual([
      { kind: 'order', id: orderId, number: '2026112112000000000001', detail: '已完成' },
    ]);
    const today = await search('20261121');
    expect(today.map(({ number }) => number.slice(-1))).toEqual(['7', '6', '5', '4', '3']);
  });

  test('finds an order by the name that its charge had, from the time in it on', async () => {
    const transaction = '32010600019236012611211504050001';
    const { db } = api.database;
    await db.updateTable('orders').set({ transaction_key: transaction }).where('id', '=', orderId).execute();
    const found = { kind: 'order', id: orderId, number: transaction, detail: '已完成' };
    for (const text of [transaction, transaction.slice(0, 28), transaction.slice(0, 17)]) {
      expect(await search(text)).toEqual([found]);
    }
    expect(await search(transaction.slice(0, 16))).toEqual([]);
    expect(await search(`${transaction.slice(0, 31)}2`)).toEqual([]);
  });

  test('finds a station by its number in either case and by the beginning of its name', async () => {
    const station = { kind: 'station', id: lake.stationId, number: lake.stationNumber, detail: 'Station lake' };
    await api.database.db
      .updateTable('stations')
      .set({ number: 'ST-LAKE-1' })
      .where('id', '=', lake.stationId)
      .execute();
    expect(await search('st-lake')).toEqual([{ ...station, number: 'ST-LAKE-1' }]);
    expect(await search('Station la')).toEqual([{ ...station, number: 'ST-LAKE-1' }]);
    expect(await search('ation la')).toEqual([]);
  });

  test('finds a card by either number from the sixth character on, once', async () => {
    await api.database.db
      .updateTable('cards')
      .set({ physical_number: '04A1B2C3D4' })
      .where('id', '=', lake.cardId)
      .execute();
    const card = { kind: 'card', id: lake.cardId, detail: 'Customer lake' };
    expect(await search(lake.cardNumber.toLowerCase())).toEqual([{ ...card, number: lake.cardNumber }]);
    expect(await search('04a1b2')).toEqual([{ ...card, number: '04A1B2C3D4' }]);
    expect(await search('04a1b')).toEqual([]);
  });

  test('finds a customer by phone from the fourth digit on', async () => {
    expect(await search(lake.phone)).toEqual([
      { kind: 'customer', id: lake.customerId, number: lake.phone, detail: 'Customer lake' },
    ]);
    expect((await search('1390')).filter(({ kind }) => kind === 'customer')).toHaveLength(2);
    expect(await search('139')).toEqual([]);
  });

  test('takes what is typed as it stands and asks for three characters', async () => {
    for (const text of ['%%%', '___', "'; drop table orders", '\\\\\\', '🔌🔌🔌'])
      expect(await search(text)).toEqual([]);
    const short = await api.get('/overview/search?text=ab');
    expect(short.envelope.message.fields).toMatchObject([{ path: 'text', code: 'too_short' }]);
  });

  test('shows each kind only to those who may read it, and of each only what is theirs', async () => {
    const ofOne = lake.agentId ?? undefined;
    const agent = { scope: 'agent' as const, ...(ofOne === undefined ? {} : { agentId: ofOne }) };
    const all = await api.addUser({
      name: 'all',
      permissions: ['order.read', 'station.read', 'card.read', 'customer.read'],
      ...agent,
    });
    const guard = await api.addUser({ name: 'guard', permissions: ['station.read'], ...agent });
    expect((await search('20261121', all.token)).map(({ id, detail }) => [id, detail])).toEqual([
      [orderId, 'Completed'],
    ]);
    expect(await search('20261121', guard.token)).toEqual([]);
    await api.database.db
      .updateTable('orders')
      .set({ transaction_key: '32010600019236012611211504050009' })
      .where('number', '=', '2026112112010000000007')
      .execute();
    for (const text of [
      '32010600019236012611211504050009',
      hill.stationNumber,
      'Station hill',
      hill.cardNumber,
      hill.phone,
    ]) {
      expect(await search(text, all.token)).toEqual([]);
      expect(await search(text)).not.toEqual([]);
    }
  });
});

describe('among many', () => {
  test('no look-up reads a table from end to end', async () => {
    const { pool } = api.database;
    await pool.query(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                           connector_id, connector_number, agent_id, placed_at)
       select to_char(timestamp '2025-01-01' + g * interval '5 min', 'YYYYMMDDHH24MISS') || lpad(g::text, 8, '0'),
              'completed', 'paid', 'card', 'card', 'energy', $1, $2, $3, 1, $4, now() - g * interval '1 minute'
         from generate_series(1, 30000) g`,
      [hill.siteId, hill.stationId, hill.connectorId, hill.agentId],
    );
    await pool.query(
      `insert into customers (phone, nickname) select '188' || lpad(g::text, 8, '0'), 'n' || g from generate_series(1, 20000) g;
       insert into cards (number, physical_number, customer_id)
         select 'BB' || lpad(to_hex(id), 14, '0'), 'CC' || lpad(to_hex(id), 14, '0'), id from customers where phone like '188%';
       insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w)
         select 'P' || lpad(g::text, 7, '0'), 'Name ' || g, 'fast', 'four-wheel', 'ocpp1.6', (select min(id) from sites), 7000
           from generate_series(1, 20000) g;
       analyze orders; analyze customers; analyze cards; analyze stations`,
    );
    const ofOne = lake.agentId ?? undefined;
    const { token } = await api.addUser({
      name: 'seeker',
      permissions: ['order.read', 'station.read', 'card.read', 'customer.read'],
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
      for (const text of ['2025', '3201060001923601261', 'P0000', 'Name 1', 'BB0000', 'CC0000', '1880', '20250102'])
        await search(text, asker);
    }
    expect(await scans()).toEqual(before);
    await pool.query('select count(*) from orders where held_fen = 7');
    expect(await scans()).not.toEqual(before);
  });
});
