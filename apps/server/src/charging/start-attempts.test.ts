import {
  continuesVisit,
  dropOutOfAuthorization,
  dropOutOfStop,
  isSuccess,
  type StartDropOut,
  type StartStep,
  startDropOuts,
  visitGapMs,
} from '@voltdeck/charging/start-attempt';
import { authorizations, stopReasons } from '@voltdeck/charging/states';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { bucketOf } from '@voltdeck/units/log-bucket';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusalRowsPerMinute } from '../attempts/note-refused-start.ts';
import { playHolder } from '../bus/test-station-holder.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import type { Transact } from '../http/bind.ts';
import { cancelPlaced } from '../orders/cancel-order.ts';
import { placeOrder } from '../orders/place-order.ts';
import { findLeague, findQuality } from '../quality/find-quality.ts';
import { keepAttemptSums } from '../quality/keep-attempt-sums.ts';
import { connectStation, type Floor, openFloor } from './test-charging-floor.ts';
import { billOf, chargeFrom, dayEnergiesWh, type NamedStation, openNamedStation } from './test-named-charge.ts';
import { watchOnce } from './watch-orders.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  await database.db
    .insertInto('users')
    .values({ user_name: 'admin', real_name: 'admin', password_hash: 'x' })
    .execute();
});
afterAll(() => floor.close());

const platform = platformCaller();
const inTransaction: Transact = (work) => transact(database.db, work);

type Attempt = {
  step: StartStep;
  drop_out: StartDropOut | null;
  times: number;
  succeeded: boolean;
  start_mode: string;
  order_id: number | null;
  is_first: boolean;
  answered_ms: number | null;
  billed_ms: number | null;
  energised_at: Instant | null;
};

