import { instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { keepFrequentPieces } from './frequent-pieces.ts';
import { hasPart } from './part-of-text.ts';

let database: Database;
const sites = 2_000;
/** After whatever other files have read: the pieces are known to the whole process. */
const now = instant(Date.parse('2037-11-21T04:00:00Z'));

beforeAll(async () => {
  database = await freshDatabase();
  await keepFrequentPieces(database.db, instant(now - 60 * minuteMs));
  await sql`
    insert into sites (name, region_code, address, longitude, latitude)
    select 'Depot ' || md5(n::text) || ' 充电站', '330106', 'x', 120, 30
      from generate_series(1, ${sites}::int) as n`.execute(database.db);
  await sql`analyze sites`.execute(database.db);
});
afterAll(() => database.close());

const siteNamed = (text: string) =>
  database.db
    .selectFrom('sites')
    .where(hasPart('sites.name', 'name', text))
    .select((eb) => eb.fn.countAll<number>().as('count'));

test('a text that nearly every record has is looked for in the records, any other in the pieces of their texts', async () => {
  expect(siteNamed('充电站').compile().sql).toContain('text_pieces');
  await keepFrequentPieces(database.db, now);
  expect(siteNamed('充电站').compile().sql).not.toContain('text_pieces');
  expect(siteNamed('DEPOT').compile().sql).not.toContain('text_pieces');
  expect(siteNamed('充电所').compile().sql).toContain('text_pieces');
  for (const [text, count] of [
    ['充电站', sites],
    ['depot', sites],
    ['充电所', 0],
    ['c4ca4238a0b9', 1],
  ] as const) {
    expect([text, (await siteNamed(text).executeTakeFirstOrThrow()).count]).toEqual([text, count]);
  }
});

test('a whole card number or phone is found by the index of the column, in either case', async () => {
  const { db } = database;
  await db.insertInto('cards').values({ number: '00000000000000AB', physical_number: 'x' }).execute();
  await db.insertInto('customers').values({ phone: '13800000001', nickname: 'Li' }).execute();
  const card = (text: string) =>
    db
      .selectFrom('cards')
      .where(hasPart('cards.number', 'number', text))
      .select('number');
  const phone = (text: string) =>
    db
      .selectFrom('customers')
      .where(hasPart('customers.phone', 'number', text))
      .select('phone');
  for (const [whole, part] of [
    [card('00000000000000ab'), card('000000ab')],
    [phone('13800000001'), phone('0000001')],
  ] as const) {
    expect(whole.compile().sql).not.toContain('text_pieces');
    expect(part.compile().sql).toContain('text_pieces');
    expect(await whole.execute()).toHaveLength(1);
    expect(await part.execute()).toHaveLength(1);
  }
});

test('what is frequent is read again some minutes later', async () => {
  await sql`update sites set name = 'Hub'`.execute(database.db);
  await sql`analyze sites`.execute(database.db);
  await keepFrequentPieces(database.db, instant(now + minuteMs));
  expect(siteNamed('Hub').compile().sql).toContain('text_pieces');
  await keepFrequentPieces(database.db, instant(now + 11 * minuteMs));
  expect(siteNamed('Hub').compile().sql).not.toContain('text_pieces');
});

test('a reading that fails is no failure of its caller, and is tried again some seconds later', async () => {
  const closed = await freshDatabase();
  await sql`select 1`.execute(closed.db);
  await closed.close();
  const later = instant(now + 30 * minuteMs);
  await sql`update sites set name = 'Yard'`.execute(database.db);
  await sql`analyze sites`.execute(database.db);
  await keepFrequentPieces(closed.db, later);
  await keepFrequentPieces(database.db, instant(later + secondMs));
  expect(siteNamed('Yard').compile().sql).toContain('text_pieces');
  await keepFrequentPieces(database.db, instant(later + 10 * secondMs));
  expect(siteNamed('Yard').compile().sql).not.toContain('text_pieces');
});
