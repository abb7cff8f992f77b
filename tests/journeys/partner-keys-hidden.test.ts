import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes } from '@voltdeck/contract/routes';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { readWorkbook } from '@voltdeck/server/http/read-workbook';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { startFirmware } from './firmware.ts';
import { type OperatorKeys, openAnswer, openRequest, sealAnswer, sealRequest, timeStamp } from './operator-envelope.ts';
import { adminPassword, type Product, startProduct } from './product.ts';
import { dayTariff, morning, twoHourCharge } from './two-hour-charge.ts';
import { until } from './until.ts';

const operatorId = 'MA1HIDDEN';
const partnerToken = 'Token-that-they-gave-us-QWX1';
const keysOf = (name: string): OperatorKeys => ({
  operatorSecret: `Secret-${name}-QWX2`,
  sigSecret: `Sig-${name}-QWX3`,
  dataSecret: `Data-${name}-QWX4`.slice(-16).padStart(16, 'D'),
  dataSecretIv: `Iv-${name}-QWX5`.slice(-16).padStart(16, 'I'),
});
const inbound = keysOf('in-first');
const outbound = [keysOf('out-first'), keysOf('out-then')] as const;
/** Files of a handful of rows. */
const limits = {
  rowsMax: 10_000,
  columnsMax: 100,
  cellTextMax: 100_000,
  charactersMax: 10_000_000,
  unpackedBytesMax: 50_000_000,
};

