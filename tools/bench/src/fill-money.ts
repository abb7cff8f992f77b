import type { Database } from '@voltdeck/server/database/database';
import type pg from 'pg';
import { listed, takeForeignKeysAway, takeIndexesAway } from './fill-ledger.ts';
import { fillOrders, network } from './fill-orders.ts';

/** Agents 1 to 8 are those of the generated orders, the first with two below it; the last has a handful of cards. */
export const purses = { customers: 8_000, cards: 12_000, smallAgent: network.agents + 1, cardsOfSmall: 5 } as const;
const days = 730;
const fewOrders = 1_000;
const rowsAStatement = 250_000;
/** Parallel sessions; more would only wait for each other on two cores. */
const fillers = 2;
const filled = ['recharges', 'movements'] as const;
const tables = listed(filled);

/**
 * Fills a migrated, empty database with `count` recharges and `count` movements of wallets over two years: of a hundred
 * movements 70 pay an order, 19 are recharges, the others of the seven remaining types. Half of the cards are agents'.
 * Without the product's indexes, which are made again from their own definitions.
 */
export async function fillMoney(
  database: Pick<Database, 'pool'>,
  count: number,
): Promise<{ tookMs: number; bytes: number }> {
  const beganAt = performance.now();
  const { pool } = database;
  await fillOrders(database, fewOrders);
  await addOwners(pool);
  const foreignKeys = await takeForeignKeysAway(pool, tables);
  const indexes = await takeIndexesAway(pool, tables);
  for (const table of filled) await pool.query(`alter table ${table} disable trigger user`);
  const parts = Array.from({ length: Math.ceil(count / rowsAStatement) }, (_, index) => index * rowsAStatement);
  await inTurns(pool, parts, async (client, from) => {
    const to = Math.min(from + rowsAStatement, count);
    await client.query(recharges(count), [from, to]);
    await client.query(movements(count), [from, to]);
  });
  await inTurns(pool, indexes, async (client, definition) => {
    await client.query(definition);
  });
  for (const definition of foreignKeys) await pool.query(definition);
  for (const table of filled) {
    await pool.query(`alter table ${table} enable trigger user`);
    await pool.query(`select setval(pg_get_serial_sequence('${table}', 'id'), $1)`, [count]);
  }
  await pool.query('vacuum (analyze)');
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size('recharges') + pg_total_relation_size('movements') as bytes",
  );
  return { tookMs: performance.now() - beganAt, bytes: Number(rows[0]?.bytes ?? 0) };
}

async function addOwners(pool: pg.Pool): Promise<void> {
  const { customers, cards, smallAgent, cardsOfSmall } = purses;
  await pool.query("insert into agents (name) values ('Small agent')");
  await pool.query(
    `insert into customers (phone, nickname)
     select (13800000000 + n)::text, 'Customer ' || n from generate_series($1::int + 1, $2::int) n`,
    [network.customers, customers],
  );
  await pool.query(
    `insert into cards (number, physical_number)
     select lpad(upper(to_hex(n)), 16, '0'), 'F' || lpad(upper(to_hex(n)), 15, '0')
       from generate_series($1::int + 1, $2::int) n`,
    [network.cards, cards],
  );
  await pool.query(
    `update cards set agent_id = case when id > $1::int - $2::int then $3::int when id % 2 = 0 then 1 + id / 2 % ${network.agents} end`,
    [cards, cardsOfSmall, smallAgent],
  );
}

/** Works through `work` in two sessions. */
async function inTurns<Part>(
  pool: pg.Pool,
  work: Part[],
  act: (client: pg.ClientBase, part: Part) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: fillers }, async () => {
      const client = await pool.connect();
      try {
        await client.query('set synchronous_commit = off');
        await client.query("set maintenance_work_mem = '768MB'");
        await client.query('set max_parallel_maintenance_workers = 0');
        for (let part = work.shift(); part !== undefined; part = work.shift()) await act(client, part);
      } finally {
        client.release(true);
      }
    }),
  );
}

/** A whole number from 0 to `below` - 1 that belongs to this row, by PostgreSQL's own hash. */
const draw = (seed: number, below: number) => `((hashint8extended(n, ${seed}) & 1073741823) % ${below})`;

/** Rows `$1` + 1 to `$2`, with a wallet each: three in five are cards, and those of agents are used as the others. */
const drawn = (count: number, seed: number) => `
  select d.*, c.agent_id from (
    select n, ${draw(seed, 1_000)} as part, 100 + ${draw(seed + 1, 9_900)} as fen,
           case when ${draw(seed + 2, 5)} < 3 then 1 + ${draw(seed + 3, purses.cards)} end as card_id,
           case when ${draw(seed + 2, 5)} >= 3 then 1 + ${draw(seed + 3, purses.customers)} end as customer_id,
           (array['front-desk', 'back-office', 'bank', 'wechat', 'alipay', 'embedded'])[1 + ${draw(seed + 4, 6)}] as channel,
           now() - make_interval(secs => (${count} - n)::float8 * ${days * 86_400} / ${count}) as at
      from generate_series($1::int + 1, $2::int) n) d
    left join cards c on c.id = d.card_id`;

const recharges = (count: number) => `
  insert into recharges (id, number, card_id, customer_id, amount_fen, gift_fen, refunded_fen, balance_before_fen,
                         balance_after_fen, channel, owner_agent_id, reversed_at, reversal_reason, created_at)
  overriding system value
  select n, 'R' || lpad(n::text, 20, '0'), card_id, customer_id, fen * 10, case when part < 100 then fen else 0 end,
         case when part between 100 and 104 then fen else 0 end, 1000, 1000 + fen * 10, channel, agent_id,
         case when part = 999 then at + interval '1 hour' end, case when part = 999 then 'mistake' end, at
    from (${drawn(count, 1)}) d order by n`;

const movements = (count: number) => `
  insert into movements (id, transfer_id, number, type, state, card_id, customer_id, agent_id, paid_fen, gift_fen,
                         paid_after_fen, gift_after_fen, order_id, recharge_id, channel, created_at)
  overriding system value
  select n, n, 'M' || lpad(n::text, 20, '0'), type,
         case when type <> 'recharge' or part % 100 > 1 then 'done' when part % 100 = 1 then 'refunded' else 'reversed' end,
         card_id, customer_id, agent_id,
         case when type in ('gift', 'gift_deducted') then 0 when type in ('consume', 'withdrawal') then -fen else fen end,
         case when type = 'gift' then fen when type = 'gift_deducted' then -fen else 0 end,
         20000, 1000, case when type in ('consume', 'order_refund') then n end,
         case when type in ('recharge', 'system_recharge') then n end,
         case when type in ('recharge', 'withdrawal') then channel end, at
    from (select d.*, case when part < 700 then 'consume' when part < 850 then 'recharge'
                           when part < 890 then 'system_recharge' when part < 930 then 'gift'
                           when part < 950 then 'transfer' when part < 980 then 'order_refund'
                           when part < 990 then 'withdrawal' when part < 998 then 'gift_deducted'
                           else 'refund_failed' end as type
            from (${drawn(count, 11)}) d) t order by n`;
