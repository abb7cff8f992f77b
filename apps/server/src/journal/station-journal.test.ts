import type { StationId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectStation, type Floor, openFloor } from '../charging/test-charging-floor.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { LoggedExchange } from './exchanges.ts';
import type { JournalEntry } from './journal-entry.ts';
import { journalLimits, type StationAccount, StationJournal } from './station-journal.ts';

const waiting = { timeout: 30_000 };
const silent = pino({ level: 'silent' });
const reader = { pause: () => {}, resume: () => {} };

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

let stations = 0;
async function newStation(): Promise<{ id: StationId; connectorIds: readonly number[] }> {
  stations += 1;
  return floor.addStation(`JOURNAL-${stations}`);
}

function heartbeatOf(stationId: StationId, messageId: string, more: Partial<LoggedExchange> = {}): LoggedExchange {
  return {
    stationId,
    protocol: 'ocpp1.6',
    at: floor.context.now(),
    direction: 'from-station',
    action: 'Heartbeat',
    messageId,
    request: `[2,"${messageId}","Heartbeat",{}]`,
    answer: null,
    latencyMs: null,
    fault: null,
    ...more,
  };
}

/** Adds an entry and resolves with its outcome. */
async function outcomeOf(account: Pick<StationAccount, 'add'>, entry: JournalEntry): Promise<'stored' | 'lost'> {
  return new Promise((resolve) => {
    account.add({ ...entry, onStored: () => resolve('stored'), onLost: () => resolve('lost') });
  });
}

async function logged(stationId: StationId) {
  return database.db
    .selectFrom('interaction_logs')
    .select(['message_id', 'fault'])
    .where('station_id', '=', stationId)
    .orderBy('id')
    .execute();
}

test('a later entry is reported later, even where it becomes durable first', async () => {
  const { id, connectorIds } = await newStation();
  const journal = new StationJournal(database.pool, silent);
  const told: string[] = [];
  const at = floor.context.now();
  const holder = await database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from stations where id = $1 for update', [id]);
  try {
    journal.add({
      stationChange: { stationId: id, holder: { node: 'this', number: 1 }, online: true, at, remoteAddress: null },
      onStored: () => told.push('online'),
    });
    // It waits for the locked row, so the next entry goes into a transaction of its own.
    await expect.poll(areLocksAwaited, waiting).toBe(true);
    journal.add({
      connectorChanges: [
        { connectorId: connectorIds[0] as never, stationId: id, state: 'free', at, faultCode: null, faultInfo: null },
      ],
      onStored: () => told.push('free'),
    });
    const stateOf = async () =>
      (await database.pool.query('select state from connectors where id = $1', [connectorIds[0]])).rows;
    await expect.poll(stateOf, waiting).toEqual([{ state: 'free' }]);
    expect(told).toEqual([]);
  } finally {
    await holder.query('commit');
    holder.release();
  }
  await journal.drained();
  expect(told).toEqual(['online', 'free']);
  await journal.close();
});

async function areLocksAwaited(): Promise<boolean> {
  const { rows } = await database.pool.query<{ waiting: boolean }>(
    `select exists (select 1 from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock') as waiting`,
  );
  return rows[0]?.waiting ?? false;
}

test('a batch without exchanges is stored while somebody watches the log', async () => {
  const { id } = await newStation();
  const audience = { areExchangesWatched: () => true, tellExchanges: () => {} };
  const journal = new StationJournal(database.pool, silent, { audience });
  const holder = { node: 'this', number: 1 };
  const stationChange = { stationId: id, holder, online: true, at: floor.context.now(), remoteAddress: null };
  expect(await outcomeOf(journal, { stationChange })).toBe('stored');
  const { rows } = await database.pool.query('select online from stations where id = $1', [id]);
  expect(rows).toEqual([{ online: true }]);
  await journal.close();
});

test('orders are locked before stations, as settlement does, so that neither deadlocks the other', async () => {
  const { id } = await newStation();
  await floor.addCard('LOCK-CARD', 10_000);
  const station = await connectStation(floor, `JOURNAL-${stations}`);
  const timestamp = new Date().toISOString();
  await station.call('StartTransaction', { connectorId: 1, idTag: 'LOCK-CARD', meterStart: 0, timestamp });
  const { rows } = await database.pool.query('select id from orders where station_id = $1', [id]);
  const orderId = rows[0].id;
  await floor.journal.drained();
  const warnings: string[] = [];
  const journal = new StationJournal(
    database.pool,
    pino({ level: 'warn' }, { write: (line) => void warnings.push(line) }),
  );
  const at = instant(floor.context.now() + 1_000);
  const settlement = await database.pool.connect();
  await settlement.query('begin');
  await settlement.query('select 1 from orders where id = $1 for update', [orderId]);
  const holder = { node: 'this', number: 1_000_000 };
  const figures = {
    orderId,
    energyWh: 7,
    electricityFeeFen: 1,
    serviceFeeFen: 1,
    powerW: 7,
    socPercent: 7,
    lastReadingAt: at,
  };
  const stationChange = { stationId: id, holder, online: true, at, remoteAddress: null };
  const outcome = outcomeOf(journal, { figures, stationChange });
  await expect.poll(areLocksAwaited, waiting).toBe(true);
  await settlement.query('update stations set total_energy_wh = 7 where id = $1', [id]);
  await settlement.query('commit');
  settlement.release();
  expect(await outcome).toBe('stored');
  // A deadlock would have been retried and logged.
  expect(warnings).toEqual([]);
  await journal.close();
  await station.end();
});

