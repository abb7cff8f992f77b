import type { ChannelPayment } from '@voltdeck/contract/channel-payments';
import type { OrderDetail } from '@voltdeck/contract/orders';
import type { ChannelBillLine, RechargeCode } from '@voltdeck/contract/recharge-codes';
import { dayMs, type Instant, instant, minuteMs, shanghaiDate } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeLifeMs } from '../channels/begin-payment.ts';
import { lateNotificationMs } from '../channels/embedded/act-as-payer.ts';
import { embeddedKeysOf, newEmbeddedKey } from '../channels/embedded/embedded-keys.ts';
import { type EmbeddedEvent, embeddedMerchant, signEmbedded } from '../channels/embedded/embedded-notification.ts';
import { fetchBills } from '../channels/fetch-bills.ts';
import { findOut } from '../channels/find-out.ts';
import { notificationAgeMaxMs, type PaymentChannel } from '../channels/payment-channel.ts';
import { takeNotification } from '../channels/take-notification.ts';
import {
  deliverNotifications,
  embeddedChannels,
  notificationOutcomes,
  postNotification,
} from '../channels/test-channels.ts';
import { UnbelievedLimit, unbelievedPerMinuteMax } from '../channels/unbelieved-limit.ts';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { channelRoomOf } from './channel-outcomes.ts';

let api: TestApi;
/** What stands in front of the embedded channel in the next calls; null lets it answer. */
let inFront: Partial<PaymentChannel> | null = null;
let place: Place;
let places = 0;

beforeAll(async () => {
  api = await openTestApi({
    channelsOf: embeddedChannels((channel) => ({
      ...channel,
      createPayment: (order) => (inFront?.createPayment ?? channel.createPayment)(order),
      queryPayment: (number) => (inFront?.queryPayment ?? channel.queryPayment)(number),
      closePayment: (number) => (inFront?.closePayment ?? channel.closePayment)(number),
    })),
  });
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});
beforeEach(async () => {
  inFront = null;
  const wasAt = api.clock.now;
  api.clock.now = null;
  if (wasAt !== null) api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  places += 1;
  place = await makePlace(api.database, null, `code${places}`);
  await api.database.pool.query('truncate channel_notifications, channel_calls');
});

type Begun = RechargeCode & { pageUrl: string };

const begin = (amountFen = 5_000, options: { key?: string } = {}) =>
  api.post<Begun>(
    '/recharge-codes',
    { cardId: place.cardId, amountFen, channel: 'embedded' },
    { ...options, language: 'en' },
  );
const read = async (code: Pick<RechargeCode, 'id'>) => (await api.get<RechargeCode>(`/recharge-codes/${code.id}`)).data;
const tokenOf = ({ pageUrl }: Begun) => pageUrl.split('/').at(-1) ?? '';
const act = (code: Begun, name: string) => api.post(`/pay/${tokenOf(code)}/acts`, { act: name }, { token: null });
const walletFen = () => balanceOf(api.database, `card:${place.cardId}`);
const paidInFen = async () => 0 - (await balanceOf(api.database, 'channel:embedded'));
const room = () => channelRoomOf(api.context);
const at = (later: number) => {
  api.clock.now = instant(Date.now() + later);
};
/** A notification of the embedded channel with other contents. */
const eventOf = (code: RechargeCode, changed: Partial<EmbeddedEvent> = {}): EmbeddedEvent => ({
  merchant: embeddedMerchant,
  kind: 'payment',
  state: 'paid',
  number: code.number,
  thirdPartyNumber: `40${code.number.slice(1)}`,
  amountFen: code.amountFen,
  paidAt: new Date().toISOString(),
  payer: 'somebody',
  ...changed,
});
const keys = () => {
  const { embedded } = api.context.channels;
  if (embedded === null) throw new Error('the embedded channel is off');
  return embedded.keys;
};
const signed = (event: unknown, signedAt: Instant = instant(Date.now()), by = keys()) => {
  const body = JSON.stringify(event);
  return { body, headers: signEmbedded(by, body, signedAt) };
};
const send = ({ headers, body }: ReturnType<typeof signed>) => postNotification(api, 'embedded', headers, body);

