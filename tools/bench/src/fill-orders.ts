import type { AbnormalRule } from '@voltdeck/charging/states';
import type { Database } from '@voltdeck/server/database/database';

import type pg from 'pg';
import { benchTariff } from './seed-stations.ts';

/** The network of the generated orders. Ids of a fresh database start at 1, so 1..n are the records. */
export const network = {
  agents: 8,
  sites: 40,
  stations: 300,
  connectors: 1_000,
  customers: 2_400,
  cards: 3_000,
  days: 730,
} as const;

/** Running orders, the newest of all: a few dozen in a network of this size. */
const liveOrders = 60;
const ordersAStatement = 250_000;
/** Parallel sessions; more would only wait for each other on two cores. */
const fillers = 2;

/** As long as a real charge's; lists never read it. */
const at = '2026-11-21T07:00:00.000Z';
const benchTimeline = [
  { at, event: 'started', params: { at, meterWh: 12_345_678, authorization: 'accepted' } },
  { at, event: 'ended', params: { at, meterWh: 12_375_678, reason: 'local' } },
  { at, event: 'settled', params: { amountFen: 3_300, paidFen: 3_300 } },
];

const benchRules = ['meter_jump', 'stop_differs', 'amount_above_prepaid'] as const satisfies readonly AbnormalRule[];

export type Filled = { orders: number; tookMs: number; bytes: number };

/**
 * Fills a migrated, empty database with `count` orders of the last two years: 98 in 100 completed, 1 in 100 cancelled,
 * the others abnormal in some way, and a few dozen running; with their flags and refunds. Busy gun ports and cards have more of them. Indexes and
 * foreign keys are dropped first and recreated from their own definitions; the sums of sales are left empty.
 * @throws Error when an index or a constraint differs afterwards.
 */
export async function fillOrders(
  { pool }: Pick<Database, 'pool'>,
  count: number,
  days: number = network.days,
): Promise<Filled> {
  const beganAt = performance.now();
  await fillNetwork(pool);
  const before = await describeOrders(pool);
  await takeIndexesAway(pool);
  // What follows an order row by row would take longer than all orders.
  await pool.query('alter table orders disable trigger user');
  const parts = Array.from({ length: Math.ceil(count / ordersAStatement) }, (_, index) => index * ordersAStatement);
  await Promise.all(
    Array.from({ length: fillers }, async () => {
      const client = await pool.connect();
      try {
        await client.query('set synchronous_commit = off');
        for (let from = parts.shift(); from !== undefined; from = parts.shift()) {
          await insertOrders(client, { count, days }, from, Math.min(from + ordersAStatement, count));
        }
      } finally {
        client.release(true);
      }
    }),
  );
  await putIndexesBack(pool, before);
  await pool.query('alter table orders enable trigger user');
  await insertFlags(pool);
  await insertRefunds(pool);
  await pool.query(
    `select setval('order_numbers', $1), setval('transaction_numbers', $1),
            setval(pg_get_serial_sequence('orders', 'id'), $1)`,
    [count],
  );
  await pool.query('vacuum (analyze)');
  const after = await describeOrders(pool);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    throw new Error(`the indexes of orders are not the product's:\n${JSON.stringify({ before, after }, null, 1)}`);
  }
  const { rows } = await pool.query<{ orders: number; bytes: number }>(
    "select (select count(*) from orders) as orders, pg_total_relation_size('orders') as bytes",
  );
  const { orders = 0, bytes = 0 } = rows[0] ?? {};
  if (orders !== count) throw new Error(`${orders} orders were filled in, not ${count}`);
  return { orders, bytes, tookMs: performance.now() - beganAt };
}