async function attemptsAt(stationId: number): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select step, drop_out, times, succeeded, start_mode, order_id, visit_id = id as is_first, answered_ms, billed_ms,
           energised_at
      from start_attempts where station_id = ${stationId} order by id`.execute(database.db);
  return rows;
}

let made = 0;
async function stationAndCard(options: { balanceFen?: number; tariff?: boolean } = {}) {
  made += 1;
  const station = await openNamedStation(floor, `320107${String(made).padStart(8, '0')}`, options);
  const cardNumber = `C${String(made).padStart(15, '0')}`;
  const cardId = await floor.addCard(cardNumber, options.balanceFen ?? 20_000);
  return { station, cardNumber, cardId };
}

async function requested(station: NamedStation, cardNumber: string): Promise<string> {
  const answer = await station.request({ kind: 'card', cardNumber });
  if (answer.authorization !== 'accepted' || answer.transaction === undefined) throw new Error(answer.authorization);
  return answer.transaction;
}

/** A remote start that the station answers so. */
async function placedRemotely(station: NamedStation, cardNumber: string, outcome: CommandOutcome | null) {
  const held = outcome === null ? null : playHolder(floor.context.bus, station.number, async () => outcome);
  await database.db.updateTable('stations').set({ online: true }).where('id', '=', station.id).execute();
  await database.db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', station.id).execute();
  const connectorId = station.connectorIds[0];
  if (connectorId === undefined) throw new Error('no port');
  const answer = await placeOrder(floor.context.on('money'), platform, { connectorId, cardNumber }, inTransaction);
  held?.();
  return answer;
}

describe('an attempt at a station that names charges before they begin', () => {
  test('a charge goes from the command to a clean end, and its bill is timed', async () => {
    const { station, cardNumber } = await stationAndCard();
    const transaction = await requested(station, cardNumber);
    expect(await attemptsAt(station.id)).toMatchObject([{ step: 'commanded', drop_out: null, start_mode: 'card' }]);
    await station.begin(transaction);
    expect(await attemptsAt(station.id)).toMatchObject([{ step: 'accepted', drop_out: null }]);
    await station.record(transaction);
    expect(await attemptsAt(station.id)).toMatchObject([
      { step: 'ended_clean', drop_out: null, succeeded: true, billed_ms: 0, energised_at: expect.any(Number) },
    ]);
  });

  test.each([
    ['an unknown card', { kind: 'card', cardNumber: 'NOBODY' }, 'card_unknown'],
    ['an unregistered vehicle', { kind: 'vehicle', vin: 'LSVAM4187C2184841' }, 'vehicle_unknown'],
    ['an account', { kind: 'account', account: '1', passwordHash: '00' }, 'not_supported'],
  ] as const)('a request by %s is an attempt without an order', async (_, by, dropOut) => {
    const { station } = await stationAndCard();
    await station.request(by);
    expect(await attemptsAt(station.id)).toMatchObject([{ step: 'asked', drop_out: dropOut, order_id: null }]);
  });

  test('a card without money, a blocked one, one that expired and one that charges already fall out for their reason', async () => {
    const poor = await stationAndCard({ balanceFen: 0 });
    await poor.station.request({ kind: 'card', cardNumber: poor.cardNumber });
    const blocked = await stationAndCard();
    await database.db.updateTable('cards').set({ state: 'disabled' }).where('id', '=', blocked.cardId).execute();
    await blocked.station.request({ kind: 'card', cardNumber: blocked.cardNumber });
    const expired = await stationAndCard();
    const past = instant(chargeFrom - 1);
    await database.db.updateTable('cards').set({ expires_at: past }).where('id', '=', expired.cardId).execute();
    await expired.station.request({ kind: 'card', cardNumber: expired.cardNumber });
    const busy = await stationAndCard();
    await busy.station.begin(await requested(busy.station, busy.cardNumber));
    const elsewhere = await stationAndCard();
    await elsewhere.station.request({ kind: 'card', cardNumber: busy.cardNumber });
    const fellOut = await Promise.all(
      [poor, blocked, expired, elsewhere].map(async ({ station }) => (await attemptsAt(station.id))[0]?.drop_out),
    );
    expect(fellOut).toEqual(['too_little_money', 'card_blocked', 'card_expired', 'payer_busy']);
  });

  test('a station that is disabled, and one without a rule, start nothing', async () => {
    const closed = await stationAndCard();
    await database.db.updateTable('stations').set({ enabled: false }).where('id', '=', closed.station.id).execute();
    await closed.station.request({ kind: 'card', cardNumber: closed.cardNumber });
    expect(await attemptsAt(closed.station.id)).toMatchObject([{ step: 'asked', drop_out: 'station_closed' }]);
  });

  test('a record of a failed start, and a charge that never begins, fall out after the command', async () => {
    const failed = await stationAndCard();
    const transaction = await requested(failed.station, failed.cardNumber);
    const nothing = { ...billOf(dayEnergiesWh), energyTenthsWh: 0 };
    await failed.station.record(transaction, {
      failedToStart: true,
      bill: nothing,
      meterStopWh: wattHours(0),
      reason: 'start_failed',
    });
    expect(await attemptsAt(failed.station.id)).toMatchObject([{ step: 'accepted', drop_out: 'start_failed' }]);
    const idle = await stationAndCard();
    await requested(idle.station, idle.cardNumber);
    const online = { online: true, online_at: instant(chargeFrom - minuteMs) };
    await database.db.updateTable('stations').set(online).where('id', '=', idle.station.id).execute();
    floor.clock.now = instant(chargeFrom + 60 * minuteMs);
    await watchOnce(floor.context.on('money'));
    floor.clock.now = null;
    expect(await attemptsAt(idle.station.id)).toMatchObject([{ step: 'commanded', drop_out: 'not_begun' }]);
  });

  test('a charge that its station began although it was given up stays one attempt', async () => {
    const { station, cardNumber } = await stationAndCard();
    const transaction = await requested(station, cardNumber);
    const { id } = await database.db
      .selectFrom('orders')
      .select('id')
      .where('transaction_key', '=', transaction)
      .executeTakeFirstOrThrow();
    await cancelPlaced(floor.context, id as OrderId, { event: 'start_refused', params: { outcome: 'not_begun' } });
    expect(await attemptsAt(station.id)).toMatchObject([{ drop_out: 'not_begun' }]);
    await keepAttemptSums(database.db);
    await station.record(transaction);
    expect(await attemptsAt(station.id)).toMatchObject([{ step: 'ended_clean', drop_out: null, succeeded: true }]);
    await expectSumsToEqualAttempts();
  });
});

describe('a remote start', () => {
  test.each<[string, CommandOutcome, StartStep, StartDropOut | null]>([
    ['an agreeing station', { kind: 'accepted' }, 'accepted', null],
    ['a refusal', { kind: 'rejected', reason: 'not_plugged_in' }, 'commanded', 'station_refused'],
    ['no answer', { kind: 'timed-out' }, 'commanded', 'no_answer'],
    ['a full queue', { kind: 'busy' }, 'paid_for', 'station_busy'],
    ['an offline station', { kind: 'offline' }, 'paid_for', 'station_offline'],
  ])('%s takes the attempt so far', async (_, outcome, step, dropOut) => {
    const { station, cardNumber } = await stationAndCard();
    await placedRemotely(station, cardNumber, outcome);
    const [attempt] = await attemptsAt(station.id);
    expect(attempt).toMatchObject({ step, drop_out: dropOut, start_mode: 'remote' });
    const isAnswered = outcome.kind === 'accepted' || outcome.kind === 'rejected';
    expect(attempt?.answered_ms).toEqual(isAnswered ? expect.any(Number) : null);
  });

  test.each([
    ['too little money', 'too_little_money', async () => stationAndCard({ balanceFen: 0 })],
    ['a missing rule', 'price_missing', async () => stationAndCard({ tariff: false })],
  ] as const)('%s refuses it before there is an order', async (_, dropOut, make) => {
    const { station, cardNumber } = await make();
    const answer = await placedRemotely(station, cardNumber, { kind: 'accepted' });
    expect(answer.ok).toBe(false);
    expect(await attemptsAt(station.id)).toMatchObject([{ step: 'asked', drop_out: dropOut, order_id: null }]);
  });
});

describe('an attempt at an OCPP station', () => {
  test('Authorize that is refused is an attempt, and a flood of them is counted rather than kept', async () => {
    const { id } = await floor.addStation('AT-1');
    const station = await connectStation(floor, 'AT-1');
    for (let asked = 0; asked < refusalRowsPerMinute + 5; asked += 1) {
      const answer = await station.call('Authorize', { idTag: 'NOSUCHCARD' });
      expect(answer).toMatchObject({ idTagInfo: { status: 'Invalid' } });
    }
    const attempts = await attemptsAt(id);
    expect(attempts).toHaveLength(refusalRowsPerMinute);
    expect(attempts.reduce((sum, { times }) => sum + times, 0)).toBe(refusalRowsPerMinute + 5);
    expect(attempts.every(({ drop_out }) => drop_out === 'card_unknown')).toBe(true);
    expect(attempts.filter(({ is_first }) => is_first)).toHaveLength(1);
    await station.end();
  });

  test('a charge that the station stops for an emergency fell out after energy flowed', async () => {
    const { id } = await floor.addStation('AT-2');
    await floor.addCard('D000000000000002', 20_000);
    const station = await connectStation(floor, 'AT-2');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'D000000000000002',
      meterStart: 0,
      timestamp: toIso(instant(Date.now() - 10 * minuteMs)),
    });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 3_000,
      timestamp: toIso(instant(Date.now())),
      reason: 'EmergencyStop',
    });
    await vi.waitFor(async () =>
      expect(await attemptsAt(id)).toMatchObject([{ step: 'energised', drop_out: 'emergency_stop', succeeded: true }]),
    );
    await station.end();
  });

  test('a refused card that starts all the same falls out as the card that it is', async () => {
    const { id } = await floor.addStation('AT-3');
    const station = await connectStation(floor, 'AT-3');
    const at = instant(Date.now() - minuteMs);
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'UNKNOWN3',
      meterStart: 0,
      timestamp: toIso(at),
    });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 0,
      timestamp: toIso(instant(at + 1_000)),
      reason: 'DeAuthorized',
    });
    expect(await attemptsAt(id)).toMatchObject([{ step: 'accepted', drop_out: 'card_unknown', succeeded: false }]);
    await station.end();
  });
});

test('visits and successes in the database follow the rules of the package', async () => {
  const { id: stationId, connectorIds } = await floor.addStation('AT-4');
  const gap = fc.integer({ min: 0, max: 3 * visitGapMs });
  const near = fc.constantFrom(visitGapMs - 1, visitGapMs, visitGapMs + 1);
  const charge = fc.record({
    gapMs: fc.oneof(gap, near),
    energyWh: fc.constantFrom(0, 199, 200, 201, 5_000),
    durationMs: fc.constantFrom(1_000, 119_999, 120_000, 120_001, 3_600_000),
  });
  let person = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 6 }), async (charges) => {
      person += 1;
      const cardNumber = `VISIT${person}`;
      let at = instant(Date.UTC(2026, 0, 1));
      let previousAt: Instant | null = null;
      const expected: [boolean, boolean][] = [];
      for (const [index, { gapMs, energyWh, durationMs }] of charges.entries()) {
        at = instant(at + gapMs);
        const endedAt = instant(at + durationMs);
        expected.push([!continuesVisit(previousAt, at), isSuccess({ energyWh, startedAt: at, endedAt })]);
        previousAt = at;
        await database.db
          .insertInto('orders')
          .values({
            number: `V${person}-${index}`,
            state: 'completed',
            payment_type: 'card',
            start_mode: 'card',
            billing_type: 'energy',
            site_id: floor.siteId,
            station_id: stationId,
            connector_id: connectorIds[0] as never,
            connector_number: 1,
            card_number: cardNumber,
            energy_wh: wattHours(energyWh),
            placed_at: at,
            started_at: at,
            ended_at: endedAt,
            settled_at: endedAt,
            stop_reason: 'local',
          })
          .execute();
      }
      const { rows } = await sql<{ first: boolean; succeeded: boolean }>`
        select visit_id = id as first, succeeded from start_attempts where card_number = ${cardNumber} order by id`.execute(
        database.db,
      );
      expect(rows.map(({ first, succeeded }) => [first, succeeded])).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

test('the words and buckets of the database are those of the packages', async () => {
  const { rows: stops } = await sql<{ reason: string; drop_out: string | null }>`
    select reason, drop_out_of_stop(reason) as drop_out from unnest(${[...stopReasons]}::text[]) reason`.execute(
    database.db,
  );
  expect(Object.fromEntries(stops.map(({ reason, drop_out }) => [reason, drop_out]))).toEqual(dropOutOfStop);
  const refusals = authorizations.filter((each) => each !== 'accepted');
  const { rows: given } = await sql<{ refusal: string; drop_out: string | null }>`
    select refusal, drop_out_of_authorization(refusal) as drop_out from unnest(${refusals}::text[]) refusal`.execute(
    database.db,
  );
  expect(Object.fromEntries(given.map(({ refusal, drop_out }) => [refusal, drop_out]))).toEqual(dropOutOfAuthorization);
  const durations = [0, 1, 2, 3, 4, 5, 8, 1_000, 1_024, 59_999, 86_400_000, 2 ** 40];
  const { rows: buckets } = await sql<{ bucket: number }>`
    select quality_bucket(ms) as bucket from unnest(${durations}::bigint[]) with ordinality u (ms, place) order by place`.execute(
    database.db,
  );
  expect(buckets.map(({ bucket }) => bucket)).toEqual(durations.map(bucketOf));
  const { rows: checks } = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'start_attempts_drop_out'`.execute(
    database.db,
  );
  for (const dropOut of startDropOuts) expect(checks[0]?.text).toContain(`'${dropOut}'`);
});

