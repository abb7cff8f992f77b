import type { Connector } from '@voltdeck/contract/connectors';
import type { Station, StationDetail } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectStation, type Floor, openFloor, type TestStation } from '../charging/test-charging-floor.ts';
import { freshDatabase, whileChanging } from '../database/test-database.ts';
import { addYkcStation, connectYkc, idleOf, type TestYkcStation } from '../gateways/test-ykc-station.ts';
import { openYkcGateway, type YkcGateway } from '../gateways/ykc-socket.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace } from '../http/test-records.ts';

let api: TestApi;
let floor: Floor;
let ykc: YkcGateway;
const open: { end(): Promise<void> }[] = [];
beforeAll(async () => {
  const database = await freshDatabase();
  api = await openTestApi({ database });
  floor = await openFloor(database, () => api.context as never);
  ykc = await openYkcGateway(floor.context, floor.journal, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((station) => station.end()));
});
afterAll(async () => {
  await ykc.close();
  await floor.close();
  await api.close();
});

const move = (id: number, body: object, ask = {}) => api.post<Connector>(`/connectors/${id}/moves`, body, ask);
const portsOf = async (id: StationId) => (await api.get<StationDetail>(`/stations/${id}`)).data.ports;
const portOf = async (id: StationId, number: number) => (await portsOf(id)).find((port) => port.number === number);
const countOf = async (id: StationId) => (await api.get<Station>(`/stations/${id}`)).data.connectorCount;

/** A connected station that reports the states of its gun ports, whatever its protocol. */
type Speaker = { id: StationId; tell(number: number, state: 'free' | 'fault'): Promise<unknown> };

async function ocppStation(number: string): Promise<Speaker & { station: TestStation }> {
  const { id } = await floor.addStation(number);
  const station = await connectStation(floor, number);
  open.push(station);
  await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  return {
    id,
    station,
    tell: (connectorId, state) =>
      station.call('StatusNotification', {
        connectorId,
        errorCode: state === 'free' ? 'NoError' : 'GroundFailure',
        status: state === 'free' ? 'Available' : 'Faulted',
      }),
  };
}

async function ykcStation(number: string): Promise<Speaker & { station: TestYkcStation }> {
  const id = await addYkcStation(api.database, { number, siteId: floor.siteId, tariffId: floor.tariffId });
  const station = await connectYkc(ykc.port);
  open.push(station);
  await station.logIn(number);
  return {
    id,
    station,
    tell: async (gunNo, state) => station.say({ ...idleOf(number, gunNo), state: state === 'free' ? 2 : 1 }),
  };
}

const speakers = {
  'OCPP 1.6': {
    first: () => ocppStation('MOVE-1'),
    second: () => ocppStation('MOVE-2'),
    numbers: ['MOVE-1', 'MOVE-2'],
  },
  YKC: {
    first: () => ykcStation('33010600009001'),
    second: () => ykcStation('33010600009002'),
    numbers: ['33010600009001', '33010600009002'],
  },
} as const;

describe.each(Object.entries(speakers))(
  'a gun port moved between stations that speak %s',
  (_, { first, second, numbers }) => {
    test('it shows its new station’s states and never its old one’s, and both gun counts follow', async () => {
      const [from, to] = [await first(), await second()];
      await from.tell(2, 'free');
      await expect.poll(async () => (await portOf(from.id, 2))?.state).toBe('free');
      const id = (await portOf(from.id, 2))?.id ?? 0;
      const moved = await move(id, { stationNumber: numbers[1], number: 3 });
      expect(moved.data).toMatchObject({ id, stationNumber: numbers[1], number: 3, name: '3', state: 'offline' });
      expect(moved.data.qrText).toBe(`${numbers[1]}-3`);
      expect([await countOf(from.id), await countOf(to.id)]).toEqual([1, 3]);

      await from.tell(2, 'fault');
      await from.tell(1, 'free');
      await expect.poll(async () => (await portOf(from.id, 1))?.state).toBe('free');
      expect(await portOf(to.id, 3)).toMatchObject({ id, state: 'offline', faultCode: null });

      await to.tell(3, 'free');
      await expect.poll(async () => (await portOf(to.id, 3))?.state).toBe('free');
      await to.tell(3, 'fault');
      await expect.poll(async () => (await portOf(to.id, 3))?.state).toBe('fault');
      expect(await portOf(from.id, 2)).toBeUndefined();

      // The old station goes offline: that says nothing of the port any more.
      await open.shift()?.end();
      await expect.poll(async () => (await portOf(from.id, 1))?.state).toBe('offline');
      expect((await portOf(to.id, 3))?.state).toBe('fault');
    });
  },
);

