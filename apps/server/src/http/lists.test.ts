import { type FilterKind, filterKindOf } from '@voltdeck/contract/fields';
import { queryToKeep } from '@voltdeck/contract/filter-set-query';
import { listScreens } from '@voltdeck/contract/list-screens';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import { type Report, type ReportRun, reportLimits } from '@voltdeck/contract/reports';
import { lists } from '@voltdeck/contract/routes';
import { statementSubjects, statementUnits } from '@voltdeck/contract/statements';
import type { Task } from '@voltdeck/contract/tasks';
import { totalSubjects } from '@voltdeck/contract/totals';
import type { FilterSet } from '@voltdeck/contract/views';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { CustomerId, DividerId, PartnerId, TaskId, UserId } from '@voltdeck/units/id';
import { dayMs, hourMs, instant, minuteMs, parseShanghaiDate, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { addTaskRows } from '../background/task-rows.ts';
import { drawPng, uploadFile } from '../content/files/test-upload.ts';
import { makePartnerCharge, makeRoamingCharge } from '../interop/test-interconnected-orders.ts';
import { addPulledSite, exposeSite } from '../interop/test-pulled.ts';
import { reconcileDay } from '../reconciliation/reconcile-day.ts';
import { runReports } from '../reports/run-reports.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { fileSource, listSources } from '../tasks/list-sources.ts';
import { runTask } from '../tasks/run-task.ts';
import { fileColumns } from './list-columns.ts';
import { openTestApi, type TestApi } from './test-api.ts';
import { addDividerShare, fundBalance, makeOrder, makePlace, makeSettledOrder } from './test-records.ts';
import { csvRows, sheetRows } from './test-sheets.ts';

let api: TestApi;
/** The administrator, two agents with records of their own, and a user whose position reaches nothing. */
const tokens: string[] = [];
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  tokens.push(api.adminToken);
  for (const name of ['alpha', 'beta']) tokens.push(await side(name));
  const everything = Object.keys(permissions) as Permission[];
  tokens.push((await api.addUser({ name: 'nobody', permissions: everything, scope: 'self' })).token);
  const seen = { remote_address: '203.0.113.1', first_seen_at: now, last_seen_at: now };
  await api.database.db
    .insertInto('unknown_stations')
    .values({ number: 'stray', protocol: 'ocpp1.6', ...seen })
    .execute();
  const bill = { channel: 'wechat', day: '2026-11-20' } as const;
  await api.database.db
    .insertInto('channel_bills')
    .values({ ...bill, lines: 1, downloaded_at: now })
    .execute();
  const money = { amount_fen: fen(1_000), fee_fen: fen(6), at: now, raw: '{}' };
  await api.database.db
    .insertInto('channel_bill_lines')
    .values({ ...bill, ...money, line: 1, kind: 'payment', number: 'C1', third_party_number: '42' })
    .execute();
  // The bill has a line that none of our payments belongs to.
  await reconcileDay(api.database.db, bill.day, now, ['wechat']);
  const payment = { channel: 'embedded', purpose: 'recharge', title: 'x', notify_url: '', state: 'closed' } as const;
  await api.database.db
    .insertInto('channel_payments')
    .values({
      ...payment,
      number: 'C1',
      customer_id: 1 as CustomerId,
      user_id: 1 as UserId,
      amount_fen: fen(1_000),
      page_token_hash: Buffer.from('C1'),
      expires_at: now,
      created_at: now,
      ended_at: now,
    })
    .execute();
  const { data: picture } = await uploadFile(api, 'advert', await drawPng(8, 8));
  await api.post('/adverts', { title: 'Summer', pictureFileId: picture.id, page: 'home' });
  await api.post('/articles', { title: 'Guide', category: 'guide', content: '<p>Plug in.</p>' });
  const partner = { operatorId: 'MA0LISTS1', name: 'Other operator', role: 'demand' };
  const { data: seeded } = await api.post<{ id: PartnerId }>('/partners', {
    ...partner,
    baseUrl: 'https://charge.example',
  });
  await addPulledSite(api.database, seeded.id, now);
  await exposeSite(api.database, seeded.id, (await makePlace(api.database, null, 'shown')).siteId, now);
  await api.post(`/partners/${seeded.id}/deposits`, { amountFen: 100, remark: 'Paid in' });
  await api.database.db
    .insertInto('partner_deliveries')
    .values({ partner_id: seeded.id, kind: 'order', subject: '1', state: 'failed', created_at: now, done_at: now })
    .execute();
  await api.database.db
    .insertInto('partner_exchanges')
    .values({
      at: now,
      partner_id: seeded.id,
      direction: 'in',
      interface: 'query_token',
      request: '{}',
      answer: '{}',
      http_status: 200,
      ret: 0,
      took_ms: 1,
    })
    .execute();
  const { id: orderId, customer_id: customerId } = await api.database.db
    .selectFrom('orders')
    .select(['id', 'customer_id'])
    .where('customer_id', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  await api.database.db
    .insertInto('partner_payments')
    .values({ partner_id: seeded.id, amount_fen: fen(100), payable_after_fen: fen(0), remark: 'Paid', created_at: now })
    .execute();
  await makePartnerCharge(api.database, seeded.id, orderId, now);
  await makeRoamingCharge(api.database, seeded.id, customerId as CustomerId, now);
  await api.get('/ledger/proof');
});
afterAll(() => api.close());

