import { type ColumnChoice, type FilterSet, viewLimits } from '@voltdeck/contract/views';
import type { UserId } from '@voltdeck/units/id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
let ming: { id: UserId; token: string };
let hong: { id: UserId; token: string };
beforeAll(async () => {
  api = await openTestApi();
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  ming = await api.addUser({ name: 'ming', permissions: [] });
  hong = await api.addUser({ name: 'hong', permissions: [], scope: 'self' });
});
beforeEach(async () => {
  await api.database.db.deleteFrom('list_columns').execute();
  await api.database.db.deleteFrom('filter_sets').execute();
});
afterAll(() => api.close());

type Views = { columns: { list: string; choice: ColumnChoice }[]; filterSets: FilterSet[] };
const viewsOf = async ({ token }: typeof ming) => (await api.get<Views>('/list-views', { token })).data;
const arrange = (body: unknown, { token } = ming) => api.ask('PUT', '/list-views/columns', { body, token });
const keep = (body: unknown, { token } = ming) => api.ask<FilterSet>('PUT', '/list-views/filter-sets', { body, token });
const change = (id: number, body: unknown, { token } = ming) =>
  api.ask<FilterSet>('PATCH', `/list-views/filter-sets/${id}`, { body, token });
const remove = (id: number, { token } = ming) => api.ask('DELETE', `/list-views/filter-sets/${id}`, { token });
const faultsOf = ({ envelope: { message } }: Awaited<ReturnType<typeof arrange>>) =>
  message.fields?.map(({ path, code }) => `${path} ${code}`);

const choice: ColumnChoice = {
  order: ['name', 'agentName'],
  shown: { voltageV: true },
  pinned: { name: true },
  widthsPx: { name: 240 },
};

describe('columns of a list', () => {
  test('column arrangements are saved per user, changed and cleared', async () => {
    expect((await arrange({ list: '/stations', choice })).status).toBe(200);
    expect((await arrange({ list: '/stations#wall', choice })).status).toBe(200);
    const wider = { ...choice, widthsPx: { name: 300 } };
    expect((await arrange({ list: '/stations', choice: wider })).status).toBe(200);
    expect((await viewsOf(ming)).columns).toEqual([
      { list: '/stations', choice: wider },
      { list: '/stations#wall', choice },
    ]);
    expect((await viewsOf(hong)).columns).toEqual([]);
    expect((await arrange({ list: '/stations', choice: null })).status).toBe(200);
    expect((await viewsOf(ming)).columns).toEqual([{ list: '/stations#wall', choice }]);
  });

  test('a column choice that no console writes is refused', async () => {
    expect(faultsOf(await arrange({ list: 'drop table', choice }))).toEqual(['list bad_format']);
    expect(faultsOf(await arrange({ list: '/stations', choice: { ...choice, widthsPx: { name: 3 } } }))).toEqual([
      'choice.widthsPx.name too_small',
    ]);
    const many = Object.fromEntries(Array.from({ length: viewLimits.columns + 1 }, (_, index) => [`c${index}`, true]));
    expect(faultsOf(await arrange({ list: '/stations', choice: { ...choice, shown: many } }))).toEqual([
      'choice.shown too_many',
    ]);
  });

  test('no user saves columns of more lists than exist', async () => {
    await api.database.db
      .insertInto('list_columns')
      .values(
        Array.from({ length: viewLimits.lists }, (_, index) => ({
          user_id: ming.id,
          list: `/list-${index}`,
          choice: JSON.stringify(choice),
        })),
      )
      .execute();
    expect(faultsOf(await arrange({ list: '/one-more', choice }))).toEqual(['list too_many']);
    expect((await arrange({ list: '/list-7', choice })).status).toBe(200);
    expect((await arrange({ list: '/one-more', choice }, hong)).status).toBe(200);
  });
});

describe('filter sets', () => {
  const faulty = { list: '/stations', name: 'Faulty', query: 'state=fault' };

  test('a filter set is saved, replaced under its name, renamed and deleted', async () => {
    const { data: kept } = await keep(faulty);
    expect(kept).toMatchObject({ ...faulty, isFirst: false });
    const replaced = await keep({ ...faulty, query: 'state=fault&sort=-createdAt' });
    expect(replaced.data).toEqual({ ...kept, query: 'state=fault&sort=-createdAt' });
    expect((await change(kept.id, { name: 'Broken' })).data).toEqual({ ...replaced.data, name: 'Broken' });
    expect((await viewsOf(ming)).filterSets).toEqual([{ ...replaced.data, name: 'Broken' }]);
    expect((await remove(kept.id)).status).toBe(200);
    expect((await viewsOf(ming)).filterSets).toEqual([]);
    expect((await remove(kept.id)).status).toBe(404);
  });

  test('a list has at most one default filter set', async () => {
    const { data: one } = await keep(faulty);
    const { data: other } = await keep({ ...faulty, name: 'Offline', query: 'online=false' });
    const { data: elsewhere } = await keep({ ...faulty, list: '/orders' });
    for (const { id } of [one, elsewhere, other]) expect((await change(id, { isFirst: true })).status).toBe(200);
    const first = async () => (await viewsOf(ming)).filterSets.filter(({ isFirst }) => isFirst).map(({ id }) => id);
    expect(await first()).toEqual([elsewhere.id, other.id]);
    expect((await change(other.id, { isFirst: false })).status).toBe(200);
    expect(await first()).toEqual([elsewhere.id]);
  });

  test('two filter sets of a list need different names', async () => {
    const { data: one } = await keep(faulty);
    await keep({ ...faulty, name: 'Offline' });
    expect(faultsOf(await change(one.id, { name: 'Offline' }))).toEqual(['name taken']);
    expect((await change(one.id, { name: 'Faulty' })).status).toBe(200);
    expect(faultsOf(await keep({ ...faulty, name: ' ' }))).toEqual(['name required']);
  });

  test('a list has at most thirty filter sets', async () => {
    for (let index = 0; index < viewLimits.filterSetsOfList; index += 1) {
      expect((await keep({ ...faulty, name: `Set ${index}` })).status).toBe(200);
    }
    expect(faultsOf(await keep(faulty))).toEqual(['name too_many']);
    expect((await keep({ ...faulty, name: 'Set 3' })).status).toBe(200);
    expect((await keep({ ...faulty, list: '/orders' })).status).toBe(200);
  });

  test('another user’s filter set can neither be seen nor changed', async () => {
    const { data: kept } = await keep(faulty);
    expect((await viewsOf(hong)).filterSets).toEqual([]);
    expect((await change(kept.id, { name: 'Mine now' }, hong)).status).toBe(404);
    expect((await remove(kept.id, hong)).status).toBe(404);
    expect((await keep(faulty, hong)).data.id).not.toBe(kept.id);
    expect((await viewsOf(ming)).filterSets).toEqual([kept]);
  });

  test('a user’s views are deleted with the user', async () => {
    const leaving = await api.addUser({ name: 'leaving', permissions: [] });
    await keep(faulty, leaving);
    await arrange({ list: '/stations', choice }, leaving);
    const { db } = api.database;
    await db.deleteFrom('users').where('id', '=', leaving.id).execute();
    expect(await db.selectFrom('filter_sets').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('list_columns').select('list').execute()).toEqual([]);
  });
});
