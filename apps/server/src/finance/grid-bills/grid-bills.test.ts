import { buffer } from 'node:stream/consumers';
import type { ListAnswer } from '@voltdeck/contract/fields';
import type { GridBillImport } from '@voltdeck/contract/grid-bill-imports';
import type { GridBill, Margin } from '@voltdeck/contract/grid-bills';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPng, formOf, formType, uploadFile } from '../../content/files/test-upload.ts';
import { type Answer, type Ask, openTestApi, type TestApi } from '../../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, makeSettledOrder, type Place } from '../../http/test-records.ts';
import { sheetRows } from '../../http/test-sheets.ts';
import { xlsxStream } from '../../http/xlsx.ts';
import { liveOn, makeTree, settleNow, type Tree } from '../test-finance.ts';

let api: TestApi;
let place: Place;
let tree: Tree;
const cn = (text: string): Instant => instant(Date.parse(`${text}+08:00`));

beforeAll(async () => {
  api = await openTestApi();
  tree = await makeTree(api, 'bills');
  place = await makePlace(api.database, null, 'bills2');
  await liveOn(api, '2030-03-20');
  // January: 40 kWh in four charges, of which one began in December and one ended in February.
  for (const [endedAt, energyWh] of [
    ['2029-12-31T23:59:59', 5_000],
    ['2030-01-01T00:10:00', 10_000],
    ['2030-01-15T12:00:00', 20_000],
    ['2030-01-31T23:59:59', 10_000],
    ['2030-02-01T00:00:00', 7_000],
  ] as const) {
    await makeOrder(api.database, place, instant(cn(endedAt) - 30 * minuteMs), {
      ended_at: cn(endedAt),
      energy_wh: wattHours(energyWh),
      meter_start_wh: wattHours(1_000),
      // The registers count a little more than is billed.
      meter_stop_wh: wattHours(1_000 + energyWh + 100),
    });
  }
  // Nobody pays for a test run, and still its energy went through the meter.
  await makeOrder(api.database, place, cn('2030-01-10T10:00:00'), {
    ...asTestRun,
    energy_wh: wattHours(2_000),
    meter_start_wh: wattHours(0),
    meter_stop_wh: wattHours(2_000),
  });
  await makeSettledOrder(api.database, place, {
    electricityFeeFen: 3_000,
    serviceFeeFen: 1_000,
    settledAt: cn('2030-01-20T12:00:00'),
  });
});
afterAll(() => api.close());

const bill = (given: object = {}) => ({
  siteId: place.siteId,
  accountNumber: '3301000001',
  fromOn: '2030-01-01',
  toOn: '2030-01-31',
  energyWh: 60_000,
  amountFen: 3_100,
  ...given,
});
const add = (given: object, ask: Ask = { language: 'en' }) => api.post<GridBill>('/grid-bills', bill(given), ask);
const faults = ({ envelope }: Answer) =>
  (envelope.message as { fields?: { path: string; code: string; message: string }[] }).fields?.map(
    ({ path, code }) => `${path} ${code}`,
  );
const clear = () => api.database.pool.query('delete from grid_bills');