/** An agent with one record of everything, and the token of its user. */
async function side(name: string): Promise<string> {
  const agentId = await api.addAgent(`Agent ${name}`);
  const place = await makePlace(api.database, agentId, name);
  const flagged = { abnormal: true, unhandled: true };
  const orderId = await makeOrder(api.database, place, instant(now - 60 * minuteMs), flagged);
  await api.database.db
    .insertInto('order_flags')
    .values({ order_id: orderId, rule: 'clock_wrong', at: now, evidence: JSON.stringify({ stationTime: '1970' }) })
    .execute();
  await api.database.db
    .insertInto('order_refunds')
    .values({
      number: `F-${name}`,
      order_id: orderId,
      agent_id: agentId,
      site_id: place.siteId,
      customer_id: place.customerId,
      card_id: place.cardId,
      amount_fen: fen(10),
      electricity_fee_fen: fen(6),
      service_fee_fen: fen(4),
      reason: 'The gun was broken',
      created_at: now,
      done_at: now,
    })
    .execute();
  const group = await api.database.db
    .insertInto('groups')
    .values({
      name: `Group ${name}`,
      contact: 'Li',
      contact_phone: '13800000000',
      card_number: `600D${String(place.customerId).padStart(12, '0')}`,
      agent_id: agentId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.database.db
    .insertInto('group_members')
    .values({
      group_id: group.id,
      agent_id: agentId,
      phone: place.phone,
      customer_id: place.customerId,
      state: 'bound',
      source: 'office',
      created_at: now,
    })
    .execute();
  const made = { protocol: 'ocpp1.6', type: 'fast', equipment_type: 'four-wheel', connector_count: 2 } as const;
  await api.database.db
    .insertInto('station_identities')
    .values({
      ...made,
      number: `FACTORY-${name}`,
      batch: 'PO-1',
      max_power_w: watts(120_000),
      agent_id: agentId,
      created_at: now,
    })
    .execute();
  await api.database.db
    .insertInto('readings')
    .values({
      order_id: orderId,
      at: instant(now - 50 * minuteMs),
      connector_id: place.connectorId,
      energy_wh: wattHours(2_000),
      received_at: now,
    })
    .execute();
  await api.database.db
    .insertInto('charge_notes')
    .values({
      at: instant(now - 50 * minuteMs),
      order_id: orderId,
      station_id: place.stationId,
      connector_number: 1,
      kind: 'demand',
      detail: JSON.stringify({ demandVoltageMv: 400_000, chargeMode: 'constant_current' }),
    })
    .execute();
  const share = {
    party: 'agent',
    agent_id: agentId,
    reason: 'remainder',
    electricity_fen: 1,
    service_fen: 0,
    occupancy_fen: 0,
  };
  await api.database.pool.query(
    'select write_order_shares(id, site_id, 9, settled_at, $2::jsonb) from orders where id = $1',
    [orderId, JSON.stringify([share])],
  );
  const everything = Object.keys(permissions) as Permission[];
  const { id: userId, token } = await api.addUser({ name, permissions: everything, scope: 'agent', agentId });
  const { cardNumber, stationNumber, phone, stationId } = place;
  const promotion = { satisfiedFen: 10_000, giftFen: 1, effective: true, displayed: true, agentId };
  await api.post('/promotions', { ...promotion, name: `Promotion of ${name}` });
  await api.post('/coupons', { name: `Coupon of ${name}`, kind: 'amount', amountFen: 1, bearer: 'platform' });
  await api.post(`/agents/${agentId}/recharges`, { amountFen: 100, reason: 'Paid in beforehand' });
  const { data: divider } = await api.post<{ id: DividerId }>('/dividers', { name: `Divider ${name}`, agentId });
  const terms = { electricityPercent: 10, servicePercent: 12.5, occupancyPercent: 0 };
  await api.post(`/dividers/${divider.id}/terms`, { siteId: place.siteId, ...terms });
  await addDividerShare(api.database, { dividerId: divider.id, siteId: place.siteId, orderId }, now);
  await api.post('/share-terms', { siteIds: [place.siteId], channelFeePercent: 0.25, ...terms });
  await api.post(`/credits/${place.customerId}/adjustments`, { points: 5, reason: 'A welcome' });
  const recharged = await api.post('/recharges', { cardNumber, amountFen: 100 }, { token });
  expect(recharged.status).toBe(200);
  const moved = { fromCardNumber: cardNumber, toCustomerId: place.customerId, amountFen: 100 };
  expect((await api.post('/transfers', moved, { token })).status).toBe(200);
  const withdrawn = { customerId: place.customerId, amountFen: 100 };
  expect((await api.post('/withdrawals', withdrawn)).status).toBe(200);
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 1_000);
  expect((await api.post('/agent-withdrawals', { amountFen: 100 }, { token })).status).toBe(200);
  await api.database.db.updateTable('sites').set({ invoice_available: true }).where('id', '=', place.siteId).execute();
  const invoiced = { orderIds: [await makeOrder(api.database, place, instant(now - 600 * minuteMs))] };
  const title = { titleKind: 'personal', title: `Title of ${name}` };
  expect((await api.post('/invoices', { ...invoiced, ...title }, { token })).status).toBe(200);
  await makeOrder(api.database, place, instant(now - 120 * minuteMs), { paid_fen: fen(0), payment_state: 'unpaid' });
  expect((await api.post('/gifts', { cardNumber, amountFen: 100, reason: 'A welcome' })).status).toBe(200);
  await api.post('/feedbacks', { kind: 'other', description: `Of ${name}`, stationNumber, phone }, { token });
  await api.post('/vehicles', { vin: `LSVAM4187C21848${name === 'alpha' ? '40' : '41'}`, cardNumber }, { token });
  await uploadFile(api, 'document', `A file of ${name}`, `${name}.txt`, { token });
  await api.database.db
    .insertInto('interaction_logs')
    .values({
      at: instant(now - minuteMs),
      station_id: stationId,
      protocol: 'ocpp1.6',
      direction: 'from-station',
      action: 'Heartbeat',
      message_id: '1',
      request: '[2,"1","Heartbeat",{}]',
      answer: '[3,"1",{}]',
    })
    .execute();
  const { id: taskId } = await api.database.db
    .insertInto('tasks')
    .values({
      kind: 'export',
      detail: JSON.stringify({ list: 'listOrders', query: {}, caller: {} }),
      state: 'failed',
      language: 'en',
      user_id: userId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.database.db
    .insertInto('reports')
    .values({
      user_id: userId,
      name: 'Orders of yesterday',
      every: 'day',
      hour: 8,
      format: 'xlsx',
      language: 'en',
      emails: '',
      enabled: true,
      next_at: now,
    })
    .execute();
  await addTaskRows(api.database.db, taskId, [{ label: 'ST-1', state: 'done', detail: { line: 2 } }]);
  await api.post(
    '/price-changes',
    {
      name: 'New year',
      by: 'sites',
      siteIds: [place.siteId],
      ruleId: place.tariffId,
      effectiveAt: '2026-12-31T16:00:00Z',
    },
    { token },
  );
  await api.database.db
    .insertInto('approvals')
    .values({
      number: `P-${name}`,
      kind: 'order_refund',
      amount_fen: fen(100),
      agent_id: agentId,
      subject_kind: 'order',
      subject_id: orderId,
      subject_text: `Order of ${name}`,
      detail: '{}',
      reason: 'Broken',
      asker_id: userId,
      asked_at: now,
    })
    .execute();
  await api.database.db
    .insertInto('grid_bills')
    .values({
      site_id: place.siteId,
      account_number: `33010${name}`,
      from_on: '2026-10-01',
      to_on: '2026-10-31',
      energy_wh: wattHours(1_000_000),
      amount_fen: fen(70_000),
      created_at: now,
      changed_at: now,
    })
    .execute();
  await makeSettledOrder(api.database, place, { electricityFeeFen: 70, serviceFeeFen: 30, settledAt: now });
  await api.database.db
    .insertInto('rehearsal_figures')
    .values({
      task_id: taskId,
      by: 'site',
      site_id: place.siteId,
      agent_id: place.agentId,
      charges: 1,
      energy_wh: wattHours(1),
      before_fen: fen(1),
      after_fen: fen(2),
    })
    .execute();
  return token;
}

/** A value that each kind of filter accepts. */
function sampleOf(kind: FilterKind): string {
  switch (kind.kind) {
    case 'text':
      return 'a';
    case 'choice':
      return kind.values[0] ?? '';
    case 'record':
      return '1';
    case 'flag':
      return 'true';
    case 'number':
      return String(kind.min);
    case 'money':
      return '1';
    case 'region':
      return '330100';
    case 'instant':
      return '2026-11-20T16:00:00.000Z';
  }
}

function filtersOf(query: z.ZodMiniType | undefined): [name: string, sample: string][] {
  const { shape } = (query as z.ZodMiniObject).def;
  return Object.entries(shape).flatMap(([name, field]) => {
    const kind = filterKindOf(field as z.ZodMiniType);
    return kind === undefined ? [] : [[name, sampleOf(kind)]];
  });
}

function sortsOf(query: z.ZodMiniType | undefined): string[] {
  const { shape } = (query as z.ZodMiniObject).def;
  const sort = shape.sort as unknown as z.ZodMiniOptional<z.ZodMiniEnum<Record<string, string>>> | undefined;
  return sort === undefined ? [] : Object.keys(sort.def.innerType.def.entries);
}

describe.each([...lists])('%s', (name, route) => {
  const source = fileSource(route.name);

  test('the list is answered by the source of its name', () => {
    expect(route.name).toBe(name);
    expect(listSources[route.name].route).toBe(route);
  });

  test('the page, the totals and the exports of the list agree on the number of rows, for every caller', async () => {
    const counts: number[] = [];
    for (const token of tokens) {
      const page = await api.get<{ items: unknown[]; total?: number }>(`${route.path}?pageSize=100`, { token });
      const file = await api.get(route.file.path, { token });
      expect(file.status).toBe(page.status);
      if (page.status === 403) continue;
      const count = sheetRows(file.bytes).length - 1;
      const totals = route.totals === null ? null : await api.get<{ total: number }>(route.totals.path, { token });
      const csv = csvRows((await api.get(`${route.file.path}?format=csv`, { token })).text);
      const told = [count, csv.length - 1, totals?.data.total ?? count, page.data.total ?? count];
      // The exports of this very test appear in the audit log.
      if (name !== 'listAuditEntries') expect(new Set(told)).toEqual(new Set([page.data.items.length]));
      counts.push(count);
    }
    expect(counts[0]).toBeGreaterThan(0);
  });

  test.each(['zh-CN', 'en'] as const)('both kinds of export have the column heads in %s', async (language) => {
    const heads = fileColumns(source, language).map(({ head }) => head);
    expect(sheetRows((await api.get(route.file.path, { language })).bytes)[0]).toEqual(heads);
    expect(csvRows((await api.get(`${route.file.path}?format=csv`, { language })).text)[0]).toEqual(heads);
    expect(new Set(heads).size).toBe(heads.length);
  });

  test('the page, the totals and the export accept every filter and every sort of the contract', async () => {
    const filters = filtersOf(route.query);
    const statuses: Record<string, readonly number[]> = {};
    for (const [filter, sample] of filters) {
      const asked = `?${filter}=${encodeURIComponent(sample)}`;
      const page = await api.get<{ items: unknown[] }>(`${route.path}${asked}&pageSize=100`);
      const file = await api.get(`${route.file.path}${asked}&format=csv`);
      const totals = route.totals === null ? [] : [await api.get(`${route.totals.path}${asked}`)];
      statuses[filter] = [page, file, ...totals].map(({ status }) => status);
      if (name === 'listAuditEntries') continue;
      expect([filter, csvRows(file.text).length - 1]).toEqual([filter, page.data.items.length]);
    }
    for (const sort of sortsOf(route.query)) {
      const page = await api.get<{ items: unknown[] }>(`${route.path}?sort=${sort}&pageSize=100`);
      const file = await api.get(`${route.file.path}?sort=${sort}&format=csv`);
      statuses[sort] = [page.status, file.status];
      if (name !== 'listAuditEntries')
        expect([sort, csvRows(file.text).length - 1]).toEqual([sort, page.data.items.length]);
    }
    expect(Object.entries(statuses).filter(([, all]) => all.some((status) => status !== 200))).toEqual([]);
  });
});

type Row = Readonly<Record<string, unknown>>;
const hasPeriod = ({ query }: { query?: z.ZodMiniType | undefined }) =>
  ['from', 'to'].every((end) => filtersOf(query).some(([name]) => name === end));
const dated = [...lists].filter(([, route]) => hasPeriod(route));
/** Their rows are sums, of whole months too, or spans that a period meets at two ends. */
const withoutTime: ReadonlySet<string> = new Set([
  'listTotals',
  'listStatements',
  'listMargins',
  'listSettlementPeriods',
  'listGridBills',
]);

async function rowsOf(path: string, query: Readonly<Record<string, string>>): Promise<Row[]> {
  const address = `${path}?${new URLSearchParams({ pageSize: '100', ...query })}`;
  const { status, data, text } = await api.get<{ items: Row[] }>(address);
  expect(status, text).toBe(200);
  return data.items;
}

/** The first and the last instant of a time or a day; null for anything else. */
function endsOf(value: unknown): { from: number; to: number } | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(value)) return null;
  const day = parseShanghaiDate(value);
  return day === null ? { from: Date.parse(value), to: Date.parse(value) } : { from: day, to: day + dayMs - 1 };
}

/** The rows of a period by a column that says when they were. */
const within = (rows: readonly Row[], column: string, { from, to }: { from: number; to: number }) =>
  rows.filter((row) => {
    const ends = endsOf(row[column]);
    return ends !== null && ends.from >= from && ends.to <= to;
  });

const isoOf = ({ from, to }: { from: number; to: number }) => ({
  from: toIso(instant(from)),
  to: toIso(instant(to)),
});

/** The columns by which the list's period selects, to the millisecond, at both ends of each of its rows. */
async function columnsOfPeriod(path: string): Promise<string[]> {
  const rows = await rowsOf(path, {});
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => endsOf(row[column]) !== null));
  const found: string[] = [];
  for (const column of columns) {
    const each = rows.map((row) => endsOf(row[column])).filter((ends) => ends !== null);
    const periods = [...new Map(each.map((ends) => [ends.from, ends])).values()].flatMap(({ from, to }) => [
      { from, to },
      { from: to + 1, to: to + dayMs },
      { from: from - dayMs, to: from - 1 },
    ]);
    let isIt = true;
    for (const period of periods) {
      const answered = await rowsOf(path, isoOf(period));
      if (answered.length !== within(rows, column, period).length) isIt = false;
    }
    if (isIt) found.push(column);
  }
  return found;
}