describe('a code that is paid', () => {
  test('a paid code becomes a recharge by its channel, shown with the balances it changed', async () => {
    const { data: code, status } = await begin();
    expect(status).toBe(200);
    expect(code).toMatchObject({ state: 'paying', amountFen: 5_000, cardId: place.cardId, rechargeId: null });
    expect(code.codeUrl).toBe(code.pageUrl);
    const before = await walletFen();
    const paidBefore = await paidInFen();
    expect((await act(code, 'pay')).status).toBe(200);
    expect(await walletFen()).toBe(before);
    expect(await deliverNotifications(api)).toBe(1);
    expect(await walletFen()).toBe(before + 5_000);
    expect(await paidInFen()).toBe(paidBefore + 5_000);
    const paid = await read(code);
    expect(paid).toMatchObject({ state: 'paid', attention: null, paidAt: expect.any(String) });
    const { data: recharges } = await api.get<{ items: unknown[] }>(`/recharges?number=${paid.rechargeNumber}`);
    expect(recharges.items).toMatchObject([
      {
        id: paid.rechargeId,
        amountFen: 5_000,
        balanceBeforeFen: before,
        balanceAfterFen: before + 5_000,
        agentId: null,
      },
    ]);
    expect(await notificationOutcomes(api)).toEqual(['settled']);
  });

  test('a paid code repays what earlier orders left owing before it fills the balance', async () => {
    const ago = (minutes: number) => instant(Date.now() - minutes * minuteMs);
    const bill = { electricityFeeFen: 5_000, serviceFeeFen: 5_000 };
    await makeSettledOrder(api.database, place, { ...bill, settledAt: ago(90), payer: 'card' });
    const owing = await makeSettledOrder(api.database, place, {
      electricityFeeFen: 400,
      serviceFeeFen: 300,
      settledAt: ago(30),
      payer: 'card',
    });
    const { data: code } = await begin(1_000);
    await act(code, 'pay');
    await deliverNotifications(api);
    expect((await api.get<OrderDetail>(`/orders/${owing}`)).data).toMatchObject({ paymentState: 'paid', owedFen: 0 });
    expect(await walletFen()).toBe(300);
  });

  test('a payment of which the channel tells twice is one recharge', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await act(code, 'pay_twice');
    expect(await deliverNotifications(api)).toBe(2);
    expect(await walletFen()).toBe(before + 5_000);
    expect(await notificationOutcomes(api)).toEqual(['settled', 'repeated']);
  });

  test('a notification that is replayed word for word is answered as taken and moves nothing', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    const once = signed(eventOf(code));
    expect(await send(once)).toMatchObject({ status: 200 });
    expect(await send(once)).toMatchObject({ status: 200 });
    expect(await walletFen()).toBe(before + 5_000);
    expect(await notificationOutcomes(api)).toEqual(['settled', 'replayed']);
  });

  test('a payment of which the channel never tells is found out by asking', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await act(code, 'pay_silently');
    expect(await deliverNotifications(api)).toBe(0);
    at(minuteMs);
    await findOut(room());
    expect(await walletFen()).toBe(before + 5_000);
    at(10 * minuteMs);
    await findOut(room());
    expect(await walletFen()).toBe(before + 5_000);
  });

  test('a payment that was found out before its late notification came is one recharge', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await act(code, 'pay_late');
    at(minuteMs);
    await findOut(room());
    expect(await walletFen()).toBe(before + 5_000);
    at(minuteMs + lateNotificationMs);
    await deliverNotifications(api);
    expect(await walletFen()).toBe(before + 5_000);
    expect(await notificationOutcomes(api)).toEqual(['repeated']);
  });

  test('notifications and questions that arrive together make one recharge', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await act(code, 'pay_silently');
    const { third_party_number: thirdPartyNumber } = await api.database.db
      .selectFrom('embedded_payments')
      .select('third_party_number')
      .where('number', '=', code.number)
      .executeTakeFirstOrThrow();
    at(minuteMs);
    const events = Array.from({ length: 8 }, () =>
      send(signed(eventOf(code, { thirdPartyNumber }), api.clock.now ?? undefined)),
    );
    const answers = await Promise.all([...events, findOut(room()), findOut(room())]);
    expect(answers.slice(0, 8)).toEqual(events.map(() => expect.objectContaining({ status: 200 })));
    expect(await walletFen()).toBe(before + 5_000);
  });
});

