import type { RechargeCode } from '@voltdeck/contract/recharge-codes';
import type { ReconciliationDay, ReconciliationDifference } from '@voltdeck/contract/reconciliation';
import { dayMs, hourMs, type Instant, instant, minuteMs, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { beginPayout } from '../channels/begin-return.ts';
import type { RefundId } from '../channels/channel-room.ts';
import { fetchBills } from '../channels/fetch-bills.ts';
import { carryOutPayout, carryOutRefund, findOut } from '../channels/find-out.ts';
import type { BillLine } from '../channels/payment-channel.ts';
import { deliverNotifications, embeddedChannels } from '../channels/test-channels.ts';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { reconcileDay } from './reconcile-day.ts';
import { reconcileDue } from './reconcile-due.ts';

let api: TestApi;
let place: Place;
/** What the channel's bill of a day says in place of the truth. */
let falsify: (day: string, lines: BillLine[]) => BillLine[] = (_day, lines) => lines;
/** A day of its own for each test, in order. */
let noon = instant(Date.parse('2026-10-01T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi({
    channelsOf: embeddedChannels((channel) => ({
      ...channel,
      downloadBill: async (day) => {
        const asked = await channel.downloadBill(day);
        return asked.outcome === 'answered' && Array.isArray(asked.answer)
          ? { ...asked, answer: falsify(day, asked.answer) }
          : asked;
      },
    })),
  });
  await goTo(noon);
  place = await makePlace(api.database, null, 'reconciliation');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function goTo(at: Instant): Promise<void> {
  api.clock.now = at;
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
}

/** Noon of a day that no other test uses. */
async function freshDay(): Promise<string> {
  falsify = (_day, lines) => lines;
  noon = instant(noon + 4 * dayMs);
  await goTo(noon);
  return shanghaiDate(noon);
}

type Code = RechargeCode & { pageUrl: string };

/** A code of the embedded channel that somebody pays; a silent payer leaves it to us to find out. */
async function pay(amountFen: number, act: 'pay' | 'pay_silently' = 'pay'): Promise<Code> {
  const { data: code } = await api.post<Code>('/recharge-codes', {
    cardId: place.cardId,
    amountFen,
    channel: 'embedded',
  });
  await api.post(`/pay/${code.pageUrl.split('/').at(-1)}/acts`, { act }, { token: null });
  if (act === 'pay') await deliverNotifications(api);
  return code;
}

const room = () => channelRoomOf(api.context);
const due = () => reconcileDue({ db: api.database.db, log: api.context.log, now: api.context.now });
/** The morning after `days` days, when bills are there and the jobs have run. */
async function morningAfter(days = 1): Promise<void> {
  await goTo(instant(noon + days * dayMs));
  await fetchBills(room());
  await due();
}
const differencesOf = async (query: string) =>
  (await api.get<{ items: ReconciliationDifference[] }>(`/reconciliation/differences?pageSize=100&${query}`)).data
    .items;
const channelsDifferences = (day: string) => differencesOf(`day=${day}&counterpart=embedded`);
const dayAt = async (day: string) => (await api.get<ReconciliationDay>(`/reconciliation/days/${day}`)).data;
const partOf = async (day: string, counterpart: string) =>
  (await dayAt(day)).parts.find((part) => part.counterpart === counterpart);
const line = (lines: readonly BillLine[], number: string): BillLine => {
  const found = lines.find((each) => each.number === number);
  if (found === undefined) throw new Error(`the bill has no line ${number}`);
  return found;
};
/** Ends whatever is open, so that a day can be sealed. */
async function endAll(day: string): Promise<void> {
  for (const { id } of await differencesOf(`day=${day}&state=open,taken`)) {
    await api.post(`/reconciliation/differences/${id}/ends`, { outcome: 'explained', reason: 'looked into' });
  }
}
const seal = (day: string) =>
  api.post<ReconciliationDay>(`/reconciliation/days/${day}/seals`, undefined, { language: 'en' });

describe('the bill of a channel', () => {
  test('a day on which both sides agree has no differences, and both sides’ figures', async () => {
    const day = await freshDay();
    await pay(1_000);
    await pay(2_500);
    await morningAfter();
    expect(await channelsDifferences(day)).toEqual([]);
    expect(await partOf(day, 'embedded')).toMatchObject({
      state: 'agrees',
      ourCount: 2,
      ourFen: 3_500,
      theirCount: 2,
      theirFen: 3_500,
      feeFen: 6 + 15,
      matchedCount: 2,
      openCount: 0,
    });
  });

  test('each kind of difference is found and named, with the figures of both sides and a proposal', async () => {
    const day = await freshDay();
    const [missing, wrong, doubled, twice, right] = [
      await pay(1_000),
      await pay(2_000),
      await pay(3_000),
      await pay(4_000),
      await pay(5_000),
    ];
    const unheard = await pay(6_000, 'pay_silently');
    falsify = (of, lines) =>
      of !== day
        ? lines
        : [
            ...lines
              .filter(({ number }) => number !== missing.number)
              .map((each) => (each.number === wrong.number ? { ...each, amountFen: fen(2_100) } : each)),
            line(lines, doubled.number),
            { ...line(lines, twice.number), thirdPartyNumber: '4099' },
            { ...line(lines, right.number), number: 'C19990101000000000001', thirdPartyNumber: '4098' },
            { ...line(lines, right.number), kind: 'other', number: '', thirdPartyNumber: null, amountFen: fen(-70) },
          ];
    await morningAfter();
    const found = await channelsDifferences(day);
    const named = found.map(({ number, kind, subject, ourFen, theirFen, repair, state }) => ({
      number,
      kind,
      subject,
      ourFen,
      theirFen,
      repair,
      state,
    }));
    const open = { subject: 'payment', state: 'open' };
    expect(named).toHaveLength(7);
    expect(named).toEqual(
      expect.arrayContaining([
        { ...open, number: missing.number, kind: 'ours_only', ourFen: 1_000, theirFen: null, repair: 'ask_channel' },
        {
          ...open,
          number: wrong.number,
          kind: 'amount_differs',
          ourFen: 2_000,
          theirFen: 2_100,
          repair: 'compare_amounts',
        },
        { ...open, number: doubled.number, kind: 'doubled', ourFen: 3_000, theirFen: 3_000, repair: 'ask_about_bill' },
        { ...open, number: twice.number, kind: 'doubled', ourFen: 4_000, theirFen: 4_000, repair: 'return_doubled' },
        {
          ...open,
          number: 'C19990101000000000001',
          kind: 'theirs_only',
          ourFen: null,
          theirFen: 5_000,
          repair: 'find_out',
        },
        { ...open, number: unheard.number, kind: 'theirs_only', ourFen: null, theirFen: 6_000, repair: 'ask_channel' },
        {
          ...open,
          subject: 'other',
          number: null,
          kind: 'theirs_only',
          ourFen: null,
          theirFen: -70,
          repair: 'find_out',
        },
      ]),
    );
    expect(await partOf(day, 'embedded')).toMatchObject({
      state: 'differs',
      ourCount: 5,
      matchedCount: 3,
      openCount: 7,
    });
  });

  test('a payment that we had not heard of is asked about and taken once, and the difference ends by itself', async () => {
    const day = await freshDay();
    const unheard = await pay(6_000, 'pay_silently');
    await morningAfter();
    const [difference] = await channelsDifferences(day);
    expect(difference).toMatchObject({ number: unheard.number, kind: 'theirs_only', isAskable: true, state: 'open' });
    const before = await balanceOf(api.database, `card:${place.cardId}`);
    for (let times = 0; times < 2; times += 1) {
      const asked = await api.post(`/reconciliation/differences/${difference?.id}/questions`);
      expect(asked.status).toBe(times === 0 ? 200 : 409);
    }
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(before + 6_000);
    expect(await channelsDifferences(day)).toMatchObject([
      { number: unheard.number, state: 'settled', endedByName: null },
    ]);
    expect(await partOf(day, 'embedded')).toMatchObject({ state: 'agrees', matchedCount: 1, openCount: 0 });
  });

  test('a line in the next day’s bill ends by itself on both days, each with the other day', async () => {
    const day = await freshDay();
    const next = shanghaiDate(instant(noon + dayMs));
    const late = await pay(1_500);
    let held: BillLine | undefined;
    falsify = (of, lines) => {
      if (of === day) {
        held = line(lines, late.number);
        return lines.filter((each) => each !== held);
      }
      return of === next && held !== undefined ? [...lines, held] : lines;
    };
    await morningAfter();
    expect(await channelsDifferences(day)).toMatchObject([{ kind: 'ours_only', state: 'open', theirFen: null }]);
    await morningAfter(2);
    expect(await channelsDifferences(day)).toMatchObject([
      { number: late.number, kind: 'late', state: 'settled', ourFen: 1_500, theirFen: 1_500, otherDay: next },
    ]);
    expect(await channelsDifferences(next)).toMatchObject([
      { number: late.number, kind: 'late', state: 'settled', ourFen: 1_500, theirFen: 1_500, otherDay: day },
    ]);
    expect((await partOf(day, 'embedded'))?.state).toBe('agrees');
  });

  test('a late line with another amount is open on the day of its bill, where it can still be dealt with', async () => {
    const day = await freshDay();
    const next = shanghaiDate(instant(noon + dayMs));
    const late = await pay(1_500);
    let held: BillLine | undefined;
    falsify = (of, lines) => {
      if (of === day) held = line(lines, late.number);
      if (of === day) return lines.filter((each) => each !== held);
      return of === next && held !== undefined ? [...lines, { ...held, amountFen: fen(1_400) }] : lines;
    };
    await morningAfter();
    await morningAfter(2);
    expect(await channelsDifferences(day)).toMatchObject([{ kind: 'late', state: 'settled', otherDay: next }]);
    expect(await channelsDifferences(next)).toMatchObject([
      {
        kind: 'amount_differs',
        state: 'open',
        otherDay: day,
        ourFen: 1_500,
        theirFen: 1_400,
        repair: 'compare_amounts',
      },
    ]);
  });

  test('a number that an earlier bill has already is doubled, with the day of the first line', async () => {
    const day = await freshDay();
    const next = shanghaiDate(instant(noon + dayMs));
    const code = await pay(1_700);
    let kept: BillLine | undefined;
    falsify = (of, lines) => {
      if (of === day) kept = line(lines, code.number);
      return of === next && kept !== undefined ? [...lines, kept] : lines;
    };
    await morningAfter();
    await morningAfter(2);
    expect(await channelsDifferences(day)).toEqual([]);
    expect(await channelsDifferences(next)).toMatchObject([
      { number: code.number, kind: 'doubled', state: 'open', otherDay: day, repair: 'ask_about_bill' },
    ]);
  });

  test('a refund and a payout are matched with lines below zero', async () => {
    const day = await freshDay();
    const code = await pay(2_200);
    const { data: read } = await api.get<RechargeCode>(`/recharge-codes/${code.id}`);
    const refunded = await api.post(`/recharges/${read.rechargeId}/refunds`, {
      amountFen: 700,
      reason: 'asked for it',
    });
    expect(refunded.status).toBe(200);
    const { rows } = await api.database.pool.query<{ id: number }>('select max(id) as id from channel_refunds');
    await carryOutRefund(room(), rows[0]?.id as RefundId);
    const payout = await api.database.db.transaction().execute((trx) =>
      beginPayout(
        trx,
        {
          withdrawalId: null,
          channel: 'embedded',
          payee: 'somebody',
          payeeName: null,
          amountFen: fen(300),
          remark: '',
          notifyUrl: '',
          userId: null,
        },
        noon,
      ),
    );
    await carryOutPayout(room(), payout.id);
    await morningAfter();
    expect(await channelsDifferences(day)).toEqual([]);
    expect(await partOf(day, 'embedded')).toMatchObject({
      ourCount: 3,
      ourFen: 1_200,
      theirFen: 1_200,
      matchedCount: 3,
    });
  });

  test('a day whose bill is missing waits for it, and is compared when it comes', async () => {
    const day = await freshDay();
    await pay(1_100);
    await goTo(instant(noon + dayMs));
    await due();
    expect((await partOf(day, 'embedded'))?.state).toBe('waiting');
    expect((await dayAt(day)).state).toBe('waiting');
    expect((await seal(day)).envelope.message).toMatchObject({
      error: 'reconciliation.bill_missing',
      message: expect.stringContaining('has not arrived'),
    });
    await fetchBills(room());
    await due();
    expect((await partOf(day, 'embedded'))?.state).toBe('agrees');
  });

  test('comparing again and several times at once changes nothing', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    const before = await differencesOf(`day=${day}`);
    expect(before).toHaveLength(1);
    await api.post(`/reconciliation/differences/${before[0]?.id}/takers`);
    const taken = await differencesOf(`day=${day}`);
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => reconcileDay(api.database.db, day, instant(noon + dayMs + hourMs))),
    );
    expect(runs.every(({ ok }) => ok)).toBe(true);
    expect(await differencesOf(`day=${day}`)).toEqual(taken);
  });

  test('a difference that a person ended is open again when its figures change, and not before', async () => {
    const day = await freshDay();
    const code = await pay(1_000);
    falsify = (_day, lines) =>
      lines.map((each) => (each.number === code.number ? { ...each, amountFen: fen(900) } : each));
    await morningAfter();
    const [difference] = await channelsDifferences(day);
    const path = `/reconciliation/differences/${difference?.id}`;
    expect((await api.post(`${path}/ends`, { outcome: 'written_off', reason: 'x' })).status).toBe(422);
    const ended = await api.post<ReconciliationDifference>(`${path}/ends`, {
      outcome: 'written_off',
      reason: 'ten fen',
    });
    expect(ended.data).toMatchObject({
      state: 'done',
      outcome: 'written_off',
      reason: 'ten fen',
      repair: 'compare_amounts',
    });
    expect((await api.post(`${path}/takers`)).status).toBe(409);
    expect((await api.post(`/reconciliation/days/${day}/runs`)).status).toBe(200);
    expect(await channelsDifferences(day)).toMatchObject([{ state: 'done', reason: 'ten fen' }]);
    await api.database.pool.query('update channel_bill_lines set amount_fen = 800 where number = $1', [code.number]);
    await api.post(`/reconciliation/days/${day}/runs`);
    expect(await channelsDifferences(day)).toMatchObject([
      { state: 'open', theirFen: 800, reason: null, endedByName: null },
    ]);
  });

  test('a day that is not over, no day at all and a question about an order are refused', async () => {
    const day = await freshDay();
    expect((await api.post(`/reconciliation/days/${day}/runs`)).status).toBe(409);
    expect((await seal(day)).status).toBe(409);
    expect((await api.post('/reconciliation/days/2026-13-40/runs')).status).toBe(422);
    expect((await api.get('/reconciliation/days/2020-01-01')).status).toBe(404);
  });
});

