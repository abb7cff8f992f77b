import type { Database } from '@voltdeck/server/database/database';
import { listed, takeForeignKeysAway, takeIndexesAway } from './fill-ledger.ts';
import { fillOrders, network } from './fill-orders.ts';

/** The last partner has been away for some days, and is told nothing while the bench runs. */
export const queue = { partners: 20, orders: 100_000, days: 30, waitingOfLast: 20_000 } as const;
const rowsAStatement = 250_000;
const tables = listed(['partner_deliveries']);

/**
 * Fills a migrated, empty database with `count` deliveries to twenty partners in a month, a third of them to the first:
 * of a thousand, 780 are states of gun ports, 120 how charges go, 95 results, bills and comparisons; 978 were delivered.
 * Without the product's indexes, which are made again from their own definitions.
 */
export async function fillDeliveries(
  database: Pick<Database, 'pool'>,
  count: number,
): Promise<{ tookMs: number; bytes: number }> {
  const beganAt = performance.now();
  const { pool } = database;
  await fillOrders(database, queue.orders);
  await pool.query(
    `insert into partners (operator_id, name, role, pushing, created_at, changed_at)
     select 'MA' || lpad(n::text, 7, '0'), 'Partner ' || n, 'demand', false, now(), now() from generate_series(1, $1::int) n`,
    [queue.partners],
  );
  const foreignKeys = await takeForeignKeysAway(pool, tables);
  const indexes = await takeIndexesAway(pool, tables);
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = off');
    for (let from = 0; from < count; from += rowsAStatement) {
      await client.query(deliveries(count), [from, Math.min(from + rowsAStatement, count)]);
    }
    await client.query("set maintenance_work_mem = '768MB'");
    for (const definition of [...indexes, ...foreignKeys]) await client.query(definition);
  } finally {
    client.release(true);
  }
  await pool.query('vacuum (analyze)');
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size('partner_deliveries') as bytes, count(*) from partner_deliveries",
  );
  return { tookMs: performance.now() - beganAt, bytes: Number(rows[0]?.bytes ?? 0) };
}

const draw = (what: number) => `(hashint8extended(n, ${what}) & 1073741823)`;

/** Deliveries $1 + 1 to $2 of `count`, each of which follows from its number. */
function deliveries(count: number): string {
  return `
    with drawn as (
      select n, ${draw(1)} % 1000 as k, ${draw(2)} % 1000 as s,
             1 + floor(${queue.partners} * power(${draw(3)} / 1073741824.0, 2.5))::bigint as partner,
             ${draw(4)} % ${queue.orders} + 1 as "order", ${draw(5)} % ${network.connectors} + 1 as connector,
             date_trunc('milliseconds', now() - make_interval(secs => (${count} - n)::float8 * ${queue.days * 86_400} / ${count})) as at
        from generate_series($1::bigint + 1, $2::bigint) n
    ), plan as (
      select *, case when k < 780 then 'status' when k < 900 then 'charge_status' when k < 930 then 'start_result'
                     when k < 960 then 'stop_result' when k < 990 then 'order' when k < 995 then 'order_check'
                     when k < 999 then 'station' else 'power' end as kind,
             case when partner = ${queue.partners} and n > ${count} - ${queue.waitingOfLast * 10} then 'pending'
                  when n > ${count} - 2000 and s < 300 then 'pending'
                  when s < 2 then 'failed' when s < 22 then 'superseded' else 'delivered' end as state
        from drawn)
    insert into partner_deliveries (partner_id, kind, subject, order_id, connector_id, site_id, day, state, tries, next_at,
                                    http_status, ret, answer, created_at, done_at)
    select partner, kind, n::text,
           case when kind in ('charge_status', 'start_result', 'stop_result', 'order') then "order" end,
           case when kind = 'status' then connector end,
           case when kind in ('station', 'power') then 1 + "order" % ${network.sites} end,
           case when kind = 'order_check' then at::date end,
           state, case state when 'pending' then 3 when 'failed' then 5 else 1 end,
           case when state = 'pending' then at + interval '1 hour' end,
           case when state <> 'superseded' then 200 end,
           case state when 'delivered' then 0 when 'failed' then 4004 when 'pending' then 500 end,
           case state when 'delivered' then '{"Status":0}' when 'superseded' then '' else 'system error' end,
           at, case when state <> 'pending' then at + interval '2 seconds' end
      from plan`;
}
