import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { Order } from '@voltdeck/contract/orders';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makeOrder, makePlace, type Place } from '../http/test-records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** A connected station with free ports that answers every command alike. */
async function connectedPlace(name: string, outcome: CommandOutcome) {
  const place = await makePlace(api.database, null, name);
  const { db } = api.database;
  await db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
  await db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', place.stationId).execute();
  const asked: StationCommand[] = [];
  const end = playHolder(api.context.bus, place.stationNumber, async (command) => {
    asked.push(command);
    return outcome;
  });
  return { place, asked, end };
}

const place = (at: Place, key: string) =>
  api.post<Order>('/orders', { connectorId: at.connectorId, cardNumber: at.cardNumber }, { key, language: 'en' });

describe('a charge started from the console', () => {
  test('placing an order answers with the order, and the same key asks the station once', async () => {
    const { place: at, asked, end } = await connectedPlace('start', { kind: 'accepted' });
    const first = await place(at, 'start-once');
    expect(first.envelope.message).toMatchObject({ status: 200 });
    expect(first.data).toMatchObject({ state: 'placed', startMode: 'remote', stationNumber: at.stationNumber });
    expect((await place(at, 'start-once')).envelope).toEqual(first.envelope);
    expect(asked).toHaveLength(1);
    end();
  });

  test('an order placed by a process that died before answering is found again by its key', async () => {
    const { place: at, asked, end } = await connectedPlace('lost', { kind: 'accepted' });
    const first = await place(at, 'start-lost');
    await api.database.db
      .updateTable('idempotency_keys')
      .set({ status: null, answer: JSON.stringify({ recordId: first.data.id }) })
      .execute();
    const retried = await place(at, 'start-lost');
    expect(retried.data.id).toBe(first.data.id);
    expect(asked).toHaveLength(1);
    end();
  });

  test('an order that the station refuses is cancelled, its hold released and the reason reported', async () => {
    const { place: at, end } = await connectedPlace('refused', { kind: 'rejected' });
    const refused = await place(at, 'start-refused');
    expect(refused.envelope.message).toMatchObject({ status: 409, message: 'The station refused the command' });
    const card = await api.get(`/cards/${at.cardId}`);
    expect(card.data).toMatchObject({ balanceFen: 10_000, heldFen: 0 });
    const orders = await api.get<{ items: Order[] }>(`/orders?stationId=${at.stationId}`);
    expect(orders.data.items.map(({ state }) => state)).toEqual(['cancelled']);
    end();
  });

  test('an order that the station refuses with a reason is answered with that reason in the caller’s language', async () => {
    const { place: at, end } = await connectedPlace('unplugged', { kind: 'rejected', reason: 'not_plugged_in' });
    const refused = await place(at, 'start-unplugged');
    expect(refused.envelope.message).toMatchObject({
      status: 409,
      error: 'station.refused_because',
      message: 'The station refused the command: Not plugged in',
    });
    end();
  });

  test('placing an order needs exactly one payer: neither and both are refused', async () => {
    const { place: at, end } = await connectedPlace('payer', { kind: 'accepted' });
    const neither = await api.post('/orders', { connectorId: at.connectorId });
    expect(neither.envelope.message.fields).toMatchObject([{ path: 'cardNumber', code: 'required' }]);
    const payers = { cardNumber: at.cardNumber, customerPhone: at.phone };
    const both = await api.post('/orders', { connectorId: at.connectorId, ...payers });
    expect(both.envelope.message.fields).toMatchObject([{ path: 'customerPhone', code: 'only_one' }]);
    const unknown = await api.post('/orders', { connectorId: 999_999, cardNumber: at.cardNumber });
    expect(unknown.envelope.message.fields).toMatchObject([{ path: 'connectorId', code: 'unknown_reference' }]);
    end();
  });

  test('a first start for a customer waits for a merge of the record, and begins nothing then', async () => {
    const { place: at, asked, end } = await connectedPlace('merging', { kind: 'accepted' });
    const into = await makePlace(api.database, null, 'merged-into');
    await api.post('/recharges', { customerId: at.customerId, amountFen: 1_000 });
    const refused = await whileChanging(
      api.database.pool,
      [`update customers set state = 'merged', merged_into_id = $2 where id = $1`, [at.customerId, into.customerId]],
      () => api.post('/orders', { connectorId: at.connectorId, customerPhone: at.phone }),
    );
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'customerPhone', code: 'unknown_reference' }]);
    expect(asked).toEqual([]);
    expect(await balanceOf(api.database, `customer-held:${at.customerId}`)).toBe(0);
    end();
  });

  test("the console cannot spend money of another agent's card or customer", async () => {
    const { db } = api.database;
    const mine = await api.addAgent('Mine');
    const theirs = await api.addAgent('Theirs');
    const here = await makePlace(api.database, mine, 'mine');
    const there = await makePlace(api.database, theirs, 'theirs');
    await db.updateTable('stations').set({ online: true }).where('id', '=', here.stationId).execute();
    await db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', here.stationId).execute();
    const { token } = await api.addUser({
      name: 'starter',
      permissions: ['order.start', 'order.read'],
      scope: 'agent',
      agentId: mine,
    });
    const start = (payer: object) =>
      api.post('/orders', { connectorId: here.connectorId, ...payer }, { token, language: 'en' });
    const byCard = await start({ cardNumber: there.cardNumber });
    expect(byCard.envelope.message).toMatchObject({ status: 409, message: 'This card cannot be used' });
    const byPhone = await start({ customerPhone: there.phone });
    expect(byPhone.envelope.message.fields).toMatchObject([{ path: 'customerPhone', code: 'unknown_reference' }]);
  });

  test('an agent cannot spend the balance of a customer to whom it bound a card', async () => {
    const { place: at, end } = await connectedPlace('bound', { kind: 'accepted' });
    const agentId = await api.addAgent('Binders');
    const { db } = api.database;
    await db.updateTable('stations').set({ agent_id: agentId }).where('id', '=', at.stationId).execute();
    const { token } = await api.addUser({
      name: 'spender',
      permissions: ['order.start', 'order.read', 'card.edit', 'card.read'],
      scope: 'agent',
      agentId,
    });
    const filled = await api.post('/recharges', { customerPhone: at.phone, amountFen: 10_000 });
    expect(filled.status).toBe(200);
    const card = await api.post<{ id: number }>('/cards', { number: 'B07D000000000001' }, { token });
    const bound = await api.ask('PUT', `/cards/${card.data.id}/holder`, { body: { customerPhone: at.phone }, token });
    expect(bound.status).toBe(200);
    const byPhone = await api.post('/orders', { connectorId: at.connectorId, customerPhone: at.phone }, { token });
    expect(byPhone.envelope.message.fields).toMatchObject([{ path: 'customerPhone', code: 'unknown_reference' }]);
    expect((await api.post('/orders', { connectorId: at.connectorId, customerPhone: at.phone })).status).toBe(200);
    end();
  });

  test('an order can be cancelled once, while it is placed, and stopped only while it charges', async () => {
    const { place: at, end } = await connectedPlace('cancel', { kind: 'accepted' });
    const { id } = (await place(at, 'to-cancel')).data;
    const early = await api.post(`/orders/${id}/stops`, undefined, { language: 'en' });
    expect(early.envelope.message.message).toBe('This order has not started charging');
    const cancelled = await api.post<Order>(`/orders/${id}/cancellations`);
    expect(cancelled.data).toMatchObject({ id, state: 'cancelled' });
    expect((await api.post(`/orders/${id}/cancellations`)).envelope.message.error).toBe('order.already_ended');
    expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
    end();
  });
});

