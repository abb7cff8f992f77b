import { once } from 'node:events';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Api } from './api.ts';
import { libraryStation, tellFree } from './library-station.ts';
import { type Product, startProduct } from './product.ts';
import { dayTariff, morning } from './two-hour-charge.ts';
import { until } from './until.ts';

let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

const boot = { chargePointVendor: 'Lakeside', chargePointModel: 'L120' };
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Attempts a handshake and returns the HTTP status: 101 if accepted, after which the connection is closed. */
async function knock(path: string, options: { authorization?: string; subprotocols?: string[] } = {}): Promise<number> {
  const { authorization, subprotocols = ['ocpp1.6'] } = options;
  const headers = authorization === undefined ? {} : { authorization };
  const socket = new WebSocket(`${product.ocppUrl}/${path}`, subprotocols, { headers, handshakeTimeout: 10_000 });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

async function isOnline(stationId: number): Promise<boolean> {
  return (await api.get<{ online: boolean }>(`/stations/${stationId}`)).online;
}

describe.concurrent('a station at the door', () => {
  test('an unregistered station gets 404, is listed, and is accepted once adopted', async () => {
    expect(await knock('STRANGER-1', { authorization: basic('STRANGER-1', 'whatever-it-is-16') })).toBe(404);
    type Unknown = { id: number; number: string; protocol: string; attempts: number };
    const unknown = await until('the stranger is listed', async () => {
      const { items } = await api.get<{ items: Unknown[] }>('/unknown-stations?pageSize=100');
      return items.find(({ number }) => number === 'STRANGER-1');
    });
    expect(unknown).toMatchObject({ protocol: 'ocpp1.6', attempts: 1 });
    const form = {
      name: 'Adopted',
      type: 'slow',
      equipmentType: 'four-wheel',
      siteId,
      connectorCount: 1,
      maxPowerKw: 7,
    };
    const adopted = await api.post<{ id: number; number: string; password: string }>(
      `/unknown-stations/${unknown.id}/adoptions`,
      { ...form, cardTariffId: tariffId },
    );
    expect(adopted.number).toBe('STRANGER-1');
    const station = await libraryStation(product.ocppUrl, adopted);
    expect(await station.call('BootNotification', boot)).toMatchObject({ status: 'Accepted' });
    const { items } = await api.get<{ items: Unknown[] }>('/unknown-stations?pageSize=100');
    expect(items.map(({ number }) => number)).not.toContain('STRANGER-1');
    await station.close();
  });

  test('a station with a wrong password, a wrong name or none gets 401, and the installer sees why', async () => {
    const { id, password } = await api.createStation({ number: 'DOOR-1', siteId, tariffId });
    expect(await knock('DOOR-1')).toBe(401);
    expect(await knock('DOOR-1', { authorization: basic('DOOR-1', `${password}x`) })).toBe(401);
    expect(await knock('DOOR-1', { authorization: basic('DOOR-2', password) })).toBe(401);
    expect(await knock('DOOR-1', { authorization: 'Bearer something' })).toBe(401);
    const { lastRefusal } = await api.get<{ lastRefusal: { reason: string } }>(`/stations/${id}/connection`);
    expect(lastRefusal.reason).toBe('wrong_user');
    expect(await isOnline(id)).toBe(false);
    expect(await knock('DOOR-1', { authorization: basic('DOOR-1', password) })).toBe(101);
  });

  test('a station without a known subprotocol gets 400; of several offered the known one is chosen', async () => {
    const { password } = await api.createStation({ number: 'DOOR-3', siteId, tariffId });
    const authorization = basic('DOOR-3', password);
    expect(await knock('DOOR-3', { authorization, subprotocols: [] })).toBe(400);
    expect(await knock('DOOR-3', { authorization, subprotocols: ['ocpp2.0.1', 'ocpp1.5'] })).toBe(400);
    const socket = new WebSocket(`${product.ocppUrl}/DOOR-3`, ['ocpp2.0.1', 'ocpp1.6'], { headers: { authorization } });
    await once(socket, 'open');
    expect(socket.protocol).toBe('ocpp1.6');
    socket.close();
  });

  test('a station may percent-encode its number, in any script', async () => {
    const { password } = await api.createStation({ number: 'DOOR.4', siteId, tariffId });
    expect(await knock('%44OOR%2E4', { authorization: basic('DOOR.4', password) })).toBe(101);
    expect(await knock('DOOR.4/', { authorization: basic('DOOR.4', password) })).toBe(101);
    expect(await knock('%FF', { authorization: basic('DOOR.4', password) })).toBe(404);
    const number = '北门 1/2';
    expect(await knock(encodeURIComponent(number))).toBe(404);
    const unknown = await until('the stranger is listed', async () => {
      const { items } = await api.get<{ items: { id: number; number: string }[] }>('/unknown-stations?pageSize=100');
      return items.find((item) => item.number === number);
    });
    const form = { name: 'North', type: 'slow', equipmentType: 'four-wheel', siteId, connectorCount: 1, maxPowerKw: 7 };
    const adopted = await api.post<{ number: string; password: string }>(
      `/unknown-stations/${unknown.id}/adoptions`,
      form,
    );
    const station = await libraryStation(product.ocppUrl, adopted);
    expect(await station.call('Heartbeat', {})).toHaveProperty('currentTime');
    await station.close();
  });

  test('a station that connects again replaces its old connection and stays online', async () => {
    const { id, number, password } = await api.createStation({ number: 'DOOR-5', siteId, tariffId });
    const old = await libraryStation(product.ocppUrl, { number, password });
    await old.call('BootNotification', boot);
    await tellFree(old);
    const fresh = await libraryStation(product.ocppUrl, { number, password });
    await until('the old connection is closed', () => !old.isConnected);
    await fresh.call('BootNotification', boot);
    await tellFree(fresh);
    expect(await isOnline(id)).toBe(true);
    const { data } = await api.command(id, { kind: 'clear-cache' });
    expect(data).toEqual({ kind: 'accepted' });
    expect(fresh.asked.map(({ action }) => action)).toEqual(['ClearCache']);
    expect(old.asked).toEqual([]);
    expect(await isOnline(id)).toBe(true);
    await fresh.close();
    await until('the station is offline', async () => !(await isOnline(id)));
  });

  test('a station may send messages before its boot notification, and they count', async () => {
    const { id, number, password } = await api.createStation({ number: 'DOOR-6', siteId, tariffId });
    const card = 'D000000000000006';
    await api.createCard(card, 10_000);
    const station = await libraryStation(product.ocppUrl, { number, password });
    await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
    const timestamp = new Date(morning(1)).toISOString();
    const started = await station.call('StartTransaction', { connectorId: 1, idTag: card, meterStart: 0, timestamp });
    expect(started).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    const [port] = await api.connectorsOf(id);
    expect(port?.state).toBe('plugged_in');
    expect(await station.call('BootNotification', boot)).toMatchObject({ status: 'Accepted' });
    const { transactionId } = started;
    await station.call('StopTransaction', { transactionId, meterStop: 0, timestamp, reason: 'Local' });
    const orders = await api.ordersOf({ cardNumber: card });
    expect(orders).toMatchObject([{ state: 'completed', amountFen: 0 }]);
    await station.close();
  });

  test('a station that never boots is asked to, and takes commands even if it does not', async () => {
    const { id, number, password } = await api.createStation({ number: 'DOOR-7', siteId, tariffId });
    const station = await libraryStation(product.ocppUrl, { number, password });
    station.answerBy((action) => ({ status: action === 'TriggerMessage' ? 'NotImplemented' : 'Accepted' }));
    await tellFree(station);
    const { data } = await api.command(id, { kind: 'reset', mode: 'soft' });
    expect(data).toEqual({ kind: 'accepted' });
    expect(station.asked).toEqual([
      { action: 'TriggerMessage', payload: { requestedMessage: 'BootNotification' } },
      { action: 'Reset', payload: { type: 'Soft' } },
    ]);
    await station.close();
  });
});

describe.concurrent('a command', () => {
  test('a command reaches the station in its own words, and the answer comes back in ours', async () => {
    const { id, number, password } = await api.createStation({ number: 'ASKED-1', siteId, tariffId });
    const station = await libraryStation(product.ocppUrl, { number, password });
    await station.call('BootNotification', boot);
    await tellFree(station);
    station.answerBy((action) => {
      if (action === 'UnlockConnector') return { status: 'UnlockFailed' };
      if (action === 'ChangeAvailability') return { status: 'Scheduled' };
      if (action === 'GetConfiguration') {
        return {
          configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }],
          unknownKey: ['Nonsense'],
        };
      }
      if (action === 'GetLocalListVersion') return { listVersion: 12 };
      return { status: action === 'Reset' ? 'Rejected' : 'Accepted' };
    });
    const ask = async (command: Record<string, unknown>) => (await api.command(id, command)).data;
    expect(await ask({ kind: 'reset', mode: 'hard' })).toEqual({ kind: 'rejected' });
    expect(await ask({ kind: 'unlock-connector', connectorNumber: 1 })).toEqual({ kind: 'failed' });
    expect(await ask({ kind: 'change-availability', connectorNumber: 0, available: false })).toEqual({
      kind: 'scheduled',
    });
    expect(await ask({ kind: 'trigger-message', message: 'connector-state', connectorNumber: 1 })).toEqual({
      kind: 'accepted',
    });
    expect(await ask({ kind: 'read-configuration', keys: ['HeartbeatInterval', 'Nonsense'] })).toEqual({
      kind: 'configuration',
      entries: [{ key: 'HeartbeatInterval', value: '300', readonly: false }],
      unknownKeys: ['Nonsense'],
    });
    const raw = { kind: 'raw', action: 'GetLocalListVersion', payload: {} };
    expect(await ask(raw)).toEqual({ kind: 'raw', payload: { listVersion: 12 } });
    expect(station.asked).toEqual([
      { action: 'Reset', payload: { type: 'Hard' } },
      { action: 'UnlockConnector', payload: { connectorId: 1 } },
      { action: 'ChangeAvailability', payload: { connectorId: 0, type: 'Inoperative' } },
      { action: 'TriggerMessage', payload: { requestedMessage: 'StatusNotification', connectorId: 1 } },
      { action: 'GetConfiguration', payload: { key: ['HeartbeatInterval', 'Nonsense'] } },
      { action: 'GetLocalListVersion', payload: {} },
    ]);
    type Exchange = { action: string; direction: string; answer: string | null };
    // Our own calls are logged beside the answer, with the journal's next write.
    await until('every call in the interaction log', async () => {
      const { items } = await api.get<{ items: Exchange[] }>(
        `/interaction-logs?stationNumber=${number}&direction=to-station`,
      );
      expect(items.map(({ action }) => action).sort()).toEqual(station.asked.map(({ action }) => action).sort());
      return true;
    });
    await station.close();
  });

  test('a command to an offline station is refused in the caller’s language', async () => {
    const { id } = await api.createStation({ number: 'ASKED-2', siteId, tariffId });
    const english = await api.command(id, { kind: 'reset' }, { language: 'en' });
    expect(english).toMatchObject({ httpStatus: 409, data: null, message: { code: 409, error: 'station.offline' } });
    expect(english.message.message).toMatch(/^The station is offline/);
    const chinese = await api.command(id, { kind: 'reset' }, { language: 'zh-CN' });
    expect(chinese).toMatchObject({ httpStatus: 409, message: { error: 'station.offline' } });
    expect(chinese.message.message).toContain('离线');
  });
});
