import { readFileSync } from 'node:fs';
import type { Counterpart } from '@voltdeck/contract/reconciliation';
import type { Database } from '@voltdeck/server/database/database';
import { reconcileDay } from '@voltdeck/server/reconciliation/reconcile-day';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { fillCharges } from './fill-charges.ts';
import { cpuSecondsOf, residentBytesOf } from './process-cpu.ts';
import { openBenchDatabase } from './product.ts';
import { spread } from './spread.ts';

const lines = 100_000;
const fewLines = 10_000;
const rounds = 3;
/** How many of each kind are planted in the bill of 100,000 lines. */
const planted = 25;
/** Bounds: of all processes together, of memory that grows with the bill, and against the bare match. */
const cpuSecondsMax = 20;
const grownMiBMax = 48;
const overBareMax = 4;
const now = instant(Date.parse('2026-11-22T04:00:00Z'));
const day = shanghaiDate(instant(now - dayMs));
const dayStart = `timestamptz '${day} 00:00+08'`;

type Measured = { cpuSeconds: number; peakMiB: number };

/**
 * A day with a channel's bill of 100,000 lines compared, against the same match written by hand over the same tables;
 * with the planted differences found, none besides, and no more memory for ten times the lines. Then the meters and the
 * books of as many orders.
 * @returns a line for every bound that was missed.
 */
export async function benchReconciliation(seed: number): Promise<string[]> {
  const few = await measureBill(fewLines, 1);
  const many = await measureBill(lines, rounds);
  const { meters, ledger } = await measureOrders(seed);
  const grownMiB =
    Math.max(...many.ours.map(({ peakMiB }) => peakMiB)) - Math.min(...few.ours.map(({ peakMiB }) => peakMiB));
  const cpu = many.ours.map(({ cpuSeconds }) => cpuSeconds);
  const bare = many.bare.map(({ cpuSeconds }) => cpuSeconds);
  const ratios = cpu.map((seconds, round) => seconds / (bare[round] ?? Number.NaN));
  console.log(`a day reconciled with a bill of ${lines.toLocaleString('en')} lines, ${rounds} rounds`);
  console.log(`  CPU-seconds of server and database  ${spread(cpu)}, bound ${cpuSecondsMax}`);
  console.log(`  the same match by hand              ${spread(bare)}`);
  console.log(`  ratio                               ${spread(ratios)}, bound ${overBareMax}`);
  console.log(`  compared again, nothing changes     ${many.again.cpuSeconds.toFixed(2)} CPU-seconds`);
  console.log(
    `  memory of both, at most             ${many.ours.map(({ peakMiB }) => peakMiB.toFixed(0)).join(', ')} MiB; at ${fewLines.toLocaleString('en')} lines ${few.ours.map(({ peakMiB }) => peakMiB.toFixed(0)).join(', ')}`,
  );
  console.log(`  planted differences found           ${many.found}`);
  console.log(
    `  ${lines.toLocaleString('en')} orders with their meters     ${meters.cpuSeconds.toFixed(2)} CPU-seconds, ${meters.peakMiB.toFixed(0)} MiB`,
  );
  console.log(
    `  ${lines.toLocaleString('en')} orders with the books        ${ledger.cpuSeconds.toFixed(2)} CPU-seconds, ${ledger.peakMiB.toFixed(0)} MiB`,
  );
  const whole = Math.max(...cpu) + meters.cpuSeconds + ledger.cpuSeconds;
  return [
    ...(whole <= cpuSecondsMax ? [] : [`reconciliation: ${whole.toFixed(1)} CPU-seconds for a whole day`]),
    ...(grownMiB <= grownMiBMax ? [] : [`reconciliation: ${grownMiB.toFixed(0)} MiB more for ten times the lines`]),
    ...(Math.min(...ratios) <= overBareMax ? [] : [`reconciliation: ${spread(ratios)} times the bare match`]),
  ];
}