describe('an entry that the database refuses', () => {
  beforeAll(async () => {
    await database.pool.query(`
      create sequence tries;
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if new.message_id like 'counted%' then perform nextval('tries'); end if;
        if new.message_id like 'poison%' and (new.fault is null or new.message_id = 'poison always') then
          raise exception 'poison';
        end if;
        return new;
      end $$;
      create trigger refuse_poison before insert on interaction_logs for each row execute function refuse_poison();`);
  });
  afterAll(async () => {
    await database.pool.query('drop trigger refuse_poison on interaction_logs');
  });

  async function triesSince(before: number): Promise<number> {
    const { rows } = await database.pool.query<{ tries: number }>('select nextval($1)::int as tries', ['tries']);
    return (rows[0]?.tries ?? 0) - before - 1;
  }

  test('an entry that the database refuses keeps its frames, reports it, and is not retried forever', async () => {
    const { id } = await newStation();
    const journal = new StationJournal(database.pool, silent);
    const account = journal.open({ id, network: 'here' }, reader);
    expect(await outcomeOf(account, { exchange: heartbeatOf(id, 'poison 1') })).toBe('stored');
    expect(await outcomeOf(account, { exchange: heartbeatOf(id, 'after') })).toBe('stored');
    expect(await logged(id)).toEqual([
      { message_id: 'poison 1', fault: 'NotStored' },
      { message_id: 'after', fault: null },
    ]);
    expect(await outcomeOf(account, { exchange: heartbeatOf(id, 'poison always') })).toBe('lost');
    expect(journal.backlog).toBe(0);
    await journal.close();
  });

  test('an entry that the database refuses spoils one write of its neighbours, and later writes go without it', async () => {
    const journal = new StationJournal(database.pool, silent);
    const bad = await newStation();
    const good = await newStation();
    const badAccount = journal.open({ id: bad.id, network: 'here' }, reader);
    const goodAccount = journal.open({ id: good.id, network: 'here' }, reader);
    const neighbours = () =>
      Array.from({ length: 20 }, (_, index) =>
        outcomeOf(goodAccount, { exchange: heartbeatOf(good.id, `counted ${index}`) }),
      );
    const before = await triesSince(0);
    const first = [...neighbours(), outcomeOf(badAccount, { exchange: heartbeatOf(bad.id, 'poison 2') })];
    expect(new Set(await Promise.all(first))).toEqual(new Set(['stored']));
    // Together, together again with the slow insert, and without the suspect.
    expect(await triesSince(before + 1)).toBeLessThanOrEqual(60);

    const between = await triesSince(0);
    const second = [...neighbours(), outcomeOf(badAccount, { exchange: heartbeatOf(bad.id, 'poison 3') })];
    expect(new Set(await Promise.all(second))).toEqual(new Set(['stored']));
    expect(await triesSince(between + 1)).toBe(20);
    await journal.close();
  });

  test('an entry that the database refuses is reported before what its station added after it', async () => {
    const journal = new StationJournal(database.pool, silent);
    const { id } = await newStation();
    const account = journal.open({ id, network: 'here' }, reader);
    const told: string[] = [];
    const names = ['first', 'poison 4', 'second', 'poison 5', 'third'];
    await Promise.all(
      names.map((name) => outcomeOf(account, { exchange: heartbeatOf(id, name) }).then(() => told.push(name))),
    );
    expect(told).toEqual(names);
    await journal.close();
  });
});

test('a write that times out is retried in smaller parts until everything is stored', async () => {
  const { id } = await newStation();
  await database.pool.query(`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.002); return new; end $$;
    create trigger dawdle before insert on interaction_logs for each row
      when (new.message_id like 'slow%') execute function dawdle();`);
  const hasty = openDatabase(database.url, { statementTimeoutMs: 400 });
  const sizes: number[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void sizes.push(JSON.parse(line).entries) });
  const journal = new StationJournal(hasty.pool, log);
  const account = journal.open({ id, network: 'here' }, reader);
  // Two seconds in one write, with a limit of 0.4 seconds.
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ exchange: heartbeatOf(id, `slow ${index}`) }));
  expect(new Set(await Promise.all(entries.map((entry) => outcomeOf(account, entry))))).toEqual(new Set(['stored']));
  expect(sizes.length).toBeGreaterThan(0);
  expect(new Set((await logged(id)).map((row) => row.message_id)).size).toBe(1_000);
  expect(await logged(id)).toHaveLength(1_000);
  await journal.close();
  await hasty.close();
  await database.pool.query('drop trigger dawdle on interaction_logs');
});

