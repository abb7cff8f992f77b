import type { ConnectionTest } from '@voltdeck/contract/connection-tests';
import type { PartnerPull } from '@voltdeck/contract/partner-pulls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { openTestPartner, outboundKeys, type TestPartner } from '../test-partner.ts';

let api: TestApi;
let partner: TestPartner;
beforeAll(async () => {
  api = await openTestApi();
  partner = await openTestPartner(api, { role: 'infrastructure', depositFen: 0 });
  const usual = partner.answer;
  partner.answer = (name, message) =>
    name === 'query_stations_info' ? { PageNo: 1, PageCount: 1, ItemSize: 3, StationInfos: [] } : usual(name, message);
});
afterAll(async () => {
  await partner.close();
  await api.close();
});

const check = async () => (await api.post<ConnectionTest>(`/partners/${partner.id}/connection-tests`)).data;
const outcomes = ({ steps }: ConnectionTest) => steps.map(({ step, outcome }) => [step, outcome]);
const change = (column: string, value: unknown) =>
  api.database.pool.query(`update partners set ${column} = $1 where id = $2`, [value, partner.id]);
const rotate = (sigSecret: string) =>
  api.post(`/partners/${partner.id}/key-rotations`, {
    direction: 'outbound',
    keys: { ...outboundKeys, sigSecret },
    overlapHours: 0,
  });

describe('a test of the connection to a partner', () => {
  test('passes step by step, and says how many stations the partner shows', async () => {
    const tested = await check();
    expect(tested.passed).toBe(true);
    expect(outcomes(tested)).toEqual([
      ['address', 'passed'],
      ['signature', 'passed'],
      ['token', 'passed'],
      ['stations', 'passed'],
    ]);
    expect(tested.steps.at(-1)).toMatchObject({ stationCount: 3, ret: 0 });
  });

  test('with a wrong key fails at the signature, says why, and goes no further', async () => {
    await rotate('not-what-they-issued');
    const tested = await check();
    expect(tested.passed).toBe(false);
    expect(outcomes(tested)).toEqual([
      ['address', 'passed'],
      ['signature', 'failed'],
      ['token', 'skipped'],
      ['stations', 'skipped'],
    ]);
    expect(['wrong_signature', 'refused_signature']).toContain(tested.steps[1]?.fault);
    expect(tested.steps[2]).toMatchObject({ skipped: 'failed_before', fault: null });
    await rotate(outboundKeys.sigSecret);
    expect((await check()).passed).toBe(true);
  });

  test('fails at an address where nobody listens', async () => {
    const { rows } = await api.database.pool.query<{ base_url: string }>(
      'select base_url from partners where id = $1',
      [partner.id],
    );
    await change('base_url', 'http://127.0.0.1:9/evcs/v1');
    const tested = await check();
    expect(outcomes(tested)[0]).toEqual(['address', 'failed']);
    expect(tested.steps[0]).toMatchObject({ fault: 'connection_refused' });
    await change('base_url', rows[0]?.base_url);
  });

  test('asks no partner for stations that has none for us', async () => {
    await change('role', 'demand');
    const tested = await check();
    expect(tested.passed).toBe(true);
    expect(tested.steps.at(-1)).toMatchObject({ outcome: 'skipped', skipped: 'no_stations' });
    await change('role', 'infrastructure');
  });

  test('is for those who may change the partner', async () => {
    const { token } = await api.addUser({ name: 'reader', permissions: ['partner.read'] });
    expect((await api.post(`/partners/${partner.id}/connection-tests`, undefined, { token })).status).toBe(403);
  });
});

describe('a pull by hand', () => {
  const pull = () => api.post<PartnerPull>(`/partners/${partner.id}/pulls`, { kind: 'full' }, { language: 'en' });

  test('runs once at a time, and is given to the workers', async () => {
    const begun = await pull();
    expect(begun.data).toMatchObject({ partnerId: partner.id, kind: 'full', state: 'running', sites: 0 });
    expect((await pull()).envelope.message).toMatchObject({ status: 409, error: 'partner.pull_running' });
    await api.database.pool.query(`update partner_pulls set state = 'done', ended_at = now() where partner_id = $1`, [
      partner.id,
    ]);
  });

  test('is refused for a partner that is off, or that has no stations for us', async () => {
    await change('enabled', false);
    expect((await pull()).envelope.message).toMatchObject({ error: 'partner.disabled' });
    await change('enabled', true);
    await change('role', 'demand');
    expect((await pull()).envelope.message).toMatchObject({ error: 'partner.without_stations' });
    await change('role', 'infrastructure');
  });
});