describe('a notification that is not believed', () => {
  const refused: readonly [why: string, name: string, make: (code: RechargeCode) => ReturnType<typeof signed>][] = [
    [
      'bad_signature',
      'changed after it was signed',
      (code) => ({ ...signed(eventOf(code)), body: `${JSON.stringify(eventOf(code))} ` }),
    ],
    [
      'bad_signature',
      'signed by nobody',
      (code) => {
        const { body, headers } = signed(eventOf(code));
        return { body, headers: { ...headers, 'Voltdeck-Pay-Signature': '' } };
      },
    ],
    [
      'bad_signature',
      "signed by a stranger under the channel's serial number",
      (code) => {
        const stranger = { ...embeddedKeysOf(newEmbeddedKey()), serial: keys().serial };
        return signed(eventOf(code), undefined, stranger);
      },
    ],
    [
      'unknown_serial',
      'signed by a stranger',
      (code) => signed(eventOf(code), undefined, embeddedKeysOf(newEmbeddedKey())),
    ],
    [
      'stale',
      'signed six minutes ago',
      (code) => signed(eventOf(code), instant(Date.now() - notificationAgeMaxMs - minuteMs)),
    ],
    [
      'stale',
      'signed in six minutes',
      (code) => signed(eventOf(code), instant(Date.now() + notificationAgeMaxMs + minuteMs)),
    ],
    ['other_merchant', 'meant for another merchant', (code) => signed(eventOf(code, { merchant: 'somebody else' }))],
    ['unreadable', 'without an amount', (code) => signed({ ...eventOf(code), amountFen: undefined })],
    ['unreadable', 'with an amount below one fen', (code) => signed(eventOf(code, { amountFen: 0.5 }))],
    [
      'unreadable',
      'without a timestamp',
      (code) => ({ ...signed(eventOf(code)), headers: { 'content-type': 'application/json' } }),
    ],
  ];

  test.each(refused)('%s: a notification %s moves no money and is written down', async (why, _name, make) => {
    const { data: code } = await begin();
    const before = await walletFen();
    expect(await send(make(code))).toMatchObject({ status: 400 });
    expect(await walletFen()).toBe(before);
    expect(await read(code)).toMatchObject({ state: 'paying' });
    expect(await notificationOutcomes(api)).toEqual([why]);
  });

  test('nothing is kept of what a notification without a signature says', async () => {
    const { data: code } = await begin();
    const bare = { ...signed(eventOf(code)), headers: { 'content-type': 'application/json' } };
    await send(bare);
    await send({ ...signed(eventOf(code)), body: `${bare.body} ` });
    const kept = await api.database.db.selectFrom('channel_notifications').select('content').orderBy('id').execute();
    expect(kept).toEqual([{ content: '' }, { content: expect.stringContaining(code.number) }]);
  });

  test('sixty a minute are written down, believed ones beyond them still are, and so is the next minute', async () => {
    const { data: code } = await begin();
    const log = { info: vi.fn(), error: vi.fn(), warn: vi.fn() };
    const unbelieved = new UnbelievedLimit(log as never);
    const minute = instant(Math.floor(Date.now() / minuteMs) * minuteMs);
    // The event holds the time: a signature is that of one body alone.
    const { headers: believed, body } = signed(eventOf(code), minute);
    const take = (headers: Record<string, string>, at: Instant) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const told = { channel: 'embedded', headers: lower, rawBody: body, remoteAddress: '' } as const;
      return takeNotification(room(), told, at, unbelieved);
    };
    for (let sent = 0; sent < unbelievedPerMinuteMax + 5; sent += 1) {
      expect(await take({}, minute)).toMatchObject({ status: 400 });
    }
    expect(await notificationOutcomes(api)).toHaveLength(unbelievedPerMinuteMax);
    expect(await take(believed, minute)).toMatchObject({ status: 200 });
    expect(await notificationOutcomes(api)).toHaveLength(unbelievedPerMinuteMax + 1);
    await take({}, instant(minute + minuteMs));
    expect(await notificationOutcomes(api)).toHaveLength(unbelievedPerMinuteMax + 2);
    expect(log.warn).toHaveBeenCalledWith({ left: 5 }, expect.any(String));
  });

  test('a notification of a channel that is off has no address', async () => {
    const { data: code } = await begin();
    const { headers, body } = signed(eventOf(code));
    expect(await postNotification(api, 'wechat', headers, body)).toMatchObject({ status: 404 });
    expect(await postNotification(api, 'nowhere', headers, body)).toMatchObject({ status: 404 });
    expect(await notificationOutcomes(api)).toEqual([]);
  });

  test('a notification above its size is refused unread', async () => {
    const { headers } = signed({});
    expect(await postNotification(api, 'embedded', headers, ' '.repeat(70_000))).toMatchObject({ status: 413 });
    expect(await notificationOutcomes(api)).toEqual([]);
  });
});