/** The answers for all time, from sums and what they lack, and once more from the attempts themselves. */
async function expectSumsToEqualAttempts(): Promise<void> {
  const found = await Promise.all(
    ['2025', '2026', '2027'].map((year) =>
      findQuality(database.db, platform, { fromOn: `${year}-01-01`, toOn: `${year}-12-31` }, instant(Date.now())),
    ),
  );
  const { rows } = await sql<{ step: StartStep; drop_out: StartDropOut | null; attempts: number }>`
    select step, drop_out, sum(times)::int as attempts from start_attempts group by step, drop_out`.execute(
    database.db,
  );
  const totals = await sql<Record<'visits' | 'first_times' | 'charges' | 'energy_wh' | 'bills' | 'answers', number>>`
    select count(*) filter (where visit_id = id)::int as visits,
           count(*) filter (where visit_id = id and succeeded)::int as first_times,
           count(*) filter (where energy_wh > 0)::int as charges, sum(energy_wh)::bigint as energy_wh,
           count(billed_ms)::int as bills, count(answered_ms)::int as answers
      from start_attempts`.execute(database.db);
  const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((all, one) => all + of(one), 0);
  const truth = totals.rows[0];
  expect({
    visits: sum(({ visits }) => visits),
    first_times: sum(({ firstTimes }) => firstTimes),
    charges: sum(({ charges }) => charges),
    energy_wh: sum(({ energyWh }) => energyWh),
    bills: sum(({ bill }) => bill.count),
    answers: sum(({ answer }) => answer.count),
  }).toEqual(truth);
  for (const { step, drop_out: dropOut, attempts } of rows) {
    const told = sum(({ steps }) => {
      const here = steps.find((each) => each.step === step);
      if (step === 'ended_clean') return here?.attempts ?? 0;
      if (dropOut === null) return here?.underWay ?? 0;
      return here?.dropOuts.find((each) => each.dropOut === dropOut)?.attempts ?? 0;
    });
    expect([step, dropOut, told]).toEqual([step, dropOut, attempts]);
  }
}

