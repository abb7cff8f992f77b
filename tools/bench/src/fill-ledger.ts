import type { Database } from '@voltdeck/server/database/database';
import type pg from 'pg';
import { fillOrders, network } from './fill-orders.ts';

/** Owners of accounts beyond those of the generated orders, so that a wallet has as few transfers as in life. */
export const books = { cards: 300_000, sites: 1_000, channelParts: 8, orders: 100_000, days: 730 } as const;

const transfersAStatement = 250_000;

/**
 * Fills a migrated, empty database with the books of `count` transfers over two years: of a hundred, 47 holds, 47
 * settlements of three postings, 5 recharges and a refund. Balances are made from the postings, so the books are sound.
 */
export async function fillLedger(database: Pick<Database, 'pool'>, count: number): Promise<{ tookMs: number }> {
  const beganAt = performance.now();
  const { pool } = database;
  await fillOrders(database, books.orders);
  await pool.query(
    `insert into cards (number, physical_number, created_at)
     select n.number, n.number, now() from (
       select 'C' || lpad(upper(to_hex(n)), 15, '0') as number from generate_series(1, $1::int) n) n`,
    [books.cards - network.cards],
  );
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude)
     select 'Site ' || n, '330106', 'Road ' || n, 120, 30 from generate_series($1::int + 1, $2::int) n`,
    [network.sites, books.sites],
  );
  const foreignKeys = await takeForeignKeysAway(pool, tables);
  const indexes = await takeIndexesAway(pool, tables);
  await addAccounts(pool, ['card:', 'card-held:'], books.cards);
  await addAccounts(pool, ['electricity-income:site:', 'service-income:site:'], books.sites);
  for (const channel of ['front-desk', 'back-office', 'wechat']) {
    await pool.query(
      `insert into ledger_accounts (key, shard, may_go_below_zero)
       select 'channel:' || $1::text, 1000000 + n, true from generate_series(1, $2::int) n`,
      [channel, books.channelParts],
    );
  }
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = off');
    for (const table of filled) await client.query(`alter table ${table} disable trigger user`);
    for (let from = 0; from < count; from += transfersAStatement) {
      await insertTransfers(client, count, from, Math.min(from + transfersAStatement, count));
    }
    await client.query("set maintenance_work_mem = '768MB'");
    for (const definition of [...indexes, ...foreignKeys]) await client.query(definition);
    for (const table of filled) await client.query(`alter table ${table} enable trigger user`);
    await client.query(`
      update ledger_accounts a set balance_fen = m.sum_fen from (
        select account_id, sum(change)::bigint as sum_fen from (
          select to_account_id as account_id, amount_fen as change from ledger_postings
          union all select from_account_id, -amount_fen from ledger_postings) each group by account_id) m
       where m.account_id = a.id`);
  } finally {
    client.release(true);
  }
  await pool.query('vacuum (analyze)');
  return { tookMs: performance.now() - beganAt };
}

/**
 * One account of each prefix for every owner, in this order: the owner's are `2n - 1` and `2n` of what is added. They may
 * go below zero, since what a card holds is drawn and not what it was filled with.
 */
async function addAccounts(pool: pg.Pool, prefixes: readonly string[], owners: number): Promise<void> {
  await pool.query(
    `insert into ledger_accounts (key, may_go_below_zero)
     select prefix || n, true
       from generate_series(1, $2::int) n cross join unnest($1::text[]) with ordinality as p (prefix, place)
      order by n, place`,
    [prefixes, owners],
  );
}

const filled = ['ledger_transfers', 'ledger_postings'] as const;
const tables = listed(filled);

/** The tables as `takeForeignKeysAway` and `takeIndexesAway` read them. */
export function listed(names: readonly string[]): string {
  return `(${names.map((name) => `'${name}'::regclass`).join()})`;
}

/** @returns the statements that make them again, which check every row. */
export async function takeForeignKeysAway(pool: pg.Pool, of: string): Promise<string[]> {
  const { rows } = await pool.query<{ parent: string; name: string; definition: string }>(
    `select conrelid::regclass::text as parent, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conrelid in ${of}`,
  );
  for (const { parent, name } of rows) await pool.query(`alter table ${parent} drop constraint ${name}`);
  return rows.map(({ parent, name, definition }) => `alter table ${parent} add constraint ${name} ${definition}`);
}

/** Drops the indexes of tables, but primary keys that others refer to. @returns the statements that make them again */
export async function takeIndexesAway(pool: pg.Pool, of: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string; constraint: string | null; parent: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition, c.conname as constraint,
            i.indrelid::regclass::text as parent
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('u', 'p')
      where i.indrelid in ${of} and (i.indrelid = 'ledger_postings'::regclass or not i.indisprimary)
        and i.indexrelid not in (select conindid from pg_constraint where contype = 'f')`,
  );
  const definitions: string[] = [];
  for (const { name, definition, constraint, parent } of rows) {
    if (constraint === null) {
      await pool.query(`drop index ${name}`);
      definitions.push(definition);
      continue;
    }
    const { rows: told } = await pool.query<{ text: string }>(
      'select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1',
      [constraint],
    );
    await pool.query(`alter table ${parent} drop constraint ${constraint}`);
    definitions.push(`alter table ${parent} add constraint ${constraint} ${told[0]?.text}`);
  }
  return definitions;
}

/** Transfers `from` + 1 to `to`, whose accounts follow from their number. Card account 2n - 1, its hold 2n. */
async function insertTransfers(client: pg.ClientBase, count: number, from: number, to: number): Promise<void> {
  const drawn = `
    select n, n % 100 as kind,
           1 + (hashint8extended(n / 2, 1) & 1073741823) % ${books.cards} as card,
           1 + (hashint8extended(n / 2, 2) & 1073741823) % ${books.sites} as site,
           1 + (hashint8extended(n, 3) & 1073741823) % ${3 * books.channelParts} as channel,
           100 + (hashint8extended(n / 2, 4) & 1073741823) % 9900 as fen,
           now() - make_interval(secs => (${count} - n)::double precision * ${books.days * 86_400} / ${count}) as at
      from generate_series($1::int + 1, $2::int) n`;
  const cards = 2 * books.cards;
  const postings = `
    select d.n, p.* from (${drawn}) d cross join lateral (
      select 1 as line, ${cards} + 2 * ${books.sites} + channel as giver, 2 * card - 1 as taker, fen * 10 as fen
       where kind < 5
      union all select 1, 2 * card - 1, 2 * card, fen where kind between 5 and 51
      union all select 1, 2 * card, ${cards} + 2 * site - 1, fen * 6 / 10 where kind between 52 and 98
      union all select 2, 2 * card, ${cards} + 2 * site, fen * 3 / 10 where kind between 52 and 98
      union all select 3, 2 * card, 2 * card - 1, fen - fen * 6 / 10 - fen * 3 / 10 where kind between 52 and 98
      union all select 1, ${cards} + 2 * site - 1, 2 * card - 1, fen / 4 where kind = 99) p`;
  await client.query(
    `insert into ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen) ${postings}`,
    [from, to],
  );
  await client.query(
    `insert into ledger_transfers (id, key, reason, order_id, created_at, amount_fen) overriding system value
     select n, 'bench:' || n,
            case when kind < 5 then 'recharge' when kind < 52 then 'hold' when kind < 99 then 'charge_settled' else 'refund_order' end,
            case when kind >= 5 then 1 + n / 2 end, at,
            case when kind < 5 then fen * 10 when kind < 99 then fen else fen / 4 end
       from (${drawn}) d`,
    [from, to],
  );
}
