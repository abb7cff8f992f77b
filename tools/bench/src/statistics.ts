import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Database } from '@voltdeck/server/database/database';
import { logTo } from '@voltdeck/server/open-log';
import { askRebuild, rebuildSales } from '@voltdeck/server/statistics/rebuild-sales';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { fillOrders } from './fill-orders.ts';
import { openSession } from './open-session.ts';
import { startProduct } from './product.ts';
import { percentile, spread } from './spread.ts';

const many = 10_000_000;
const quickly = 300_000;
const filledDays = 365;
const turnsOfKind = 25;
const warmUpTurns = 3;
/** A kind of question is quick enough by one of both: the time of its slowest answers, or what they take of the bare SQL. */
const p95MaxMs = 300;
const overBareMax = 1.5;
/** An agent of the filled network, with a fifth of its sites. */
const agentId = 5;

type Asker = 'platform' | 'agent';
type Question = { name: string; asker: Asker; path: string; bare: string };

const period = (days: number, now: number) => ({
  from: shanghaiDate(instant(now - (days - 1) * dayMs)),
  to: shanghaiDate(instant(now)),
});

/** Each chart and table for a year and for a month, with the least SQL over the kept sums that gives its figures. */
function questions(now: number): Question[] {
  const year = period(filledDays, now);
  const month = period(31, now);
  const of = ({ from, to }: { from: string; to: string }) => `from=${from}&to=${to}`;
  const days = ({ from, to }: { from: string; to: string }) => `day between '${from}' and '${to}'`;
  const hours = ({ from, to }: { from: string; to: string }) =>
    `hour_at >= '${from} 00:00+08' and hour_at < '${to} 00:00+08'::timestamptz + interval '1 day'`;
  const figures =
    'sum(orders), sum(energy_wh), sum(busy_s), sum(electricity_fen), sum(service_fen), sum(amount_fen), sum(discount_fen), sum(paid_fen), sum(refunded_fen)';
  const shares = 'sum(gift_fen), sum(agents_fen), sum(dividers_fen), sum(platform_fen)';
  const splits = `sum(sharp_wh), sum(peak_wh), sum(flat_wh), sum(valley_wh), sum(band_0), sum(band_1), sum(first_orders)`;
  return (['platform', 'agent'] as const).flatMap((asker): Question[] => {
    const mine = asker === 'platform' ? 'true' : `agent_id = ${agentId}`;
    const one = (name: string, path: string, bare: string) => ({ name, asker, path, bare });
    return [
      one(
        'cards and splits, a year',
        `statistics/summary?${of(year)}`,
        `select payment_type, start_mode, ${figures}, ${splits} from sale_site_days where ${days(year)} and ${mine} group by 1, 2`,
      ),
      one(
        'cards and splits, a month',
        `statistics/summary?${of(month)}`,
        `select payment_type, start_mode, ${figures}, ${splits} from sale_site_days where ${days(month)} and ${mine} group by 1, 2`,
      ),
      one(
        'days of a year',
        `statistics?step=day&${of(year)}`,
        `select day, ${figures} from sale_site_days where ${days(year)} and ${mine} group by 1`,
      ),
      one(
        'months of a year',
        `statistics?step=month&${of(year)}`,
        `select date_trunc('month', day), ${figures} from sale_site_days where ${days(year)} and ${mine} group by 1`,
      ),
      one(
        'hours of a month',
        `statistics?step=hour&${of(month)}`,
        `select hour_at, ${figures} from sale_agent_hours where ${hours(month)} and ${mine} group by 1`,
      ),
      one(
        'sites, a year',
        `statistics/sites?${of(year)}`,
        `select site_id, ${figures} from sale_site_days where ${days(year)} and ${mine} group by 1`,
      ),
      one(
        'ports, a year',
        `statistics/ports?${of(year)}`,
        `select connector_id, sum(orders), sum(energy_wh), sum(busy_s) from sale_port_days where ${days(year)} and ${mine} group by 1`,
      ),
      one(
        'hours of the week, a year',
        `statistics/hours?${of(year)}`,
        `select extract(isodow from hour_at), extract(hour from hour_at), sum(orders), sum(energy_wh), sum(amount_fen) from sale_agent_hours where ${hours(year)} and ${mine} group by 1, 2`,
      ),
      ...(['agent', 'site', 'station', 'day'] as const).map((by) =>
        one(
          `totals by ${by}, a year`,
          `totals?by=${by}&pageSize=100&${of(year)}`,
          by === 'station'
            ? `select station_id, ${figures}, ${shares} from sale_port_days where ${days(year)} and ${mine} group by 1`
            : `select ${by === 'day' ? 'day' : `${by}_id`}, ${figures}, ${shares} from sale_site_days where ${days(year)} and ${mine} group by 1`,
        ),
      ),
    ];
  });
}