describe('money that does not fit', () => {
  test.each([4_999, 5_001])(
    'a payment of %i fen for a code of 5000 waits for a person and moves nothing',
    async (amountFen) => {
      const { data: code } = await begin();
      const before = await walletFen();
      expect(await send(signed(eventOf(code, { amountFen })))).toMatchObject({ status: 200 });
      expect(await walletFen()).toBe(before);
      expect(await read(code)).toMatchObject({ state: 'paid', attention: 'amount_differs', rechargeId: null });
      expect(await notificationOutcomes(api)).toEqual(['amount_differs']);
    },
  );

  test('a code that was paid after it was closed waits for a person and moves nothing', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    at(codeLifeMs + 2 * minuteMs);
    await findOut(room());
    expect(await read(code)).toMatchObject({ state: 'closed' });
    expect(await send(signed(eventOf(code), api.clock.now ?? undefined))).toMatchObject({ status: 200 });
    expect(await read(code)).toMatchObject({ state: 'paid', attention: 'paid_after_closing', rechargeId: null });
    expect(await walletFen()).toBe(before);
  });

  test('money for a record that was merged meanwhile is on the record that took it over', async () => {
    const phones = ['13900000071', '13900000072'];
    const [gone, kept] = await Promise.all(
      phones.map(async (phone) => (await api.post<{ id: number }>('/customers', { phone, nickname: phone })).data.id),
    );
    const { data: code } = await api.post<Begun>('/recharge-codes', {
      customerId: gone,
      amountFen: 3_300,
      channel: 'embedded',
    });
    const merged = await api.post(`/customers/${gone}/merges`, { intoId: kept, reason: 'one person' });
    expect(merged.status).toBe(200);
    await send(signed(eventOf(code)));
    expect(await balanceOf(api.database, `customer:${kept}`)).toBe(3_300);
    expect(await balanceOf(api.database, `customer:${gone}`)).toBe(0);
  });

  test('money that is on no balance is listed until it is sent back, once, and money on a balance is not sent back so', async () => {
    const { data: code } = await begin();
    await send(signed(eventOf(code, { amountFen: 4_321 })));
    const waiting = async () => {
      const path = `/channel-payments?waits=true&number=${code.number}`;
      return (await api.get<{ items: ChannelPayment[] }>(path)).data.items;
    };
    expect(await waiting()).toMatchObject([{ amountFen: 5_000, paidFen: 4_321, sentBackFen: 0 }]);
    const before = await walletFen();
    const sendBack = (id: number) =>
      api.post<ChannelPayment>(`/channel-payments/${id}/refunds`, { reason: 'typed another amount' });
    const answers = await Promise.all([1, 2, 3].map(() => sendBack(code.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.envelope.message.error).toBe('channel.already_sent_back');
    expect(answers.find(({ status }) => status === 200)?.data).toMatchObject({ sentBackFen: 4_321 });
    expect(await waiting()).toEqual([]);
    expect(await walletFen()).toBe(before);
    const { data: good } = await begin();
    expect((await sendBack(good.id)).envelope.message.error).toBe('channel.not_paid');
    await send(signed(eventOf(good)));
    expect((await sendBack(good.id)).envelope.message.error).toBe('channel.payment_credited');
  });

  test('a payment under a number that nobody asked for is written down and moves nothing', async () => {
    const { data: code } = await begin();
    const paidBefore = await paidInFen();
    expect(await send(signed(eventOf(code, { number: 'C20261121000000000000' })))).toMatchObject({ status: 200 });
    expect(await paidInFen()).toBe(paidBefore);
    expect(await notificationOutcomes(api)).toEqual(['unknown_number']);
  });

  test("a second payment under another of the channel's numbers contradicts the first and moves nothing", async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await send(signed(eventOf(code)));
    await send(signed(eventOf(code, { thirdPartyNumber: '4000000000001' })));
    const { data: other } = await begin(700);
    await send(signed(eventOf(other, { thirdPartyNumber: eventOf(code).thirdPartyNumber })));
    expect(await walletFen()).toBe(before + 5_000);
    expect(await notificationOutcomes(api)).toEqual(['settled', 'contradiction', 'contradiction']);
  });

  test('a code whose card was cancelled before it was paid waits for a person', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    await api.database.pool.query("update cards set state = 'cancelled' where id = $1", [place.cardId]);
    await act(code, 'pay');
    await deliverNotifications(api);
    expect(await walletFen()).toBe(before);
    expect(await read(code)).toMatchObject({ state: 'paid', attention: 'payer_gone', rechargeId: null });
  });
});

