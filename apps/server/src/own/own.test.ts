import { text } from 'node:stream/consumers';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type {
  OwnBalance,
  OwnCard,
  OwnInvoice,
  OwnOrder,
  OwnOrderDetail,
  OwnProfile,
  OwnRecharge,
  OwnWithdrawal,
  ScannedPort,
} from '@voltdeck/contract/own';
import { customerRoutes, routes } from '@voltdeck/contract/routes';
import type { Withdrawal } from '@voltdeck/contract/withdrawals';
import { customerAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import type { CustomerId } from '@voltdeck/units/id';
import { dayMs, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeLimits } from '../access/sms-codes.ts';
import { playHolder } from '../bus/test-station-holder.ts';
import { customerSessionIdleMs, customerSessionKeptMs, customerSessionsMax } from '../caller/customer-sessions.ts';
import type { ReturnFound } from '../channels/payment-channel.ts';
import { takeReturnFound } from '../channels/take-return-found.ts';
import { deliverNotifications, embeddedChannels } from '../channels/test-channels.ts';
import { type Answer, type Ask, openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { workInvoice } from '../invoices/work-invoice.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { chargesAtOnceMax } from '../orders/refusal-of-customer.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import type { CodeMessage } from '../sms/sms-sender.ts';
import { feedbacksPerDayMax } from './feedbacks.ts';
import { readQr } from './find-connector.ts';
import { ownStreamLimits } from './own-streams.ts';
import { rechargesPerDayMax } from './recharges.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
let api: TestApi;
const messages: CodeMessage[] = [];
let networks = 0;

beforeAll(async () => {
  api = await openTestApi({
    channelsOf: embeddedChannels(),
    sms: {
      async sendCode(message) {
        messages.push(message);
        return { ok: true, value: null };
      },
    },
  });
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
});
/** The console's session, after a test that months passed in. */
const signedInAgain = async () => (await api.logIn('admin', 'correct horse battery')).data.token;
afterAll(async () => {
  const token = await signedInAgain();
  expect((await api.get('/ledger/proof', { token })).data).toMatchObject({ sumFen: 0 });
  await api.close();
});

/** Each from a network of its own, so that the limits of one test are not those of another. */
const elsewhere = (): Ask => {
  networks += 1;
  return { token: null, language: 'en', headers: { 'x-forwarded-for': `198.51.${networks >> 8}.${networks & 255}` } };
};

const later = (ms: number) => {
  api.clock.now = instant((api.clock.now ?? now) + ms);
};

/** Enters with the code of a message, as a phone does. */
async function enter(phone: string): Promise<{ token: string; customer: OwnProfile }> {
  later(2 * minuteMs);
  const ask = elsewhere();
  const sent = await api.post('/my/codes', { phone }, ask);
  expect(sent.envelope.message).toMatchObject({ status: 200 });
  const code = messages.at(-1)?.code ?? '';
  const opened = await api.post<{ token: string; customer: OwnProfile }>('/my/sessions', { phone, code }, ask);
  expect(opened.envelope.message).toMatchObject({ status: 200 });
  return opened.data;
}

async function giveMoney(id: CustomerId, amountFen: number): Promise<void> {
  networks += 1;
  const made = rechargeTransfer({
    id: 5_000_000 + networks,
    channel: 'front-desk',
    wallet: customerAccount(id),
    amountFen: fen(amountFen),
  });
  if (!made.ok) throw new Error(made.error.code);
  await api.database.db.transaction().execute((trx) => postTransfer(trx, made.value, now));
}

type Side = { place: Place; token: string; qr: string; asked: StationCommand[]; outcome: { next: CommandOutcome } };

/** A place with a connected station, and its customer, signed in. */
async function side(name: string, { balanceFen = 5_000 }: { balanceFen?: number } = {}): Promise<Side> {
  const place = await makePlace(api.database, null, name);
  const { db } = api.database;
  await db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
  await db.updateTable('connectors').set({ state: 'plugged_in' }).where('station_id', '=', place.stationId).execute();
  const asked: StationCommand[] = [];
  const outcome: Side['outcome'] = { next: { kind: 'accepted' } };
  playHolder(api.context.bus, place.stationNumber, async (command) => {
    asked.push(command);
    return outcome.next;
  });
  const { token } = await enter(place.phone);
  if (balanceFen > 0) await giveMoney(place.customerId, balanceFen);
  return { place, token, qr: `${place.stationNumber}-1`, asked, outcome };
}

const as = (token: string, more: Ask = {}): Ask => ({ token, language: 'en', ...more });
const errorOf = ({ envelope }: Answer) => envelope.message.error;
const start = (mine: Side, more: Ask = {}, body: object = {}) =>
  api.post<OwnOrderDetail>('/my/orders', { qr: mine.qr, ...body }, as(mine.token, more));

describe('signing in', () => {
  test('a phone that nobody has becomes a customer, and the same phone is the same customer ever after', async () => {
    const first = await enter('13700000001');
    expect(first.customer).toMatchObject({ phone: '13700000001', nickname: '137****0001' });
    expect(messages.at(-1)).toMatchObject({ purpose: 'sign_in', phone: '13700000001' });
    expect((await api.get('/my/profile', as(first.token))).data).toEqual(first.customer);
    const second = await enter('13700000001');
    expect(second.customer.id).toBe(first.customer.id);
    expect(second.token).not.toBe(first.token);
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select('record_id')
      .where('action', '=', 'customer.create')
      .execute();
    expect(audited).toEqual([{ record_id: String(first.customer.id) }]);
  });

  test('a code opens one session, only for its phone and its purpose', async () => {
    later(2 * minuteMs);
    const ask = elsewhere();
    await api.post('/my/codes', { phone: '13700000002' }, ask);
    const code = messages.at(-1)?.code ?? '';
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(errorOf(await api.post('/my/sessions', { phone: '13700000002', code: wrong }, ask))).toBe('sms.code_wrong');
    expect(errorOf(await api.post('/my/sessions', { phone: '13700000003', code }, ask))).toBe('sms.code_wrong');
    const password = 'lamps by the lake';
    const registration = { phone: '13700000002', code, password, confirmPassword: password };
    expect(errorOf(await api.post('/registerUser/register', registration, ask))).toBe('sms.code_wrong');
    expect((await api.post('/my/sessions', { phone: '13700000002', code }, ask)).status).toBe(200);
    expect(errorOf(await api.post('/my/sessions', { phone: '13700000002', code }, ask))).toBe('sms.code_wrong');
  });

  test('a phone gets one code a minute, and a third one needs a captcha', async () => {
    later(2 * minuteMs);
    const send = () => api.post('/my/codes', { phone: '13700000004' }, elsewhere());
    expect((await send()).status).toBe(200);
    const soon = await send();
    expect([errorOf(soon), soon.status]).toEqual(['sms.too_soon', 429]);
    expect(Number(soon.headers['retry-after'])).toBeGreaterThan(0);
    later(2 * minuteMs);
    expect((await send()).status).toBe(200);
    later(2 * minuteMs);
    expect(errorOf(await send())).toBe('captcha.needed');
  });

  test('sign-in codes have limits of their own, so that customers never use up what people of the console need', async () => {
    later(2 * dayMs);
    const sent_at = api.clock.now ?? now;
    const rows = Array.from({ length: codeLimits.sign_in.perHour }, (_, index) => ({
      phone: String(13_600_000_000 + index),
      purpose: 'sign_in' as const,
      code_hash: Buffer.from(''),
      remote_address: `203.0.${index >> 8}.${index & 255}`,
      sent_at,
      expires_at: sent_at,
    }));
    await api.database.db.insertInto('sms_codes').values(rows).execute();
    expect(errorOf(await api.post('/my/codes', { phone: '13700000005' }, elsewhere()))).toBe('sms.used_up');
    expect((await api.post('/registerUser/mobileCode', { phone: '13700000005' }, elsewhere())).status).toBe(200);
    later(2 * dayMs);
  });

  test('a session ends by signing out, after 90 idle days, and with the oldest when a customer has too many', async () => {
    const { token } = await enter('13700000006');
    expect((await api.ask('DELETE', '/my/sessions/current', as(token))).status).toBe(200);
    expect(errorOf(await api.get('/my/profile', as(token)))).toBe('session.missing');
    const { token: idle, customer } = await enter('13700000006');
    const { id } = await api.database.db
      .selectFrom('customer_sessions')
      .select('id')
      .where('ended_at', 'is', null)
      .where('customer_id', '=', customer.id)
      .executeTakeFirstOrThrow();
    const openMany = api.database.db.transaction().execute(async (trx) => {
      const { createCustomerSessions } = await import('../caller/customer-sessions.ts');
      const sessions = createCustomerSessions(api.database.db);
      for (let opened = 0; opened < customerSessionsMax; opened++) {
        await sessions.open(trx, customer.id, api.clock.now ?? now, { remoteAddress: '', userAgent: '' });
      }
    });
    await openMany;
    const ended = await api.database.db
      .selectFrom('customer_sessions')
      .select('ended_because')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(ended.ended_because).toBe('too_many');
    later(customerSessionKeptMs);
    expect(errorOf(await api.get('/my/profile', as(idle)))).toBe('session.replaced');
    const { token: forgotten } = await enter('13700000007');
    later(customerSessionIdleMs + minuteMs);
    expect(errorOf(await api.get('/my/profile', as(forgotten)))).toBe('session.expired');
  });

  test('disabling a customer ends their sessions for good and refuses new ones with a reason', async () => {
    const { token, customer } = await enter('13700000008');
    const turn = (state: 'normal' | 'disabled') =>
      api.database.db.updateTable('customers').set({ state }).where('id', '=', customer.id).execute();
    expect((await api.get('/my/profile', as(token))).status).toBe(200);
    await turn('disabled');
    later(customerSessionKeptMs);
    const refused = await api.get('/my/profile', as(token));
    expect([refused.status, errorOf(refused)]).toEqual([403, 'my.disabled']);
    later(2 * minuteMs);
    const ask = elsewhere();
    await api.post('/my/codes', { phone: customer.phone }, ask);
    const again = await api.post('/my/sessions', { phone: customer.phone, code: messages.at(-1)?.code }, ask);
    expect(errorOf(again)).toBe('my.disabled');
    expect(again.envelope.message.message).toContain('disabled');
    await turn('normal');
    later(customerSessionKeptMs);
    expect(errorOf(await api.get('/my/profile', as(token)))).toBe('session.replaced');
  });

  test('the phone of a merged record opens neither it nor the record it was merged into', async () => {
    const { token, customer } = await enter('13700000021');
    const into = (await enter('13700000022')).customer;
    await api.database.db
      .updateTable('customers')
      .set({ state: 'merged', merged_into_id: into.id })
      .where('id', '=', customer.id)
      .execute();
    later(customerSessionKeptMs);
    expect(errorOf(await api.get('/my/profile', as(token)))).toBe('session.replaced');
    for (const [language, words] of [
      ['en', 'merged into another one'],
      ['zh-CN', '已并入另一账号'],
    ] as const) {
      later(2 * minuteMs);
      const ask = { ...elsewhere(), language };
      await api.post('/my/codes', { phone: customer.phone }, ask);
      const refused = await api.post('/my/sessions', { phone: customer.phone, code: messages.at(-1)?.code }, ask);
      expect([refused.status, errorOf(refused)]).toEqual([403, 'customer.phone_merged']);
      expect(refused.envelope.message.message).toContain(words);
    }
  });

  test('the database holds no token that opens a session', async () => {
    const { token } = await enter('13700000009');
    const { rows } = await api.database.pool.query('select * from customer_sessions');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('two kinds of token', () => {
  const nameless = (path: string) => path.replaceAll('{id}', '999999999').replaceAll(/\{\w+\}/g, 'nowhere');
  const statusOf = async (
    route: { method: string; path: string; answerKind?: string | undefined },
    token: string | null,
  ) => {
    const response = await api.app.inject({
      method: route.method as 'GET',
      url: `/api${nameless(route.path)}`,
      headers: token === null ? {} : { token },
      payloadAsStream: true,
    });
    const stream = response.stream();
    if (route.answerKind === 'stream' && response.statusCode === 200) stream.destroy();
    else await text(stream);
    return response.statusCode;
  };

  test('the token of a customer opens no route of the console', async () => {
    const { token } = await enter('13700000010');
    for (const route of routes.values()) {
      if (route.permission === 'public') continue;
      expect(`${route.path} ${await statusOf(route, token)}`).toBe(`${route.path} 401`);
    }
  });

  test('the console’s tokens, an administrator’s as well, open no route of the customers', async () => {
    for (const route of customerRoutes.values()) {
      if (route.permission === 'public') continue;
      expect(`${route.path} ${await statusOf(route, api.adminToken)}`).toBe(`${route.path} 401`);
      expect(`${route.path} ${await statusOf(route, null)}`).toBe(`${route.path} 401`);
    }
  });

  test('every route of the customers is the customer’s own or public, and its description has a tag of its own', async () => {
    expect([...customerRoutes.values()].filter(({ path }) => !path.startsWith('/my/'))).toEqual([]);
    expect(new Set([...customerRoutes.values()].map(({ permission }) => permission))).toEqual(
      new Set(['public', 'customer']),
    );
    const description = (await api.app.inject('/api/openapi.json')).json();
    for (const { path, method } of customerRoutes.values()) {
      expect(description.paths[`/api${path}`][method.toLowerCase()].tags).toEqual(['my']);
    }
  });
});

describe('what is somebody else’s', () => {
  test('orders, recharges, cards and vehicles of another customer do not exist', async () => {
    const mine = await side('mine');
    const theirs = await side('theirs');
    const order = await start(theirs);
    expect(order.status).toBe(200);
    const recharge = await api.post<OwnRecharge>(
      '/my/recharges',
      { amountFen: 100, channel: 'embedded' },
      as(theirs.token),
    );
    const vehicle = await api.post<{ id: number }>(
      '/my/vehicles',
      { vin: 'LSVAM4187C2184847', cardId: theirs.place.cardId },
      as(theirs.token),
    );
    const paidOrder = await invoiceable(theirs);
    const invoice = await api.post<{ id: number }>(
      '/my/invoices',
      { orderIds: [paidOrder], titleKind: 'personal', title: 'Theirs' },
      as(theirs.token),
    );
    const title = await api.post<{ items: { id: number }[] }>(
      '/my/invoice-titles',
      { titleKind: 'personal', title: 'Theirs' },
      as(theirs.token),
    );
    expect([recharge.status, vehicle.status, invoice.status, title.status]).toEqual([200, 200, 200, 200]);
    const foreignOrder = await api.post(
      '/my/invoices',
      { orderIds: [paidOrder], titleKind: 'personal', title: 'Mine' },
      as(mine.token),
    );
    expect(foreignOrder.envelope.message.fields).toMatchObject([{ path: 'orderIds', code: 'unknown_reference' }]);
    const calls: [string, string][] = [
      ['GET', `/my/orders/${order.data.id}`],
      ['POST', `/my/orders/${order.data.id}/stops`],
      ['GET', `/my/recharges/${recharge.data.id}`],
      ['POST', `/my/cards/${theirs.place.cardId}/losses`],
      ['DELETE', `/my/vehicles/${vehicle.data.id}`],
      ['GET', `/my/invoices/${invoice.data.id}/document`],
      ['DELETE', `/my/invoice-titles/${title.data.items[0]?.id}`],
    ];
    for (const [method, path] of calls) {
      const missing = await api.ask(method, path.replace(/\d+/, '999999999'), as(mine.token));
      const foreign = await api.ask(method, path, as(mine.token));
      expect([path, foreign.status, errorOf(foreign)]).toEqual([path, 404, 'record.not_found']);
      expect(foreign.envelope.message.message).toBe(missing.envelope.message.message);
    }
    const taken = { vin: 'LSVAM4187C2184848', cardId: theirs.place.cardId };
    const foreignCard = await api.post('/my/vehicles', taken, as(mine.token));
    expect(foreignCard.envelope.message.fields).toMatchObject([{ path: 'cardId', code: 'unknown_reference' }]);
    for (const path of ['/my/orders', '/my/vehicles', '/my/feedbacks', '/my/invoices', '/my/invoice-titles']) {
      expect((await api.get<{ items: unknown[] }>(path, as(mine.token))).data.items).toEqual([]);
    }
    expect(theirs.asked.map(({ kind }) => kind)).toEqual(['start-charge']);
  });
});

describe('the port behind a QR code', () => {
  test('what is printed today, and an address that ends with it, name the same port', () => {
    expect(readQr('ST-1-2')).toEqual({ stationNumber: 'ST-1', portNumber: 2 });
    expect(readQr('https://charge.example.com/charge/ST.x_1-12')).toEqual({ stationNumber: 'ST.x_1', portNumber: 12 });
    for (const text of ['', 'ST', '-1', 'ST-', 'ST-1a', 'ST 1-2', '--1-2', 'ST-1-9999'])
      expect(readQr(text)).toBeNull();
  });

  test('anybody reads place, price of the hour, all periods and whether a charge can start', async () => {
    const { qr, place } = await side('scanned');
    const { data } = await api.get<ScannedPort>(`/my/connectors/${qr}`, elsewhere());
    expect(data).toMatchObject({
      qr,
      id: place.connectorId,
      number: 1,
      state: 'plugged_in',
      station: { number: place.stationNumber, online: true },
      site: { id: place.siteId, name: 'Site scanned' },
      free: false,
      price: { kind: 'energy', now: { period: 'flat', electricityPriceE5: 70_000, servicePriceE5: 40_000 } },
      prepayment: null,
      neededFen: 100,
      cannotStart: null,
    });
    expect(data.price).toMatchObject({ slots: [{ start: '00:00', end: '07:00', period: 'valley' }, { end: '24:00' }] });
    const link = encodeURIComponent(`https://example.com/charge/${qr}`);
    expect((await api.get<ScannedPort>(`/my/connectors/${link}`, elsewhere())).data.id).toBe(place.connectorId);
    const unknown = await api.get('/my/connectors/NOWHERE-1', elsewhere());
    expect([unknown.status, errorOf(unknown)]).toEqual([404, 'record.not_found']);
  });

  test('a port says why no charge can start there', async () => {
    const { qr, place } = await side('closed');
    const { db } = api.database;
    const why = async () => (await api.get<ScannedPort>(`/my/connectors/${qr}`, elsewhere())).data.cannotStart;
    const port = (state: 'fault' | 'charging' | 'free') =>
      db.updateTable('connectors').set({ state }).where('station_id', '=', place.stationId).execute();
    await port('fault');
    expect(await why()).toBe('connector.fault');
    await port('charging');
    expect(await why()).toBe('connector.busy');
    await port('free');
    expect(await why()).toBeNull();
    await db.updateTable('stations').set({ card_tariff_id: null }).where('id', '=', place.stationId).execute();
    expect(await why()).toBe('tariff.missing');
    await db.updateTable('stations').set({ online: false }).where('id', '=', place.stationId).execute();
    expect(await why()).toBe('station.offline');
  });

  test('sites around a place come with distance, ports and price, the nearest first, and closed ones not at all', async () => {
    const near = await side('near');
    const far = await side('far');
    const shut = await side('shut');
    const put = (place: Place, latitude: number, state: 'normal' | 'closed_for_business' = 'normal') =>
      api.database.db
        .updateTable('sites')
        .set({ longitude: 100, latitude, state })
        .where('id', '=', place.siteId)
        .execute();
    await put(near.place, 40.01);
    await put(far.place, 40.02);
    await put(shut.place, 40.01, 'closed_for_business');
    const around = (radiusM: number) =>
      api.get<{ items: { id: number; distanceM: number }[] }>(
        `/my/stations?longitude=100&latitude=40&radiusM=${radiusM}`,
        elsewhere(),
      );
    const { data } = await around(3_000);
    expect(data.items.map(({ id }) => id)).toEqual([near.place.siteId, far.place.siteId]);
    const [first] = data.items;
    expect(first?.distanceM).toBeGreaterThan(1_100);
    expect(first?.distanceM).toBeLessThan(1_120);
    expect(first).toMatchObject({
      ports: { occupied: 2, free: 0, fault: 0, offline: 0 },
      priceNowE5: { from: 110_000, to: 110_000 },
      feePerStep: null,
    });
    expect((await around(2_000)).data.items).toHaveLength(1);
  });
});

describe('a charge', () => {
  test('a charge starts on the balance, is found among the running ones, and stops when its customer asks', async () => {
    const mine = await side('charge');
    const first = await start(mine, { key: 'once' });
    expect(first.data).toMatchObject({ state: 'placed', heldFen: 5_000, stationNumber: mine.place.stationNumber });
    expect((await start(mine, { key: 'once' })).data.id).toBe(first.data.id);
    expect(mine.asked).toHaveLength(1);
    const { id } = first.data;
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data).toEqual({
      balanceFen: 0,
      paidFen: 0,
      giftFen: 0,
      heldFen: 5_000,
      frozenFen: 0,
      owedFen: 0,
    });
    const running = await api.get<{ items: OwnOrder[] }>('/my/orders?group=running', as(mine.token));
    expect(running.data.items.map((order) => order.id)).toEqual([id]);
    const early = await api.post(`/my/orders/${id}/stops`, undefined, as(mine.token));
    expect(errorOf(early)).toBe('order.not_charging');
    await api.database.db
      .updateTable('orders')
      .set({ state: 'charging', started_at: now })
      .where('id', '=', id)
      .execute();
    const stopped = await api.post(`/my/orders/${id}/stops`, undefined, as(mine.token));
    expect(stopped.data).toEqual({ agreed: true });
    expect(mine.asked.map(({ kind }) => kind)).toEqual(['start-charge', 'stop-charge']);
    const after = await api.get<OwnOrderDetail>(`/my/orders/${id}`, as(mine.token));
    expect(after.data.stopAskedAt).not.toBeNull();
    const stored = await api.database.db
      .selectFrom('orders')
      .select(['start_mode', 'payment_type', 'customer_id', 'card_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({
      start_mode: 'scan',
      payment_type: 'online',
      customer_id: mine.place.customerId,
      card_id: null,
    });
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'user_id'])
      .where('record_kind', '=', 'order')
      .where('record_id', '=', String(id))
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { action: 'order.start', user_id: null },
      { action: 'order.stop', user_id: null },
    ]);
  });

  test('a start without an Idempotency-Key is refused', async () => {
    const mine = await side('keyless');
    expect(errorOf(await start(mine, { key: null }))).toBe('request.key_missing');
    expect(mine.asked).toEqual([]);
  });

  test('the same key of a user of the console is another one', async () => {
    const mine = await side('keys');
    await api.database.db
      .insertInto('idempotency_keys')
      .values({
        caller_kind: 'user',
        caller_id: mine.place.customerId,
        key: 'x',
        route: 'x',
        request_hash: Buffer.alloc(0),
        created_at: now,
      })
      .execute();
    expect((await start(mine, { key: 'x' })).status).toBe(200);
  });

  test('a start is refused for too little money, a debt, a busy port, a silent station and an unknown code', async () => {
    const poor = await side('poor', { balanceFen: 0 });
    expect(errorOf(await start(poor))).toBe('balance.insufficient');
    await makeSettledOrder(api.database, poor.place, {
      electricityFeeFen: 3_000,
      serviceFeeFen: 0,
      payer: 'customer',
      settledAt: now,
    });
    expect(errorOf(await start(poor))).toBe('balance.in_debt');
    expect((await api.get<OwnBalance>('/my/balance', as(poor.token))).data.owedFen).toBe(3_000);
    const rich = await side('rich');
    expect(errorOf(await start({ ...rich, qr: 'NOWHERE-1' }))).toBe('record.not_found');
    rich.outcome.next = { kind: 'timed-out' };
    expect(errorOf(await start(rich))).toBe('station.no_answer');
    // The hold of the refused start is released.
    expect((await api.get<OwnBalance>('/my/balance', as(rich.token))).data).toMatchObject({
      paidFen: 5_000,
      heldFen: 0,
    });
    rich.outcome.next = { kind: 'accepted' };
    expect((await start(rich)).status).toBe(200);
    expect(errorOf(await start({ ...rich, token: (await side('second')).token }))).toBe('connector.busy');
    await api.database.db
      .updateTable('stations')
      .set({ online: false })
      .where('id', '=', rich.place.stationId)
      .execute();
    expect(errorOf(await start({ ...rich, qr: `${rich.place.stationNumber}-2` }))).toBe('station.offline');
  });

  test('a customer has a handful of charges at once', async () => {
    const mine = await side('many');
    const second = await api.get<ScannedPort>(`/my/connectors/${mine.place.stationNumber}-2`, elsewhere());
    for (let made = 0; made < chargesAtOnceMax; made++) {
      await makeOrder(api.database, mine.place, now, {
        state: 'placed',
        payment_state: 'unpaid',
        connector_id: second.data.id,
        ended_at: null,
        settled_at: null,
      });
    }
    expect(errorOf(await start(mine))).toBe('my.too_many_charges');
  });

  test('where the rule has choices, one of them has to be paid for, as it was offered', async () => {
    const mine = await side('choices');
    const choice = { amountFen: 200, hours: 4, energyWh: null };
    const detail = {
      kind: 'hour',
      stepMinutes: 60,
      measuredBy: 'average',
      longestRunHours: 12,
      tiers: [{ fromW: 0, toW: null, feeFenPerStep: 50 }],
      prepayment: { kind: 'fixed', choices: [choice] },
    };
    await api.database.db
      .updateTable('tariffs')
      .set({ kind: 'hour', detail: JSON.stringify(detail) })
      .where('id', '=', mine.place.tariffId)
      .execute();
    const { data } = await api.get<ScannedPort>(`/my/connectors/${mine.qr}`, elsewhere());
    expect(data).toMatchObject({ neededFen: 200, prepayment: { kind: 'fixed', choices: [choice] } });
    const refused = await start(mine);
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'choice', code: 'required' }]);
    const other = await start(mine, {}, { choice: { ...choice, amountFen: 100, kind: 'fixed' } });
    expect(errorOf(other)).toBe('order.choice_changed');
    const started = await start(mine, {}, { choice: { ...choice, kind: 'fixed' } });
    expect(started.data).toMatchObject({ heldFen: 200, chosen: choice });
  });

  test('an ended charge shows its bill with lines, discount and payment, page by page', async () => {
    const mine = await side('bill');
    const ids: number[] = [];
    for (let made = 0; made < 3; made++) {
      ids.unshift(await makeOrder(api.database, mine.place, instant(now - (10 - made) * minuteMs)));
    }
    await api.database.db
      .insertInto('order_lines')
      .values({
        order_id: ids[0] as never,
        line: 1,
        kind: 'energy',
        from_at: now,
        to_at: now,
        period: 'flat',
        energy_wh: 10_000 as never,
        electricity_price_e5: priceE5(70_000),
        service_price_e5: priceE5(40_000),
        electricity_fee_fen: fen(700),
        service_fee_fen: fen(400),
      })
      .execute();
    const { data } = await api.get<OwnOrderDetail>(`/my/orders/${ids[0]}`, as(mine.token));
    expect(data).toMatchObject({ state: 'completed', amountFen: 1_100, paidFen: 1_100, discountFen: 0, owedFen: 0 });
    expect(data.lines).toMatchObject([{ kind: 'energy', period: 'flat', electricityFeeFen: 700 }]);
    const page = async (after: string | null) =>
      (
        await api.get<{ items: OwnOrder[]; next: string | null }>(
          `/my/orders?limit=2${after === null ? '' : `&after=${after}`}`,
          as(mine.token),
        )
      ).data;
    const first = await page(null);
    const second = await page(first.next);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.next).toBeNull();
  });

  test('a charge shows its payer the refunds that were made, and none that failed or still waits', async () => {
    const { place, token } = await side('refunded');
    const settledAt = api.clock.now ?? now;
    const bill = { electricityFeeFen: 600, serviceFeeFen: 400, payer: 'customer', settledAt } as const;
    const orderId = await makeSettledOrder(api.database, place, bill);
    const refund = { order_id: orderId, site_id: place.siteId, customer_id: place.customerId, reason: 'x' };
    const parts = { electricity_fee_fen: fen(0), service_fee_fen: fen(0), created_at: settledAt };
    for (const [index, state] of (['failed', 'processing', 'untreated', 'closed'] as const).entries()) {
      await api.database.db
        .insertInto('order_refunds')
        .values({ ...refund, ...parts, number: `own-${state}`, state, amount_fen: fen(100 + index) })
        .execute();
    }
    const body = { amountFen: 250, reason: 'The gun was broken' };
    const made = await api.post(`/orders/${orderId}/refunds`, body, { token: await signedInAgain() });
    expect(made.envelope.message).toMatchObject({ status: 200 });
    const { data } = await api.get<OwnOrderDetail>(`/my/orders/${orderId}`, as(token));
    expect(data.refunds.map(({ amountFen }) => amountFen)).toEqual([250]);
    expect(data.refundedFen).toBe(250);
  });

  test('the stream tells a customer of their own charge and nobody else of it', async () => {
    const mine = await side('stream');
    const other = await side('other');
    const open = async (token: string) => {
      const response = await api.app.inject({ url: '/api/my/events', headers: { token }, payloadAsStream: true });
      return { status: response.statusCode, stream: response.stream() };
    };
    const { stream } = await open(mine.token);
    const { stream: foreign } = await open(other.token);
    let heard = '';
    let overheard = '';
    stream.on('data', (chunk) => {
      heard += String(chunk);
    });
    foreign.on('data', (chunk) => {
      overheard += String(chunk);
    });
    mine.outcome.next = { kind: 'timed-out' };
    await start(mine);
    await expect.poll(() => heard).toContain('"kind":"order-changed"');
    expect(heard).toContain('"state":"cancelled"');
    expect(overheard).not.toContain('order-changed');
    const more = await Promise.all(Array.from({ length: ownStreamLimits.perCustomer }, () => open(mine.token)));
    expect(more.map(({ status }) => status).sort()).toEqual([...Array(ownStreamLimits.perCustomer - 1).fill(200), 429]);
    for (const one of [stream, foreign, ...more.map((each) => each.stream)]) one.destroy();
  });
});