describe('a gun port', () => {
  test('a new station is asked for the state of a port moved to it', async () => {
    const [from, to] = [await ocppStation('ASK-1'), await ocppStation('ASK-2')];
    const id = (await portOf(from.id, 1))?.id ?? 0;
    expect((await move(id, { stationNumber: 'ASK-2', number: 9 })).status).toBe(200);
    await expect
      .poll(() => to.station.asked)
      .toContainEqual(['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 9 }]);
    expect(from.station.asked).toEqual([]);
  });

  test('a charge at the old number after a move is one of a port that nobody registered', async () => {
    const [from, to] = [await ocppStation('GHOST-1'), await ocppStation('GHOST-2')];
    await floor.addCard('4000000000000001', 10_000);
    const id = (await portOf(from.id, 1))?.id ?? 0;
    await move(id, { stationNumber: 'GHOST-2', number: 7 });
    await from.station.call('StartTransaction', {
      connectorId: 1,
      idTag: '4000000000000001',
      meterStart: 0,
      timestamp: new Date().toISOString(),
    });
    const rows = await api.database.db
      .selectFrom('connectors')
      .innerJoin('orders', 'orders.connector_id', 'connectors.id')
      .select(['connectors.id', 'connectors.registered', 'orders.station_id as stationId'])
      .where('connectors.station_id', 'in', [from.id, to.id])
      .execute();
    expect(rows).toEqual([{ id: expect.any(Number), registered: false, stationId: from.id }]);
    expect(rows[0]?.id).not.toBe(id);
  });

  test('a node that has not heard of a move gives a charge to no port of another station', async () => {
    const [from] = [await ocppStation('DEAF-1'), await ocppStation('DEAF-2')];
    await floor.addCard('4000000000000002', 10_000);
    const id = (await portOf(from.id, 2))?.id ?? 0;
    const toId = (
      await api.database.db.selectFrom('stations').select('id').where('number', '=', 'DEAF-2').executeTakeFirstOrThrow()
    ).id;
    // As another node would: in the database, without a word to this one.
    await api.database.db
      .updateTable('connectors')
      .set({ station_id: toId, number: 5 })
      .where('id', '=', id as never)
      .execute();
    await from.tell(2, 'fault');
    await from.station.call('StartTransaction', {
      connectorId: 2,
      idTag: '4000000000000002',
      meterStart: 0,
      timestamp: new Date().toISOString(),
    });
    const order = await api.database.db
      .selectFrom('orders')
      .select('connector_id')
      .where('station_id', '=', from.id)
      .executeTakeFirstOrThrow();
    expect(order.connector_id).not.toBe(id);
    expect(await portOf(toId, 5)).toMatchObject({ state: 'offline', orderId: null });
  });

  test('a gun port that moves keeps its orders and a name of its own, has another code, and the audit log says so', async () => {
    const place = await makePlace(api.database, null, 'mole');
    const orderId = await makeOrder(api.database, place, instant(Date.now()));
    await api.ask('PUT', `/connectors/${place.connectorId}`, { body: { name: 'By the lift', bayNumber: 'B-17' } });
    const { data } = await move(place.connectorId, { number: 12 });
    expect(data).toMatchObject({
      name: 'By the lift',
      bayNumber: 'B-17',
      number: 12,
      stationNumber: place.stationNumber,
    });
    expect(data.qrText).toBe(`${place.stationNumber}-12`);
    const row = await api.database.db
      .selectFrom('orders')
      .select(['connector_id', 'station_id', 'connector_number'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ connector_id: place.connectorId, station_id: place.stationId, connector_number: 1 });
    const audits = await api.get<{ items: { action: string; before: unknown; after: unknown }[] }>(
      `/audit-entries?recordKind=connector&recordId=${place.connectorId}`,
    );
    expect(audits.data.items[0]).toMatchObject({ action: 'connector.move' });
  });

  test.each(['completed', 'cancelled'] as const)(
    'a gun port that moved in with a %s order is not deleted, neither with its station nor by a smaller gun count',
    async (state) => {
      const [from, to] = [
        await makePlace(api.database, null, `from-${state}`),
        await makePlace(api.database, null, `to-${state}`),
      ];
      const unbegun = { started_at: null, ended_at: null, settled_at: null };
      await makeOrder(api.database, from, instant(Date.now()), { state, ...(state === 'cancelled' ? unbegun : {}) });
      await move(from.connectorId, { stationNumber: to.stationNumber, number: 3 });
      const refused = await api.ask('DELETE', `/stations/${to.stationId}`);
      expect(refused.envelope.message.error).toBe('station.in_use');
      const { data: station } = await api.get<StationDetail>(`/stations/${to.stationId}`);
      const shrunk = await api.ask('PUT', `/stations/${to.stationId}`, {
        body: {
          number: station.number,
          name: station.name,
          type: station.type,
          equipmentType: station.equipmentType,
          siteId: station.siteId,
          maxPowerKw: station.maxPowerKw,
          connectorCount: 2,
        },
      });
      expect(shrunk.envelope.message.fields).toMatchObject([{ path: 'connectorCount', code: 'in_use' }]);
      expect(await portOf(to.stationId, 3)).toMatchObject({ id: from.connectorId });

      await move(from.connectorId, { stationNumber: from.stationNumber, number: 1 });
      expect((await api.ask('DELETE', `/stations/${to.stationId}`)).status).toBe(200);
    },
  );

  test('a gun port is not moved without a station number or gun number, in both languages', async () => {
    const place = await makePlace(api.database, null, 'nowhere');
    const refused = await move(place.connectorId, {}, { language: 'en' });
    expect(refused.envelope.message).toMatchObject({
      status: 422,
      error: 'connector.no_target',
      message: 'Station number or gun number required',
    });
    const zh = await move(place.connectorId, {}, { language: 'zh-CN' });
    expect(zh.envelope.message.message).toBe('充电桩编号或枪口号必填其一');
  });

  test('a gun port does not move to a number in use, to an unknown station or to a number its protocol lacks', async () => {
    const place = await makePlace(api.database, null, 'full');
    const taken = await move(place.connectorId, { number: 2 }, { language: 'en' });
    expect(taken.envelope.message).toMatchObject({
      error: 'connector.number_taken',
      message: `Station ${place.stationNumber} already has a gun port 2. Choose another number.`,
    });
    const unknown = await move(place.connectorId, { stationNumber: 'NOT-THERE' });
    expect(unknown.envelope.message.fields).toEqual([
      expect.objectContaining({ path: 'stationNumber', code: 'unknown_reference' }),
    ]);
    await addYkcStation(api.database, { number: '33010600009003', siteId: floor.siteId, tariffId: null });
    const beyond = await move(place.connectorId, { stationNumber: '33010600009003', number: 100 });
    expect(beyond.envelope.message.fields).toEqual([expect.objectContaining({ path: 'number', code: 'too_big' })]);
  });

  test('a gun port stays while an order at it is not begun, runs or waits for its stop', async () => {
    for (const state of ['placed', 'charging', 'settling'] as const) {
      const place = await makePlace(api.database, null, `busy-${state}`);
      await makeOrder(api.database, place, instant(Date.now()), {
        state,
        ...(state === 'settling' ? { waits_for: 'stop' as const } : {}),
      });
      const refused = await move(place.connectorId, { number: 5 });
      expect(refused.envelope.message.error).toBe('connector.in_use');
    }
  });

  test('an agent moves its own ports, and only between its own stations', async () => {
    const agentId = await api.addAgent('Mover');
    const [own, other] = [await makePlace(api.database, agentId, 'own'), await makePlace(api.database, null, 'other')];
    const { token } = await api.addUser({ name: 'mover', permissions: ['connector.edit'], scope: 'agent', agentId });
    expect((await move(other.connectorId, { number: 9 }, { token })).status).toBe(404);
    const away = await move(own.connectorId, { stationNumber: other.stationNumber, number: 9 }, { token });
    expect(away.envelope.message.fields).toEqual([expect.objectContaining({ code: 'unknown_reference' })]);
    expect((await move(own.connectorId, { number: 9 }, { token })).status).toBe(200);
  });

  test('a gun port is not moved to a station that goes to another agent or is deleted meanwhile', async () => {
    const [agentId, otherId] = [await api.addAgent('Puller'), await api.addAgent('Getter')];
    const [own, gone, deleted] = [
      await makePlace(api.database, agentId, 'own-one'),
      await makePlace(api.database, agentId, 'gone-one'),
      await makePlace(api.database, agentId, 'deleted-one'),
    ];
    const { token } = await api.addUser({ name: 'puller', permissions: ['connector.edit'], scope: 'agent', agentId });
    const meanwhile = [
      { place: gone, change: ['update stations set agent_id = $1 where id = $2', [otherId, gone.stationId]] },
      { place: deleted, change: ['delete from stations where id = $1', [deleted.stationId]] },
    ] as const;
    for (const { place, change } of meanwhile) {
      const refused = await whileChanging(api.database.pool, [change[0], [...change[1]]], () =>
        move(own.connectorId, { stationNumber: place.stationNumber, number: 9 }, { token }),
      );
      expect(refused.envelope.message.fields).toEqual([
        expect.objectContaining({ path: 'stationNumber', code: 'unknown_reference' }),
      ]);
    }
    expect(await portOf(own.stationId, 1)).toMatchObject({ id: own.connectorId });
  });

  test('a move that is repeated has the same answer, and of two at once to one place one is refused', async () => {
    const [one, two] = [await makePlace(api.database, null, 'race-1'), await makePlace(api.database, null, 'race-2')];
    const target = { stationNumber: one.stationNumber, number: 20 };
    const ports = await portsOf(one.stationId);
    const answers = await Promise.all([
      move(ports[0]?.id ?? 0, target, { key: 'race-1' }),
      move(two.connectorId, target, { key: 'race-2' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0].status === 200 ? ports[0]?.id : two.connectorId;
    const again = await move(winner ?? 0, target, { key: answers[0].status === 200 ? 'race-1' : 'race-2' });
    expect(again.data).toMatchObject({ id: winner, number: 20 });
  });

  test('a station with a gap among its ports fills it when its gun count grows, and shrinks from the highest number', async () => {
    const place = await makePlace(api.database, null, 'gap');
    const station = (await api.get<StationDetail>(`/stations/${place.stationId}`)).data;
    await move(place.connectorId, { number: 4 });
    const form = {
      number: station.number,
      name: station.name,
      type: station.type,
      equipmentType: station.equipmentType,
      siteId: station.siteId,
      maxPowerKw: station.maxPowerKw,
      cardTariffId: station.cardTariffId ?? undefined,
    };
    const resize = (connectorCount: number) =>
      api.ask('PUT', `/stations/${place.stationId}`, { body: { ...form, connectorCount } });
    expect((await resize(4)).status).toBe(200);
    expect((await portsOf(place.stationId)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect((await resize(3)).status).toBe(200);
    expect((await portsOf(place.stationId)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});