describe('a code that nobody pays', () => {
  test('a payer who refuses closes the code', async () => {
    const { data: code } = await begin();
    await act(code, 'refuse');
    await deliverNotifications(api);
    expect(await read(code)).toMatchObject({ state: 'closed' });
    expect((await act(code, 'pay')).status).toBe(409);
  });

  test('a code is closed at its channel a minute after its time, and not before', async () => {
    const { data: code } = await begin();
    await act(code, 'hang');
    at(codeLifeMs - minuteMs);
    await findOut(room());
    expect(await read(code)).toMatchObject({ state: 'paying' });
    at(codeLifeMs + 2 * minuteMs);
    await findOut(room());
    expect(await read(code)).toMatchObject({ state: 'closed' });
    const { state } = await api.database.db
      .selectFrom('embedded_payments')
      .select('state')
      .where('number', '=', code.number)
      .executeTakeFirstOrThrow();
    expect(state).toBe('closed');
  });

  test('a code that is paid between the last question and its closing is a recharge', async () => {
    const { data: code } = await begin();
    const before = await walletFen();
    at(codeLifeMs + 2 * minuteMs);
    let questions = 0;
    const answer = { outcome: 'answered' } as const;
    inFront = {
      async queryPayment() {
        questions += 1;
        if (questions === 1) return { ...answer, answer: { state: 'paying' } };
        const { thirdPartyNumber } = eventOf(code);
        const paidAt = instant(Date.now());
        return { ...answer, answer: { state: 'paid', thirdPartyNumber, paidFen: code.amountFen, paidAt, payer: null } };
      },
      closePayment: async () => ({ ...answer, answer: 'paid' }),
    };
    await api.database.pool.query(
      "update channel_payments set next_look_at = null where state = 'paying' and id <> $1",
      [code.id],
    );
    await findOut(room());
    expect(await read(code)).toMatchObject({ state: 'paid', attention: null });
    expect(await walletFen()).toBe(before + 5_000);
  });
});

