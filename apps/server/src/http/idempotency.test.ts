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
  test('a repeated request gets its first answer and moves money once', async () => {
    const first = await recharge('pay-once');
    const again = await recharge('pay-once');
    expect(again.envelope).toEqual(first.envelope);
    expect(await countRecharges()).toBe(1);
  });

  test('a key reused for another request is refused', async () => {
    await recharge('mine');
    const other = await recharge('mine', 501, { language: 'en' });
    expect(other.status).toBe(422);
    expect(other.envelope.message.error).toBe('request.repeated_differently');
  });

  test('the same key of another user is a different key', async () => {
    const { token } = await api.addUser({ name: 'cashier', permissions: ['recharge.create'] });
    const mine = await recharge('shared');
    const theirs = await recharge('shared', 500, { token });
    expect(theirs.status).toBe(200);
    expect(theirs.data.id).not.toBe(mine.data.id);
  });

  test('ten simultaneous requests with one key move money once, and the others get the answer or have to wait', async () => {
    const before = await countRecharges();
    const answers = await Promise.all(Array.from({ length: 10 }, () => recharge('storm')));
    expect(await countRecharges()).toBe(before + 1);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(new Set(refusals.map(({ envelope }) => envelope.message.error))).toEqual(new Set(['request.in_progress']));
    expect((await recharge('storm')).status).toBe(200);
  });

  test('simultaneous requests with one key at two nodes move money once', async () => {
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

  test('a refused request is forgotten, so the same key works once the cause is gone', async () => {
    await api.database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', place.cardId).execute();
    expect((await recharge('later')).envelope.message.error).toBe('card.not_usable');
    await api.database.db.updateTable('cards').set({ state: 'active' }).where('id', '=', place.cardId).execute();
    expect((await recharge('later')).status).toBe(200);
  });

  test('a process that dies before the commit leaves nothing, and the retry takes effect', async () => {
    const before = await countRecharges();
    const { pool } = api.database;
    const holder = await pool.connect();
    await holder.query('begin; lock table audit_entries in access exclusive mode');
    const asked = recharge('killed');
    // The money has moved and the audit entry waits; cut the connection here, like a killed process.
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

  test('a stored answer with a secret is sealed, so that the database alone does not reveal it', async () => {
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

  test('money does not move without a key, and the refusal names the header in both languages', async () => {
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
    const required = [...routes].flatMap(([name, route]) =>
      route.idempotency === 'required' ? [[name, route] as const] : [],
    );
    // An order holds money, a test run starts a charge, and a decision carries out what was asked.
    expect(required.map(([name]) => name).sort()).toEqual([
      'acceptOrder',
      'acceptOrders',
      'addDividerTerms',
      'addDividerTermsAtSites',
      'adjustCredit',
      'allocateToMembers',
      'assignStop',
      'cancelCard',
      'closeSettlementPeriods',
      'correctOrderShares',
      'createAgentWithdrawal',
      'createDivider',
      'createGift',
      'createGiftDeduction',
      'createInvoice',
      'createRecharge',
      'createRechargeCode',
      'createTransfer',
      'createWithdrawal',
      'decideApproval',
      'depositForPartner',
      'dismissOrder',
      'endReconciliationDifference',
      'failAgentWithdrawal',
      'giveCoupon',
      'mergeCustomer',
      'payAgentWithdrawal',
      'payOutSettlementPeriods',
      'payPartner',
      'payWithdrawalByHand',
      'placeOrder',
      'rechargeAgent',
      'rechargeGroup',
      'redLetterInvoice',
      'refundOrder',
      'refundRecharge',
      'refundRoamingCharge',
      'replaceCard',
      'retryAgentWithdrawal',
      'retryInvoice',
      'retryRefund',
      'retryWithdrawal',
      'returnAgentWithdrawal',
      'reverseLedgerTransfer',
      'reverseRecharge',
      'reviewAgentWithdrawal',
      'reviewAgentWithdrawals',
      'reviewInvoice',
      'reviewInvoices',
      'reviewWithdrawal',
      'reviewWithdrawals',
      'sealReconciliationDay',
      'sendBackPayment',
      'settleOrder',
      'settleRoamingCharge',
      'startTestRun',
      'stateWithdrawalOutcome',
      'takeBackFromMembers',
      'upholdPartnerCharge',
      'upholdRoamingCharge',
      'voidInvoice',
      'voidInvoices',
      'withdrawApproval',
      'writeOffDebt',
      'writeOffRoamingDebt',
    ]);
    const description = JSON.parse((await api.app.inject({ url: '/api/openapi.json' })).body);
    for (const [, route] of required) {
      const { parameters } = description.paths[`/api${route.path}`][route.method.toLowerCase()];
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'idempotency-key', required: true }));
    }
    const making = description.paths['/api/customers'].post.parameters;
    expect(making).toContainEqual(expect.objectContaining({ name: 'idempotency-key', required: false }));
  });

  test('every write of a signed-in caller takes a key, and reads and public calls take none', async () => {
    const description = JSON.parse((await api.app.inject({ url: '/api/openapi.json' })).body);
    const takes = (method: string, path: string) =>
      (description.paths[path][method].parameters as { name: string }[]).some(({ name }) => name === 'idempotency-key');
    const wrong = [...routes.values()].filter(
      (route) =>
        takes(route.method.toLowerCase(), `/api${route.path}`) !==
        (route.method !== 'GET' && route.permission !== 'public' && route.idempotency !== 'none'),
    );
    expect(wrong).toEqual([]);
    expect([...routes.values()].filter(({ idempotency }) => idempotency === 'none')).toEqual([
      routes.get('testConnection'),
      routes.get('explainFrames'),
    ]);
  });

  test('a repeated change and a repeated deletion get their first answers and happen once', async () => {
    const site = { name: 'Twice', regionCode: '440305', address: 'x', longitude: 114, latitude: 22.5 };
    const { data } = await api.post<{ id: number }>('/sites', site);
    const change = () => api.ask('PUT', `/sites/${data.id}`, { body: { ...site, name: 'Once' }, key: 'change-site' });
    const remove = () => api.ask('DELETE', `/sites/${data.id}`, { key: 'delete-site' });
    const changed = await change();
    expect(changed.status).toBe(200);
    expect((await change()).envelope).toEqual(changed.envelope);
    const removed = await remove();
    expect(removed.status).toBe(200);
    expect((await remove()).envelope).toEqual(removed.envelope);
    expect((await api.ask('DELETE', `/sites/${data.id}`)).status).toBe(404);
    const audits = await api.database.db
      .selectFrom('audit_entries')
      .select('action')
      .where('record_kind', '=', 'site')
      .where('record_id', '=', String(data.id))
      .execute();
    expect(audits.map(({ action }) => action).sort()).toEqual(['site.change', 'site.create', 'site.delete']);
  });

  test('a key reused for another record named in the query is refused', async () => {
    const add = (key: string) => api.post<{ id: number }>('/sysConfig/addConfig', { name: key, key, value: '' });
    const [one, other] = [(await add('query.one')).data, (await add('query.other')).data];
    const remove = (id: number) => api.ask('DELETE', `/sysConfig/deleteById?id=${id}`, { key: 'by-query' });
    expect((await remove(one.id)).status).toBe(200);
    expect((await remove(other.id)).envelope.message.error).toBe('request.repeated_differently');
  });

  test('a repeated upload stores the file once', async () => {
    const boundary = 'twice';
    const send = () =>
      api.ask<{ id: number }>('POST', '/files?purpose=document', {
        key: 'upload',
        body: [
          `--${boundary}`,
          'content-disposition: form-data; name="file"; filename="twice.txt"',
          'content-type: text/plain',
          '',
          'twice',
          `--${boundary}--`,
          '',
        ].join('\r\n'),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
    const first = await send();
    expect(first.status).toBe(200);
    expect((await send()).envelope).toEqual(first.envelope);
    expect((await api.get<{ total: number }>('/files?name=twice')).data.total).toBe(1);
  });

  test('a repeated change of the caller’s own password is answered, although it ended the session', async () => {
    const { token } = await api.addUser({ name: 'renewer', permissions: [] });
    const body = { password: 'staple-me-gently', newPassword: 'wide river 7' };
    const change = (key: string | null, given = token) => api.post('/changePwd', body, { token: given, key });
    expect((await change('renew')).status).toBe(200);
    expect((await change('renew')).status).toBe(200);
    // With another key, no key, another session or another password, the session is over.
    expect((await change('renew-again')).status).toBe(401);
    expect((await change(null)).status).toBe(401);
    expect((await change('renew', `${token}x`)).status).toBe(401);
    const other = await api.post('/changePwd', { ...body, newPassword: 'x'.repeat(9) }, { token, key: 'renew' });
    expect(other.status).toBe(401);
  });

  test('a key that is too long or cannot be a header is a named fault', async () => {
    const long = await recharge('k'.repeat(129));
    expect(long.envelope.message.fields).toMatchObject([{ path: 'Idempotency-Key', code: 'too_long' }]);
  });
});
