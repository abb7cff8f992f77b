import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { keptDays } from '../database/kept-days.ts';
import { freshDatabase } from '../database/test-database.ts';
import { makeOrder, makePlace } from '../http/test-records.ts';
import { dropOldPartitions, forgetOldRecords, makeTimePartitions } from './keep-time.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const days = (count: number) => instant(now + count * dayMs);

describe('partitions', () => {
  test('partitions reach from 90 days back to two weeks ahead for readings, a week ahead for frames, and are created once', async () => {
    const { db } = await freshDatabase();
    expect((await makeTimePartitions(db, now)).done).toBeGreaterThan(15 + 8);
    expect(await makeTimePartitions(db, now)).toEqual({ done: 0, left: [] });
    const log = { station_id: 1 as never, protocol: 'ocpp1.6', direction: 'from-station', request: '[]' };
    await db
      .insertInto('interaction_logs')
      .values([-1, 0, 6].map((day) => ({ ...log, at: days(day) })))
      .execute();
    await db
      .insertInto('readings')
      .values(
        [-89, 0, 13].map((day) => ({
          order_id: 1 as never,
          connector_id: 1 as never,
          at: days(day),
          received_at: now,
        })),
      )
      .execute();
    const { rows } = await sql<{ stray: number }>`
      select (select count(*) from interaction_logs_stray) + (select count(*) from readings_stray) as stray`.execute(
      db,
    );
    expect(rows[0]?.stray).toBe(0);
    // The next day adds a daily partition each, and a weekly one at its turn.
    expect((await makeTimePartitions(db, days(1))).done).toBeLessThanOrEqual(2);
  });
});