describe('a channel that does not answer', () => {
  test('a code that was asked for without an answer is given to the retry with the same key', async () => {
    let isAnswering = false;
    const { byName } = api.context.channels;
    const channel = byName.get('embedded');
    inFront = {
      async createPayment(order) {
        if (!isAnswering) return { outcome: 'unknown', because: 'timeout' };
        inFront = null;
        return channel?.createPayment(order) ?? { outcome: 'unknown', because: 'off' };
      },
    };
    const key = `code-retry-${place.cardId}`;
    const first = await begin(900, { key });
    expect(first).toMatchObject({ status: 504, envelope: { message: { error: 'channel.no_answer' } } });
    isAnswering = true;
    const second = await begin(900, { key });
    expect(second).toMatchObject({ status: 200, data: { state: 'paying', amountFen: 900 } });
    expect(await read(second.data)).toMatchObject({ state: 'paying' });
    const { rows } = await api.database.pool.query(
      'select count(*)::int as n from channel_payments where card_id = $1',
      [place.cardId],
    );
    expect(rows[0].n).toBe(1);
    // The address of the page is a new one, and leads to the same payment.
    await act(second.data, 'pay');
    await deliverNotifications(api);
    expect(await read(second.data)).toMatchObject({ state: 'paid' });
  });

  test('a payment that was made at the channel although its answer was lost is found out', async () => {
    const before = await walletFen();
    const { embedded, byName } = api.context.channels;
    const channel = byName.get('embedded');
    inFront = {
      async createPayment(order) {
        inFront = null;
        await channel?.createPayment(order);
        return { outcome: 'unknown', because: 'timeout' };
      },
    };
    expect((await begin(1_200)).status).toBe(504);
    // Somebody paid it all the same.
    await embedded?.db
      .updateTable('embedded_payments')
      .set({ state: 'paid', paid_at: instant(Date.now()) })
      .where('amount_fen', '=', 1_200 as never)
      .execute();
    at(minuteMs);
    await findOut(room());
    expect(await walletFen()).toBe(before + 1_200);
  });

  test('a payment that was written down and never asked for is closed when its time is over', async () => {
    const { data: code } = await begin();
    await api.database.pool.query("update channel_payments set state = 'created', code_url = null where id = $1", [
      code.id,
    ]);
    at(codeLifeMs + 2 * minuteMs);
    await findOut(room());
    expect(await read(code)).toMatchObject({ state: 'closed' });
  });

  test('a channel that refuses is quoted, and the retry gets the same refusal', async () => {
    inFront = {
      createPayment: async () => ({ outcome: 'refused', refusal: { code: 'NO_AUTH', text: 'not contracted' } }),
    };
    const key = `code-refused-${place.cardId}`;
    const first = await begin(900, { key });
    expect(first).toMatchObject({ status: 409, envelope: { message: { error: 'channel.refused' } } });
    expect(first.envelope.message.message).toContain('not contracted');
    inFront = null;
    expect(await begin(900, { key })).toMatchObject({
      status: 409,
      envelope: { message: { error: 'channel.refused' } },
    });
  });

  test('a channel that is asked about an open payment and does not answer is asked again later, ever less often', async () => {
    const { data: code } = await begin();
    let questions = 0;
    inFront = {
      async queryPayment() {
        questions += 1;
        return { outcome: 'unknown', because: 'timeout' };
      },
    };
    await api.database.pool.query('update channel_payments set next_look_at = null where id <> $1', [code.id]);
    for (let minute = 1; minute <= 24 * 60; minute += 1) {
      at(minute * minuteMs);
      await findOut(room());
    }
    // The session of the administrator is over by then.
    const { rows } = await api.database.pool.query('select state from channel_payments where id = $1', [code.id]);
    expect(rows).toEqual([{ state: 'paying' }]);
    // Every minute while somebody may stand there, then at growing intervals up to an hour.
    expect(questions).toBeGreaterThan(30);
    expect(questions).toBeLessThan(50);
  });
});

