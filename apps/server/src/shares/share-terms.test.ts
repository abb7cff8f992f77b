import type { DefaultShareTerms, SiteShareTerms } from '@voltdeck/contract/share-terms';
import type { SiteId } from '@voltdeck/units/id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';

let api: TestApi;
let east: SiteId;
let west: SiteId;
beforeAll(async () => {
  api = await openTestApi();
  east = (await makePlace(api.database, await api.addAgent('Agent'), 'east')).siteId;
  west = (await makePlace(api.database, null, 'west')).siteId;
});
afterAll(() => api.close());

const percents = (
  channelFeePercent: number,
  electricityPercent: number,
  servicePercent: number,
  occupancyPercent = 0,
) => ({
  channelFeePercent,
  electricityPercent,
  servicePercent,
  occupancyPercent,
});
const listed = async (query = '') =>
  (await api.get<{ items: SiteShareTerms[] }>(`/share-terms?sort=siteName${query}`)).data.items;
const setAt = (siteIds: readonly number[], terms: object, token?: string) =>
  api.post<{ changed: number; unchanged: number }>(
    '/share-terms',
    { siteIds, ...terms },
    token === undefined ? {} : { token },
  );
const setDefault = (body: object, token?: string) =>
  api.ask<DefaultShareTerms>('PUT', '/share-terms/default', { body, ...(token === undefined ? {} : { token }) });

test('the platform keeps nothing until somebody sets it, then the default, and at a site its own terms', async () => {
  const nothing = (await api.get<DefaultShareTerms>('/share-terms/default')).data;
  expect(nothing).toMatchObject({ configured: false, ...percents(0, 0, 0), changedAt: null, sites: 2 });
  expect((await setDefault(percents(0.25, 0, 8))).data).toMatchObject({
    configured: true,
    servicePercent: 8,
    changedBy: '系统管理员',
  });
  expect((await setAt([east], percents(0.6, 1.25, 10, 50))).data).toEqual({ changed: 1, unchanged: 0 });
  expect(await listed()).toMatchObject([
    {
      id: east,
      configured: true,
      ...percents(0.6, 1.25, 10, 50),
      changedBy: '系统管理员',
      changedAt: expect.any(String),
    },
    { id: west, configured: false, ...percents(0.25, 0, 8), changedBy: null, changedAt: null },
  ]);
  expect((await listed('&configured=true')).map(({ id }) => id)).toEqual([east]);
  expect((await listed('&configured=false')).map(({ id }) => id)).toEqual([west]);
  expect((await setDefault(percents(0.25, 0, 9))).data.servicePercent).toBe(9);
  expect((await listed()).map(({ servicePercent }) => servicePercent)).toEqual([10, 9]);
  const { rows } = await api.database.pool.query('select channel_fee_e4, service_e4 from share_terms order by site_id');
  expect(rows).toEqual([
    { channel_fee_e4: 60, service_e4: 1000 },
    { channel_fee_e4: 25, service_e4: 900 },
  ]);
});

test('many sites are set and cleared together, all of them or none, each with its entry in the audit log', async () => {
  expect((await setAt([east, west], percents(1, 1, 1))).data).toEqual({ changed: 2, unchanged: 0 });
  expect((await setAt([east, west], percents(1, 1, 1))).data).toEqual({ changed: 0, unchanged: 2 });
  const unknown = await setAt([east, 999_999], percents(2, 2, 2));
  expect(unknown.envelope.message.fields).toMatchObject([{ path: 'siteIds', code: 'unknown_reference' }]);
  expect((await listed()).map(({ servicePercent }) => servicePercent)).toEqual([1, 1]);
  const cleared = await api.post('/share-terms/removals', { siteIds: [east, west] });
  expect(cleared.data).toEqual({ changed: 2, unchanged: 0 });
  expect((await listed()).map(({ configured }) => configured)).toEqual([false, false]);
  const log = await api.get<{ items: { action: string }[] }>(
    `/audit-entries?recordKind=share_terms&recordId=${west}&sort=at`,
  );
  expect(log.data.items.map(({ action }) => action)).toEqual(['share_terms.set', 'share_terms.clear']);
});

test('the same site set by two at once keeps one of both, and both are in the audit log', async () => {
  const answers = await Promise.all([setAt([west], percents(3, 3, 3)), setAt([west], percents(4, 4, 4))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([3, 4]).toContain((await listed())[1]?.servicePercent);
});

test('a percentage has two decimals and is at most a hundred', async () => {
  const faults = (await setDefault(percents(100.01, -1, 1.234))).envelope.message.fields?.map(
    ({ path, code }) => `${path} ${code}`,
  );
  expect(faults).toEqual(['channelFeePercent too_big', 'electricityPercent too_small', 'servicePercent two_decimals']);
});

test('only the platform’s people with the permission see and set what the platform keeps', async () => {
  const agentId = await api.addAgent('Other');
  const permissions = ['share_terms.read', 'share_terms.edit'] as const;
  const { token } = await api.addUser({ name: 'agents', permissions: [...permissions], scope: 'agent_tree', agentId });
  const reader = await api.addUser({ name: 'reader', permissions: ['share_terms.read'] });
  for (const path of ['/share-terms', '/share-terms/default'])
    expect((await api.get(path, { token })).status).toBe(403);
  expect((await setDefault(percents(0, 0, 0), token)).status).toBe(403);
  expect((await setAt([east], percents(0, 0, 0), token)).status).toBe(403);
  expect((await api.get('/share-terms', { token: reader.token })).status).toBe(200);
  expect((await setAt([east], percents(0, 0, 0), reader.token)).status).toBe(403);
});
