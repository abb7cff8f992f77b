import type { AddressInfo } from 'node:net';
import { openTestApi, type TestApi } from '@voltdeck/server/http/test-api';
import { deliverOnce } from '@voltdeck/server/interop/deliver/deliver-to-partners';
import { PartnerCaller } from '@voltdeck/server/interop/deliver/partner-caller';
import { pullSites } from '@voltdeck/server/interop/pull/pull-sites';
import { enterRider, type Rider, rechargeRider } from '@voltdeck/server/interop/roaming/test-two-operators';
import { liveClock } from '@voltdeck/simulator/clock';
import { type Bench, openBench } from '@voltdeck/simulator/tcec/bench';
import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import type { PartnerId, PulledPortId } from '@voltdeck/units/id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './until.ts';

const ourCode = 'MA1OURS01';
const benchCode = 'MA0BENCH1';
const keysOf = (name: string): PartnerKeys => ({
  operatorSecret: `${name}-operator-secret`,
  sigSecret: `${name}-signature-secret`,
  dataSecret: name.padEnd(16, '0'),
  dataSecretIv: name.padEnd(16, '1'),
});
const [ourKeys, benchKeys] = [keysOf('ours'), keysOf('bench')];

/** Our server has the customers, and the bench the stations where they charge. */
let api: TestApi;
let bench: Bench;
let rider: Rider;
beforeAll(async () => {
  const codes: Parameters<typeof enterRider>[1][number][] = [];
  api = await openTestApi({
    sms: {
      async sendCode(message) {
        codes.push(message);
        return { ok: true, value: null } as const;
      },
    },
  });
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  await api.database.pool.query(`update configs set value = $1 where key = 'own_operator_id'`, [ourCode]);
  bench = await openBench(
    {
      role: 'operator',
      url: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/evcs/v1.0`,
      operatorId: benchCode,
      theirOperatorId: ourCode,
      theirKeys: ourKeys,
      ourKeys: benchKeys,
      profile: defaultProfile,
      host: '127.0.0.1',
      port: 0,
      connectorId: null,
      sites: 12,
      connectors: 2,
      powerKw: 360,
      tokenSeconds: 7_200,
      pushSeconds: 1,
      hurry: 100,
      waitSeconds: 30,
      isOrderFirst: false,
    },
    liveClock(),
  );
  const added = await api.post<{ id: PartnerId }>('/partners', {
    operatorId: benchCode,
    name: 'The bench',
    role: 'infrastructure',
    baseUrl: bench.url,
    inbound: ourKeys,
    outbound: benchKeys,
  });
  const context = api.context.on('console');
  const full = { kind: 'full', userId: null } as const;
  expect(await pullSites(context, new PartnerCaller(context), added.data.id, full)).toMatchObject({ kind: 'done' });
  rider = await enterRider(api, codes, '13700001002');
  await rechargeRider(api.database, rider.id, 100_000, api.context.now());
});
afterAll(async () => {
  expect((await api.get('/ledger/proof', { token: api.adminToken })).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await bench.close();
  await api.close();
});

const withToken = () => ({ token: rider.token, language: 'en' }) as const;

/** A customer starts a charge at a port of the bench. */
async function start(portCode: string): Promise<{ id: number; state: string }> {
  const { rows } = await api.database.pool.query<{ id: PulledPortId }>('select id from pulled_ports where code = $1', [
    portCode,
  ]);
  return (await api.post<{ id: number; state: string }>('/my/roaming-charges', { portId: rows[0]?.id }, withToken()))
    .data;
}

const stateOf = async (id: number) =>
  (await api.get<{ state: string }>(`/my/roaming-charges/${id}`, withToken())).data.state;

async function stop(id: number): Promise<void> {
  await until('the charge runs', async () => (await stateOf(id)) === 'charging');
  await api.post(`/my/roaming-charges/${id}/stops`, {}, withToken());
  await until('the charge is billed', async () => (await stateOf(id)) === 'completed');
  await deliverOnce(api.context);
}

/** Makes checks, and returns those that were not passed, with their reasons. */
async function notPassed(isChosen: (id: string, isSlow: boolean) => boolean) {
  const chosen = bench.checklist.results.filter(({ id, isSlow }) => isChosen(id, isSlow)).map(({ id }) => id);
  await bench.checklist.run(chosen, new AbortController().signal);
  const made = bench.checklist.results.filter(({ id }) => chosen.includes(id));
  return Object.fromEntries(made.flatMap(({ id, verdict }) => (verdict.kind === 'passed' ? [] : [[id, verdict]])));
}

test('our server passes every check of an operator at whose stations our customers charge', async () => {
  const { id } = await start('BENCH0010101');
  await until('the state of the charge was pushed', () =>
    bench.book.all.some(({ interfaceName }) => interfaceName === 'notification_equip_charge_status'),
  );
  await stop(id);
  expect(await notPassed((_, isSlow) => !isSlow)).toEqual({
    'told.order-first': { kind: 'not-run', because: 'not-chosen' },
  });
});

test('a start whose answer gets lost is not sent again, and is billed once', async () => {
  const faults = ['silence', 'cut', '500', 'slow'];
  for (const [index, fault] of faults.entries()) {
    const name = `start.answer-${fault}`;
    const made = notPassed((id) => id === name);
    await until('the check waits', () => bench.checklist.results.some(({ verdict }) => verdict.kind === 'running'));
    const { id } = await start(`BENCH00${index + 2}0101`);
    expect(await made).toEqual({});
    await stop(id);
  }
});