describe('what is old', () => {
  test('rows past their retention are deleted, and others stay', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, days(-60));
    await makeTimePartitions(db, now);
    const log = { station_id: 1 as never, protocol: 'ocpp1.6', direction: 'from-station', request: '[]' };
    await db
      .insertInto('interaction_logs')
      .values([-60, -keptDays.interactionLogs + 1, -1, -200].map((day) => ({ ...log, at: days(day) })))
      .execute();
    const key = { route: 'x', request_hash: Buffer.alloc(0) };
    await db
      .insertInto('idempotency_keys')
      .values([
        { ...key, caller_id: 1 as never, key: 'old', created_at: days(-2) },
        { ...key, caller_id: 1 as never, key: 'new', created_at: now },
      ])
      .execute();
    await db.insertInto('users').values({ user_name: 'u', real_name: 'u', password_hash: 'x' }).execute();
    const session = { user_id: 1 as never, created_at: days(-90), last_used_at: days(-90), remote_address: '' };
    await db
      .insertInto('sessions')
      .values([
        { ...session, token_hash: Buffer.from('long ago'), expires_at: days(-40) },
        {
          ...session,
          token_hash: Buffer.from('lately'),
          expires_at: days(-1),
          ended_at: days(-1),
          ended_because: 'logout',
        },
      ])
      .execute();
    const attempt = { name: 'x', result: 'unknown_name', remote_address: '' } as const;
    await db
      .insertInto('sign_ins')
      .values([
        { ...attempt, at: days(-200) },
        { ...attempt, at: days(-1), name: 'lately' },
      ])
      .execute();
    const code = {
      purpose: 'register',
      code_hash: Buffer.from('x'),
      remote_address: '',
      expires_at: days(-8),
    } as const;
    await db
      .insertInto('sms_codes')
      .values([
        { ...code, phone: 'long ago', sent_at: days(-8) },
        { ...code, phone: 'lately', sent_at: days(-1) },
      ])
      .execute();
    const stranger = { protocol: 'ykc', remote_address: '', first_seen_at: days(-60) };
    await db
      .insertInto('unknown_stations')
      .values([
        { ...stranger, number: 'long ago', last_seen_at: days(-31) },
        { ...stranger, number: 'lately', last_seen_at: days(-1) },
      ])
      .execute();
    await forgetOldRecords(db, now);
    await dropOldPartitions(db, now);
    expect(await db.selectFrom('unknown_stations').select('number').execute()).toEqual([{ number: 'lately' }]);
    expect(await db.selectFrom('sign_ins').select('name').execute()).toEqual([{ name: 'lately' }]);
    expect(await db.selectFrom('sms_codes').select('phone').execute()).toEqual([{ phone: 'lately' }]);
    const left = await db.selectFrom('interaction_logs').select('at').orderBy('at').execute();
    expect(left.map(({ at }) => shanghaiDate(at))).toEqual([
      shanghaiDate(days(-keptDays.interactionLogs + 1)),
      shanghaiDate(days(-1)),
    ]);
    expect((await db.selectFrom('idempotency_keys').select('key').execute()).map((row) => row.key)).toEqual(['new']);
    const sessions = await pool.query<{ name: string }>(
      `select convert_from(token_hash, 'UTF8') as name from sessions`,
    );
    expect(sessions.rows.map(({ name }) => name)).toEqual(['lately']);
  });

  test('the rule that a station had at the end of the retention stays, with all that came after it', async () => {
    const database = await freshDatabase();
    const { stationId, tariffId } = await makePlace(database, null, 'history');
    const { pool } = database;
    await pool.query('delete from station_tariffs');
    const from = [-2_000, -1_500, -1_200, -1_000, -1].map((day) => new Date(days(day)));
    await pool.query(
      `insert into station_tariffs (station_id, kind, from_at, tariff_id)
       select $1, 'card', at, $2 from unnest($3::timestamptz[]) at`,
      [stationId, tariffId, from],
    );
    await forgetOldRecords(database.db, now);
    const left = await pool.query<{ at: Date }>('select from_at as at from station_tariffs order by from_at');
    expect(left.rows.map(({ at }) => Number(at))).toEqual([-1_200, -1_000, -1].map(days));
  });

  test('the place that a station had at the end of the retention stays, with all that came after it', async () => {
    const database = await freshDatabase();
    const { stationId, siteId } = await makePlace(database, null, 'places');
    const { pool } = database;
    await pool.query('delete from station_places');
    const from = [-2_000, -1_500, -1_200, -1_000, -1].map((day) => new Date(days(day)));
    await pool.query(
      'insert into station_places (station_id, from_at, site_id) select $1, at, $2 from unnest($3::timestamptz[]) at',
      [stationId, siteId, from],
    );
    await forgetOldRecords(database.db, now);
    const left = await pool.query<{ at: Date }>('select from_at as at from station_places order by from_at');
    expect(left.rows.map(({ at }) => Number(at))).toEqual([-1_200, -1_000, -1].map(days));
  });

  test('finished price changes go with their stations, waiting ones never', async () => {
    const database = await freshDatabase();
    const { stationId, tariffId } = await makePlace(database, null, 'changes');
    const { pool } = database;
    await pool.query(
      `insert into price_changes (name, rule_id, slots, effective_at, state, created_at)
       select state || ' ' || day, $1, 'card', $2::timestamptz + day * interval '1 day', state, $2
         from unnest(array['applied', 'cancelled', 'waiting']) state, unnest(array[-2000, -1]) day`,
      [tariffId, new Date(now)],
    );
    await pool.query(
      'insert into price_change_stations (price_change_id, station_id) select id, $1 from price_changes',
      [stationId],
    );
    await forgetOldRecords(database.db, now);
    const left = await pool.query<{ name: string }>(
      'select c.name from price_change_stations join price_changes c on c.id = price_change_id order by c.name',
    );
    expect(left.rows.map(({ name }) => name)).toEqual(['applied -1', 'cancelled -1', 'waiting -1', 'waiting -2000']);
  });

  test('pulls of partners past their retention go with their changes, but the last of each kind and result', async () => {
    const { db, pool } = await freshDatabase();
    const partner = { role: 'infrastructure', created_at: now, changed_at: now } as const;
    await db
      .insertInto('partners')
      .values(['failing', 'fine'].map((name, index) => ({ ...partner, name, operator_id: `MATEST00${index}` })))
      .execute();
    await pool.query(
      `insert into partner_pulls (partner_id, kind, state, started_at)
       select p.id, kind, state, $1::timestamptz + day * interval '1 day'
         from partners p,
              (values ('failing', 'full', 'done', -200), ('failing', 'full', 'done', -199),
                      ('failing', 'incremental', 'done', -198), ('failing', 'full', 'failed', -100),
                      ('failing', 'full', 'failed', -89), ('failing', 'full', 'failed', -1),
                      ('failing', 'incremental', 'running', -150),
                      ('fine', 'full', 'done', -91), ('fine', 'full', 'done', -90), ('fine', 'full', 'done', -1),
                      ('fine', 'incremental', 'done', -91)) as l (name, kind, state, day)
        where p.name = l.name`,
      [new Date(now)],
    );
    await pool.query(
      `insert into partner_pull_changes (pull_id, change, code, name) select id, 'added', 'S1', 'S1' from partner_pulls`,
    );
    await forgetOldRecords(db, now);
    const left = await pool.query<{ pull: string }>(
      `select concat_ws(' ', p.name, l.kind, l.state, round(extract(epoch from l.started_at - $1) / 86400)) as pull
         from partner_pulls l join partners p on p.id = l.partner_id
         join partner_pull_changes c on c.pull_id = l.id order by p.name, l.started_at`,
      [new Date(now)],
    );
    expect(left.rows.map(({ pull }) => pull)).toEqual([
      'failing full done -199',
      'failing incremental done -198',
      'failing incremental running -150',
      'failing full failed -89',
      'failing full failed -1',
      'fine incremental done -91',
      'fine full done -90',
      'fine full done -1',
    ]);
    expect((await pool.query('select from partner_pull_changes')).rowCount).toBe(left.rows.length);
  });

  test('refused starts of partners past their retention go, those that became orders stay', async () => {
    const database = await freshDatabase();
    const { db } = database;
    const order = await makeOrder(database, await makePlace(database, null, 'starts'), days(-2_000));
    const { id } = await db
      .insertInto('partners')
      .values({ operator_id: 'MATEST009', name: 'one', role: 'demand', created_at: now, changed_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const start = { partner_id: id, port_id: '1' };
    const refused = { ...start, refusal: 'port_unknown' };
    await db
      .insertInto('partner_charges')
      .values([
        { ...refused, sequence: 'long ago', created_at: days(-91) },
        { ...refused, sequence: 'lately', created_at: days(-89) },
        { ...start, sequence: 'begun', created_at: days(-2_000), order_id: order },
      ])
      .execute();
    await forgetOldRecords(db, now);
    const left = await db.selectFrom('partner_charges').select('sequence').orderBy('sequence').execute();
    expect(left.map(({ sequence }) => sequence)).toEqual(['begun', 'lately']);
  });

  test('runs of reports and comparisons of sums past their retention go, those that are under way stay', async () => {
    const { db } = await freshDatabase();
    const { id: userId } = await db
      .insertInto('users')
      .values({ user_name: 'u', real_name: 'u', password_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = { every: 'day', hour: 8, format: 'csv', language: 'en', emails: '', enabled: false } as const;
    const { id } = await db
      .insertInto('reports')
      .values({ ...made, user_id: userId, name: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const run = { report_id: id, is_asked: false, from_on: '2025-01-01', to_on: '2025-01-01' };
    const [old, kept] = [days(-keptDays.reportRuns - 1), days(-keptDays.reportRuns + 1)];
    const [first] = await db
      .insertInto('report_runs')
      .values([
        { ...run, due_at: old, state: 'done', next_at: null },
        { ...run, due_at: days(-keptDays.reportRuns - 2), state: 'mailing', next_at: now },
        { ...run, due_at: kept, state: 'failed', next_at: null },
      ])
      .returning('id')
      .execute();
    if (first === undefined) throw new Error('no run');
    const mail = { run_id: first.id, email: 'a@example.com', state: 'sent', next_at: null } as const;
    await db.insertInto('report_mails').values(mail).execute();
    const rebuild = { from_on: '2025-01-01', to_on: '2025-01-01', next_on: '2024-12-31', because: 'nightly' } as const;
    await db.deleteFrom('sale_rebuilds').execute();
    await db
      .insertInto('sale_rebuilds')
      .values([
        { ...rebuild, asked_at: old, done_at: old },
        { ...rebuild, asked_at: old, done_at: null },
        { ...rebuild, asked_at: kept, done_at: kept },
      ])
      .execute();
    await forgetOldRecords(db, now);
    const states = await db.selectFrom('report_runs').select('state').orderBy('id').execute();
    expect(states.map(({ state }) => state)).toEqual(['mailing', 'failed']);
    expect(await db.selectFrom('report_mails').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('sale_rebuilds').select('id').execute()).toHaveLength(2);
  });

  test('the curves of orders past their retention go, those of later ones stay', async () => {
    const database = await freshDatabase();
    const place = await makePlace(database, null, 'curves');
    const old = await makeOrder(database, place, days(-2_000));
    const later = await makeOrder(database, place, days(-100));
    await database.db
      .insertInto('order_curves')
      .values([old, later].map((order_id) => ({ order_id, points: 'null' })))
      .execute();
    await forgetOldRecords(database.db, now);
    const left = await database.db.selectFrom('order_curves').select('order_id').execute();
    expect(left).toEqual([{ order_id: later }]);
  });
});
