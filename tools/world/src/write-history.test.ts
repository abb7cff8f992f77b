import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardAccount } from '@voltdeck/ledger/account';
import { prepareFirstRun } from '@voltdeck/server/access/first-run';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { proveLedger } from '@voltdeck/server/ledger/prove-ledger';
import { holdMoney } from '@voltdeck/server/orders/hold-money';
import { readingsOf } from '@voltdeck/server/orders/order-readings';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { CardId, OrderId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWorld } from './build-world.ts';
import { historyDays } from './network.ts';
import type { History } from './plan-history.ts';
import { readMark } from './world-mark.ts';
import { type HistoryNews, planOf, writeHistory } from './write-history.ts';

const now = instant(Date.UTC(2026, 10, 21, 8, 3));
let dataDir = '';
let database: Database;
/** Planned once, since it takes seconds and every part of this file writes the same history. */
let planned: History | null = null;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-world-'));
  database = await freshDatabase();
  await prepareFirstRun(database.db, { dataDir, adminPassword: 'a chosen password' });
  await buildWorld(database.pool, { seed: 'a seed', now, dataDir });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Writes until a number of days are written, and returns what was logged. */
async function write(days: number, onDay: (written: number) => Promise<void> = async () => {}): Promise<HistoryNews[]> {
  const told: HistoryNews[] = [];
  const written = () => told.filter(({ kind }) => kind === 'written').length;
  const acting: Promise<void>[] = [];
  await writeHistory(database.url, {
    plan: (mark) => {
      planned ??= planOf(mark);
      return planned;
    },
    tell: (news) => {
      told.push(news);
      if (news.kind === 'written') acting.push(onDay(written()));
    },
    isStopping: () => written() >= days,
  }).finally(() => Promise.all(acting));
  return told;
}

