import type { OrderId } from '@voltdeck/units/id';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  minuteMs,
  shanghaiDate,
  shanghaiDayStart,
} from '@voltdeck/units/instant';
import { randomFrom } from '@voltdeck/units/random';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { keepSales } from './keep-sales.ts';
import { countDifferences } from './mend-sales.ts';
import { askNightlyProof, askRebuild, rebuildSales } from './rebuild-sales.ts';
import { saleTableNames } from './sale-tables.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
});
afterEach(() => api.close());

const rowsOf = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.database.pool.query<Row>(text, values)).rows;

/** The days on which an order ended, or of which there is a sum. */
async function daysOf(): Promise<string[]> {
  const rows = await rowsOf<{ day: string }>(
    `select distinct (ended_at at time zone 'Asia/Shanghai')::date::text as day from orders where ended_at is not null
     union select distinct day::text from sale_site_days`,
  );
  return rows.map(({ day }) => day);
}

async function differing(): Promise<number> {
  let sum = 0;
  for (const day of await daysOf()) sum += (await countDifferences(api.database.db, day)) ?? Number.NaN;
  return sum;
}

const rebuildNow = () => rebuildSales({ db: api.database.db, log: api.context.log, now: () => instant(Date.now()) });

/** Months are their days added up. */
const monthsDiffer = () =>
  rowsOf(`
    select day, connector_id, sum(orders) as orders, sum(paid_fen) as paid, sum(refunded_fen) as refunded, sum(agents_fen) as agents
      from (select date_trunc('month', day)::date as day, connector_id, orders, paid_fen, refunded_fen, agents_fen from sale_port_days
            union all
            select day, connector_id, -orders, -paid_fen, -refunded_fen, -agents_fen from sale_port_months) both_sides
     group by 1, 2 having sum(orders) <> 0 or sum(paid_fen) <> 0 or sum(refunded_fen) <> 0 or sum(agents_fen) <> 0`);

