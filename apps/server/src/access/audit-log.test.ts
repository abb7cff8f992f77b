import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuditEntry } from '@voltdeck/contract/audit';
import { auditKinds } from '@voltdeck/contract/audit';
import { auditActions } from '@voltdeck/contract/audit-actions';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { migrate, migrationsDir } from '../database/migrate.ts';
import { emptyDatabaseUrl, freshDatabase } from '../database/test-database.ts';
import { withClient } from '../database/test-database-setup.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, makeSettledOrder } from '../http/test-records.ts';
import { makeTimePartitions } from '../jobs/keep-time.ts';
import { auditKindOf } from './audit-log.ts';

const many = 100_000;
let api: TestApi;
let agentId: AgentId;
let user: { id: UserId; token: string };

beforeAll(async () => {
  // One connection, so that its counters cover every statement.
  const database = await freshDatabase({ connectionsMax: 1 });
  await database.pool.query(
    "select make_partitions('audit_entries', interval '7 days', now() - interval '147 days', now() + interval '7 days')",
  );
  api = await openTestApi({ database });
  agentId = await api.addAgent('one');
  user = await api.addUser({ name: 'clerk', permissions: ['audit.read', 'audit.export'], scope: 'agent', agentId });
  const { pool } = api.database;
  // Before this week: a partition that has just begun is so small that it is read whole instead of by its index.
  await pool.query(
    `insert into audit_entries (at, user_id, action, record_kind, record_id, remote_address, before, after)
     select date_trunc('week', now(), 'UTC') - g * interval '2 minutes', case when g % 1000 = 0 then $1::bigint else 1 end,
            (array['site.create', 'site.change', 'station.command.reset', 'order.stop'])[1 + g % 4],
            (array['site', 'site', 'station', 'order'])[1 + g % 4], (g / 4)::text,
            case when g % 5000 = 0 then '203.0.113.9' else '10.0.0.1' end, '{"name":"A"}', '{"name":"B"}'
       from generate_series(1, ${many}) g`,
    [user.id],
  );
  await pool.query(
    `insert into audit_entries (at, user_id, action, record_kind, record_id) values
       (now(), 1, 'order.refund', 'order', '7'), (now(), null, 'gone.since_then', 'thing', 'x')`,
  );
  await pool.query('analyze audit_entries');
}, 60_000);
afterAll(() => api.close());

type List = { items: AuditEntry[]; total: number; totalIsAtLeast?: boolean };
const list = async (query: string, token?: string) => {
  const answer = await api.get<List>(`/audit-entries${query}`, token === undefined ? {} : { token });
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};