async function fillNetwork(pool: pg.Pool): Promise<void> {
  const { agents, sites, stations, connectors, customers, cards } = network;
  await pool.query(
    `insert into agents (name, parent_id)
     select 'Agent ' || n, case when n in (2, 3) then 1 end from generate_series(1, $1::int) n`,
    [agents],
  );
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude, agent_id)
     select 'Site ' || n, '330106', 'Road ' || n, 120, 30, 1 + (n - 1) * $2::int / $1::int from generate_series(1, $1::int) n`,
    [sites, agents],
  );
  await pool.query("insert into tariffs (name, kind, detail) values ('Bench', 'energy', $1)", [
    JSON.stringify(benchTariff),
  ]);
  await pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, agent_id, max_power_w, card_tariff_id)
     select 'BENCH' || lpad(n::text, 6, '0'), 'Station ' || n, 'fast', 'four-wheel', 'ocpp1.6', s.id, s.agent_id, 120000, 1
       from generate_series(1, $1::int) n join sites s on s.id = 1 + (n - 1) * $2::int / $1::int order by n`,
    [stations, sites],
  );
  await pool.query(
    `insert into connectors (station_id, number, name)
     select station, number, number from (
       select n, 1 + (n - 1) * $2::int / $1::int as station,
              row_number() over (partition by (n - 1) * $2::int / $1::int order by n) as number
         from generate_series(1, $1::int) n) c order by n`,
    [connectors, stations],
  );
  await pool.query(
    `insert into customers (phone, nickname)
     select (13800000000 + n)::text, 'Customer ' || n from generate_series(1, $1::int) n`,
    [customers],
  );
  await pool.query(
    `insert into cards (number, physical_number, customer_id)
     select lpad(upper(to_hex(n)), 16, '0'), 'F' || lpad(upper(to_hex(n)), 15, '0'), case when n <= $2::int then n end
       from generate_series(1, $1::int) n`,
    [cards, customers],
  );
}

/**
 * Orders `from` + 1 to `to` of `count`. Everything follows from the order's number by PostgreSQL's hash, so that the
 * same count gives the same orders (except for when they end).
 */
async function insertOrders(
  client: pg.PoolClient,
  { count, days }: { count: number; days: number },
  from: number,
  to: number,
): Promise<void> {
  await client.query(
    `with drawn as (
       select n, n > $1::bigint - ${liveOrders} as live,
              date_trunc('milliseconds', now() - interval '${days} days' * (1 - n::float8 / $1::bigint)) as placed,
              ${draw(1)} as a, ${draw(2)} as b, ${draw(3)} as c, ${draw(4)} as d, ${draw(5)} as e
         from generate_series($2::bigint + 1, $3::bigint) n
     ), plan as (
       select n, live, placed, placed + interval '1 second' * floor(600 + d * 5400) as ended,
              case when live then 1 + (n % ${network.connectors})
                   else 1 + floor(${network.connectors} * power(a, 1.3))::bigint end as connector,
              1 + floor(${network.cards} * power(b, 1.5))::bigint as card,
              case when live then case n % 12 when 0 then 'placed' when 1 then 'settling' else 'charging' end
                   when c < 0.01 then 'cancelled' else 'completed' end as state,
              c, floor(5000 + d * 45000)::bigint as energy_wh, e
         from drawn
     ), priced as (
       select *, state not in ('placed', 'cancelled') as began, state in ('completed', 'cancelled') as over,
              energy_wh * 7 / 100 as electricity, energy_wh * 4 / 100 as service
         from plan
     )
     insert into orders (id, number, state, payment_state, payment_type, start_mode, billing_type, abnormal, unhandled, site_id,
       station_id, connector_id, connector_number, agent_id, customer_id, card_id, card_number, transaction_number,
       start_key, start_authorization, tariff_id, tariff, meter_start_wh, meter_stop_wh, energy_wh, amount_fen,
       electricity_fee_fen, service_fee_fen, held_fen, holds, paid_fen, refunded_fen, balance_before_fen, power_w,
       soc_percent, placed_at, started_at, last_reading_at, ended_at, settled_at, stop_reason, timeline)
     overriding system value
     select n, to_char(placed at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad((n % 100000000)::text, 8, '0'),
            p.state,
            case when p.state <> 'completed' then 'unpaid' when e < 0.004 then 'refunded'
                 when e < 0.008 then 'partly_refunded' when e < 0.01 then 'partly_paid' else 'paid' end,
            'card', case when e > 0.8 then 'remote' else 'card' end, 'energy', p.state = 'settling' or e < 0.015,
            p.state = 'settling' or e < 0.0015,
            s.site_id, s.id, p.connector, k.number, s.agent_id, card.customer_id, p.card,
            case when e > 0.1 then card.number else card.physical_number end,
            case when began then n end,
            case when began then concat_ws('|', s.id, k.number, card.number, placed, n * 1000) end,
            'accepted', 1, $4::jsonb, n * 1000, case when over and began then n * 1000 + energy_wh end,
            case when p.state = 'completed' then energy_wh else 0 end,
            case when p.state = 'completed' then electricity + service else 0 end,
            case when p.state = 'completed' then electricity else 0 end,
            case when p.state = 'completed' then service else 0 end,
            5000, 1, case when p.state = 'completed' then electricity + service else 0 end,
            case when p.state <> 'completed' then 0 when e < 0.004 then electricity + service
                 when e < 0.008 then service else 0 end,
            20000, case when p.state = 'charging' then 60000 end, case when began then 80 end, placed,
            case when began then placed + interval '4 seconds' end, case when began then ended end,
            case when over or p.state = 'settling' then ended end, case when over then ended + interval '1 second' end,
            case when over and began then 'local' end,
            $5::jsonb
       from priced p
       join connectors k on k.id = p.connector
       join stations s on s.id = k.station_id
       join cards card on card.id = p.card
      order by n`,
    [count, from, to, JSON.stringify(benchTariff), JSON.stringify(benchTimeline)],
  );
}