describe('who may see and make codes', () => {
  test("an agent's user makes codes for the agent's cards alone, and the agent's prepaid account is not touched", async () => {
    const agentId = await api.addAgent(`Agent of codes ${places}`);
    const own = await makePlace(api.database, agentId, `own${places}`);
    const { token } = await api.addUser({
      name: `codes${places}`,
      permissions: ['recharge.create'],
      scope: 'agent',
      agentId,
    });
    const ask = (cardId: number) =>
      api.post<Begun>('/recharge-codes', { cardId, amountFen: 300, channel: 'embedded' }, { token });
    expect((await ask(place.cardId)).status).toBe(422);
    const { data: code, status } = await ask(own.cardId);
    expect(status).toBe(200);
    await act(code, 'pay');
    await deliverNotifications(api);
    expect((await api.get<RechargeCode>(`/recharge-codes/${code.id}`, { token })).data).toMatchObject({
      state: 'paid',
    });
    const { data: foreign } = await begin();
    expect((await api.get(`/recharge-codes/${foreign.id}`, { token })).status).toBe(404);
  });

  test("an agent's user gets the code for a customer of its card, and no code that somebody else made for them", async () => {
    const agentId = await api.addAgent(`Agent of customers ${places}`);
    const own = await makePlace(api.database, agentId, `customers${places}`);
    const { token } = await api.addUser({
      name: `customers${places}`,
      permissions: ['recharge.create'],
      scope: 'agent',
      agentId,
    });
    const body = { customerId: own.customerId, amountFen: 300, channel: 'embedded' };
    const { data: code, status } = await api.post<Begun>('/recharge-codes', body, { token, key: `customers${places}` });
    expect(status).toBe(200);
    expect(code).toMatchObject({ customerId: own.customerId, state: 'paying' });
    const again = await api.post<Begun>('/recharge-codes', body, { token, key: `customers${places}` });
    expect(again.data.id).toBe(code.id);
    expect((await api.get(`/recharge-codes/${code.id}`, { token })).status).toBe(200);
    const { data: platforms } = await api.post<Begun>('/recharge-codes', body);
    expect((await api.get(`/recharge-codes/${platforms.id}`, { token })).status).toBe(404);
  });

  test('the page of a payment is open to whoever has its address, and to nobody else', async () => {
    const { data: code } = await begin();
    const seen = await api.get(`/pay/${tokenOf(code)}`, { token: null });
    expect(seen.data).toMatchObject({ number: code.number, amountFen: 5_000, state: 'paying' });
    expect(JSON.stringify(seen.data)).not.toContain(place.cardNumber);
    expect((await api.get(`/pay/${'A'.repeat(32)}`, { token: null })).status).toBe(404);
    expect((await api.get('/pay/short', { token: null })).status).toBe(422);
  });

  test('a code needs a key, a positive amount, one wallet and a channel that is on', async () => {
    const body = { cardId: place.cardId, amountFen: 100, channel: 'embedded' };
    expect((await api.post('/recharge-codes', body, { key: null })).status).toBe(400);
    expect((await api.post('/recharge-codes', { ...body, amountFen: 0 })).status).toBe(422);
    expect((await api.post('/recharge-codes', { ...body, customerId: place.customerId })).status).toBe(422);
    expect((await api.post('/recharge-codes', { ...body, channel: 'wechat' })).status).toBe(409);
    expect((await api.get('/payment-channels')).data).toEqual({ channels: ['embedded'] });
  });

  test('the calls of a channel are written down with the payer masked', async () => {
    const { data: code } = await begin();
    await act(code, 'pay_silently');
    at(minuteMs);
    await findOut(room());
    const calls = await api.database.db
      .selectFrom('channel_calls')
      .select(['kind', 'outcome', 'response'])
      .where('number', '=', code.number)
      .orderBy('id')
      .execute();
    expect(calls.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'create_payment answered',
      'query_payment answered',
    ]);
    expect(calls[1]?.response).toContain('"payer":"emb***001"');
  });
});