test('a write takes no more bytes than its limit', async () => {
  const { id } = await newStation();
  const sizes: number[] = [];
  const audience = {
    areExchangesWatched: () => true,
    tellExchanges: (exchanges: readonly unknown[]) => void sizes.push(exchanges.length),
  };
  const journal = new StationJournal(database.pool, silent, { audience });
  const account = journal.open({ id, network: 'here' }, reader);
  const request = 'x'.repeat(1024 * 1024);
  const outcomes = Array.from({ length: 10 }, (_, index) =>
    outcomeOf(account, { exchange: heartbeatOf(id, `large ${index}`, { request }) }),
  );
  await Promise.all(outcomes);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(journalLimits.bytesPerWrite / request.length);
  await journal.close();
});

describe('what waits to be stored', () => {
  const bounds = {
    station: { entries: 10, bytes: 100_000 },
    network: { entries: 25, bytes: 1_000_000 },
    all: { entries: 40, bytes: 10_000_000 },
  };
  /** Nothing is stored until `release`. */
  async function holdWrites(): Promise<{ release(): Promise<void> }> {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('lock table interaction_logs in share mode');
    return {
      async release() {
        await client.query('commit');
        client.release();
      },
    };
  }

  async function openAccounts(journal: StationJournal, networks: readonly string[]) {
    return Promise.all(
      networks.map(async (network) => {
        const { id } = await newStation();
        const state = { isPaused: false };
        const account = journal.open(
          { id, network },
          { pause: () => (state.isPaused = true), resume: () => (state.isPaused = false) },
        );
        const add = (count: number, more: Partial<LoggedExchange> = {}) => {
          for (let each = 0; each < count; each += 1) account.add({ exchange: heartbeatOf(id, `wait ${each}`, more) });
        };
        return { account, state, add };
      }),
    );
  }

  test('a station that reaches its own bound is paused, no other is, and it resumes later', async () => {
    const journal = new StationJournal(database.pool, silent, { bounds });
    const held = await holdWrites();
    const [loud, quiet] = await openAccounts(journal, ['a', 'b']);
    loud?.add(9);
    quiet?.add(1);
    expect(loud?.state.isPaused).toBe(false);
    loud?.add(1);
    quiet?.add(1);
    expect([loud?.state.isPaused, quiet?.state.isPaused]).toEqual([true, false]);
    await held.release();
    await expect.poll(() => loud?.state.isPaused, waiting).toBe(false);
    expect(journal.paused).toBe(0);
    await journal.close();
  });

  test('a station that reaches its bound of bytes is paused', async () => {
    const journal = new StationJournal(database.pool, silent, { bounds });
    const held = await holdWrites();
    const [loud] = await openAccounts(journal, ['a']);
    loud?.add(2, { request: 'x'.repeat(60_000) });
    expect(loud?.state.isPaused).toBe(true);
    await held.release();
    await expect.poll(() => loud?.state.isPaused, waiting).toBe(false);
    await journal.close();
  });

  test('stations behind an address that reach its bound together are paused, and no other address is', async () => {
    const journal = new StationJournal(database.pool, silent, { bounds });
    const held = await holdWrites();
    const [first, second, third, elsewhere] = await openAccounts(journal, ['a', 'a', 'a', 'b']);
    first?.add(9);
    second?.add(9);
    third?.add(7);
    elsewhere?.add(1);
    expect(third?.state.isPaused).toBe(true);
    expect(elsewhere?.state.isPaused).toBe(false);
    await held.release();
    await expect.poll(() => third?.state.isPaused, waiting).toBe(false);
    await journal.close();
  });

  test('every sending station is paused when the journal is full, and nothing is lost', async () => {
    const journal = new StationJournal(database.pool, silent, { bounds });
    const held = await holdWrites();
    const accounts = await openAccounts(journal, ['a', 'b', 'c', 'd', 'e', 'f']);
    for (const each of accounts) each.add(8);
    expect(accounts.map(({ state }) => state.isPaused)).toEqual([false, false, false, false, true, true]);
    await held.release();
    await journal.drained();
    expect(accounts.some(({ state }) => state.isPaused)).toBe(false);
    await journal.close();
  });

  test('the sockets of a station share its bound, so that reconnecting gains no room', async () => {
    const journal = new StationJournal(database.pool, silent, { bounds });
    const held = await holdWrites();
    const { id } = await newStation();
    const before = journal.open({ id, network: 'a' }, reader);
    for (let each = 0; each < 10; each += 1) before.add({ exchange: heartbeatOf(id, `before ${each}`) });
    before.close();
    let isPaused = false;
    const after = journal.open({ id, network: 'a' }, { pause: () => (isPaused = true), resume: () => {} });
    after.add({ exchange: heartbeatOf(id, 'after') });
    expect(isPaused).toBe(true);
    await held.release();
    await journal.close();
  });

  test('lost entries are counted and logged once a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const lines: unknown[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const journal = new StationJournal(database.pool, log, {
      bounds: { ...bounds, all: { entries: 2, bytes: 1_000_000 } },
    });
    try {
      const [first, second] = [1, 2].map((id) => journal.open({ id: id as StationId, network: 'a' }, reader));
      for (let each = 0; each < 4; each += 1) first?.add({ exchange: heartbeatOf(1 as StationId, `kept ${each}`) });
      for (const account of [first, second]) account?.add({ exchange: heartbeatOf(1 as StationId, 'lost') });
      expect(lines).toEqual([]);
      vi.advanceTimersByTime(journalLimits.tellLostEveryMs);
      expect(lines).toMatchObject([{ entries: 2, stations: 2, msg: 'journal: entries were lost' }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a station’s BMS messages beyond its allowance of a day are thinned, the sooner without an order', async () => {
  const { id } = await newStation();
  const notes = { perStationDay: 6, orderlessPerStationDay: 3, perMinuteBeyond: 2 };
  const journal = new StationJournal(database.pool, silent, { notes });
  const day = Date.parse('2026-11-22T16:00:00Z');
  const say = async (count: number, orderId: number | null, at: number) => {
    const note = { kind: 'demand', values: {} } as const;
    const told = { at: instant(at), orderId: orderId as never, stationId: id, connectorNumber: 1, note };
    for (let each = 0; each < count; each += 1) expect(await outcomeOf(journal, { notes: [told] })).toBe('stored');
    const { rows } = await database.pool.query('select count(*)::int from charge_notes where station_id = $1', [id]);
    return rows[0].count;
  };
  expect(await say(10, null, day)).toBe(5);
  expect(await say(4, 1, day + 60_000)).toBe(5 + 3 + 1);
  expect(await say(4, 1, day + 120_000)).toBe(9 + 2);
  expect(await say(3, null, day + 86_400_000)).toBe(11 + 3);
  await journal.close();
});

describe('the log of a station', () => {
  const log = { bytesPerStationDay: 5_000, rowBytes: 200, cutCharacters: 20, rowsPerMinuteBeyond: 3 };
  const day = Date.parse('2026-11-22T16:00:00Z');

  async function say(journal: StationJournal, stationId: StationId, count: number, at: Instant): Promise<void> {
    const account = journal.open({ id: stationId, network: 'a' }, reader);
    const exchanges = Array.from({ length: count }, (_, index) =>
      heartbeatOf(stationId, `day ${index}`, { at, request: 'x'.repeat(800) }),
    );
    const outcomes = await Promise.all(exchanges.map((exchange) => outcomeOf(account, { exchange })));
    expect(new Set(outcomes)).toEqual(new Set(['stored']));
    account.close();
  }

  async function rowsOf(stationId: StationId) {
    return database.db
      .selectFrom('interaction_logs')
      .select((each) => [each.fn<number>('length', ['request']).as('length'), 'fault'])
      .where('station_id', '=', stationId)
      .orderBy('id')
      .execute();
  }

  test('a station’s log truncates frames beyond its bytes of a day, says so once, and keeps a few rows a minute', async () => {
    const { id } = await newStation();
    const journal = new StationJournal(database.pool, silent, { log });
    await say(journal, id, 20, instant(day));
    await say(journal, id, 20, instant(day + 60_000));
    const whole = { length: 800, fault: null };
    const cut = { length: 20, fault: null };
    expect(await rowsOf(id)).toEqual([
      ...Array.from({ length: 5 }, () => whole),
      { length: 0, fault: 'DailyLogLimit' },
      ...Array.from({ length: 6 }, () => cut),
    ]);
    await journal.close();
  });

  test('a station’s log has whole frames again the next day, and a neighbour’s always', async () => {
    const [loud, neighbour] = [await newStation(), await newStation()];
    const journal = new StationJournal(database.pool, silent, { log });
    await say(journal, loud.id, 10, instant(day));
    await say(journal, neighbour.id, 2, instant(day));
    await say(journal, loud.id, 1, instant(day + 86_400_000));
    expect((await rowsOf(neighbour.id)).map(({ length }) => length)).toEqual([800, 800]);
    expect((await rowsOf(loud.id)).at(-1)).toEqual({ length: 800, fault: null });
    await journal.close();
  });
});
