import { buffer } from 'node:stream/consumers';
import type { CardImport } from '@voltdeck/contract/card-imports';
import type { Card } from '@voltdeck/contract/cards';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formOf, formType } from '../../content/files/test-upload.ts';
import { type Answer, type Ask, openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace, type Place } from '../../http/test-records.ts';
import { sheetRows } from '../../http/test-sheets.ts';
import { xlsxStream } from '../../http/xlsx.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'import');
});
afterAll(() => api.close());

type Row = Record<string, string>;

async function check(rows: readonly Row[], { token = api.adminToken, language = 'en' }: Ask = {}) {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = heads.map((head) => ({ head, widthCharacters: 10, cell: (row: Row) => ({ text: row[head] ?? '' }) }));
  async function* batches() {
    yield rows;
  }
  const content = await buffer(xlsxStream('Cards', columns, batches()));
  const response = await api.app.inject({
    method: 'POST',
    url: '/api/card-imports',
    headers: { token: token ?? '', language, 'content-type': formType },
    payload: formOf([{ name: 'file', fileName: 'cards.xlsx', content }]),
  });
  const envelope = response.json() as Answer<CardImport>['envelope'];
  expect(envelope.message).toMatchObject({ status: 200 });
  return envelope.data;
}

const start = (id: number, ask?: Ask) => api.post<CardImport>(`/card-imports/${id}/starts`, undefined, ask);
const count = async () => {
  const { rows } = await api.database.pool.query<{ count: number }>('select count(*)::int as count from cards');
  return rows[0]?.count ?? 0;
};
const faultsOf = ({ faults }: CardImport) =>
  faults.map(({ line, faults: found }) => [line, ...found.map(({ column, code }) => `${column} ${code}`)]);

test('a file of cards is checked row by row before anything is written, and its good rows become cards at once', async () => {
  const before = await count();
  const checked = await check([
    {
      卡号: 'CA4D000000000001',
      绑定手机号: place.phone,
      卡类型: '离线卡',
      '单次刷卡金额(元)': '2.5',
      '有效期至(日期)': '2031-12-31',
    },
    { 卡号: 'ca4d000000000002', 物理卡号: 'd14b0a99', '有效期至(日期)': '2031年1月2日' },
    { 卡号: 'CA4D' },
    { 卡号: place.cardNumber },
    { 卡号: 'CA4D000000000001' },
    { 卡号: 'CA4D000000000003', 绑定手机号: '13999999999' },
    {
      卡号: 'CA4D000000000004',
      绑定手机号: '139',
      '单次刷卡金额(元)': 'two',
      卡类型: '超级卡',
      '有效期至(日期)': 'soon',
    },
    { 卡号: 'CA4D000000000005', 物理卡号: '00000000D14B0A99' },
  ]);
  expect(checked).toMatchObject({ totalCount: 8, goodCount: 2, badCount: 6, importedAt: null });
  expect(faultsOf(checked)).toEqual([
    [4, 'number card_number'],
    [5, 'number taken'],
    [6, 'number repeated'],
    [7, 'customerPhone unknown_reference'],
    [8, 'type not_choice', 'tapAmountFen not_number', 'expiresOn not_day', 'customerPhone phone_length'],
    [9, 'number repeated'],
  ]);
  expect(await count()).toBe(before);
  const report = await api.get(`/card-imports/${checked.id}/report`, { language: 'en' });
  const [heads, first, ...others] = await sheetRows(report.bytes);
  expect([heads?.at(-1), first?.at(-1)]).toEqual([
    'Reason',
    'Card number: Please Input A 16 Digit Card Number (0-9, A-F)',
  ]);

  // Choices in the reader's words.
  expect(others[3]?.at(-1)).toContain('Choose one of: Online card, Offline card');

  expect((await start(checked.id)).data.importedAt).not.toBeNull();
  expect(await count()).toBe(before + 2);
  const { data } = await api.get<{ items: Card[] }>('/cards?number=CA4D');
  expect(data.items.find(({ number }) => number === 'CA4D000000000001')).toMatchObject({
    type: 'offline',
    customerPhone: place.phone,
    tapAmountFen: 250,
    expiresAt: '2031-12-31T15:59:59.999Z',
    balanceFen: 0,
  });
  expect(data.items.find(({ number }) => number === 'CA4D000000000002')).toMatchObject({
    physicalNumber: 'D14B0A99',
    type: 'online',
    boundAt: null,
    expiresAt: '2031-01-02T15:59:59.999Z',
  });
  expect((await start(checked.id)).envelope.message).toMatchObject({ status: 409, error: 'import.started' });
});

test('where a number was taken since the check, no card is issued, and the answer says which row', async () => {
  const checked = await check([{ 'Card number': 'CA4D0000000000A1' }, { 'Card number': 'CA4D0000000000A2' }]);
  expect(checked.goodCount).toBe(2);
  expect((await api.post('/cards', { number: 'CA4D0000000000A2' })).status).toBe(200);
  const before = await count();
  const started = await start(checked.id);
  expect(started.data).toMatchObject({ importedAt: null, goodCount: 1, badCount: 1 });
  expect(faultsOf(started.data)).toEqual([[3, 'number taken']]);
  expect(await count()).toBe(before);
  expect((await start(checked.id)).data.goodCount).toBe(1);
  expect(await count()).toBe(before + 1);
});

test('the template of one language is read in every language, and nobody imports another’s file', async () => {
  const template = await api.get('/card-imports/template', { language: 'zh-CN' });
  const [heads] = await sheetRows(template.bytes);
  expect(heads).toEqual(['卡号*', '物理卡号', '卡类型', '绑定手机号', '单次刷卡金额(元)', '有效期至(日期)']);
  const checked = await check([{ '卡号*': 'CA4D0000000000B1' }]);
  const { token } = await api.addUser({ name: 'clerk', permissions: ['card.read', 'card.edit'] });
  expect((await start(checked.id, { token })).status).toBe(404);
  const agentId = await api.addAgent('importers');
  const own = await api.addUser({ name: 'importer', permissions: ['card.edit'], scope: 'agent', agentId });
  const strange = await check([{ '卡号*': 'CA4D0000000000B2', 绑定手机号: place.phone }], { token: own.token });
  expect(faultsOf(strange)).toEqual([[2, 'customerPhone unknown_reference']]);
});