test('sums and what they lack equal the attempts after random starts, refusals, stops and runs of the job', async () => {
  const { station } = await stationAndCard();
  const act = fc.constantFrom('refuse', 'start', 'remote', 'stop', 'cancel', 'keep');
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 12 }), async (acts) => {
      const running: { station: NamedStation; transaction: string }[] = [];
      for (const each of acts) {
        if (each === 'refuse') await station.request({ kind: 'card', cardNumber: 'NOBODY' });
        if (each === 'keep') await keepAttemptSums(database.db, { rowsAtOnce: 3 });
        if (each === 'start') {
          const made = await stationAndCard();
          running.push({ station: made.station, transaction: await requested(made.station, made.cardNumber) });
        }
        if (each === 'remote') {
          const made = await stationAndCard();
          await placedRemotely(made.station, made.cardNumber, { kind: 'accepted' });
        }
        if (each === 'stop') {
          const last = running.pop();
          await last?.station.record(last.transaction);
        }
        if (each === 'cancel') {
          const last = running.pop();
          if (last === undefined) continue;
          const { id } = await database.db
            .selectFrom('orders')
            .select('id')
            .where('transaction_key', '=', last.transaction)
            .executeTakeFirstOrThrow();
          await cancelPlaced(floor.context, id, { event: 'cancelled', params: {} });
        }
      }
      await expectSumsToEqualAttempts();
    }),
    { numRuns: 8 },
  );
  await keepAttemptSums(database.db);
  await expectSumsToEqualAttempts();
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from start_attempt_tail t join start_attempts a on a.id = t.attempt_id
     where a.drop_out is not null or a.step = 'ended_clean'`.execute(database.db);
  expect(rows).toEqual([{ left: 0 }]);
});

test('figures of any period are the sum of those of its days', async () => {
  await keepAttemptSums(database.db);
  const day = (index: number) => new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10);
  const days = 92;
  await sql`
    insert into start_sums (grain, from_on, site_id, equipment_type, start_mode, make, model, firmware, step, attempts,
                            visits, first_times, charges, energy_wh, occupied_ms)
    select g.grain, g.from_on, 999999, 'four-wheel', 'card', 'M', 'M', 'F', 'ended_clean', sum(n), 0, 0, 0, 0, 0
      from (select day::date as day, 1 + extract(doy from day)::int as n
              from generate_series('2026-10-01'::date, '2026-12-31'::date, interval '1 day') day) d
      cross join lateral (values ('day', day), ('month', date_trunc('month', day)::date)) g (grain, from_on)
     group by g.grain, g.from_on`.execute(database.db);
  const { rows } = await sql<{ attempts: number }>`
    select attempts from start_sums where grain = 'day' and site_id = 999999 order by from_on`.execute(database.db);
  const span = fc.tuple(fc.nat(days - 1), fc.nat(days - 1));
  await fc.assert(
    fc.asyncProperty(span, async ([one, other]) => {
      const [first, last] = one <= other ? [one, other] : [other, one];
      const wanted = { fromOn: day(first), toOn: day(last), siteId: 999_999 };
      const { steps } = await findQuality(database.db, platform, wanted, instant(Date.now()));
      const truth = rows.slice(first, last + 1).reduce((sum, { attempts }) => sum + attempts, 0);
      expect([wanted, steps.at(-1)?.attempts]).toEqual([wanted, truth]);
    }),
    { numRuns: 60 },
  );
  await sql`delete from start_sums where site_id = 999999`.execute(database.db);
});

test('a league ranks only those with enough visits, and shows the others below them', async () => {
  const league = await findLeague(database.db, platform, { fromOn: '2026-01-01', toOn: '2026-12-31' }, 'site');
  expect(league.rows.length).toBeGreaterThan(0);
  for (const { rank, visits } of league.rows) expect(rank === null).toBe(visits < league.visitsMin);
});

test('faults are timed until somebody acts and until they are over, and connections that break are counted', async () => {
  const { id, connectorIds } = await floor.addStation('AT-5');
  const port = connectorIds[0] as never;
  const fault = async (state: 'fault' | 'free' | 'offline', at: string) => {
    await sql`update connectors set state = ${state}, state_at = ${at}::timestamptz where id = ${port}`.execute(
      database.db,
    );
  };
  await fault('fault', '2026-03-01T00:00:00Z');
  await sql`insert into audit_entries (at, user_id, action, record_kind, record_id)
            select '2026-03-01T00:10:00Z', id, 'station.command', 'station', ${String(id)} from users limit 1`.execute(
    database.db,
  );
  await fault('offline', '2026-03-01T00:20:00Z');
  await fault('free', '2026-03-01T01:00:00Z');
  await sql`update stations set online = true where id = ${id}`.execute(database.db);
  await sql`update stations set online = false, offline_at = '2026-03-01T02:00:00Z' where id = ${id}`.execute(
    database.db,
  );
  const ask = () =>
    findQuality(database.db, platform, { fromOn: '2026-03-01', toOn: '2026-03-01' }, instant(Date.now()));
  const before = await ask();
  expect(before).toMatchObject({ attended: { count: 1 }, repair: { count: 1 }, disconnections: 1 });
  expect((before.attended.p99Ms ?? 0) / (10 * minuteMs)).toBeCloseTo(1, 0);
  expect((before.repair.p50Ms ?? 0) / (60 * minuteMs)).toBeCloseTo(1, 0);
  await keepAttemptSums(database.db);
  const { portDays: _, ...after } = await ask();
  expect(before).toMatchObject(after);
});

describe('a charge that does not depend on its attempt', () => {
  async function whileNothingIsNoted(work: () => Promise<void>): Promise<void> {
    await database.pool.query(`
      create function no_note() returns trigger language plpgsql as $$ begin
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end $$;
      create trigger no_note before update of answered_ms on start_attempts for each row execute function no_note()`);
    try {
      await work();
    } finally {
      await database.pool.query('drop trigger no_note on start_attempts; drop function no_note()');
    }
  }

  test('a station that agrees has its order, and one that refuses ends it, though nothing can be noted', async () => {
    const agreeing = await stationAndCard();
    const refusing = await stationAndCard();
    await whileNothingIsNoted(async () => {
      const begun = await placedRemotely(agreeing.station, agreeing.cardNumber, { kind: 'accepted' });
      expect(begun).toMatchObject({ ok: true });
      const refused = await placedRemotely(refusing.station, refusing.cardNumber, { kind: 'rejected' });
      expect(refused).toMatchObject({ ok: false });
    });
    const { rows } = await sql<{ state: string }>`
      select state from orders where station_id = ${refusing.station.id}`.execute(database.db);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });
});

test('an order that turns out to be of another site takes its attempt and the sums along', async () => {
  const { station, cardNumber } = await stationAndCard();
  await station.record(await requested(station, cardNumber));
  await keepAttemptSums(database.db);
  const other = (await stationAndCard()).station;
  const { rows } = await sql<{ site_id: number }>`
    select site_id from stations where id = ${other.id}`.execute(database.db);
  const siteId = rows[0]?.site_id;
  await sql`update orders set site_id = ${siteId} where station_id = ${station.id}`.execute(database.db);
  await expectSumsToEqualAttempts();
  const { rows: moved } = await sql<{ site_id: number }>`
    select site_id from start_attempts where station_id = ${station.id}`.execute(database.db);
  expect(moved).toEqual([{ site_id: siteId }]);
});

test('a port that flickers has no faults that were repaired, and one that is broken for a minute has one', async () => {
  const { station } = await stationAndCard();
  const turn = (state: string, at: number) =>
    sql`
    update connectors set state = ${state}, state_at = to_timestamp(${at} / 1000.0)
     where station_id = ${station.id} and number = 1`.execute(database.db);
  const began = Date.now() - 10 * minuteMs;
  for (let flicker = 0; flicker < 20; flicker += 1) {
    await turn('fault', began + flicker * 100);
    await turn('free', began + flicker * 100 + 50);
  }
  const faults = () =>
    sql<{ count: number }>`
    select count(*)::int as count from port_faults where station_id = ${station.id}`.execute(database.db);
  expect((await faults()).rows).toEqual([{ count: 0 }]);
  await turn('fault', began + minuteMs);
  await turn('free', began + 2 * minuteMs);
  expect((await faults()).rows).toEqual([{ count: 1 }]);
});