let database: Database;
let product: Product;
let api: Api;
let session: string;
let server: Server;
let sequence: string;
let partnerId: number;
let generated: OperatorKeys;
const tokensOfOurs: string[] = [];
const heard: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  product = await startProduct(database.url);
  api = await product.signIn();
  const form = new URLSearchParams({ userName: 'admin', password: adminPassword, platForm: '4' });
  const login = await fetch(`${product.url}/api/login`, { method: 'POST', body: form });
  session = ((await login.json()) as { data: { token: string } }).data.token;
  server = createServer(async (request, response) => {
    const name = request.url?.split('/').at(-1) ?? '';
    let body = '';
    for await (const chunk of request) body += chunk;
    const keys = outbound.find((set) => openRequest(body, set) !== null);
    const asked = keys === undefined ? null : openRequest(body, keys);
    if (keys === undefined || asked === null) return void response.end(sealAnswer(outbound[0], 4001, null));
    heard.push(name);
    // Its messages repeat what it was called with.
    const isFirst = heard.filter((one) => one === name).length === 1;
    const echo = `${request.headers.authorization} ${Object.values(keys).join(' ')}`;
    if (isFirst && name !== 'query_token') return void response.end(sealAnswer(keys, -1, null, echo));
    response.end(sealAnswer(keys, 0, answerOf(name, asked)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

function answerOf(name: string, asked: Record<string, unknown>): object {
  if (name === 'query_token') {
    const { OperatorID } = asked;
    return { OperatorID, SuccStat: 0, AccessToken: partnerToken, TokenAvailableTime: 7_200, FailReason: 0 };
  }
  if (name === 'notification_stationStatus') return { Status: 0 };
  const { StartChargeSeq, ConnectorID } = asked;
  return { StartChargeSeq, ConnectorID, SuccStat: 0, FailReason: 0, ConfirmResult: 0 };
}

type Sent = { message: object; keys?: OperatorKeys; token?: string | undefined };
async function call(name: string, { message, keys = inbound, token }: Sent) {
  const response = await fetch(`${product.url}/evcs/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? tokensOfOurs.at(-1) ?? ''}` },
    body: sealRequest(operatorId, keys, message),
  });
  return openAnswer(await response.text(), keys);
}

async function takeToken(keys: OperatorKeys): Promise<void> {
  const given = await call('query_token', {
    message: { OperatorID: operatorId, OperatorSecret: keys.operatorSecret },
    keys,
  });
  tokensOfOurs.push(String(given.message?.AccessToken));
}

/** A partner's whole story: added, rotated both ways, a charge from its start to its confirmed order. */
async function playStory(): Promise<void> {
  const { pool } = database;
  const tariffId = await api.createTariff(dayTariff);
  const siteId = await api.createSite('Lakeside');
  await pool.query(
    `update sites set kind = 'public', place = 'office', service_phone = '400-800-1234', own_grid = false, opened_at = now()`,
  );
  await pool.query(`update configs set value = 'MA1OURS01' where key = 'own_operator_id'`);
  const { id: stationId, password } = await api.createStation({ number: 'HIDDEN-1', siteId, tariffId });
  await pool.query(
    `update stations set manufacturer = 'Lakeside', manufacturer_code = '123456789', equipment_model = 'L120',
            produced_on = '2026-01-01'`,
  );
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/evcs/v1`;
  const form = { operatorId, name: 'Keeper of keys', role: 'demand', baseUrl, inbound, outbound: outbound[0] };
  partnerId = (await api.post<{ id: number }>('/partners', form)).id;
  await api.ask('PUT', `/partners/${partnerId}/sites`, { siteIds: [siteId] });
  await api.post(`/partners/${partnerId}/deposits`, { amountFen: 50_000, remark: 'Bank transfer' });
  await takeToken(inbound);
  const rotation = `/partners/${partnerId}/key-rotations`;
  const rotated = await api.post<{ keys: OperatorKeys }>(rotation, { direction: 'inbound' });
  generated = rotated.keys;
  await takeToken(generated);
  const firmware = startFirmware({ ocppUrl: product.ocppUrl, number: 'HIDDEN-1', password, resendsWith: 'same-id' });
  await firmware.tell({
    action: 'BootNotification',
    payload: () => ({ chargePointVendor: 'Lakeside', chargePointModel: 'L120' }),
  });
  await firmware.tell({
    action: 'StatusNotification',
    payload: () => ({ connectorId: 1, errorCode: 'NoError', status: 'Preparing' }),
  });
  sequence = `${operatorId}${timeStamp(Date.now())}0001`;
  const ConnectorID = String((await api.connectorsOf(stationId))[0]?.id);
  const started = await call('query_start_charge', { message: { StartChargeSeq: sequence, ConnectorID } });
  expect(started.message).toMatchObject({ SuccStat: 0 });
  const idTag = await until('the station is asked', () => firmware.asked.at(-1)?.payload.idTag);
  await api.post(rotation, { direction: 'outbound', keys: outbound[1], overlapHours: 24 });
  for (const message of twoHourCharge(String(idTag), morning(1))) await firmware.tell(message);
  await until('the order is confirmed', async () => {
    await pool.query(`update partner_deliveries set next_at = now() where state = 'pending'`);
    return (await pool.query(`select 1 from partner_charges where confirmation = 'confirmed'`)).rows.length === 1;
  });
  await firmware.stop();
}

/** What a partner gets wrong, with its secrets where nobody expects them. */
async function playMistakes(): Promise<void> {
  const secrets = Object.values(generated).join(' ');
  const wrong: [string, Sent][] = [
    ['query_token', { message: { OperatorID: operatorId, operatorSecret: generated.operatorSecret }, keys: generated }],
    ['query_token', { message: { OperatorID: operatorId, OperatorSecret: inbound.operatorSecret }, keys: generated }],
    ['query_stations_info', { message: { OperatorSecret: generated.operatorSecret, secrets }, keys: generated }],
    ['query_station_status', { message: { StationIDs: [secrets] }, keys: generated }],
    ['query_equip_auth', { message: { EquipAuthSeq: secrets, ConnectorID: secrets }, keys: generated }],
    ['query_stop_charge', { message: { StartChargeSeq: secrets, ConnectorID: secrets }, keys: generated }],
    ['query_stations_info', { message: {}, keys: generated, token: 'of-nobody' }],
  ];
  for (const [name, sent] of wrong) await call(name, sent);
  const forged = { ...generated, dataSecret: generated.dataSecretIv };
  await call('query_stations_info', { message: {}, keys: forged }).catch(() => undefined);
  await fetch(`${product.url}/evcs/v1/query_token?secret=${generated.operatorSecret}`, {
    method: 'POST',
    body: secrets,
  });
}

async function read(path: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(`${product.url}${path}`, { headers: { token: session, language: 'en' } });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Every GET of the console's API that is no stream, of this partner where it is of one. */
async function answers(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, { method, path, answerKind }] of routes) {
    if (method !== 'GET' || answerKind === 'stream') continue;
    const address = path.replaceAll(/\{\w+\}/g, String(partnerId));
    const { bytes } = await read(`/api${address}${address.includes('/export') ? '?format=csv' : '?pageSize=100'}`);
    texts.set(name, bytes.toString('utf8'));
  }
  return texts;
}

async function workbook(list: string): Promise<string> {
  const { status, bytes } = await read(`/api${list}/export?format=xlsx`);
  expect([list, status]).toEqual([list, 200]);
  const rows = await readWorkbook(bytes, limits, () => true);
  if (!rows.ok) throw new Error(`${list}: ${rows.error}`);
  return rows.value.flatMap(({ cells }) => [...cells.values()].map(({ text }) => text)).join('\n');
}

/** Every row of every table as a text. */
async function wholeDatabase(): Promise<string> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: all } = await database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...all.map(({ text }) => `${name} ${text}`));
  }
  return texts.join('\n');
}

test('the keys and tokens of a partner are in no line of the log, no answer, no file and no row of the database', async () => {
  await playStory();
  await playMistakes();
  expect(new Set(heard)).toContain('notification_charge_order_info');
  const said = await answers();
  const lists = ['/partners', '/partner-deliveries', '/partner-exchanges', '/audit-entries'];
  const files = await Promise.all(lists.map(workbook));
  const rows = await wholeDatabase();
  const metrics = (await read('/metrics')).bytes.toString('utf8');
  // What is looked through has what happened.
  for (const name of ['listPartnerExchanges', 'exportPartnerExchanges']) expect(said.get(name)).toContain(sequence);
  expect(said.get('listPartners')).toContain('Keeper of keys');
  expect(said.get('listAuditEntries')).toContain('partner.rotate_keys');
  expect(files.join('\n')).toContain(sequence);
  expect(/OperatorSecret\W+\*\*\*/.test(rows)).toBe(true);
  expect(rows.includes('partner.rotate_keys')).toBe(true);
  expect(metrics).toContain('process_cpu');
  // Of a longer output, only the end is kept.
  expect(product.output.length).toBeGreaterThan(0);
  expect(product.output.length).toBeLessThan(400);
  const secrets = [inbound, generated, ...outbound].flatMap((keys) => Object.values(keys));
  secrets.push(partnerToken, ...tokensOfOurs);
  expect(new Set(secrets).size).toBe(4 * 4 + 3);
  const places: [string, string][] = [
    ...said,
    ...files.map((text, index): [string, string] => [`${lists[index]} as a workbook`, text]),
    ['the database', rows],
    ['/metrics', metrics],
    ['the log', product.output.join('\n')],
  ];
  for (const [place, text] of places) {
    for (const secret of secrets) {
      for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
        const at = text.indexOf(form);
        expect(at === -1 ? null : text.slice(Math.max(0, at - 200), at + 60), `${place} has ${secret}`).toBeNull();
      }
    }
  }
}, 240_000);