async function measureBill(count: number, times: number) {
  const ours: Measured[] = [];
  const bare: Measured[] = [];
  let again: Measured = { cpuSeconds: 0, peakMiB: 0 };
  let found = '';
  for (let round = 0; round < times; round += 1) {
    const bench = await openBenchDatabase();
    try {
      const { database, postgresPid } = bench;
      await fillBill(database, count);
      bare.push(await measured(postgresPid, () => matchBare(database)));
      const run = () => reconcile(database, 'wechat');
      ours.push(await measured(postgresPid, run));
      found = await proveFound(database, count);
      again = await measured(postgresPid, run);
      if ((await proveFound(database, count)) !== found) throw new Error('the second comparison found something else');
    } finally {
      await bench.close();
    }
  }
  return { ours, bare, again, found };
}

async function reconcile({ db }: Database, counterpart: Counterpart): Promise<void> {
  const ran = await reconcileDay(db, day, now, [counterpart]);
  if (!ran.ok) throw new Error(ran.error.code);
}

/** CPU of the database and this process, and the most memory of their own that both had at once. */
async function measured(postgresPid: number, work: () => Promise<void>): Promise<Measured> {
  const pids = [process.pid, postgresPid];
  let peakBytes = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, residentBytesOf(process.pid) + backendBytes(postgresPid));
  };
  const looking = setInterval(look, 20);
  const before = cpuSecondsOf(pids);
  await work();
  const cpuSeconds = cpuSecondsOf(pids) - before;
  clearInterval(looking);
  look();
  return { cpuSeconds, peakMiB: peakBytes / 2 ** 20 };
}

/** What the database's processes hold beside the memory that they share. */
function backendBytes(postgresPid: number): number {
  try {
    const children = readFileSync(`/proc/${postgresPid}/task/${postgresPid}/children`, 'utf8').trim().split(' ');
    return children.reduce((sum, pid) => {
      const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return sum + Number(anonymous ?? 0) * 1_024;
    }, 0);
  } catch {
    // A process of the database ended between two looks.
    return 0;
  }
}

/** Payments of a day and the bill that lists them, but for the planted differences. */
async function fillBill({ pool }: Database, count: number): Promise<void> {
  await pool.query("insert into customers (phone, nickname) values ('13800000000', 'Bench')");
  await pool.query(
    `insert into channel_payments (number, channel, purpose, customer_id, asked_by_customer_id, amount_fen, title, state,
       page_token_hash, notify_url, expires_at, third_party_number, paid_at, paid_fen, attention, created_at, ended_at)
     select 'C' || lpad(n::text, 20, '0'), 'wechat', 'recharge', 1, 1, 1000 + n % 977, 'Recharge', 'paid',
            sha256(n::text::bytea), '', at, '42' || lpad(n::text, 26, '0'), at, 1000 + n % 977, 'payer_gone', at, at
       from (select n, ${dayStart} + (n - 1) * interval '86400 s' / $1 as at from generate_series(1, $1::int) n) numbered`,
    [count],
  );
  await pool.query(
    `insert into channel_bills (channel, day, lines, downloaded_at)
     values ('wechat', $1, $2, now()), ('wechat', $1::date + 1, 0, now())`,
    [day, count],
  );
  const raw = JSON.stringify({
    交易时间: '`2026-11-21 12:00:00',
    微信订单号: '42',
    商户订单号: 'C',
    交易状态: 'SUCCESS',
  });
  // The first ones are missing, the next have another amount, the next are there twice, the next come a day later.
  await pool.query(
    `insert into channel_bill_lines (channel, day, line, kind, number, third_party_number, amount_fen, fee_fen, at, raw)
     select 'wechat', case when n > 3 * $2 and n <= 4 * $2 and again = 0 then $1::date + 1 else $1::date end, n * 2 + again,
            'payment', case when n > $4 then 'X' || n else number end, third_party_number,
            coalesce(paid_fen, 500) + case when n > $2 and n <= 2 * $2 then 1 else 0 end, 6,
            paid_at, $3::jsonb
       from (select n, p.* from generate_series(1, $4::int + $2::int) n
               left join channel_payments p on p.number = 'C' || lpad(n::text, 20, '0')) paid,
            generate_series(0, 1) again
      where n > $2 and (again = 0 or (n > 2 * $2 and n <= 3 * $2))`,
    [day, planted, raw, count],
  );
  await pool.query('vacuum (analyze)');
}