const all = async <Row extends object>(query: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  (await query.execute(database.db)).rows;

test('a database without a demo network is left unchanged', async () => {
  const other = await freshDatabase();
  const told: HistoryNews[] = [];
  await writeHistory(other.url, { tell: (news) => told.push(news), isStopping: () => false });
  expect(told).toEqual([{ kind: 'nothing', because: 'no-world' }]);
});

describe('the history in the database', () => {
  test('the history in the database comes newest first, one day per transaction, and stops on request', async () => {
    const told = await write(2);
    expect(told.map((news) => (news.kind === 'written' ? news.date : news.kind))).toEqual([
      'planned',
      '2026-11-21',
      '2026-11-20',
    ]);
    const [span] = await all(sql<{ first: Instant; orders: number }>`
      select min(placed_at) as first, count(*) as orders from orders`);
    expect(span?.first).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 19, 16));
    expect(span?.orders).toBeGreaterThan(1_500);
    expect((await readMark(database.pool))?.daysLeft).toBe(historyDays - 1);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the history in the database resumes after being killed in the middle of a day, and writes nothing twice', async () => {
    const killed = write(6, async (written) => {
      if (written === 2) {
        await database.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'voltdeck demo' and datname = current_database()",
        );
      }
    });
    await expect(killed).rejects.toThrow();
    const left = (await readMark(database.pool))?.daysLeft ?? 0;
    expect(left).toBeGreaterThan(historyDays - 7);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
    await write(left - (historyDays - 7));
    const [doubled] = await all(sql<{ count: number }>`
      select count(*) as count from (select number from orders group by number having count(*) > 1) d`);
    expect(doubled?.count).toBe(0);
    const days = await all(sql<{ day: string; orders: number }>`
      select to_char(placed_at at time zone 'Asia/Shanghai', 'MM-DD') as day, count(*) as orders
        from orders group by 1 order by 1`);
    expect(days.map(({ day }) => day)).toEqual([
      '11-14',
      '11-15',
      '11-16',
      '11-17',
      '11-18',
      '11-19',
      '11-20',
      '11-21',
    ]);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the history in the database goes on when somebody has spent money that an older day needs', async () => {
    const [rich] = await all(sql<{ id: CardId; key: string }>`
      select substring(key from 6)::bigint as id, key from ledger_accounts where key like 'card:%'
       order by balance_fen desc limit 1`);
    const cardId = rich?.id ?? (0 as CardId);
    const emptied = await database.db
      .transaction()
      .execute((trx) =>
        holdMoney(
          trx,
          { id: 900_001 as OrderId, wallet: cardAccount(cardId), holdNumber: 1, upToFen: fen(10_000_000) },
          now,
        ),
      );
    expect(emptied.paidFen).toBeGreaterThan(0);
    const before = await all(sql<{ count: number }>`select count(*) as count from recharges`);
    await write(4);
    const after = await all(sql<{ count: number; balance: number }>`
      select (select count(*) from recharges) as count, min(balance_fen) as balance
        from ledger_accounts where key like 'card:%' or key like 'customer:%'`);
    expect(after[0]?.count).toBeGreaterThan(before[0]?.count ?? 0);
    expect(after[0]?.balance).toBeGreaterThanOrEqual(0);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the history in the database has a movement for every recharge, payment and refund, each with its balance', async () => {
    const [counts] = await all(sql<Record<string, number>>`
      select (select count(*) from recharges) as recharges,
             (select count(*) from movements where type in ('recharge', 'system_recharge')) as recharged,
             (select count(*) from orders where paid_fen > 0) as paid,
             (select count(*) from movements where type = 'consume') as consumed,
             (select count(*) from orders where refunded_fen > 0) as refunds,
             (select count(*) from movements where type = 'order_refund') as refunded`);
    expect(counts?.recharged).toBe(counts?.recharges);
    expect(counts?.consumed).toBe(counts?.paid);
    expect(counts?.refunded).toBe(counts?.refunds);
    expect(await all(sql<{ number: string }>`select number from movements where paid_after_fen < 0`)).toEqual([]);
    expect(
      await all(sql<{ number: string }>`
        select m.number from movements m left join cards c on c.id = m.card_id
         where m.card_id is not null and m.agent_id is distinct from c.agent_id`),
    ).toEqual([]);
  });

  test('the history in the database charges the sum of its lines, paid and owed to the fen', async () => {
    const wrong = await all(sql<{ number: string }>`
      select o.number from orders o
        left join (select order_id, sum(electricity_fee_fen) as electricity, sum(service_fee_fen) as service,
                          sum(energy_wh) as energy from order_lines group by order_id) l on l.order_id = o.id
       where o.state = 'completed'
         and (coalesce(l.electricity, 0), coalesce(l.service, 0), coalesce(l.energy, o.energy_wh))
             is distinct from (o.electricity_fee_fen, o.service_fee_fen, o.energy_wh::numeric)`);
    expect(wrong).toEqual([]);
    const unpaid = await all(sql<{ payment_state: string; wrong: number }>`
      select payment_state, count(*) filter (where
               case payment_state when 'paid' then paid_fen <> amount_fen or refunded_fen <> 0
                                  when 'unpaid' then paid_fen <> 0 or amount_fen = 0
                                  when 'partly_paid' then paid_fen not between 1 and amount_fen - 1
                                  when 'refunded' then refunded_fen <> paid_fen
                                  else refunded_fen not between 1 and paid_fen - 1 end) as wrong
        from orders where state = 'completed' group by payment_state order by payment_state`);
    expect(unpaid.filter(({ wrong: count }) => count > 0)).toEqual([]);
    expect(unpaid.map(({ payment_state }) => payment_state)).toContain('paid');
  });

  test('the history in the database gives the same amounts when stored readings of 500 orders are priced again', async () => {
    const sample = await all(sql<{
      id: OrderId;
      number: string;
      tariff: Tariff;
      started_at: Instant;
      ended_at: Instant;
      meter_start_wh: number;
      meter_stop_wh: number;
      amount_fen: number;
    }>`select id, number, tariff, started_at, ended_at, meter_start_wh, meter_stop_wh, amount_fen from orders
        where state = 'completed' order by abnormal desc, id % 97, id limit 500`);
    expect(sample).toHaveLength(500);
    for (const order of sample) {
      const stored = await readingsOf(database.db, order.id, order.started_at);
      const between = stored.filter(
        ({ at, energyWh }) => energyWh !== null && at > order.started_at && at < order.ended_at,
      );
      const bill = priceCharge({
        tariff: order.tariff,
        readings: [
          { at: order.started_at, energyWh: wattHours(order.meter_start_wh) },
          ...between.map(({ at, energyWh, powerW }) => ({
            at,
            energyWh: wattHours(Math.min(Math.max(energyWh ?? 0, order.meter_start_wh), order.meter_stop_wh)),
            powerW: powerW === null ? undefined : watts(powerW),
          })),
          { at: order.ended_at, energyWh: wattHours(order.meter_stop_wh) },
        ],
      });
      expect([order.number, bill.ok ? bill.value.amountFen : bill.error]).toEqual([order.number, order.amount_fen]);
    }
  });

  test('the history in the database has flags with evidence, cancellations without money, and no reading outside the partitions', async () => {
    const [facts] = await all(sql<Record<string, number>>`
      select (select count(*) from orders o where abnormal and not exists
                (select 1 from order_flags f where f.order_id = o.id)) as "unexplained",
             (select count(*) from order_flags where evidence = '{}') as "withoutEvidence",
             (select count(*) from orders where state = 'cancelled') as "cancelled",
             (select count(*) from orders where state = 'cancelled' and (amount_fen > 0 or paid_fen > 0)) as "charged",
             (select count(*) from readings_stray) as "stray",
             (select count(*) from readings) as "readings",
             (select count(*) from orders where state in ('placed', 'charging')) as "running",
             (select count(*) from stations s where total_energy_wh <> coalesce(
                (select sum(energy_wh) from orders o where o.station_id = s.id and state = 'completed'), 0)) as "unequal"`);
    expect(facts).toMatchObject({ unexplained: 0, withoutEvidence: 0, charged: 0, stray: 0, running: 0, unequal: 0 });
    expect(facts?.cancelled).toBeGreaterThan(50);
    expect(facts?.readings).toBeGreaterThan(100_000);
  });
});