describe('orders', () => {
  const read = (orderId: number, at: Instant, energyWh: number) =>
    api.database.pool.query(
      `insert into readings (order_id, at, connector_id, energy_wh, received_at) values ($1, $2, $3, $4, $2)`,
      [orderId, new Date(at), place.connectorId, energyWh],
    );
  const free = { amount_fen: fen(0), electricity_fee_fen: fen(0), service_fee_fen: fen(0), paid_fen: fen(0) };
  const byOrder = async (day: string, counterpart: string) =>
    new Map((await differencesOf(`day=${day}&counterpart=${counterpart}`)).map((each) => [each.orderId, each]));

  test('energy is compared with registers and readings, within the tolerance', async () => {
    const day = await freshDay();
    // 10 kWh from a register of 1,000 Wh in the half hour from noon on, at a station of 120 kW.
    const make = (given = {}) => makeOrder(api.database, place, noon, { ...free, ...given });
    const end = instant(noon + 30 * minuteMs);
    const [right, within, registers, above, short, cut, silent, byHand, cancelled, waiting] = [
      await make(),
      await make(),
      await make({ meter_stop_wh: 12_000 }),
      await make(),
      await make(),
      await make(),
      await make(),
      await make({ priced_by: 'hand' }),
      await make({
        state: 'cancelled',
        energy_wh: 0,
        meter_stop_wh: null,
        settled_at: null,
        ended_at: null,
        payment_state: 'unpaid',
      }),
      await make({ state: 'settling', settled_at: null, waits_for: 'person', payment_state: 'unpaid' }),
    ];
    for (const id of [right, registers]) await read(id, end, 11_000);
    await read(within, end, 11_090);
    await read(above, end, 11_200);
    await read(short, end, 10_500);
    // Two minutes before the end, a station of 120 kW may still deliver 4 kWh.
    await read(cut, instant(end - 2 * minuteMs), 7_100);
    await read(byHand, end, 5_000);
    await read(cancelled, end, 3_000);
    await read(9_000_000_000, end, 3_000);
    await morningAfter();
    const found = await byOrder(day, 'meters');
    expect([...found.keys()].sort()).toEqual([registers, above, short, silent, cancelled, waiting, null].sort());
    expect(found.get(registers)).toMatchObject({
      kind: 'amount_differs',
      ourWh: 10_000,
      theirWh: 11_000,
      repair: 'check_energy',
    });
    expect(found.get(above)).toMatchObject({ kind: 'amount_differs', ourWh: 10_000, theirWh: 10_200 });
    expect(found.get(short)).toMatchObject({ kind: 'amount_differs', ourWh: 10_000, theirWh: 9_500 });
    expect(found.get(silent)).toMatchObject({ kind: 'ours_only', subject: 'order', repair: 'check_readings' });
    expect(found.get(cancelled)).toMatchObject({ kind: 'theirs_only', subject: 'readings', theirWh: 2_000 });
    expect(found.get(waiting)).toMatchObject({ kind: 'theirs_only', theirWh: 10_000, repair: 'settle_order' });
    expect(found.get(null)).toMatchObject({ kind: 'theirs_only', subject: 'readings', number: '9000000000' });
    expect(await partOf(day, 'meters')).toMatchObject({ ourCount: 8, ourWh: 80_000, theirWh: 81_000, matchedCount: 4 });
    await api.database.pool.query(
      `insert into configs (key, name, value) values ('reconciliation_tolerance_wh', '', '1000')
       on conflict (key) do update set value = '1000'`,
    );
    await api.post(`/reconciliation/days/${day}/runs`);
    expect((await byOrder(day, 'meters')).get(above)).toMatchObject({ state: 'settled' });
    await api.database.pool.query(`update configs set value = '100' where key = 'reconciliation_tolerance_wh'`);
  });

  test('a day whose readings are no longer kept is not compared with them', async () => {
    const day = await freshDay();
    await makeOrder(api.database, place, noon, free);
    await goTo(instant(noon + 500 * dayMs));
    expect((await api.post(`/reconciliation/days/${day}/runs`)).status).toBe(200);
    expect(await partOf(day, 'meters')).toBeUndefined();
    expect(await partOf(day, 'ledger')).toMatchObject({ state: 'agrees' });
  });

  test('what an order says was paid, refunded and owed is compared with its postings', async () => {
    const day = await freshDay();
    const settled = () =>
      makeSettledOrder(api.database, place, { electricityFeeFen: 700, serviceFeeFen: 400, settledAt: noon });
    const [right, refunded, wrong, owing] = [await settled(), await settled(), await settled(), await settled()];
    const unbooked = await makeOrder(api.database, place, instant(noon - 31 * minuteMs), { paid_fen: fen(1_100) });
    expect((await api.post(`/orders/${refunded}/refunds`, { amountFen: 300, reason: 'too much' })).status).toBe(200);
    const { pool } = api.database;
    await pool.query('update orders set paid_fen = 1000, written_off_fen = 100 where id = $1', [wrong]);
    await pool.query('update orders set written_off_fen = 0, paid_fen = 1000 where id = $1', [owing]);
    await morningAfter();
    const found = await byOrder(day, 'ledger');
    expect([...found.keys()].sort()).toEqual([wrong, owing, unbooked].sort());
    expect(found.get(wrong)).toMatchObject({
      kind: 'amount_differs',
      ourFen: 1_000,
      theirFen: 1_100,
      repair: 'check_books',
    });
    expect(found.get(unbooked)).toMatchObject({ kind: 'ours_only', ourFen: 1_100, theirFen: 0 });
    expect(found.has(right)).toBe(false);
    // A debt that grew where the books know of none.
    await pool.query('update orders set paid_fen = 1100 where id = $1', [owing]);
    await api.post(`/reconciliation/days/${day}/runs`);
    expect((await byOrder(day, 'ledger')).get(owing)).toMatchObject({ state: 'settled' });
    await pool.query('update orders set paid_fen = 1100, written_off_fen = 0 where id = $1', [wrong]);
  });
});