/** What a person would write who only wants to know how many of each kind there are, and both sides' sums. */
async function matchBare({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ missing: number; strange: number; wrong: number; doubled: number }>(
    `select count(*) filter (where l.id is null)::int as missing,
            count(*) filter (where p.id is null and l.place = 1)::int as strange,
            count(*) filter (where p.paid_fen <> l.amount_fen)::int as wrong,
            count(*) filter (where l.place > 1)::int as doubled, sum(p.paid_fen) as ours, sum(l.amount_fen) as theirs
       from (select id, number, paid_fen from channel_payments where channel = 'wechat' and booked_on = $1) p
       full join (select id, number, amount_fen, row_number() over (partition by number order by line) as place
                    from channel_bill_lines where channel = 'wechat' and day = $1) l
         on l.number = p.number and l.place = 1`,
    [day],
  );
  const [found] = rows;
  // Those that come a day later are missing too.
  if (found?.missing !== 2 * planted || found.doubled !== planted || found.wrong !== planted) {
    throw new Error(`the bare match found ${JSON.stringify(found)}`);
  }
}

/** A fast comparison that misses something does not count. */
async function proveFound({ pool }: Database, count: number): Promise<string> {
  const { rows } = await pool.query<{ kind: string; state: string; found: number }>(
    'select kind, state, count(*)::int as found from reconciliation_differences where day = $1 group by 1, 2 order by 1',
    [day],
  );
  const text = rows.map(({ kind, state, found }) => `${found} ${kind} ${state}`).join(', ');
  const wanted = ['amount_differs open', 'doubled open', 'late settled', 'ours_only open', 'theirs_only open'];
  if (text !== wanted.map((each) => `${planted} ${each}`).join(', '))
    throw new Error(`of ${count} lines found ${text}`);
  return text;
}

/** As many orders as the bill has lines, all settled on the day: with their meters, and with their postings. */
async function measureOrders(seed: number): Promise<{ meters: Measured; ledger: Measured }> {
  const bench = await openBenchDatabase();
  try {
    const { database, postgresPid } = bench;
    const { pool } = database;
    await fillCharges(database, lines, seed, now);
    await pool.query(`update orders set settled_at = ${dayStart} + id * interval '86400 s' / $1`, [lines + 1]);
    await pool.query(
      `insert into ledger_accounts (key, may_go_below_zero) values ('card:1', false), ('electricity-income:site:1', true) on conflict do nothing`,
    );
    await pool.query(
      `with posted as (
         insert into ledger_transfers (key, reason, order_id, created_at, amount_fen)
         select 'order:' || id || ':settle', 'charge_settled', id, settled_at, paid_fen from orders where paid_fen > 0
         returning id, amount_fen)
       insert into ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen)
       select p.id, 1, f.id, t.id, p.amount_fen from posted p, ledger_accounts f, ledger_accounts t
        where f.key = 'card:1' and t.key = 'electricity-income:site:1'`,
    );
    await pool.query('vacuum (analyze)');
    const meters = await measured(postgresPid, () => reconcile(database, 'meters'));
    const ledger = await measured(postgresPid, () => reconcile(database, 'ledger'));
    const { rows } = await pool.query<{ matched: number }>(
      'select sum(matched_count)::int as matched from reconciliations',
    );
    if (rows[0]?.matched !== 2 * lines) throw new Error(`${rows[0]?.matched} of ${2 * lines} orders agree`);
    return { meters, ledger };
  } finally {
    await bench.close();
  }
}