describe('a charge that many are asked to stop', () => {
  const charging = async (at: Place) =>
    makeOrder(api.database, at, instant(Date.now()), { state: 'charging', payment_state: 'unpaid', ended_at: null });
  const notesOf = async (id: number) => {
    const { rows } = await api.database.pool.query<{ asked: number; audited: number }>(
      `select (select count(*)::int from jsonb_array_elements(timeline) e where e->>'event' = 'stop_asked') as asked,
              (select count(*)::int from audit_entries a where a.action = 'order.stop' and a.record_id = $1::text) as audited
         from orders where id = $1::bigint`,
      [id],
    );
    return rows[0];
  };
  const stops = (id: number, count: number) =>
    Promise.all(Array.from({ length: count }, () => api.post(`/orders/${id}/stops`)));

  test('fifty stops at once of a charge at an offline station leave one entry in its journal and in the audit log', async () => {
    const at = await makePlace(api.database, null, 'stop-offline');
    const id = await charging(at);
    const answers = await stops(id, 50);
    expect(new Set(answers.map(({ envelope }) => envelope.message.error))).toEqual(new Set(['station.offline']));
    expect(await notesOf(id)).toEqual({ asked: 1, audited: 1 });
    for (let again = 0; again < 3; again += 1) await stops(id, 1);
    expect(await notesOf(id)).toEqual({ asked: 1, audited: 1 });
    api.clock.aheadMs = minuteMs;
    await stops(id, 1);
    api.clock.aheadMs = 0;
    expect(await notesOf(id)).toEqual({ asked: 2, audited: 2 });
  });

  test('stops at once are one command whose answer all get, and a later one asks the station again', async () => {
    const at = await makePlace(api.database, null, 'stop-held');
    const id = await charging(at);
    const asked: ((outcome: CommandOutcome) => void)[] = [];
    const end = playHolder(api.context.bus, at.stationNumber, () => new Promise((resolve) => asked.push(resolve)));
    const first = stops(id, 20);
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.({ kind: 'rejected' });
    for (const { data } of await first) expect(data).toEqual({ agreed: false });
    const again = stops(id, 1);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.({ kind: 'accepted' });
    expect((await again)[0]?.data).toEqual({ agreed: true });
    expect(await notesOf(id)).toEqual({ asked: 1, audited: 1 });
    end();
  });
});
