import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { liveClock } from '@voltdeck/simulator/clock';
import { type Bench, openBench } from '@voltdeck/simulator/tcec/bench';
import type { BenchSettings } from '@voltdeck/simulator/tcec/bench-settings';
import { VirtualStation } from '@voltdeck/simulator/virtual-station';
import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type Product, startProduct } from './product.ts';
import { dayTariff } from './two-hour-charge.ts';
import { until } from './until.ts';

const ourCode = 'MA1OURS01';
const benchCode = 'MA0BENCH1';
/** Issued by the product, which the bench calls with them; and the other way round. */
const productKeys: PartnerKeys = {
  operatorSecret: 'product-operator-secret',
  sigSecret: 'product-signature-secret',
  dataSecret: '0123456789abcdef',
  dataSecretIv: 'fedcba9876543210',
};
const benchKeys: PartnerKeys = {
  operatorSecret: 'bench-operator-secret',
  sigSecret: 'bench-signature-secret',
  dataSecret: 'aaaabbbbccccdddd',
  dataSecretIv: 'ddddccccbbbbaaaa',
};
/** A charge for each check that begins one. */
const ports = 8;

const clock = liveClock();
let database: Database;
let product: Product;
let api: Api;
let station: VirtualStation;
let demand: Bench;
let partnerId: number;
beforeAll(async () => {
  database = await freshDatabase();
  product = await startProduct(database.url);
  api = await product.signIn();
  await api.post('/sysConfig/editConfig', { ...(await ownCodeConfig()), value: ourCode });
  const siteId = await createSite();
  station = await pluggedInStation(siteId);
  expect((await api.ask('PATCH', `/sites/${siteId}`, { opened: true })).httpStatus).toBe(200);
  demand = await openBench(settingsOf('demand'), clock);
  partnerId = await createPartner('demand', demand);
  await api.ask('PUT', `/partners/${partnerId}/sites`, { siteIds: [siteId] });
  await api.post(`/partners/${partnerId}/deposits`, { amountFen: 100_000, remark: 'joint test' });
});
afterAll(async () => {
  await demand?.close();
  await station?.stop();
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function ownCodeConfig(): Promise<{ id: number; name: string; key: string }> {
  type Config = { id: number; name: string; key: string };
  const { items } = await api.get<{ items: Config[] }>('/sysConfig/list?key=own_operator_id');
  const [config] = items;
  if (config === undefined) throw new Error('no parameter own_operator_id');
  return { id: config.id, name: config.name, key: config.key };
}

async function createSite(): Promise<number> {
  const place = { regionCode: '330106', address: '1 Lake Road', longitude: 120.13, latitude: 30.26 };
  const needed = { kind: 'public', place: 'office', servicePhone: '400-800-1234', ownGrid: false };
  const { id } = await api.post<{ id: number }>('/sites', { name: 'Lakeside', ...place, ...needed });
  return id;
}

/** A station with a vehicle at every gun port; one that has charged leaves. */
async function pluggedInStation(siteId: number): Promise<VirtualStation> {
  const tariffId = await api.createTariff(dayTariff);
  const { id, password } = await api.createStation({ number: 'BENCH-1', siteId, tariffId, ports });
  const virtual = new VirtualStation({
    url: product.ocppUrl,
    number: 'BENCH-1',
    password,
    connectors: ports,
    kind: 'dc',
    maxPowerKw: 120,
    seed: 1,
    clock,
  });
  virtual.start();
  await until('the station is online', () => virtual.isOnline);
  for (const { number } of virtual.connectors) virtual.plugIn(number);
  await until('every gun port has a vehicle', async () =>
    (await api.connectorsOf(id)).every(({ state }) => state === 'plugged_in'),
  );
  return virtual;
}

function settingsOf(role: BenchSettings['role']): BenchSettings {
  return {
    role,
    url: `${product.url}/evcs/v1.0`,
    operatorId: benchCode,
    theirOperatorId: ourCode,
    theirKeys: productKeys,
    ourKeys: benchKeys,
    profile: defaultProfile,
    host: '127.0.0.1',
    port: 0,
    connectorId: null,
    sites: 2,
    connectors: 2,
    powerKw: 60,
    tokenSeconds: 7_200,
    pushSeconds: 50,
    hurry: 20,
    waitSeconds: 60,
    isOrderFirst: false,
  };
}

async function createPartner(role: string, bench: Bench): Promise<number> {
  const form = {
    operatorId: bench.settings.operatorId,
    name: `Bench ${role}`,
    role,
    baseUrl: bench.url,
    pushing: true,
  };
  const { id } = await api.post<{ id: number }>('/partners', { ...form, inbound: productKeys, outbound: benchKeys });
  return id;
}

/** Makes checks, and returns those that were not passed, with their reasons. */
async function notPassed(bench: Bench, isChosen: (id: string, isSlow: boolean) => boolean) {
  const chosen = bench.checklist.results.filter(({ id, isSlow }) => isChosen(id, isSlow)).map(({ id }) => id);
  await bench.checklist.run(chosen, new AbortController().signal);
  const made = bench.checklist.results.filter(({ id }) => chosen.includes(id));
  return Object.fromEntries(made.flatMap(({ id, verdict }) => (verdict.kind === 'passed' ? [] : [[id, verdict]])));
}

describe('the bench of an operator whose customers charge here', () => {
  test('our server passes every check of a joint test, with a real charge in its middle', async () => {
    const { 'charge.day': day, ...others } = await notPassed(demand, (_, isSlow) => !isSlow);
    expect(others).toEqual({});
    // A day's charges are told once the day is over, which it may be meanwhile.
    expect([undefined, { kind: 'not-run', because: 'not-asked' }]).toContainEqual(day);
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('a bill is told again after whatever the partner did instead of confirming it', async () => {
    // The standard waits 150 s before it tells a bill again.
    const hurry = setInterval(() => {
      void database.pool.query(`update partner_deliveries set next_at = now() where next_at > now()`);
    }, 1_000);
    try {
      expect(await notPassed(demand, (id) => id.startsWith('order.'))).toEqual({});
    } finally {
      clearInterval(hurry);
    }
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  });
});