/** What made each abnormal order abnormal; all but the unhandled ones were accepted an hour later. */
async function insertFlags(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into order_flags (order_id, rule, at, evidence, handled_at, handled_how, handled_reason)
     select id, ($1::text[])[1 + id % cardinality($1::text[])], coalesce(ended_at, placed_at), '{}',
            case when not unhandled then coalesce(ended_at, placed_at) + interval '1 hour' end,
            case when not unhandled then 'accepted' end, case when unhandled then '' else 'Looked at' end
       from orders where abnormal`,
    [benchRules],
  );
}

/** The refunds that refunded orders speak of, each made in one. */
async function insertRefunds(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into order_refunds (number, order_id, amount_fen, electricity_fee_fen, service_fee_fen, reason, created_at,
       done_at, agent_id, site_id, customer_id, card_id)
     select 'B' || to_char(settled_at at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(id::text, 12, '0'), id,
            refunded_fen, case payment_state when 'refunded' then electricity_fee_fen else 0 end, service_fee_fen,
            'The gun was broken', settled_at, settled_at, agent_id, site_id, customer_id, card_id
       from orders where refunded_fen > 0 order by id`,
  );
}

/** A number in [0, 1) that belongs to this order: 32 bits of PostgreSQL's own hash. */
function draw(seed: number): string {
  return `((hashint8extended(n, ${seed}) & 4294967295)::float8 / 4294967296)`;
}

type Described = { name: string; definition: string; kind: 'constraint' | 'index'; valid: boolean };

/** Every index and constraint of the orders table, with PostgreSQL's own definition. */
async function describeOrders(pool: pg.Pool): Promise<Described[]> {
  const { rows } = await pool.query<Described>(
    `select conname as name, pg_get_constraintdef(oid) as definition, 'constraint' as kind, convalidated as valid
       from pg_constraint where conrelid = 'orders'::regclass
     union all
     select c.relname, pg_get_indexdef(i.indexrelid), 'index', i.indisvalid and i.indisready
       from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'orders'::regclass
     order by kind, name`,
  );
  return rows;
}

/** What notes sales would queue a row for each order. Unique constraints include their index. The primary key stays, since other tables refer to it. */
async function takeIndexesAway(pool: pg.Pool): Promise<void> {
  await pool.query(`do $$
    declare
      part record;
    begin
      alter table orders disable trigger orders_note_sale;
      for part in select conname from pg_constraint
                   where conrelid = 'orders'::regclass and contype in ('u', 'f') loop
        execute format('alter table orders drop constraint %I', part.conname);
      end loop;
      for part in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
                   where i.indrelid = 'orders'::regclass and not i.indisprimary loop
        execute format('drop index %I', part.relname);
      end loop;
    end
  $$`);
}

async function putIndexesBack(pool: pg.Pool, wanted: readonly Described[]): Promise<void> {
  await pool.query('alter table orders enable trigger orders_note_sale');
  // A constraint and an index may have the same name.
  const nameOf = ({ kind, name }: Described) => `${kind} ${name}`;
  const there = new Set((await describeOrders(pool)).map(nameOf));
  const missing = wanted.filter((part) => !there.has(nameOf(part)));
  const statements = missing.filter(({ kind }) => kind === 'index').map(({ definition }) => definition);
  // Side by side, so that they read the table together (synchronize_seqscans).
  await Promise.all(
    Array.from({ length: fillers }, async () => {
      const client = await pool.connect();
      try {
        await client.query("set maintenance_work_mem = '768MB'");
        await client.query('set max_parallel_maintenance_workers = 0');
        for (let next = statements.shift(); next !== undefined; next = statements.shift()) await client.query(next);
      } finally {
        client.release(true);
      }
    }),
  );
  for (const { name, definition } of missing.filter(({ kind }) => kind === 'constraint')) {
    const how = definition.startsWith('UNIQUE') ? `unique using index ${name}` : definition;
    await pool.query(`alter table orders add constraint ${name} ${how}`);
  }
}