test("a day's bill of a channel is fetched once it is over, and its lines are kept as they came", async () => {
  const { data: code } = await begin(1_000);
  await act(code, 'pay_silently');
  const day = shanghaiDate(instant(Date.now()));
  expect(await fetchBills(room())).toBe(0);
  at(dayMs);
  // One that does not agree is kept with its reason and without lines, and is fetched again.
  const whole = room();
  const embedded = whole.channels.get('embedded');
  if (embedded === undefined) throw new Error('the embedded channel is off');
  const downloadBill = async () => ({ outcome: 'answered', answer: { fault: '1 lines, and 2 are meant' } }) as const;
  const faulty = { ...whole, channels: new Map([['embedded', { ...embedded, downloadBill }]] as const) };
  for (let times = 0; times < 2; times += 1) expect(await fetchBills(faulty)).toBe(0);
  const kept = () =>
    api.database.db.selectFrom('channel_bills').select(['lines', 'failure']).where('day', '=', day).execute();
  expect(await kept()).toEqual([{ lines: 0, failure: '1 lines, and 2 are meant' }]);
  expect(await fetchBills(room())).toBe(1);
  expect(await kept()).toEqual([{ lines: expect.any(Number), failure: null }]);
  expect(await fetchBills(room())).toBe(0);
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  const { data: bill } = await api.get<{ items: ChannelBillLine[] }>(
    `/channel-bills?channel=embedded&day=${day}&number=${code.number}`,
  );
  expect(bill.items).toMatchObject([{ kind: 'payment', amountFen: 1_000, feeFen: 6, number: code.number, day }]);
  expect((await api.get<{ items: unknown[] }>('/channel-bills?day=2026-13-40')).data.items).toEqual([]);
});

test('a large bill is known to the planner once it is kept', async () => {
  const { data: code } = await begin(1_000);
  await act(code, 'pay_silently');
  // Of a day that no other test fetches.
  at(2 * dayMs);
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  const whole = room();
  const embedded = whole.channels.get('embedded');
  if (embedded === undefined) throw new Error('the embedded channel is off');
  const count = 5_000;
  const downloadBill = async () => {
    const answer = Array.from({ length: count }, (_, index) => ({
      kind: 'payment' as const,
      number: `Z${index}`,
      thirdPartyNumber: `T${index}`,
      amountFen: fen(100),
      feeFen: zeroFen,
      at: null,
      raw: {},
    }));
    return { outcome: 'answered', answer } as const;
  };
  const large = { ...whole, channels: new Map([['embedded', { ...embedded, downloadBill }]] as const) };
  expect(await fetchBills(large)).toBeGreaterThan(0);
  const { rows } = await api.database.pool.query<{ reltuples: number }>(
    "select reltuples from pg_class where oid = 'channel_bill_lines'::regclass",
  );
  expect(rows[0]?.reltuples).toBeGreaterThanOrEqual(count);
  const known = await api.database.pool.query("select 1 from pg_stats where tablename = 'channel_bill_lines'");
  expect(known.rowCount).toBeGreaterThan(0);
});