/**
 * Makes the kept sums of a year of orders from the orders, while nobody waits for it, then asks every chart and table
 * over HTTP as the platform and as an agent, in turns with the bare SQL over the kept sums.
 * @returns a line for every kind of question that missed both bounds.
 */
export async function benchStatistics({ quick }: { quick: boolean }): Promise<string[]> {
  const count = quick ? quickly : many;
  const product = await startProduct(async (database) => {
    const { tookMs } = await fillOrders(database, count, filledDays);
    console.log(`  filled ${count.toLocaleString('en')} orders in ${Math.round(tookMs / 1_000)} s`);
    await rebuild(database, count);
  });
  const http = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = await product.database.pool.connect();
  try {
    const tokens = {
      platform: await openSession(product.database, null),
      agent: await openSession(product.database, agentId),
    };
    const misses: string[] = [];
    console.log(`  ms at p95 over HTTP, by bare SQL over the kept sums, and their ratio; ${turnsOfKind} turns of each`);
    for (const one of questions(Date.now())) {
      const asked: number[] = [];
      const bare: number[] = [];
      for (let turn = -warmUpTurns; turn < turnsOfKind; turn += 1) {
        const began = performance.now();
        await ask(http, product.port, tokens[one.asker], one.path);
        const between = performance.now();
        await client.query(one.bare);
        if (turn < 0) continue;
        asked.push(between - began);
        bare.push(performance.now() - between);
      }
      const [p95, bareP95] = [percentile(asked, 0.95), percentile(bare, 0.95)];
      console.log(
        `  ${`${one.asker}, ${one.name}`.padEnd(44)}${p95.toFixed(1).padStart(10)}${bareP95.toFixed(1).padStart(10)}${(p95 / bareP95).toFixed(2).padStart(8)}`,
      );
      if (p95 > p95MaxMs && p95 / bareP95 > overBareMax) {
        misses.push(
          `statistics: ${one.asker}, ${one.name}: ${p95.toFixed(0)} ms, ${(p95 / bareP95).toFixed(2)} of its bare SQL`,
        );
      }
    }
    return misses;
  } finally {
    client.release(true);
    http.destroy();
    await product.stop();
  }
}

async function rebuild({ db, pool }: Database, count: number): Promise<void> {
  const { rows } = await pool.query<{ from: string; to: string }>(
    `select (min(ended_at) at time zone 'Asia/Shanghai')::date::text as from,
            (max(ended_at) at time zone 'Asia/Shanghai')::date::text as to from orders`,
  );
  const { from: fromOn = '', to: toOn = '' } = rows[0] ?? {};
  const now = () => instant(Date.now());
  await askRebuild(db, { fromOn, toOn, because: 'asked', userId: null, at: now() });
  const log = logTo(process.stderr);
  const days: number[] = [];
  const began = performance.now();
  for (;;) {
    const from = performance.now();
    const done = await rebuildSales({ db, log, now });
    if (done === null) break;
    days.push((performance.now() - from) / done.days);
    if (done.isDone) break;
  }
  const tookS = (performance.now() - began) / 1_000;
  await pool.query('analyze');
  const { rows: sums } = await pool.query<{ orders: number; ofSums: number; ports: number; sites: number }>(
    `select (select count(*)::int from orders where state = 'completed' and start_mode <> 'test') as orders,
            (select sum(orders)::int from sale_site_months) as "ofSums",
            (select count(*)::int from sale_port_days) as ports, (select count(*)::int from sale_site_days) as sites`,
  );
  const [kept] = sums;
  if (kept === undefined || kept.orders !== kept.ofSums) throw new Error(`the sums are wrong: ${JSON.stringify(kept)}`);
  console.log(
    `  sums of ${count.toLocaleString('en')} orders made in ${tookS.toFixed(0)} s, ms a day ${spread(days, 0)}; ${kept.ports.toLocaleString('en')} sums of ports and days, ${kept.sites.toLocaleString('en')} of sites and days`,
  );
}

async function ask(agent: Agent, port: number, token: string, path: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/${path}`;
  const asking = request(url, { agent, headers: { token, language: 'en', accept: 'application/json' } });
  asking.end();
  const [answer] = await once(asking, 'response');
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${body}`);
}