describe('kinds of acts', () => {
  test('every action that the source writes has its kind in the table', () => {
    const source = fileURLToPath(new URL('..', import.meta.url));
    const written = new Set<string>();
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const text = readFileSync(`${source}/${name}`, 'utf8');
      // A literal with a record kind and an action is an audit entry, or becomes one.
      for (const [, action] of text.matchAll(/\baction: ['"`]([a-z_]+\.[a-z_.]+)/g))
        if (action !== undefined) written.add(action);
      for (const [, one, two] of text.matchAll(/\baction: [^,\n]+ \? '([a-z_.]+)' : '([a-z_.]+)'/g)) {
        for (const action of [one, two]) if (action !== undefined) written.add(action);
      }
    }
    expect(written.size).toBeGreaterThan(20);
    expect(written).toContain('order.refund');
    const unknown = [...written].filter((action) => auditKindOf(action.replace(/\.$/, '')) === 'other');
    expect(unknown).toEqual([]);
  });

  test('an action longer than one in the table has the kind of its prefix, and an unknown one is "other"', () => {
    expect(auditKindOf('station.command.reset')).toBe('command');
    expect(auditKindOf('station.change')).toBe('edit');
    expect(auditKindOf('nobody.knows')).toBe('other');
    expect(auditKindOf('constructor')).toBe('other');
    expect(new Set(auditKinds)).toContain(auditActions['order.refund']);
  });
});

describe('the audit log', () => {
  test('the audit log comes newest first, with user, action and kind', async () => {
    const { items, totalIsAtLeast } = await list('?pageSize=10&recordKind=order&kind=money');
    expect(items).toMatchObject([
      { action: 'order.refund', kind: 'money', userId: 1, userName: 'admin', recordKind: 'order', recordId: '7' },
    ]);
    expect(totalIsAtLeast).toBeUndefined();
    const all = await list('?pageSize=100');
    expect(all).toMatchObject({ total: 10_000, totalIsAtLeast: true });
    const times = all.items.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list('?sort=at&pageSize=1')).items[0]?.recordId).toBe(String(many / 4));
  });

  test.each([
    ['kind', '?kind=command', many / 4],
    ['two kinds', '?kind=money,command', many / 4 + 1],
    ['the whole action', '?action=site.change', many / 4],
    ['a word of it', '?action=refund', 1],
    ['a kind that no table knows', '?kind=other', 1],
    ['record', '?recordId=1000', 4],
    ['kind of record and record', '?recordKind=station&recordId=1000', 1],
    ['user', () => `?userId=${user.id}&action=site.create`, many / 1000],
    ['address', '?remoteAddress=203.0.113.9', many / 5000],
    ['an action nobody did', '?action=nothing.done', 0],
  ] as const)('the audit log is filtered by %s', async (_what, query, expected) => {
    const { total } = await list(`${typeof query === 'string' ? query : query()}${'&pageSize=10'}`);
    expect(total).toBe(Math.min(expected, 10_000));
  });

  test('the audit log names a record as lists do, and a deleted one not at all', async () => {
    const place = await makePlace(api.database, null, 'named');
    const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 1, serviceFeeFen: 1 });
    const { rows } = await api.database.pool.query<{ number: string }>('select number from orders where id = $1', [
      orderId,
    ]);
    await api.database.pool.query(
      `insert into audit_entries (at, user_id, action, record_kind, record_id) values
         (now(), 1, 'named.order', 'order', $1), (now(), 1, 'named.station', 'station', $2),
         (now(), 1, 'named.site', 'site', $3), (now(), 1, 'named.gone', 'order', '999999999'),
         (now(), 1, 'named.text', 'order', 'not-a-number'), (now(), 1, 'named.key', 'config', 'sys_title')`,
      [orderId, place.stationId, place.siteId],
    );
    const { items } = await list('?action=named.&pageSize=10');
    expect(Object.fromEntries(items.map(({ action, recordName }) => [action, recordName]))).toEqual({
      'named.order': rows[0]?.number,
      'named.station': place.stationNumber,
      'named.site': expect.stringContaining('named'),
      'named.gone': null,
      'named.text': null,
      'named.key': null,
    });
  });

  test('an agent’s people see in the audit log only what their own did', async () => {
    const own = await list('?pageSize=100', user.token);
    expect(new Set(own.items.map(({ userId }) => userId))).toEqual(new Set([user.id]));
    expect(own.total).toBeGreaterThanOrEqual(many / 1000);
    expect((await list('?action=refund', user.token)).total).toBe(0);
  });

  test('no query of the audit log reads more than its bounded count of a hundred thousand entries', async () => {
    const { pool } = api.database;
    const readRows = async () => {
      await pool.query('select pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: number }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_user_tables
          where relname like 'audit_entries%'`,
      );
      return rows[0]?.read ?? 0;
    };
    const cost: Record<string, number> = {};
    for (const query of [
      '?pageSize=20',
      '?page=500&pageSize=20',
      '?kind=money',
      '?action=refund',
      '?recordId=1000',
      '?recordKind=thing',
      '?remoteAddress=203.0.113.9',
      `?userId=${user.id}`,
    ]) {
      const before = await readRows();
      await list(query);
      cost[query] = (await readRows()) - before;
    }
    const before = await readRows();
    await list('?pageSize=20', user.token);
    cost.agent = (await readRows()) - before;
    expect(Math.max(...Object.values(cost)), JSON.stringify(cost)).toBeLessThan(25_000);
    expect(cost['?recordId=1000'], JSON.stringify(cost)).toBeLessThan(100);
    expect(cost.agent, JSON.stringify(cost)).toBeLessThan(2_000);
  });

  test('the audit log is exported as filtered, and the export is itself recorded', async () => {
    const answer = await api.get('/audit-entries/export?recordKind=order&kind=money', { language: 'en' });
    expect(answer.headers['content-type']).toContain('spreadsheetml');
    expect(answer.bytes.subarray(0, 2).toString()).toBe('PK');
    expect((await list('?action=audit.export')).items).toMatchObject([
      { kind: 'export', recordKind: 'export', recordId: 'listAuditEntries', after: { query: { kind: ['money'] } } },
    ]);
    const tooMany = await api.get('/audit-entries/export', { language: 'en' });
    expect(tooMany.envelope.message).toMatchObject({ status: 422, error: 'export.too_many_rows' });
  });
});

describe('what was written down', () => {
  test('audit entries from before the weekly partitions are kept, and coming weeks can still be created', async () => {
    const url = await emptyDatabaseUrl();
    const earlier = await mkdtemp(join(tmpdir(), 'voltdeck-earlier-'));
    for (const file of readdirSync(migrationsDir).sort().slice(0, 3)) {
      copyFileSync(join(migrationsDir, file), join(earlier, file));
    }
    await migrate(url, earlier);
    await withClient(url, (client) =>
      client.query(
        `insert into audit_entries (at, action, record_kind, record_id)
           select now() - g * interval '1 day', 'site.create', 'site', g::text from generate_series(0, 40) g`,
      ),
    );
    await migrate(url);
    const database = openDatabase(url);
    await makeTimePartitions(database.db, instant(Date.now()));
    const { rows } = await database.pool.query(
      'select count(*) as total, min(id) as first from audit_entries where tableoid <> $1::regclass',
      ['audit_entries_stray'],
    );
    expect(rows).toEqual([{ total: 41, first: 1 }]);
    await database.close();
    await rm(earlier, { recursive: true });
  });

  test.each([
    ['changed', "update audit_entries set action = 'x'"],
    ['deleted', 'delete from audit_entries'],
    ['emptied', 'truncate audit_entries'],
    ['changed in its week', "update audit_entries_stray set action = 'x'; update WEEK set action = 'x'"],
    ['deleted in its week', 'delete from WEEK'],
    ['emptied in its week', 'truncate WEEK'],
    ['emptied in the rest', 'truncate audit_entries_stray'],
  ])("audit entries cannot be %s by the server's role", async (_what, statement) => {
    const { pool } = api.database;
    const { rows } = await pool.query<{ week: string; total: number; isSuperuser: boolean }>(
      `select (select tableoid::regclass::text from audit_entries order by at desc limit 1) as week,
              (select count(*) from audit_entries) as total,
              (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser"`,
    );
    const [before] = rows;
    expect(before).toMatchObject({ isSuperuser: false });
    await expect(pool.query(statement.replaceAll('WEEK', before?.week ?? ''))).rejects.toMatchObject({ code: '23001' });
    const after = await pool.query<{ total: number }>('select count(*) as total from audit_entries');
    expect(after.rows[0]?.total).toBe(before?.total);
  });
});