describe('a bill of the grid', () => {
  test('is entered, compared with the ports of the same days, changed, locked and deleted', async () => {
    const { data: picture } = await uploadFile(api, 'grid_bill', await drawPng(8, 8));
    const added = await add({
      sharpWh: 10_000,
      peakWh: 20_000,
      flatWh: 20_000,
      valleyWh: 10_000,
      sharpPriceE5: 110_000,
      peakPriceE5: 90_000,
      flatPriceE5: 60_000,
      valleyPriceE5: 30_000,
      registerFromWh: 1_200_000,
      registerToWh: 1_201_500,
      multiplier: 40,
      fileId: picture.id,
      remark: 'With capacity charge',
    });
    expect(added.envelope.message).toMatchObject({ status: 200 });
    expect(added.data).toMatchObject({
      siteName: 'Site bills2',
      registerWh: 60_000,
      // 10 × 1.1 + 20 × 0.9 + 20 × 0.6 + 10 × 0.3 = 44 yuan.
      energyFeeFen: 4_400,
      // 10 + 20 + 10 and the 10 of the settled order, and the test run.
      billedWh: 52_000,
      meteredWh: 52_300,
      // (60 − 52.3) / 60
      lossPercent: 12.83,
      lossMark: null,
      fileUrl: `/api/files/${picture.id}/content`,
      lockedAt: null,
    });
    const { id, version } = added.data;
    const changed = await api.ask<GridBill>('PUT', `/grid-bills/${id}`, {
      body: { ...bill({ energyWh: 52_000 }), version },
    });
    expect(changed.data).toMatchObject({
      version: version + 1,
      lossPercent: -0.58,
      lossMark: 'below_zero',
      fileId: null,
    });
    const stale = await api.ask('PUT', `/grid-bills/${id}`, { body: { ...bill(), version } });
    expect(stale.envelope.message).toMatchObject({ status: 409, error: 'record.changed' });
    expect((await api.post(`/grid-bills/${id}/locks`, { locked: true })).data).toMatchObject({
      lockedByName: expect.any(String),
    });
    const locked = await api.ask('PUT', `/grid-bills/${id}`, { body: { ...bill(), version: version + 1 } });
    expect(locked.envelope.message).toMatchObject({ status: 409, error: 'grid_bill.locked' });
    expect((await api.ask('DELETE', `/grid-bills/${id}`)).status).toBe(409);
    const unlocked = await api.post(`/grid-bills/${id}/locks`, { locked: false });
    expect(unlocked.envelope.message).toMatchObject({
      status: 422,
      error: 'grid_bill.unlock_reason_required',
    });
    expect((await api.post(`/grid-bills/${id}/locks`, { locked: false, reason: 'A typo' })).status).toBe(200);
    expect((await api.ask('DELETE', `/grid-bills/${id}`)).status).toBe(200);
    expect((await api.get(`/grid-bills/${id}`)).status).toBe(404);
  });

  test('is marked where more than 15 % is lost', async () => {
    const { data } = await add({ energyWh: 70_000 });
    expect(data).toMatchObject({ lossPercent: 25.29, lossMark: 'high' });
    await clear();
  });

  test('is refused where the same account is billed for one of its days, and names both', async () => {
    await add({});
    const twice = await add({ fromOn: '2030-01-31', toOn: '2030-02-28' });
    expect(twice.status).toBe(422);
    expect(faults(twice)).toEqual(['fromOn bill_overlaps']);
    expect(twice.text).toContain(
      'The bill of account 3301000001 from 2030-01-31 to 2030-02-28 overlaps the one from 2030-01-01 to 2030-01-31',
    );
    expect((await add({ accountNumber: '3301000002' })).status).toBe(200);
    expect((await add({ fromOn: '2030-02-01', toOn: '2030-02-28' })).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => add({ accountNumber: '3301000003', fromOn: '2030-02-01', toOn: '2030-02-28' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await clear();
  });

  test('is refused with registers that run backwards, periods that are no sum, and days to come, and says why', async () => {
    const wrong = await add({
      registerFromWh: 2_000_000,
      registerToWh: 1_000_000,
      sharpWh: 1_000,
      fromOn: '2030-03-01',
      toOn: '2030-03-31',
    });
    expect(faults(wrong)?.sort()).toEqual([
      'energyWh energy_not_sum',
      'registerToWh register_backwards',
      'toOn day_to_come',
    ]);
    expect(wrong.text).toContain('ends at 1000, below its start at 2000, and meters do not run backwards');
    expect(faults(await add({ toOn: '2029-12-01' }))).toEqual(['toOn not_after_start']);
    expect(faults(await add({ registerFromWh: 1 }))).toEqual(['registerToWh required']);
    expect(faults(await add({ siteId: 999_999 }))).toEqual(['siteId unknown_reference']);
    expect((await api.get<ListAnswer<GridBill>>('/grid-bills')).data.items).toEqual([]);
  });

  test('keeps its site from being deleted', async () => {
    const { rows } = await api.database.pool.query<{ id: number }>(
      `insert into sites (name, region_code, address, longitude, latitude)
       values ('Billed only', '330106', 'x', 120, 30) returning id`,
    );
    const siteId = rows[0]?.id;
    await add({ siteId });
    const refused = await api.ask('DELETE', `/sites/${siteId}`);
    expect(refused.envelope.message).toMatchObject({ status: 409, error: 'site.has_grid_bills' });
    await clear();
    expect((await api.ask('DELETE', `/sites/${siteId}`)).status).toBe(200);
  });

  test('belongs to the agent of its site', async () => {
    const ask = async (name: string, agentId = tree.city) => {
      const permissions = ['finance.read', 'finance.grid_bill', 'finance.grid_bill_lock'] as const;
      const { token } = await api.addUser({ name, permissions: [...permissions], scope: 'agent', agentId });
      return { token };
    };
    const city = await ask('city');
    const other = await ask('other', await api.addAgent('Elsewhere'));
    expect(faults(await add({}, city))).toEqual(['siteId unknown_reference']);
    const { data } = await add({ siteId: tree.place.siteId }, city);
    expect((await api.get(`/grid-bills/${data.id}`, city)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
    ] as const) {
      expect((await api.ask(method, `/grid-bills/${data.id}${path}`, other)).status).toBe(404);
    }
    expect((await api.post(`/grid-bills/${data.id}/locks`, { locked: true }, other)).status).toBe(404);
    expect((await api.get<ListAnswer<GridBill>>('/grid-bills', other)).data.items).toEqual([]);
    const { token } = await api.addUser({ name: 'reader', permissions: ['finance.read'] });
    expect((await add({}, { token })).status).toBe(403);
    await clear();
  });
});

describe('a bill and its agents', () => {
  const permissions = ['finance.read', 'finance.grid_bill', 'finance.grid_bill_lock'] as const;
  const signIn = async (name: string, agentId: AgentId) => {
    const { token } = await api.addUser({ name, permissions: [...permissions], scope: 'agent', agentId });
    return { token, language: 'en' as const };
  };
  const shown = async (ask: Ask, siteId: number) =>
    (await api.get<ListAnswer<GridBill>>(`/grid-bills?siteId=${siteId}`, ask)).data.items.map(({ id }) => id);

  test('what the platform locked, no agent unlocks, and what an agent locked, the platform may lock over', async () => {
    const agentId = await api.addAgent('Locker');
    const { siteId } = await makePlace(api.database, agentId, 'locked');
    const agent = await signIn('locker', agentId);
    const { data } = await add({ siteId }, agent);
    const lock = (locked: boolean, ask: Ask = {}) =>
      api.post<GridBill>(`/grid-bills/${data.id}/locks`, { locked, reason: 'A typo' }, ask);
    await lock(true, agent);
    expect((await lock(false, agent)).data).toMatchObject({ lockedAt: null });
    await lock(true, agent);
    expect((await lock(true)).data).toMatchObject({ mayUnlock: true });
    const refused = await lock(false, agent);
    expect(refused.envelope.message).toMatchObject({ status: 403, error: 'grid_bill.locked_by_platform' });
    expect(refused.text).toContain('The platform locked this grid bill');
    expect((await api.get<GridBill>(`/grid-bills/${data.id}`, agent)).data).toMatchObject({
      lockedAt: expect.any(String),
      mayUnlock: false,
    });
    expect((await lock(false)).data).toMatchObject({ lockedAt: null });
    await clear();
  });

  test('stays with who had its site on its last day when the site is handed over, and so does its cost', async () => {
    const [former, next] = [await api.addAgent('Former'), await api.addAgent('Next')];
    const handed = await makePlace(api.database, former, 'handed');
    const { siteId } = handed;
    const [ofFormer, ofNext] = [await signIn('former', former), await signIn('next', next)];
    const { data: old } = await add({ siteId }, ofFormer);
    const { rows } = await api.database.pool.query<{ changed_at: Date }>(
      `update sites set agent_id = $1, changed_at = '2030-02-11T10:00:00+08:00' where id = $2 returning changed_at`,
      [next, siteId],
    );
    expect(rows).toHaveLength(1);
    const february = { siteId, fromOn: '2030-02-11', toOn: '2030-02-28', amountFen: 900 };
    const { data: own } = await add(february, ofNext);
    expect([await shown(ofFormer, siteId), await shown(ofNext, siteId)]).toEqual([[old.id], [own.id]]);
    expect((await api.get(`/grid-bills/${old.id}`, ofNext)).status).toBe(404);
    expect((await shown({}, siteId)).sort()).toEqual([old.id, own.id]);
    // Nor does the next agent enter a bill for the former one's days.
    const early = { siteId, accountNumber: '3301000077', fromOn: '2030-02-01', toOn: '2030-02-10' };
    expect(faults(await add(early, ofNext))).toEqual(['toOn site_of_others']);
    const margins = async (ask: Ask, more = '') =>
      (
        await api.get<ListAnswer<Margin>>(
          `/margins?sort=month&siteId=${siteId}&from=2030-01-01T00:00:00%2B08:00${more}`,
          ask,
        )
      ).data.items.map(({ month, costFen, agentName, missing }) => ({ month, costFen, agentName, missing }));
    expect(await margins(ofFormer)).toEqual([
      { month: '2030-01-01', costFen: 3_100, agentName: 'Former', missing: [] },
    ]);
    expect(await margins(ofNext)).toEqual([{ month: '2030-02-01', costFen: 900, agentName: 'Next', missing: [] }]);
    // A month is whose it was at its end, not whose the site is today.
    const named = async (more = '') => (await margins({}, more)).map(({ month, agentName }) => `${month} ${agentName}`);
    expect(await named()).toEqual(['2030-01-01 Former', '2030-02-01 Next']);
    expect(await named(`&agentId=${former}`)).toEqual(['2030-01-01 Former']);
    expect(await named(`&agentId=${next}`)).toEqual(['2030-02-01 Next']);
    await clear();
  });

  test('shows an agent the energy of its own stations, and no loss where others charge behind the same meter', async () => {
    const [host, guest] = [await api.addAgent('Host'), await api.addAgent('Guest')];
    const shared = await makePlace(api.database, host, 'shared');
    const { siteId } = shared;
    const charge = (energyWh: number, agentId: AgentId) =>
      makeOrder(api.database, shared, cn('2030-01-10T10:00:00'), {
        agent_id: agentId,
        ended_at: cn('2030-01-10T11:00:00'),
        energy_wh: wattHours(energyWh),
        meter_start_wh: wattHours(0),
        meter_stop_wh: wattHours(energyWh),
      });
    const [ofHost, ofGuest] = [await signIn('host', host), await signIn('guest', guest)];
    await charge(30_000, host);
    await add({ siteId }, ofHost);
    const read = async (ask: Ask) => {
      const [bills, months] = [
        (await api.get<ListAnswer<GridBill>>(`/grid-bills?siteId=${siteId}`, ask)).data.items,
        (await api.get<ListAnswer<Margin>>(`/margins?siteId=${siteId}&from=2030-01-01T00:00:00%2B08:00`, ask)).data
          .items,
      ];
      const figures = ({ billedWh, meteredWh, lossPercent }: GridBill | Margin) => [billedWh, meteredWh, lossPercent];
      return [...bills.map(figures), ...months.map(figures)];
    };
    expect(await read(ofHost)).toEqual([
      [30_000, 30_000, 50],
      [30_000, 30_000, 50],
    ]);
    await charge(20_000, guest);
    expect(await read(ofHost)).toEqual([
      [30_000, 30_000, null],
      [30_000, 30_000, null],
    ]);
    expect(await read({})).toEqual([
      [50_000, 50_000, 16.67],
      [50_000, 50_000, 16.67],
    ]);
    expect(await read(ofGuest)).toEqual([]);
    await clear();
  });
});

describe('the margin of a site and month', () => {
  const margins = async (query = '', ask: Ask = {}) =>
    (await api.get<ListAnswer<Margin>>(`/margins?sort=month&siteId=${place.siteId}&${query}`, ask)).data.items;
  const january = async () => (await margins()).find(({ month }) => month === '2030-01-01');

  test('names the days without a bill, and is known once they are billed', async () => {
    expect(await january()).toMatchObject({
      receivedFen: 4_000,
      sharesFen: 0,
      costFen: null,
      marginFen: null,
      missing: [{ accountNumber: null, fromOn: '2030-01-01', toOn: '2030-01-31' }],
    });
    // A half of the month, in a bill that began in December: 15 of its 31 days.
    await add({ fromOn: '2029-12-16', toOn: '2030-01-15', energyWh: 31_000, amountFen: 3_100 });
    expect((await january())?.missing).toEqual([{ accountNumber: null, fromOn: '2030-01-16', toOn: '2030-01-31' }]);
    await add({ fromOn: '2030-01-16', toOn: '2030-01-31', energyWh: 45_000, amountFen: 1_000 });
    expect(await january()).toMatchObject({
      missing: [],
      // 15 / 31 of the first and all of the second.
      costFen: 1_500 + 1_000,
      gridWh: 15_000 + 45_000,
      marginFen: 4_000 - 2_500,
      billedWh: 52_000,
      // 15 yuan by 52 kWh.
      marginPerKwhE5: 28_846,
      lossPercent: 12.83,
    });
    const december = (await margins()).find(({ month }) => month === '2029-12-01');
    expect(december?.missing).toEqual([{ accountNumber: null, fromOn: '2029-12-01', toOn: '2029-12-15' }]);
  });

  test('waits for every meter of the site', async () => {
    await add({ accountNumber: '3301000009', fromOn: '2030-01-01', toOn: '2030-01-20' });
    expect((await january())?.missing).toEqual([
      { accountNumber: '3301000009', fromOn: '2030-01-21', toOn: '2030-01-31' },
    ]);
    expect((await january())?.marginFen).toBeNull();
    await clear();
  });

  test('of all months of a bill add up to what it says, to the fen', async () => {
    await add({ fromOn: '2029-07-01', toOn: '2029-08-31', energyWh: 100_001, amountFen: 101 });
    const months = await margins('from=2029-07-01T00:00:00%2B08:00&to=2029-08-31T00:00:00%2B08:00');
    expect(months.map(({ month, costFen, gridWh }) => [month, costFen, gridWh])).toEqual([
      ['2029-07-01', 51, 50_001],
      ['2029-08-01', 50, 50_000],
    ]);
    await clear();
  });

  test('is after the shares of others: for the platform its commission is its own, for an agent all but its share is gone', async () => {
    await settleNow(api, tree.place);
    const of = `siteId=${tree.place.siteId}&from=2030-03-01T00:00:00%2B08:00`;
    const read = async (ask: Ask = {}) => (await api.get<ListAnswer<Margin>>(`/margins?${of}`, ask)).data.items[0];
    expect(await read()).toMatchObject({ receivedFen: 1_100, sharesFen: 6 + 821 + 127, costFen: null });
    const permissions = ['finance.read'] as const;
    const { token } = await api.addUser({
      name: 'city3',
      permissions: [...permissions],
      scope: 'agent',
      agentId: tree.city,
    });
    expect(await read({ token })).toMatchObject({ receivedFen: 1_100, sharesFen: 1_100 - 632 });
    // The agent pays the grid, so the bill is no cost of the platform.
    const today = shanghaiDate(instant(api.context.now()));
    await add({ siteId: tree.place.siteId, fromOn: '2030-03-01', toOn: today, energyWh: 11_000, amountFen: 500 });
    expect(await read()).toMatchObject({ costFen: 0, marginFen: 1_100 - 6 - 821 - 127, gridWh: 11_000 });
    expect(await read({ token })).toMatchObject({ costFen: 500, marginFen: 632 - 500 });
    await clear();
  });
});

describe('a file of bills', () => {
  type Row = Record<string, string>;
  async function check(rows: readonly Row[]) {
    const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = heads.map((head) => ({
      head,
      widthCharacters: 10,
      cell: (row: Row) => ({ text: row[head] ?? '' }),
    }));
    async function* batches() {
      yield rows;
    }
    const content = await buffer(xlsxStream('Bills', columns, batches()));
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/grid-bill-imports',
      headers: { token: api.adminToken, language: 'zh-CN', 'content-type': formType },
      payload: formOf([{ name: 'file', fileName: '电费单.xlsx', content }]),
    });
    const envelope = response.json() as Answer<GridBillImport>['envelope'];
    expect(envelope.message).toMatchObject({ status: 200 });
    return envelope.data;
  }
  const row = (given: Row): Row => ({
    站点名称: 'Site bills2',
    户号: '3301000001',
    '起始日(日期)': '2030-01-01',
    '截止日(日期)': '2030年1月31日',
    '总电量(kWh)': '1,234.5',
    '电费总额(元)': '980.07',
    ...given,
  });

  test('is checked row by row, entered at once, and its rows are faulty once their days are billed', async () => {
    const checked = await check([
      row({ 倍率: '40', '尖电价(元/度)': '1.10235' }),
      row({ '起始日(日期)': '2030-01-31', '截止日(日期)': '2030-02-28' }),
      row({ 站点名称: 'Nowhere' }),
      row({ 户号: '3301000002', '起码(kWh)': '20', '止码(kWh)': '10' }),
      row({ 户号: '3301000002', '总电量(kWh)': 'much' }),
      row({ 户号: '3301000003', 站点名称: `#${place.siteId}` }),
    ]);
    expect(checked).toMatchObject({ totalCount: 6, goodCount: 2, badCount: 4 });
    expect(
      checked.faults.map(({ line, faults: found }) => [line, ...found.map(({ column, code }) => `${column} ${code}`)]),
    ).toEqual([
      [3, 'fromOn bill_overlaps'],
      [4, 'siteName unknown_reference'],
      [5, 'registerToWh register_backwards'],
      [6, 'energyWh not_number'],
    ]);
    const report = sheetRows((await api.get(`/grid-bill-imports/${checked.id}/report`, { language: 'zh-CN' })).bytes);
    expect(report[1]?.at(-1)).toContain('与已有的 2030-01-01 至 2030-01-31 日期重叠');
    const again = await check([row({ 户号: '3301000003' })]);
    expect((await api.post(`/grid-bill-imports/${checked.id}/starts`)).status).toBe(404);
    // The earlier file of the same user was forgotten; this one is entered.
    expect((await api.post<GridBillImport>(`/grid-bill-imports/${again.id}/starts`)).data.importedAt).not.toBeNull();
    const { data } = await api.get<ListAnswer<GridBill>>('/grid-bills');
    expect(data.items).toMatchObject([{ accountNumber: '3301000003', energyWh: 1_234_500, amountFen: 98_007 }]);
    expect((await check([row({ 户号: '3301000003' })])).goodCount).toBe(0);
    const template = sheetRows((await api.get('/grid-bill-imports/template', { language: 'en' })).bytes);
    expect(template[0]?.[0]).toBe('Site name*');
  });
});