describe('reports', () => {
  const tomorrow = instant(now + dayMs);
  const fixtureDay = { from: shanghaiDayStart(now), to: shanghaiDayStart(now) + dayMs - 1 };
  beforeAll(async () => {
    // The application writes no finer times.
    await api.database.pool.query(`update customers set created_at = date_trunc('milliseconds', created_at)`);
    api.clock.now = tomorrow;
    api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  });

  /** The rows of the file of a report of yesterday, from filters that the console keeps of a screen that shows today. */
  async function rowsInReport(screen: string): Promise<number> {
    const start = shanghaiDayStart(tomorrow);
    const today = isoOf({ from: start, to: start + dayMs - 1_000 });
    const query = queryToKeep(new URLSearchParams(today), ['from', 'to', 'sort'], tomorrow);
    expect(query).toBe('from=%400&to=%400');
    const set = { list: screen, name: 'Today', query };
    const { id: filterSetId } = (await api.ask<FilterSet>('PUT', '/list-views/filter-sets', { body: set })).data;
    const made = await api.post<Report>('/reports', { name: screen, filterSetId, format: 'csv', enabled: false });
    expect(made.status, made.text).toBe(200);
    await api.post(`/reports/${made.data.id}/runs`, { audience: 'owner' });
    await runReports(api.context);
    const { rows } = await api.database.pool.query<{ id: TaskId }>(`select id from tasks where state = 'waiting'`);
    for (const { id } of rows) await runTask(api.context, id, new AbortController().signal);
    // One person has so many an hour.
    api.clock.now = instant((api.clock.now ?? tomorrow) + hourMs / reportLimits.runsPerHour);
    await runReports(api.context);
    const [run] = (await api.get<{ items: ReportRun[] }>(`/reports/${made.data.id}/runs`)).data.items;
    expect(run).toMatchObject({ state: 'done', errorCode: null, from: '2026-11-21', to: '2026-11-21' });
    await api.ask('DELETE', `/reports/${made.data.id}`);
    return (await api.get<Task>(`/tasks/${run?.taskId}`)).data.doneCount;
  }

  // Every report writes entries of its own into the audit log.
  test.each(dated.filter(([name]) => !withoutTime.has(name) && name !== 'listAuditEntries'))(
    'the period of %s selects its rows to the millisecond, and a report of it has exactly those of its period',
    async (name, { path }) => {
      const columns = await columnsOfPeriod(path);
      expect(columns).not.toEqual([]);
      const screens = Object.entries(listScreens).filter(([, { list }]) => list === name);
      for (const [screen, { fixed }] of screens.length === 0 ? [[path, { fixed: {} }] as const] : screens) {
        const shown = await rowsOf(path, fixed);
        const wanted = within(shown, columns[0] ?? '', fixtureDay);
        expect([screen, await rowsInReport(screen)]).toEqual([screen, wanted.length]);
      }
    },
  );

  test.each([...withoutTime])('a report of %s has what the list answers for its period', async (name) => {
    const path = lists.get(name)?.path ?? '';
    const screens = Object.entries(listScreens).filter(([, { list }]) => list === name);
    for (const [screen, { fixed }] of screens.length === 0 ? [[path, { fixed: {} }] as const] : screens) {
      const wanted = await rowsOf(path, { ...fixed, ...isoOf(fixtureDay) });
      expect([screen, await rowsInReport(screen)]).toEqual([screen, wanted.length]);
    }
  });

  test('what a screen fixes is what its list takes', () => {
    for (const [screen, { list, fixed }] of Object.entries(listScreens)) {
      expect([screen, exportableLists[list].parseWanted(fixed)]).toEqual([
        screen,
        { ok: true, value: expect.anything() },
      ]);
    }
  });

  test('of lists that are cut by subject there is a screen for each subject', () => {
    const names = Object.keys(listScreens);
    expect(names).toEqual(expect.arrayContaining(totalSubjects.map((by) => `/totals#${by}`)));
    for (const by of statementSubjects) {
      expect(names).toEqual(expect.arrayContaining(statementUnits.map((unit) => `/statements#${by}-${unit}`)));
    }
  });
});