/** Lines of a bill, as the settlement writes them: in the transaction of the order. */
async function makeBilledOrder(place: Place, placedAt: Instant): Promise<OrderId> {
  const client = await api.database.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: OrderId }>(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
         connector_id, connector_number, agent_id, card_id, placed_at, started_at, ended_at, settled_at, energy_wh,
         amount_fen, electricity_fee_fen, service_fee_fen, paid_fen)
       values ($1, 'completed', 'paid', 'card', 'card', 'energy', $2, $3, $4, 1, $5, $6, $7, $7, $8, $8, 9000, 900, 600, 300, 900)
       returning id`,
      [
        `B${placedAt}`,
        place.siteId,
        place.stationId,
        place.connectorId,
        place.agentId,
        place.cardId,
        new Date(placedAt),
        new Date(placedAt + hourMs),
      ],
    );
    const id = rows[0]?.id as OrderId;
    await client.query(
      `insert into order_lines (order_id, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5,
         service_price_e5, electricity_fee_fen, service_fee_fen)
       values ($1, 1, 'energy', $2, $3, 'peak', 4000, 1, 1, 400, 200), ($1, 2, 'energy', $2, $3, 'valley', 5000, 1, 1, 200, 100)`,
      [id, new Date(placedAt), new Date(placedAt + hourMs)],
    );
    await client.query('commit');
    return id;
  } finally {
    client.release();
  }
}

test('a settled charge stands in every kept sum with its periods, shares and payer, a refund beside it', async () => {
  const agentId = await api.addAgent('alpha');
  const place = await makePlace(api.database, agentId, 'one');
  const at = instant(Date.UTC(2026, 9, 31, 15, 10));
  await makeBilledOrder(place, at);
  const second = await makeSettledOrder(api.database, place, {
    electricityFeeFen: 3_000,
    serviceFeeFen: 1_200,
    settledAt: at,
  });
  await makeOrder(api.database, place, at, asTestRun);
  await api.post(`/orders/${second}/refunds`, { amountFen: 200, reason: 'The gun was broken' }, { key: 'r1' });
  expect((await keepSales(api.database.db)).left).toBe('nothing');
  expect(await rowsOf('select count(*)::int as left from sale_changes')).toEqual([{ left: 0 }]);
  // 23:10 in China on 31 October, and an hour later: two days and two months.
  expect(
    await rowsOf(
      `select day::text, sum(orders)::int as orders, sum(peak_wh)::int as peak, sum(valley_service_fen)::int as valley,
              sum(paid_fen)::int as paid, sum(refunded_fen)::int as refunded, sum(first_orders)::int as first,
              sum(agents_fen + dividers_fen + platform_fen)::int as shared, sum(band_0)::int as low, sum(band_4)::int as high
         from sale_site_days group by 1 order by 1`,
    ),
  ).toEqual([
    {
      day: '2026-10-31',
      orders: 1,
      peak: 0,
      valley: 0,
      paid: 4_200,
      refunded: 200,
      first: 1,
      shared: 4_000,
      low: 0,
      high: 1,
    },
    {
      day: '2026-11-01',
      orders: 1,
      peak: 4_000,
      valley: 100,
      paid: 900,
      refunded: 0,
      first: 1,
      shared: 0,
      low: 1,
      high: 0,
    },
  ]);
  expect(
    await rowsOf(`select party, sum(share_fen)::int as share from sale_share_months group by 1 order by 1`),
  ).toEqual(
    await rowsOf(
      `select party, sum(amount_fen)::int as share from order_shares where party <> 'platform' group by 1 order by 1`,
    ),
  );
  for (const table of saleTableNames.filter((name) => !name.startsWith('sale_share_'))) {
    expect(await rowsOf(`select sum(orders)::int as orders, sum(busy_s)::int as busy from ${table}`), table).toEqual([
      { orders: 2, busy: 3_600 + 1_800 },
    ]);
  }
  expect(await differing()).toBe(0);
  expect(await monthsDiffer()).toEqual([]);
});

test.each([1, 2, 3, Date.now() % 100_000])(
  'sums equal the orders after charges, refunds, corrections and moves by many clients, while sums are kept (seed %i)',
  async (seed) => {
    const draw = randomFrom(seed);
    const pick = <Item>(items: readonly Item[]) => items[draw(items.length)] as Item;
    const agents = [null, await api.addAgent('one'), await api.addAgent('two')];
    // A client each: a wallet is spent by one at a time.
    const places = await Promise.all(
      [...agents, null].map((agentId, index) => makePlace(api.database, agentId, `p${index}`)),
    );
    // Midnight in China at the end of a month, within the period of refunds.
    const midnight = instant(Date.UTC(2026, 9, 31, 16));
    const ids: OrderId[] = [];
    const act = async (place: Place) => {
      const at = instant(midnight + (draw(100) - 50) * 36 * minuteMs);
      const id = ids.length > 0 ? pick(ids) : null;
      switch (draw(id === null ? 3 : 9)) {
        case 0:
        case 1:
          ids.push(
            await makeSettledOrder(api.database, place, {
              electricityFeeFen: draw(4_000),
              serviceFeeFen: 1 + draw(3_000),
              settledAt: at,
            }),
          );
          break;
        case 2:
          ids.push(await makeBilledOrder(place, instant(at + ids.length)));
          break;
        case 3:
        case 4:
          await api.post(
            `/orders/${id}/refunds`,
            { amountFen: 1 + draw(300), reason: 'x' },
            { key: `r${draw(1_000_000)}` },
          );
          break;
        case 5:
          // A debt that is paid later.
          await api.database.pool.query('update orders set paid_fen = paid_fen + 1 where id = $1 and owed_fen > 0', [
            id,
          ]);
          break;
        case 6:
          // The order goes to another hour, as a correction of its end would have it.
          await api.database.pool.query(`update orders set ended_at = ended_at + interval '70 minutes' where id = $1`, [
            id,
          ]);
          break;
        case 7: {
          // The station goes to another site and agent: orders stay where they were.
          const to = pick(places);
          await api.database.pool.query('update stations set site_id = $1, agent_id = $2 where id = $3', [
            to.siteId,
            to.agentId,
            place.stationId,
          ]);
          break;
        }
        default:
          await keepSales(api.database.db, { rowsAtOnce: 3, batchesMax: 2 });
      }
    };
    for (let round = 0; round < 20; round += 1) await Promise.all(places.map(act));
    // While changes wait, and when all are kept.
    expect(await differing()).toBe(0);
    await keepSales(api.database.db);
    expect(await differing()).toBe(0);
    expect(await monthsDiffer()).toEqual([]);
    expect(await rowsOf(`select sum(paid_fen - refunded_fen)::int as received from sale_site_months`)).toEqual(
      await rowsOf(`select sum(paid_fen - refunded_fen)::int as received from orders where state = 'completed'`),
    );
  },
  60_000,
);

test('a sum that is wrong is found and mended, and a rebuild from nothing gives the same sums', async () => {
  const place = await makePlace(api.database, null, 'one');
  const at = instant(Date.now() - 40 * dayMs);
  for (let hour = 0; hour < 6; hour += 1) await makeBilledOrder(place, instant(at + hour * 20 * hourMs));
  await keepSales(api.database.db);
  const written = await rowsOf('select * from sale_site_days order by day');
  await api.database.pool.query(
    'update sale_site_days set paid_fen = paid_fen + 1 where day = (select min(day) from sale_site_days)',
  );
  expect(await differing()).toBe(1);
  for (const table of saleTableNames) await api.database.pool.query(`delete from ${table}`);
  // One waits for the sums: it belongs to neither side.
  await makeBilledOrder(place, instant(at + minuteMs));
  const [first, last] = [shanghaiDate(at), shanghaiDate(instant(Date.now()))];
  await askRebuild(api.database.db, {
    fromOn: first,
    toOn: last,
    because: 'asked',
    userId: null,
    at: instant(Date.now()),
  });
  const rebuilt = await rebuildNow();
  expect(rebuilt).toMatchObject({ isDone: true, days: 41 });
  expect(await rowsOf('select * from sale_site_days order by day')).toEqual(written);
  await keepSales(api.database.db);
  expect(await differing()).toBe(0);
  expect(await monthsDiffer()).toEqual([]);
  expect(await rebuildNow()).toBeNull();
});

test('a station that turns out to be of another kind takes its past charges along', async () => {
  const place = await makePlace(api.database, null, 'one');
  await makeBilledOrder(place, instant(Date.now() - 3 * dayMs));
  await keepSales(api.database.db);
  await api.database.pool.query(`update stations set equipment_type = 'two-wheel', type = 'slow'`);
  expect(await differing()).toBeGreaterThan(0);
  expect(await rebuildNow()).toMatchObject({ isDone: true });
  expect(await differing()).toBe(0);
  expect(
    await rowsOf('select equipment_type, sum(orders)::int as orders from sale_site_months group by 1 order by 1'),
  ).toEqual([
    { equipment_type: 'four-wheel', orders: 0 },
    { equipment_type: 'two-wheel', orders: 1 },
  ]);
});

test('many stations that turn out to be of another kind wait in one request, and the comparison of the night goes first', async () => {
  const place = await makePlace(api.database, null, 'one');
  await makeBilledOrder(place, instant(Date.now() - 3 * dayMs));
  const turn = (kind: string) => api.database.pool.query('update stations set type = $1', [kind]);
  for (const kind of ['slow', 'fast', 'slow']) await turn(kind);
  await askNightlyProof(api.database.db, instant(Date.now()));
  const waiting = () => rowsOf('select because from sale_rebuilds where done_at is null order by id');
  expect(await waiting()).toEqual([{ because: 'station_changed' }, { because: 'nightly' }]);
  await rebuildNow();
  expect(await waiting()).toEqual([{ because: 'station_changed' }]);
});

test('a station that turns out to be of another kind does not wait with a day that is tried again at night', async () => {
  const place = await makePlace(api.database, null, 'one');
  await makeBilledOrder(place, instant(Date.now() - 3 * dayMs));
  const retry = { fromOn: '2026-05-02', toOn: '2026-05-02', because: 'station_changed', userId: null } as const;
  await askRebuild(api.database.db, { ...retry, at: instant(Date.now() + dayMs) });
  await api.database.pool.query(`update stations set type = 'slow'`);
  expect(await rebuildNow()).toMatchObject({ isDone: true, days: 4 });
  expect(await rowsOf('select days, done_at is not null as done from sale_rebuilds order by id')).toEqual([
    { days: 0, done: false },
    { days: 4, done: true },
  ]);
});

test('the first charge of a person is the one that ended first, whichever is told first', async () => {
  const place = await makePlace(api.database, null, 'one');
  const [early, late] = [instant(Date.now() - 5 * dayMs), instant(Date.now() - 2 * dayMs)];
  await makeOrder(api.database, place, late, { ended_at: late });
  await keepSales(api.database.db);
  await makeOrder(api.database, place, early, { ended_at: early });
  await makeOrder(api.database, place, late, { ended_at: instant(late + hourMs) });
  await keepSales(api.database.db);
  expect(
    await rowsOf('select day::text, sum(first_orders)::int as first from sale_site_days group by 1 order by 1'),
  ).toEqual([
    { day: shanghaiDate(early), first: 1 },
    { day: shanghaiDate(late), first: 0 },
  ]);
  expect(await differing()).toBe(0);
});

test('a batch that runs out of time is tried again in smaller ones, so that a backlog is worked off on a busy machine', async () => {
  const place = await makePlace(api.database, null, 'one');
  for (let hour = 0; hour < 6; hour += 1) await makeBilledOrder(place, instant(Date.now() - hour * hourMs - dayMs));
  await api.database.pool.query(
    `insert into sale_changes (order_id, hour_at, site_id, station_id, connector_id, start_mode, payment_type)
     select 1, now(), $1, $2, $3, 'card', 'card' from generate_series(1, 200)`,
    [place.siteId, place.stationId, place.connectorId],
  );
  await api.database.pool.query(`
    create function run_out_of_time() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 60 then
        raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
      end if;
      return null;
    end $$;
    create trigger slow after delete on sale_changes referencing old table as gone
      for each statement execute function run_out_of_time()`);
  expect((await keepSales(api.database.db)).left).toBe('nothing');
  expect(await rowsOf('select count(*)::int as left from sale_changes')).toEqual([{ left: 0 }]);
  expect(await differing()).toBe(0);
});

test('a day that cannot be compared is left out and said, keeps no later request waiting, and is tried again each night until it can be', async () => {
  const at = instant(Date.UTC(2026, 9, 31));
  const asked = { userId: null, at } as const;
  await askRebuild(api.database.db, { fromOn: '2026-05-01', toOn: '2026-05-02', because: 'asked', ...asked });
  await askRebuild(api.database.db, { fromOn: '2026-10-01', toOn: '2026-10-02', because: 'nightly', ...asked });
  // The second of May runs out of time whenever it is compared.
  await api.database.pool.query(`
    create function out_of_time() returns trigger language plpgsql as $$ begin
      if new.failed = old.failed and old.next_on = '2026-05-02' then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return new;
    end $$;
    create trigger out_of_time before update on sale_rebuilds for each row execute function out_of_time()`);
  while ((await rebuildNow()) !== null);
  expect(
    await rowsOf('select because, days, failed, done_at is not null as done from sale_rebuilds order by id'),
  ).toEqual([
    { because: 'asked', days: 2, failed: 1, done: true },
    { because: 'nightly', days: 2, failed: 0, done: true },
    { because: 'nightly', days: 0, failed: 0, done: false },
  ]);
  const nightAfter = (nights: number) => instant(shanghaiDayStart(instant(Date.now())) + nights * dayMs + 2 * hourMs);
  const rebuildAt = async (now: Instant) => {
    const world = { db: api.database.db, log: api.context.log, now: () => now };
    while ((await rebuildSales(world)) !== null);
    return rowsOf(
      `select failed, done_at is not null as done from sale_rebuilds where from_on = '2026-05-02' and to_on = from_on order by id`,
    );
  };
  const over = { failed: 1, done: true };
  expect(await rebuildAt(instant(nightAfter(1) - 3 * hourMs))).toEqual([{ failed: 0, done: false }]);
  expect(await rebuildAt(nightAfter(1))).toEqual([over, { failed: 0, done: false }]);
  await api.database.pool.query('drop trigger out_of_time on sale_rebuilds');
  expect(await rebuildAt(nightAfter(2))).toEqual([over, { failed: 0, done: true }]);
  expect(await rebuildAt(nightAfter(3))).toEqual([over, { failed: 0, done: true }]);
});

test('the day that failed is left out, not one of a comparison that was asked for meanwhile', async () => {
  const begunAt = instant(Date.now() + hourMs);
  const asked = { fromOn: '2026-05-01', userId: null } as const;
  await askRebuild(api.database.db, { ...asked, toOn: '2026-05-02', because: 'station_changed', at: begunAt });
  // The comparison of the night goes first.
  await askRebuild(api.database.db, {
    ...asked,
    toOn: '2026-05-09',
    because: 'nightly',
    at: instant(begunAt + minuteMs),
  });
  await api.database.pool.query(`
    create function out_of_time() returns trigger language plpgsql as $$ begin
      if new.failed = old.failed and old.next_on = '2026-05-02' and old.because = 'station_changed' then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return new;
    end $$;
    create trigger out_of_time before update on sale_rebuilds for each row execute function out_of_time()`);
  const times = [begunAt];
  const now = () => times.shift() ?? instant(begunAt + 2 * minuteMs);
  while ((await rebuildSales({ db: api.database.db, log: api.context.log, now })) !== null);
  expect(
    await rowsOf(
      'select because, to_on::text as "toOn", days, failed, done_at is not null as done from sale_rebuilds order by id',
    ),
  ).toEqual([
    { because: 'station_changed', toOn: '2026-05-02', days: 2, failed: 1, done: true },
    { because: 'nightly', toOn: '2026-05-09', days: 9, failed: 0, done: true },
    { because: 'station_changed', toOn: '2026-05-02', days: 0, failed: 0, done: false },
  ]);
});