/** A paid order at a site that issues invoices. */
async function invoiceable({ place }: Side) {
  const { db } = api.database;
  await db.updateTable('sites').set({ invoice_available: true }).where('id', '=', place.siteId).execute();
  return makeOrder(api.database, place, now);
}

describe('invoices', () => {
  test('a customer applies for own orders under a kept title, and gets the document once it is issued', async () => {
    const mine = await side('invoices');
    const orderId = await invoiceable(mine);
    const orders = await api.get<{ items: object[] }>('/my/invoice-orders', as(mine.token));
    expect(orders.data.items).toMatchObject([{ orderId, amountFen: 1_100, obstacle: null, sellerName: null }]);
    const company = { titleKind: 'company', title: 'Mine Ltd', taxNumber: '91350100M000100Y43' };
    const first = { ...company, isDefault: true };
    expect((await api.post('/my/invoice-titles', { titleKind: 'personal', title: 'Me' }, as(mine.token))).status).toBe(
      200,
    );
    const titles = await api.post<{ items: { id: number }[] }>('/my/invoice-titles', first, as(mine.token));
    expect(titles.data.items).toMatchObject([
      { title: 'Mine Ltd', isDefault: true },
      { title: 'Me', isDefault: false },
    ]);

    const key = { key: 'one-invoice' };
    const body = { orderIds: [orderId], ...company };
    const applied = await api.post<OwnInvoice>('/my/invoices', body, as(mine.token, key));
    expect(applied.data).toMatchObject({ state: 'waiting', amountFen: 1_100, title: 'Mine Ltd', hasDocument: false });
    expect((await api.post<OwnInvoice>('/my/invoices', body, as(mine.token, key))).data.id).toBe(applied.data.id);
    const { id } = applied.data;
    const document = `/my/invoices/${id}/document`;
    expect(errorOf(await api.get(document, as(mine.token)))).toBe('invoice.no_document');
    const passed = await api.post(`/invoices/${id}/reviews`, { decision: 'pass' }, { token: await signedInAgain() });
    expect(passed.status).toBe(200);
    await workInvoice(api.context, id);
    const { items } = (await api.get<{ items: OwnInvoice[] }>('/my/invoices', as(mine.token))).data;
    expect(items).toMatchObject([{ id, state: 'invoiced', hasDocument: true, failure: null }]);
    const file = await api.get(document, as(mine.token));
    expect([file.headers['content-type'], file.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);

    const [kept] = titles.data.items;
    expect((await api.ask('DELETE', `/my/invoice-titles/${kept?.id}`, as(mine.token))).status).toBe(200);
    const left = await api.get<{ items: object[] }>('/my/invoice-titles', as(mine.token));
    expect(left.data.items).toMatchObject([{ title: 'Me', isDefault: true }]);
  });
});

describe('money, cards, vehicles and feedback', () => {
  test('a recharge by code comes to the balance once it was paid, and shows among the movements', async () => {
    const mine = await side('recharge', { balanceFen: 0 });
    expect((await api.get('/my/payment-channels', elsewhere())).data).toEqual({ channels: ['embedded'] });
    const begun = await api.post<OwnRecharge & { pageUrl: string }>(
      '/my/recharges',
      { amountFen: 2_000, channel: 'embedded' },
      as(mine.token),
    );
    expect(begun.data).toMatchObject({ state: 'paying', amountFen: 2_000 });
    const pay = `${new URL(begun.data.pageUrl).pathname}/acts`;
    expect((await api.post(pay, { act: 'pay' }, elsewhere())).status).toBe(200);
    await deliverNotifications(api);
    const paid = await api.get<OwnRecharge>(`/my/recharges/${begun.data.id}`, as(mine.token));
    expect(paid.data.state).toBe('paid');
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data.paidFen).toBe(2_000);
    const moves = await api.get<{ items: object[] }>('/my/movements', as(mine.token));
    expect(moves.data.items).toMatchObject([{ type: 'recharge', paidFen: 2_000, paidAfterFen: 2_000 }]);
    const off = await api.post('/my/recharges', { amountFen: 2_000, channel: 'wechat' }, as(mine.token));
    expect(errorOf(off)).toBe('channel.off');
  });

  test('a customer has three unpaid recharges open and begins thirty a day, also by requests at once', async () => {
    const mine = await side('recharge-limits', { balanceFen: 0 });
    const ask = (language = 'en') =>
      api.post<OwnRecharge & { pageUrl: string }>(
        '/my/recharges',
        { amountFen: 100, channel: 'embedded' },
        { ...as(mine.token), language: language as 'en' },
      );
    const begun = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(begun.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect((await ask()).envelope.message).toMatchObject({
      error: 'my.too_many_open_recharges',
      message: expect.stringMatching(/^You have 3 unpaid recharges open. Pay one of them, or try again in \d+ s$/),
    });
    expect((await ask('zh-CN')).envelope.message.message).toMatch(
      /^您有 3 笔充值尚未支付，请先完成支付，或 \d+ 秒后再试$/,
    );
    const paid = begun.find(({ status }) => status === 200);
    await api.post(`${new URL(paid?.data.pageUrl ?? '').pathname}/acts`, { act: 'pay' }, elsewhere());
    await deliverNotifications(api);
    expect((await ask()).status).toBe(200);
    expect(errorOf(await ask())).toBe('my.too_many_open_recharges');
    const { pool } = api.database;
    const close = () =>
      pool.query(
        `update channel_payments set state = 'closed', next_look_at = null, ended_at = now()
          where customer_id = $1 and state = 'paying'`,
        [mine.place.customerId],
      );
    await close();
    await pool.query(
      `insert into channel_payments (number, channel, purpose, customer_id, amount_fen, title, state, page_token_hash,
                                     notify_url, expires_at, asked_by_customer_id, created_at, ended_at)
       select 'DAY' || n, 'embedded', 'recharge', $1, 100, '', 'closed', decode(lpad(n::text, 8, '0'), 'hex'), '', $3, $1, $3, $3
         from generate_series(1, $2::int) n`,
      [mine.place.customerId, rechargesPerDayMax - 5, new Date(api.clock.now ?? 0)],
    );
    expect((await ask()).status).toBe(200);
    await close();
    expect((await ask()).envelope.message).toMatchObject({
      error: 'my.too_many_recharges_today',
      message: 'You have begun 30 recharges today. Try again tomorrow',
    });
    // Neither holds for what is asked for at the desk.
    const atDesk = { customerId: mine.place.customerId, amountFen: 100, channel: 'embedded' };
    expect((await api.post('/recharge-codes', atDesk, { token: await signedInAgain() })).status).toBe(200);
  });

  test('promotions that apply now are shown, a hidden one is not shown and applies all the same', async () => {
    const mine = await side('promotions', { balanceFen: 0 });
    const token = await signedInAgain();
    const add = async (name: string, over: object) => {
      const form = { name, satisfiedFen: 2_000, giftFen: 100, effective: true, displayed: true, ...over };
      expect((await api.post('/promotions', form, { token })).status).toBe(200);
    };
    await add('shown', { giftFen: 200 });
    await add('smaller', { satisfiedFen: 1_000, timesPerPerson: 1 });
    await add('hidden', { giftFen: 300, displayed: false });
    await add('off', { effective: false });
    await add('over', { to: '2020-01-01T00:00:00Z' });
    await add('cards', { scope: 'card' });
    const shown = async () => {
      const { data } = await api.get<{ items: { name: string }[] }>('/my/promotions', as(mine.token));
      return data.items.map(({ name }) => name);
    };
    const { data } = await api.get<{ items: object[] }>('/my/promotions', as(mine.token));
    expect(data.items).toMatchObject([
      { name: 'smaller', satisfiedFen: 1_000, giftFen: 100, to: null },
      { name: 'shown', satisfiedFen: 2_000, giftFen: 200, to: null },
    ]);
    const pay = async (amountFen: number) => {
      const begun = await api.post<OwnRecharge & { pageUrl: string }>(
        '/my/recharges',
        { amountFen, channel: 'embedded' },
        as(mine.token),
      );
      await api.post(`${new URL(begun.data.pageUrl).pathname}/acts`, { act: 'pay' }, elsewhere());
      await deliverNotifications(api);
    };
    await pay(2_000);
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data).toMatchObject({ giftFen: 300 });
    await pay(1_000);
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data).toMatchObject({ giftFen: 400 });
    expect(await shown()).toEqual(['shown']);
  });

  test('a customer applies for a withdrawal, whose money is frozen at once, and sees what became of it', async () => {
    const mine = await side('withdraw', { balanceFen: 5_000 });
    const terms = await api.get<object>('/my/withdrawal-terms', as(mine.token));
    expect(terms.data).toMatchObject({ paidFen: 5_000, owedFen: 0, ways: ['embedded', 'bank'] });
    const body = { amountFen: 3_000, way: 'embedded', payeeAccount: 'rider-7', payeeName: '李四' };
    const key = { headers: { 'idempotency-key': 'withdraw-once-0001' } };
    const apply = () => api.post<OwnWithdrawal>('/my/withdrawals', body, as(mine.token, key));
    const [first, again] = [await apply(), await apply()];
    expect(first.data).toMatchObject({ ...body, state: 'waiting', frozen: true, failure: null, processedAt: null });
    expect(again.data).toEqual(first.data);
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data).toMatchObject({
      paidFen: 2_000,
      frozenFen: 3_000,
    });
    const tooMuch = await api.post('/my/withdrawals', { ...body, amountFen: 2_001 }, as(mine.token));
    expect(errorOf(tooMuch)).toBe('withdrawal.out_of_range');
    for (const way of ['desk', 'wechat']) {
      expect((await api.post('/my/withdrawals', { ...body, way }, as(mine.token))).envelope.message.status).not.toBe(
        200,
      );
    }
    // What a channel says when it refuses a payout is for the operator, who can still pay.
    const refused = { state: 'failed', failure: 'PAYER_BALANCE_NOT_ENOUGH' } as const;
    await api.database.db.updateTable('withdrawals').set(refused).where('id', '=', first.data.id).execute();
    const waiting = await api.get<{ items: OwnWithdrawal[] }>('/my/withdrawals', as(mine.token));
    expect(waiting.data.items).toMatchObject([{ state: 'failed', frozen: true, failure: null }]);
    const rejected = await api.post(
      `/withdrawals/${first.data.id}/reviews`,
      { decision: 'reject', reason: '账号不符' },
      { token: (await api.logIn('admin', 'correct horse battery')).data.token },
    );
    expect(rejected.status).toBe(200);
    const { data } = await api.get<{ items: OwnWithdrawal[] }>('/my/withdrawals', as(mine.token));
    expect(data.items).toMatchObject([{ id: first.data.id, state: 'failed', frozen: false, failure: '账号不符' }]);
    expect((await api.get<OwnBalance>('/my/balance', as(mine.token))).data.paidFen).toBe(5_000);
    const other = await side('withdraw-other');
    expect((await api.get<{ items: object[] }>('/my/withdrawals', as(other.token))).data.items).toEqual([]);
  });

  test('a customer reads what confirms a payout, alone and only while the channel waits for it', async () => {
    const mine = await side('confirm', { balanceFen: 5_000 });
    const body = { amountFen: 3_000, way: 'embedded', payeeAccount: 'rider-8' };
    const { data: applied } = await api.post<OwnWithdrawal>('/my/withdrawals', body, as(mine.token));
    expect(applied.confirmation).toBeNull();
    const { token } = (await api.logIn('admin', 'correct horse battery')).data;
    await api.post(`/withdrawals/${applied.id}/reviews`, { decision: 'pass' }, { token });
    const room = channelRoomOf(api.context);
    const { number } = await api.database.db
      .selectFrom('channel_payouts')
      .select('number')
      .where('withdrawal_id', '=', applied.id)
      .executeTakeFirstOrThrow();
    const told = (found: ReturnFound) =>
      api.database.db
        .transaction()
        .execute((trx) =>
          takeReturnFound(trx, room, { kind: 'payout', channel: 'embedded', number, found }, api.context.now()),
        );
    const own = async (session: string) =>
      (await api.get<{ items: OwnWithdrawal[] }>('/my/withdrawals', as(session))).data.items.map(
        (one) => one.confirmation,
      );
    const until = instant(api.context.now() + 86_400_000);
    const waits = { state: 'processing', thirdPartyNumber: '1330' } as const;
    await told({ ...waits, awaitsPayee: { packageInfo: 'affffddaf==', until } });
    await told({ ...waits, awaitsPayee: { packageInfo: null, until: null } });
    expect(await own(mine.token)).toEqual([{ packageInfo: 'affffddaf==', expiresAt: toIso(until) }]);
    const desk = await api.get<Withdrawal>(`/withdrawals/${applied.id}`, { token });
    expect(desk.data).toMatchObject({ state: 'in_review', awaitsPayee: true });
    expect(JSON.stringify(desk.data)).not.toContain('affffddaf');
    expect(await own((await side('confirm-other')).token)).toEqual([]);
    await told(waits);
    expect(await own(mine.token)).toEqual([null]);
    await told({ ...waits, awaitsPayee: { packageInfo: 'affffddaf==', until: api.context.now() } });
    expect(await own(mine.token)).toEqual([null]);
    await told({ state: 'done', thirdPartyNumber: '1330', amountFen: fen(3_000) });
    expect(await own(mine.token)).toEqual([null]);
  });

  test('a customer reports a card lost, once', async () => {
    const mine = await side('cards');
    const { data } = await api.get<{ items: OwnCard[] }>('/my/cards', as(mine.token));
    expect(data.items).toMatchObject([{ number: mine.place.cardNumber, state: 'active', balanceFen: 10_000 }]);
    const lose = () => api.post<OwnCard>(`/my/cards/${mine.place.cardId}/losses`, undefined, as(mine.token));
    expect((await lose()).data.state).toBe('lost');
    const lostSince = await api.database.db
      .selectFrom('cards')
      .select('lost_at')
      .where('id', '=', mine.place.cardId)
      .execute();
    expect(lostSince).toEqual([{ lost_at: api.context.now() }]);
    expect(errorOf(await lose())).toBe('card.lost');
  });

  test('a customer adds a vehicle to a card and deletes it, and a taken VIN is refused', async () => {
    const mine = await side('vehicles');
    const body = { vin: 'LSVAM4187C2184850', plate: '浙A12345', cardId: mine.place.cardId };
    const added = await api.post<{ id: number }>('/my/vehicles', body, as(mine.token));
    expect(added.data).toMatchObject({ vin: body.vin, plate: body.plate, usage: 'private' });
    const again = await api.post('/my/vehicles', { ...body, plate: null }, as(mine.token));
    expect(again.envelope.message.fields).toMatchObject([{ path: 'vin', code: 'taken' }]);
    expect((await api.ask('DELETE', `/my/vehicles/${added.data.id}`, as(mine.token))).status).toBe(200);
    expect((await api.get<{ items: unknown[] }>('/my/vehicles', as(mine.token))).data.items).toEqual([]);
  });

  test('feedback about a port goes to its station, and a day takes a bounded number', async () => {
    const mine = await side('feedback');
    const write = () =>
      api.post('/my/feedbacks', { kind: 'slow', description: 'It crawls.', qr: mine.qr }, as(mine.token));
    expect((await write()).data).toMatchObject({
      state: 'waiting',
      stationNumber: mine.place.stationNumber,
      reply: '',
    });
    for (let written = 1; written < feedbacksPerDayMax; written++) await write();
    expect(errorOf(await write())).toBe('my.too_many_feedbacks');
    const list = await api.get<{ items: unknown[] }>('/my/feedbacks', as(mine.token));
    expect(list.data.items).toHaveLength(20);
  });
});
