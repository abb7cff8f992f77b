import { type AuditAction, auditActions } from '@voltdeck/contract/audit-actions';
import { routes } from '@voltdeck/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';
import { makePlace, type Place } from './test-records.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'idem');
});
afterAll(() => api.close());

const recharge = (key: string, amountFen = 500, ask = {}) =>
  api.post<{ id: number; balanceAfterFen: number }>(
    '/recharges',
    { cardNumber: place.cardNumber, amountFen },
    { key, ...ask },
  );

const countRecharges = async () => (await api.get<{ total: number }>('/recharges')).data.total;

describe('Idempotency-Key', () => {
  test('the same request gets its first answer and moves money once', async () => {
    const first = await recharge('pay-once');
    const again = await recharge('pay-once');
    expect(again.envelope).toEqual(first.envelope);
    expect(await countRecharges()).toBe(1);
  });

  test('the same key for another request is refused', async () => {
    await recharge('mine');
    const other = await recharge('mine', 501, { language: 'en' });
    expect(other.status).toBe(422);
    expect(other.envelope.message.error).toBe('request.repeated_differently');
  });

  test('the same key of another user is another key', async () => {
    const { token } = await api.addUser({ name: 'cashier', permissions: ['recharge.create'] });
    const mine = await recharge('shared');
    const theirs = await recharge('shared', 500, { token });
    expect(theirs.status).toBe(200);
    expect(theirs.data.id).not.toBe(mine.data.id);
  });

  test('ten at once move money once: the others get the answer or are told to wait', async () => {
    const before = await countRecharges();
    const answers = await Promise.all(Array.from({ length: 10 }, () => recharge('storm')));
    expect(await countRecharges()).toBe(before + 1);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(new Set(refusals.map(({ envelope }) => envelope.message.error))).toEqual(new Set(['request.in_progress']));
    expect((await recharge('storm')).status).toBe(200);
  });

  test('two nodes at once move money once', async () => {
    const other = await openTestApi({ database: api.database });
    const before = await countRecharges();
    const body = { cardNumber: place.cardNumber, amountFen: 500 };
    const answers = await Promise.all(
      [api, other, api, other].map((node) =>
        node.post('/recharges', body, { key: 'two-nodes', token: api.adminToken }),
      ),
    );
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await countRecharges()).toBe(before + 1);
    await other.app.close();
  });

  test('a refused request is not remembered: the same key works when the cause is gone', async () => {
    await api.database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', place.cardId).execute();
    expect((await recharge('later')).envelope.message.error).toBe('card.not_usable');
    await api.database.db.updateTable('cards').set({ state: 'active' }).where('id', '=', place.cardId).execute();
    expect((await recharge('later')).status).toBe(200);
  });

  test('a process that dies before the commit leaves nothing: the retry does it', async () => {
    const before = await countRecharges();
    const { pool } = api.database;
    const holder = await pool.connect();
    await holder.query('begin; lock table audit_entries in access exclusive mode');
    const asked = recharge('killed');
    // The money has moved and the audit entry waits: here the connection is cut, as when the process is killed.
    const waiting = () =>
      pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    await pool.query('select pg_terminate_backend($1)', [(await waiting()).rows[0]?.pid]);
    const lost = await asked;
    await holder.query('rollback');
    holder.release();
    expect(lost.status).toBe(503);
    expect(await countRecharges()).toBe(before);
    expect((await recharge('killed')).status).toBe(200);
    expect(await countRecharges()).toBe(before + 1);
  });

  test('an answer with a secret in it is kept, but not so that the database could tell it', async () => {
    const body = {
      number: 'SECRET-1',
      name: 'Secret',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: place.siteId,
      connectorCount: 1,
      maxPowerKw: 60,
    };
    const first = await api.post<{ password: string }>('/stations', body, { key: 'with-secret' });
    const again = await api.post<{ password: string }>('/stations', body, { key: 'with-secret' });
    expect(first.data.password).toHaveLength(20);
    expect(again.data.password).toBe(first.data.password);
    const rows = await api.database.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(first.data.password);
    expect(JSON.stringify(rows)).not.toContain('with-secret');
    const stations = await api.database.db.selectFrom('stations').select('password_hash').execute();
    expect(JSON.stringify(stations)).not.toContain(first.data.password);
    const audits = await api.database.db.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(audits)).not.toContain(first.data.password);
  });

  test('money is not moved without a key, and the refusal names the header in both languages', async () => {
    const before = await countRecharges();
    const body = { cardNumber: place.cardNumber, amountFen: 500 };
    for (const [language, words] of [
      ['en', 'Send the header Idempotency-Key'],
      ['zh-CN', '请求头 Idempotency-Key'],
    ] as const) {
      const refused = await api.post('/recharges', body, { key: null, language });
      expect(refused.envelope.message).toMatchObject({ status: 400, error: 'request.key_missing' });
      expect(refused.envelope.message.message).toContain(words);
    }
    const empty = await api.post('/recharges', body, { key: '' });
    expect(empty.envelope.message.error).toBe('request.key_missing');
    expect(await countRecharges()).toBe(before);
  });

  test('every route that moves money requires a key, and the description of the API says so', async () => {
    const moving = Object.keys(auditActions).filter((action) => auditActions[action as AuditAction] === 'money');
    const required = [...routes.values()].filter(({ idempotency }) => idempotency === 'required');
    // Each kind of act on money in the audit log is one route, and placing an order holds money.
    expect(required).toHaveLength(moving.length + 1);
    const description = JSON.parse((await api.app.inject({ url: '/api/openapi.json' })).body);
    for (const route of required) {
      const { parameters } = description.paths[`/api${route.path}`][route.method.toLowerCase()];
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'idempotency-key', required: true }));
    }
    const making = description.paths['/api/customers'].post.parameters;
    expect(making).toContainEqual(expect.objectContaining({ name: 'idempotency-key', required: false }));
  });

  test('a key that cannot be a header or is too long is named', async () => {
    const long = await recharge('k'.repeat(129));
    expect(long.envelope.message.fields).toMatchObject([{ path: 'Idempotency-Key', code: 'too_long' }]);
  });
});
