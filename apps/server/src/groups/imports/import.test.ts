import { buffer } from 'node:stream/consumers';
import type { GroupMemberImport } from '@voltdeck/contract/group-member-imports';
import type { GroupMember } from '@voltdeck/contract/group-members';
import type { Group } from '@voltdeck/contract/groups';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formOf, formType } from '../../content/files/test-upload.ts';
import { type Answer, openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace } from '../../http/test-records.ts';
import { sheetRows } from '../../http/test-sheets.ts';
import { xlsxStream } from '../../http/xlsx.ts';
import { errorOf, type GroupBench, groupBench } from '../test-groups.ts';

let api: TestApi;
let bench: GroupBench;
beforeAll(async () => {
  api = await openTestApi();
  bench = groupBench(api);
});
afterAll(() => api.close());

type Row = Record<string, string>;

async function check(group: Group, rows: readonly Row[]): Promise<Answer<GroupMemberImport>['envelope']> {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = heads.map((head) => ({ head, widthCharacters: 10, cell: (row: Row) => ({ text: row[head] ?? '' }) }));
  async function* batches() {
    yield rows;
  }
  const content = await buffer(xlsxStream('Users', columns, batches()));
  const response = await api.app.inject({
    method: 'POST',
    url: `/api/group-member-imports?groupId=${group.id}`,
    headers: { token: api.adminToken, language: 'en', 'content-type': formType },
    payload: formOf([{ name: 'file', fileName: 'drivers.xlsx', content }]),
  });
  return response.json() as Answer<GroupMemberImport>['envelope'];
}

const start = (id: number) => api.post<GroupMemberImport>(`/group-member-imports/${id}/starts`);
const membersOf = async ({ id }: Group) =>
  (await api.get<{ items: GroupMember[] }>(`/group-bindings?groupId=${id}`)).data.items;
const faultsOf = ({ faults }: GroupMemberImport) =>
  faults.map(({ line, faults: found }) => [line, ...found.map(({ column, code }) => `${column} ${code}`)]);

test('a file of group users is checked row by row before anybody is named, and its good rows are named at once', async () => {
  const group = await bench.addGroup();
  const place = await makePlace(api.database, null, 'import');
  await bench.name(group, '13533330009');
  const { data: checked } = await check(group, [
    { 手机号: place.phone, 姓名: '王师傅', '每月限额(元)': '500.5', 个人每月限次: '30' },
    { 手机号: '13533330001' },
    { 手机号: '135' },
    { 手机号: '13533330001' },
    { 手机号: '13533330009' },
    { 手机号: '13533330002', '每月限额(元)': 'lots' },
    { 手机号: '13533330003', 个人每月限次: '0' },
  ]);
  expect(faultsOf(checked)).toEqual([
    [4, 'customerPhone phone_length'],
    [5, 'customerPhone repeated'],
    [6, 'customerPhone taken'],
    [7, 'monthLimitFen not_number'],
    [8, 'monthLimitCharges too_small'],
  ]);
  expect(checked).toMatchObject({ goodCount: 2, badCount: 5, importedAt: null, groupId: group.id });
  expect(await membersOf(group)).toHaveLength(1);
  const report = await api.get(`/group-member-imports/${checked.id}/report`, { language: 'en' });
  expect(sheetRows(report.bytes).at(-1)?.[0]).toBe('8');

  const started = await start(checked.id);
  expect(started.data.importedAt).not.toBeNull();
  expect(
    (await membersOf(group)).map(({ phone, name, state, monthLimitFen }) => [phone, name, state, monthLimitFen]),
  ).toEqual([
    ['13533330001', '', 'not_bound', null],
    [place.phone, '王师傅', 'waiting', 50_050],
    ['13533330009', '', 'not_bound', null],
  ]);
  expect(errorOf(await start(checked.id))).toBe('import.started');
});

test('a row that has become impossible since the check stops the whole file, and says so', async () => {
  const group = await bench.addGroup();
  const { data: checked } = await check(group, [{ Phone: '13533330011' }, { Phone: '13533330012' }]);
  expect(checked).toMatchObject({ goodCount: 2, badCount: 0 });
  await bench.name(group, '13533330012');
  const started = await start(checked.id);
  expect(started.data).toMatchObject({ importedAt: null, goodCount: 1, badCount: 1 });
  expect(await membersOf(group)).toHaveLength(1);
  await api.ask('PUT', `/groups/${group.id}/enabled`, { body: { enabled: false } });
  expect(errorOf(await start(checked.id))).toBe('group.disabled');
});

test('a file for a group that nobody knows, and one without phones, are refused', async () => {
  const group = await bench.addGroup();
  expect((await check({ ...group, id: 999_999 as Group['id'] }, [{ Phone: '13533330021' }])).message.status).toBe(404);
  expect((await check(group, [{ Name: 'Wang' }])).message).toMatchObject({ error: 'import.missing_columns' });
  const template = await api.get('/group-member-imports/template', { language: 'en' });
  expect(sheetRows(template.bytes)[0]).toEqual(['Phone*', 'Name', 'Monthly limit (yuan)', 'Own monthly charges']);
});