describe('the seal of a day', () => {
  test('a day with open differences is not sealed, and one whose differences are dealt with is', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    expect((await seal(day)).envelope.message).toMatchObject({
      error: 'reconciliation.open_differences',
      message: expect.stringContaining('1 differences'),
    });
    await endAll(day);
    const sealed = await seal(day);
    expect(sealed.data).toMatchObject({
      state: 'sealed',
      sealedHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      openCount: 0,
    });
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true, broken: [] });
    expect((await seal(day)).status).toBe(409);
    expect((await api.post(`/reconciliation/days/${day}/runs`)).status).toBe(409);
    const [difference] = await differencesOf(`day=${day}`);
    expect(difference).toMatchObject({ isSealed: true });
    expect((await api.post(`/reconciliation/differences/${difference?.id}/takers`)).status).toBe(409);
  });

  test('nothing of a sealed day can be changed in the database', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    await pay(2_000);
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    await endAll(day);
    expect((await seal(day)).status).toBe(200);
    const { pool } = api.database;
    for (const statement of [
      `update reconciliation_days set sealed_hash = '' where day = $1`,
      'delete from reconciliation_days where day = $1',
      'update reconciliations set our_fen = 0 where day = $1',
      'delete from reconciliation_differences where day = $1',
      'update channel_bill_lines set amount_fen = 0 where day = $1',
      'delete from channel_bill_lines where day = $1',
      'delete from channel_bills where day = $1',
      `insert into channel_bill_lines (channel, day, line, kind, amount_fen, fee_fen, raw)
       values ('embedded', $1, 99, 'other', 1, 0, '{}')`,
      'update channel_payments set paid_fen = paid_fen + 1 where booked_on = $1',
      'update channel_payments set booked_on = null where booked_on = $1',
    ]) {
      await expect(pool.query(statement, [day])).rejects.toMatchObject({ code: '23001' });
    }
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
  });

  test('what is found out later belongs to the next open day, with the sealed day as its other day', async () => {
    const day = await freshDay();
    const next = shanghaiDate(instant(noon + dayMs));
    const unheard = await pay(4_400, 'pay_silently');
    await morningAfter();
    await endAll(day);
    expect((await seal(day)).status).toBe(200);
    await findOut(room());
    const { rows } = await api.database.pool.query<{ day: string }>(
      'select booked_on as day from channel_payments where number = $1',
      [unheard.number],
    );
    expect(rows).toEqual([{ day: next }]);
    await morningAfter(2);
    expect(await channelsDifferences(next)).toMatchObject([
      { number: unheard.number, kind: 'late', state: 'settled', otherDay: day, ourFen: 4_400, theirFen: 4_400 },
    ]);
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
    expect(await channelsDifferences(day)).toMatchObject([
      { number: unheard.number, kind: 'theirs_only', state: 'done' },
    ]);
  });

  test('a check names what was changed behind the triggers', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    const kept = await pay(2_000);
    const orderId = await makeSettledOrder(api.database, place, {
      electricityFeeFen: 700,
      serviceFeeFen: 400,
      settledAt: noon,
    });
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    await endAll(day);
    expect((await seal(day)).status).toBe(200);
    const { pool } = api.database;
    const tables = [
      'channel_bill_lines',
      'channel_payments',
      'orders',
      'reconciliation_differences',
      'reconciliation_days',
    ];
    const triggers = (how: 'disable' | 'enable') =>
      pool.query(tables.map((table) => `alter table ${table} ${how} trigger user`).join('; '));
    const broken = async (statement: string, values: unknown[], back: string) => {
      await pool.query(statement, values);
      const { data } = await api.get<{ broken: string[] }>(`/reconciliation/days/${day}/seal`);
      await pool.query(back, values);
      return data.broken;
    };
    await triggers('disable');
    const bill = (by: number) => `update channel_bill_lines set amount_fen = amount_fen + ${by} where number = $1`;
    expect(await broken(bill(1), [kept.number], bill(-1))).toEqual(['bills']);
    const payment = (by: number) => `update channel_payments set paid_fen = paid_fen + ${by} where number = $1`;
    expect(await broken(payment(1), [kept.number], payment(-1))).toEqual(['payments']);
    const order = (by: number) => `update orders set energy_wh = energy_wh + ${by} where id = $1`;
    expect(await broken(order(1), [orderId], order(-1))).toEqual(['orders']);
    const ended = (by: string) => `update reconciliation_differences set reason = '${by}' where number = $1`;
    expect(await broken(ended('nothing'), [missing.number], ended('looked into'))).toEqual(['differences']);
    const text = (from: string, to: string) =>
      `update reconciliation_days set sealed_text = replace(sealed_text, '${from}', '${to}') where day = $1`;
    expect(await broken(text('sealedBy', 'sealedby'), [day], text('sealedby', 'sealedBy'))).toEqual(['seal']);
    await triggers('enable');
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
  });

  test('a payment that is being taken while its day is sealed keeps the seal waiting, and is never left out of it', async () => {
    const day = await freshDay();
    const unheard = await pay(1_000, 'pay_silently');
    await morningAfter();
    await endAll(day);
    const client = await api.database.pool.connect();
    let sealing: ReturnType<typeof seal>;
    try {
      await client.query('begin');
      const taken = await client.query<{ day: string }>(
        `update channel_payments set state = 'paid', paid_at = $1, paid_fen = amount_fen, third_party_number = '4077',
                attention = 'payer_gone', next_look_at = null, ended_at = $1
          where number = $2 returning booked_on as day`,
        [new Date(noon), unheard.number],
      );
      expect(taken.rows).toEqual([{ day }]);
      sealing = seal(day);
      await vi.waitFor(async () => {
        const { rows } = await api.database.pool.query(
          `select 1 from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`,
        );
        expect(rows).toHaveLength(1);
      }, 30_000);
    } finally {
      await client.query('commit');
      client.release();
    }
    expect((await sealing).envelope.message).toMatchObject({ error: 'reconciliation.changed_meanwhile' });
    expect((await seal(day)).status).toBe(200);
    expect(await partOf(day, 'embedded')).toMatchObject({ ourCount: 1, ourFen: 1_000 });
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
  });

  test('who ended more with a channel than one person may leaves the seal to somebody else', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    const setLimit = (value: string) =>
      api.database.pool.query("update configs set value = $1 where key = 'second_person_reconciliation_fen'", [value]);
    await setLimit('999');
    const permissions = ['reconciliation.read', 'reconciliation.repair', 'reconciliation.seal'] as const;
    const clerk = await api.addUser({ name: '13900000055', permissions: [...permissions] });
    const twin = await api.addUser({ name: 'twin', permissions: [...permissions] });
    await api.database.pool.query("update users set phone = '13900000055' where id = $1", [twin.id]);
    for (const { id } of await differencesOf(`day=${day}&state=open,taken`)) {
      const ended = { outcome: 'explained', reason: 'looked into' };
      await api.post(`/reconciliation/differences/${id}/ends`, ended, { token: clerk.token });
    }
    const sealAs = (token: string) =>
      api.post(`/reconciliation/days/${day}/seals`, undefined, { token, language: 'en' });
    for (const { token } of [clerk, twin]) {
      expect((await sealAs(token)).envelope.message).toMatchObject({
        status: 409,
        error: 'reconciliation.own_differences',
        message: expect.stringContaining('Ask somebody else to seal it'),
      });
    }
    await setLimit('1000');
    expect((await sealAs(clerk.token)).status).toBe(200);
    await setLimit('50000');
  });

  test('a day whose bill never comes is sealed with a reason once it is no longer looked for', async () => {
    const day = await freshDay();
    await pay(1_300);
    const sealWithout = (missingBillReason: string) =>
      api.post<ReconciliationDay>(`/reconciliation/days/${day}/seals`, { missingBillReason }, { language: 'en' });
    const until = shanghaiDate(instant(noon + 10 * dayMs));
    await goTo(instant(noon + 10 * dayMs));
    await reconcileDay(api.database.db, day, api.clock.now ?? noon);
    await endAll(day);
    expect((await dayAt(day)).isBillGivenUp).toBe(false);
    expect((await sealWithout('The channel lost it')).envelope.message).toMatchObject({
      error: 'reconciliation.bill_awaited',
      message: expect.stringContaining(until),
    });
    await goTo(instant(noon + 11 * dayMs));
    expect((await seal(day)).envelope.message).toMatchObject({ error: 'reconciliation.bill_missing' });
    expect((await sealWithout('The channel lost it')).data).toMatchObject({
      state: 'sealed',
      isBillGivenUp: true,
      missingBillReason: 'The channel lost it',
    });
    expect(await partOf(day, 'embedded')).toMatchObject({
      state: 'waiting',
      ourCount: 1,
      ourFen: 1_300,
      theirCount: 0,
    });
    const { rows } = await api.database.pool.query<{ text: string }>(
      'select sealed_text as text from reconciliation_days where day = $1',
      [day],
    );
    expect(JSON.parse(rows[0]?.text ?? '')).toMatchObject({
      withoutBills: { counterparts: ['embedded'], reason: 'The channel lost it' },
    });
    // Nothing fetches it any more, so the sealed day stands in nobody's way.
    await fetchBills(room());
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
    noon = instant(noon + 12 * dayMs);
  });

  test.each([
    ['half a fen', { amountFen: 0.5 as BillLine['amountFen'] }],
    ['a number with NUL', { number: 'a\u0000b' }],
    ['a field with NUL', { raw: { remark: 'a\u0000b' } }],
  ])('a bill with %s is kept as a failure, and the bills of other days come in', async (_what, broken) => {
    const earlier = await freshDay();
    await pay(1_000);
    noon = instant(noon + dayMs);
    await goTo(noon);
    const day = shanghaiDate(noon);
    await pay(2_000);
    falsify = (of, lines) => (of === day ? lines.map((each) => ({ ...each, ...broken })) : lines);
    await morningAfter();
    const bills = () =>
      api.database.db
        .selectFrom('channel_bills')
        .select(['lines', 'failure'])
        .where('channel', '=', 'embedded')
        .where('day', 'in', [earlier, day])
        .orderBy('day')
        .execute();
    expect(await bills()).toEqual([
      { lines: 1, failure: null },
      { lines: 0, failure: expect.any(String) },
    ]);
    expect(await partOf(day, 'embedded')).toMatchObject({ state: 'waiting' });
    falsify = (_day, lines) => lines;
    await fetchBills(room());
    expect(await bills()).toEqual(Array.from({ length: 2 }, () => ({ lines: 1, failure: null })));
  });

  test('a comparison that a person starts is in the audit log', async () => {
    const day = await freshDay();
    await pay(1_000);
    await morningAfter();
    const { data } = await api.post<ReconciliationDay>(`/reconciliation/days/${day}/runs`);
    const log = await api.get<{ items: { action: string; userName: string }[] }>(
      `/audit-entries?recordKind=reconciliation_day&recordId=${data.id}`,
    );
    expect(log.data.items).toMatchObject([{ action: 'reconciliation.run' }]);
  });

  test('a charge whose settlement began before midnight and ends after the seal belongs to the next day, in the books too', async () => {
    const day = await freshDay();
    const dayAfter = shanghaiDate(instant(noon + dayMs));
    const { pool } = api.database;
    await goTo(instant(noon + 12 * hourMs - 30_000));
    const began = api.context.now();
    const id = await makeOrder(api.database, place, instant(began - 40 * minuteMs), {
      state: 'settling',
      waits_for: 'person',
      payment_state: 'unpaid',
      amount_fen: fen(0),
      electricity_fee_fen: fen(0),
      service_fee_fen: fen(0),
      paid_fen: fen(0),
      settled_at: null,
      meter_start_wh: null,
      meter_stop_wh: null,
    });
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from orders where id = $1 for no key update', [id]);
    const endedAt = toIso(instant(began - 10 * minuteMs));
    const settling = api.post(`/orders/${id}/settlements`, { energyWh: 10_000, endedAt, reason: 'Meter read on site' });
    await vi.waitFor(async () => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect((await pool.query(waiting)).rows).toHaveLength(1);
    }, 30_000);
    await morningAfter();
    await endAll(day);
    expect((await seal(day)).envelope.message).toMatchObject({ status: 200 });
    await holder.query('commit');
    holder.release();
    expect((await settling).status).toBe(200);
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true, broken: [] });
    const { rows } = await pool.query(
      `select (settled_at at time zone 'Asia/Shanghai')::date::text as settled,
              (select array_agg(distinct (created_at at time zone 'Asia/Shanghai')::date::text) from ledger_transfers
                where order_id = orders.id) as moved
         from orders where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ settled: dayAfter, moved: [dayAfter] }]);
  });

  test('an order that is being settled while its day is sealed keeps the seal waiting, and is never left out of it', async () => {
    const day = await freshDay();
    await morningAfter();
    await endAll(day);
    const client = await api.database.pool.connect();
    await client.query('begin');
    await client.query(
      "insert into ledger_transfers (key, reason, order_id, created_at, amount_fen) select $1, 'correction', min(id), $2, 0 from orders",
      [`late:${day}`, new Date(noon)],
    );
    const sealing = seal(day);
    await vi.waitFor(async () => {
      const { rows } = await api.database.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rows).toHaveLength(1);
    }, 30_000);
    await client.query('commit');
    client.release();
    expect((await sealing).envelope.message).toMatchObject({ error: 'reconciliation.changed_meanwhile' });
    await endAll(day);
    expect((await seal(day)).status).toBe(200);
    expect((await api.get(`/reconciliation/days/${day}/seal`)).data).toMatchObject({ holds: true });
  });

  test('ending a difference waits for a comparison of its day before it locks the difference', async () => {
    const day = await freshDay();
    await makeSettledOrder(api.database, place, { electricityFeeFen: 700, serviceFeeFen: 400, settledAt: noon });
    await morningAfter();
    const { pool } = api.database;
    const [difference] = await differencesOf(`day=${day}&state=open`);
    const id = difference?.id;
    const comparing = await pool.connect();
    await comparing.query('begin');
    await comparing.query('select 1 from reconciliations where day = $1 for update', [day]);
    const ending = api.post(`/reconciliation/differences/${id}/ends`, { outcome: 'explained', reason: 'looked into' });
    await vi.waitFor(async () => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect((await pool.query(waiting)).rows).toHaveLength(1);
    }, 30_000);
    const free = await comparing.query(
      'select id from reconciliation_differences where id = $1 for update skip locked',
      [id],
    );
    expect(free.rows).toHaveLength(1);
    await comparing.query('commit');
    comparing.release();
    expect((await ending).status).toBe(200);
  });

  test('a seal needs its key, and the same key twice seals once', async () => {
    const day = await freshDay();
    await pay(1_000);
    await morningAfter();
    await endAll(day);
    const path = `/reconciliation/days/${day}/seals`;
    expect((await api.post(path, undefined, { key: null })).status).toBe(400);
    const [one, again] = [
      await api.post<ReconciliationDay>(path, undefined, { key: `seal-of-${day}` }),
      await api.post<ReconciliationDay>(path, undefined, { key: `seal-of-${day}` }),
    ];
    expect(one.status).toBe(200);
    expect(again.data.sealedHash).toBe(one.data.sealedHash);
  });
});

describe('rights', () => {
  test('each act needs its permission, and users of agents get none of it', async () => {
    const day = await freshDay();
    const missing = await pay(1_000);
    falsify = (_day, lines) => lines.filter(({ number }) => number !== missing.number);
    await morningAfter();
    const [difference] = await channelsDifferences(day);
    const paths = {
      run: `/reconciliation/days/${day}/runs`,
      take: `/reconciliation/differences/${difference?.id}/takers`,
      ask: `/reconciliation/differences/${difference?.id}/questions`,
      end: `/reconciliation/differences/${difference?.id}/ends`,
      seal: `/reconciliation/days/${day}/seals`,
    };
    const body = { outcome: 'explained', reason: 'looked into' };
    const { token: reader } = await api.addUser({ name: 'reader', permissions: ['reconciliation.read'] });
    for (const path of Object.values(paths)) expect((await api.post(path, body, { token: reader })).status).toBe(403);
    expect((await api.get(`/reconciliation/days/${day}`, { token: reader })).status).toBe(200);
    const agentId = await api.addAgent('Agent of reconciliation');
    const { token: agents } = await api.addUser({
      name: 'agents',
      permissions: ['reconciliation.read', 'reconciliation.run', 'reconciliation.repair', 'reconciliation.seal'],
      scope: 'agent',
      agentId,
    });
    for (const [name, path] of Object.entries(paths)) {
      const sent = name === 'end' ? body : undefined;
      expect((await api.post(path, sent, { token: agents })).status).toBe(404);
    }
    expect((await api.get('/reconciliation/differences', { token: agents })).status).toBe(403);
    const { token: repairer } = await api.addUser({
      name: 'repairer',
      permissions: ['reconciliation.read', 'reconciliation.repair'],
    });
    const taken = await api.post<ReconciliationDifference>(paths.take, undefined, { token: repairer });
    expect(taken.data).toMatchObject({ state: 'taken', takenByName: expect.any(String) });
    expect((await differencesOf(`day=${day}&mine=true`)).length).toBe(0);
    // Whoever asks sees what they took.
    const mine = await api.get<{ items: unknown[] }>('/reconciliation/differences?mine=true', { token: repairer });
    expect(mine.data.items).toHaveLength(1);
    expect((await api.post(paths.take)).data).toMatchObject({ state: 'taken' });
    expect(await differencesOf(`day=${day}&mine=true`)).toHaveLength(1);
  });
});
