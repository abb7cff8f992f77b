import { Readable } from 'node:stream';
import type { Connector } from '@voltdeck/contract/connectors';
import type { Permission } from '@voltdeck/contract/permissions';
import { permissions } from '@voltdeck/contract/permissions';
import type { Route } from '@voltdeck/contract/route';
import { lists, routes } from '@voltdeck/contract/routes';
import type { SiteDetail } from '@voltdeck/contract/sites';
import { cardAccount } from '@voltdeck/ledger/account';
import { noParts } from '@voltdeck/ledger/parts';
import { settleTransfer } from '@voltdeck/ledger/settle';
import { wattHours, watts } from '@voltdeck/units/energy';
import type {
  AgentId,
  AgentWithdrawalId,
  DividerId,
  FeedbackId,
  FileId,
  GroupId,
  InvoiceId,
  OrderId,
  PartnerId,
  PositionId,
  SessionId,
  TaskId,
  UserId,
} from '@voltdeck/units/id';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredDetail } from '../background/task-details.ts';
import { addTaskRows } from '../background/task-rows.ts';
import { drawPng, uploadFile } from '../content/files/test-upload.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { addDividerShare, dayTariff, fundBalance, makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { sheetText } from '../http/test-sheets.ts';
import { makeRoamingCharge } from '../interop/test-interconnected-orders.ts';
import { addPulledSite, exposeSite } from '../interop/test-pulled.ts';
import { workInvoice } from '../invoices/work-invoice.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

const everything = Object.keys(permissions) as Permission[];

type Side = {
  name: 'alpha' | 'beta';
  token: string;
  place: Place;
  orderId: OrderId;
  orderRefundId: number;
  userId: UserId;
  /** The agent's own. */
  positionId: PositionId;
  sessionId: SessionId;
  fileId: FileId;
  feedbackId: FeedbackId;
  taskId: TaskId;
  rehearsalId: TaskId;
  priceChangeId: number;
  vehicleId: number;
  reportId: number;
  groupId: GroupId;
  memberId: number;
  /** A checked file of group users. */
  memberImportId: number;
  /** Of an exchange with the station. */
  logKey: string;
  rechargeId: number;
  rechargeCodeId: number;
  invoiceId: InvoiceId;
  periodId: number;
  agentWithdrawalId: AgentWithdrawalId;
  promotionId: number;
  approvalId: number;
  dividerId: DividerId;
  dividerTermId: number;
  /** A checked file of stations. */
  importId: number;
  /** A checked file of cards. */
  cardImportId: number;
  billImportId: number;
  gridBillId: number;
};
let api: TestApi;
let alpha: Side;
let beta: Side;
/** A user whose position reaches nothing. */
let nobody: string;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  alpha = await side('alpha');
  beta = await side('beta');
  nobody = (await api.addUser({ name: 'nobody', permissions: everything, scope: 'self' })).token;
  const bill = { channel: 'wechat', day: '2026-11-20' } as const;
  await api.database.db
    .insertInto('channel_bills')
    .values({ ...bill, lines: 1, downloaded_at: now })
    .execute();
  await api.database.db
    .insertInto('channel_bill_lines')
    .values({ ...bill, line: 1, kind: 'payment', amount_fen: fen(100), fee_fen: fen(1), raw: '{}' })
    .execute();
  await api.post('/reconciliation/days/2026-11-20/runs');
  await api.post('/reconciliation/differences/1/ends', { outcome: 'explained', reason: 'because' });
  await api.post('/reconciliation/days/2026-11-20/seals');
  await api.database.db
    .insertInto('unknown_stations')
    .values({
      number: 'stray',
      protocol: 'ocpp1.6',
      remote_address: '203.0.113.1',
      first_seen_at: now,
      last_seen_at: now,
    })
    .execute();
  const { data: picture } = await uploadFile(api, 'advert', await drawPng(8, 8));
  await api.post('/adverts', { title: 'Summer', pictureFileId: picture.id, page: 'home' });
  await api.post('/articles', { title: 'Guide', category: 'guide', content: '<p>Plug in.</p>' });
  const partner = { operatorId: 'MA0SCOPE1', name: 'Other operator', role: 'demand' };
  const { data: seeded } = await api.post<{ id: PartnerId }>('/partners', {
    ...partner,
    baseUrl: 'https://charge.example',
  });
  await addPulledSite(api.database, seeded.id, now);
  const shown = await makePlace(api.database, null, 'shown');
  // One gun port of each kind of list is enough.
  await api.database.db
    .deleteFrom('connectors')
    .where('station_id', '=', shown.stationId)
    .where('number', '=', 2)
    .execute();
  await exposeSite(api.database, seeded.id, shown.siteId, now);
  await api.post(`/partners/${seeded.id}/deposits`, { amountFen: 100, remark: 'Paid in' });
  const { customerId: rider } = await makePlace(api.database, null, 'roamer');
  await makeRoamingCharge(api.database, seeded.id, rider, now);
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
});
afterAll(() => api.close());

async function side(name: Side['name']): Promise<Side> {
  const agentId = await api.addAgent(`Agent ${name}`);
  const place = await makePlace(api.database, agentId, name);
  const { token } = await api.addUser({ name, permissions: everything, scope: 'agent', agentId });
  const orderId = await makeOrder(api.database, place, instant(now - 60 * minuteMs));
  const { db } = api.database;
  await makeOrder(api.database, place, instant(now - 10 * minuteMs), {
    state: 'charging',
    payment_state: 'unpaid',
    ended_at: null,
    settled_at: null,
    power_w: 7_000 as never,
  });
  await db
    .insertInto('readings')
    .values({
      order_id: orderId,
      at: instant(now - 50 * minuteMs),
      connector_id: place.connectorId,
      energy_wh: wattHours(2_000),
      received_at: now,
    })
    .execute();
  await db
    .insertInto('charge_notes')
    .values({
      at: instant(now - 50 * minuteMs),
      order_id: orderId,
      station_id: place.stationId,
      connector_number: 1,
      kind: 'demand',
      detail: JSON.stringify({ demandVoltageMv: 400_000 }),
    })
    .execute();
  await sql`select count_credit(${place.customerId}, 'order_paid', ${orderId}, 100, 100, now())`.execute(db);
  const logged = await db
    .insertInto('interaction_logs')
    .values({
      at: instant(now - minuteMs),
      station_id: place.stationId,
      protocol: 'ocpp1.6',
      direction: 'from-station',
      action: 'Heartbeat',
      message_id: '1',
      request: `[2,"1","Heartbeat",{"of":"${name}"}]`,
      answer: '[3,"1",{}]',
    })
    .returning(['at', 'id'])
    .executeTakeFirstOrThrow();
  await api.post(`/agents/${agentId}/recharges`, { amountFen: 100, reason: 'Paid in beforehand' });
  const recharged = await api.post<{ id: number }>(
    '/recharges',
    { cardNumber: place.cardNumber, amountFen: 100 },
    { token },
  );
  expect(recharged.status).toBe(200);
  const moved = { fromCardNumber: place.cardNumber, toCustomerId: place.customerId, amountFen: 1 };
  expect((await api.post('/transfers', moved, { token })).status).toBe(200);
  const flaggedId = await makeOrder(api.database, place, instant(now - 3_000 * minuteMs), {
    paid_fen: fen(0),
    payment_state: 'unpaid',
    abnormal: true,
    unhandled: true,
  });
  await db
    .insertInto('order_flags')
    .values({ order_id: flaggedId, rule: 'energy_without_time', at: now, evidence: JSON.stringify({ energyWh: 1 }) })
    .execute();
  const refund = await db
    .insertInto('order_refunds')
    .values({
      number: `B20261121${name}`,
      order_id: orderId,
      amount_fen: fen(1),
      electricity_fee_fen: fen(1),
      service_fee_fen: fen(0),
      reason: `Refund of ${name}`,
      agent_id: agentId,
      site_id: place.siteId,
      customer_id: place.customerId,
      card_id: place.cardId,
      created_at: now,
      done_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('withdrawals')
    .values({
      number: `W20261121${name}`,
      customer_id: place.customerId,
      way: 'desk',
      amount_fen: fen(100),
      gift_fen: fen(0),
      fee_fen: fen(0),
      applied_at: now,
    })
    .execute();
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 1_000);
  const agentWithdrawal = await api.post<{ id: AgentWithdrawalId }>(
    '/agent-withdrawals',
    { amountFen: 400 },
    { token },
  );
  expect(agentWithdrawal.status).toBe(200);
  await db.updateTable('sites').set({ invoice_available: true }).where('id', '=', place.siteId).execute();
  const invoice = await api.post<{ id: InvoiceId }>(
    '/invoices',
    { orderIds: [orderId], titleKind: 'personal', title: `Title of ${name}` },
    { token },
  );
  expect(invoice.status).toBe(200);
  expect((await api.post(`/invoices/${invoice.data.id}/reviews`, { decision: 'pass' }, { token })).status).toBe(200);
  await workInvoice(api.context, invoice.data.id);
  const periodId = await shareOf(orderId, agentId);
  const promotion = await api.post<{ id: number }>('/promotions', {
    name: `Promotion of ${name}`,
    satisfiedFen: 10_000,
    giftFen: 1,
    effective: true,
    displayed: true,
    agentId,
  });
  const given = { cardNumber: place.cardNumber, amountFen: 1, reason: 'A welcome' };
  expect((await api.post('/gifts', given)).status).toBe(200);
  const { sessionId, userId, positionId } = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as sessionId', 'users.id as userId', 'users.position_id as positionId'])
    .where('user_name', '=', name)
    .executeTakeFirstOrThrow();
  if (positionId === null) throw new Error('a user without a position');
  const { data: file } = await uploadFile(api, 'document', `A file of ${name}`, `${name}.txt`, { token });
  const feedback = await api.post<{ id: FeedbackId }>(
    '/feedbacks',
    { kind: 'other', description: `Feedback of ${name}`, stationNumber: place.stationNumber, phone: place.phone },
    { token },
  );
  const taskId = await doneTask(name, userId, agentId);
  const rehearsalId = await rehearsed({ name, place, userId });
  const priceChange = await api.post<{ id: number }>(
    '/price-changes',
    {
      name: `Prices of ${name}`,
      by: 'sites',
      siteIds: [place.siteId],
      ruleId: place.tariffId,
      effectiveAt: toIso(instant(now + 60 * minuteMs)),
    },
    { token },
  );
  const filterSet = await api.ask<{ id: number }>('PUT', '/list-views/filter-sets', {
    token,
    body: { list: '/orders', name: 'Mine', query: 'state=completed' },
  });
  const report = await api.post<{ id: number }>(
    '/reports',
    { name: `Report of ${name}`, filterSetId: filterSet.data.id, enabled: false },
    { token },
  );
  const vehicle = await api.post<{ id: number }>(
    '/vehicles',
    {
      vin: `LSVAM4187C21848${name === 'alpha' ? '40' : '41'}`,
      cardNumber: place.cardNumber,
      plate: name === 'alpha' ? '浙A10001' : '浙A10002',
    },
    { token },
  );
  const identity = { protocol: 'ocpp1.6', type: 'fast', equipment_type: 'four-wheel', connector_count: 2 } as const;
  await api.database.db
    .insertInto('station_identities')
    .values({
      ...identity,
      number: `FACTORY-${name}`,
      batch: 'PO-1',
      max_power_w: watts(120_000),
      agent_id: agentId,
      created_at: now,
    })
    .execute();
  const logKey = `${logged.at}_${logged.id}`;
  const ids = {
    logKey,
    orderId,
    orderRefundId: refund.id,
    userId,
    positionId,
    sessionId,
    fileId: file.id,
    feedbackId: feedback.data.id,
    vehicleId: vehicle.data.id,
    reportId: report.data.id,
    ...(await grouped(name, place, { token, userId })),
    taskId,
    rehearsalId,
    priceChangeId: priceChange.data.id,
    rechargeId: recharged.data.id,
    promotionId: promotion.data.id,
    invoiceId: invoice.data.id,
    periodId,
    agentWithdrawalId: agentWithdrawal.data.id,
    rechargeCodeId: await rechargeCode(name, place, userId),
    approvalId: await waitingRefund(name, agentId, orderId),
    ...(await sharing(name, place, orderId)),
    importId: await checkedImport(name, userId),
    cardImportId: await checkedCardImport(name, userId),
    billImportId: await checkedBillImport(name, userId),
    gridBillId: await billedMeter(place, orderId),
  };
  return { name, token, place, ...ids };
}

/** A share of the order for its agent, and the period that it is in. */
async function shareOf(orderId: OrderId, agentId: AgentId): Promise<number> {
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
  const { id } = await api.database.db
    .selectFrom('settlement_periods')
    .select('id')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  return id;
}

async function rechargeCode(name: string, { cardId }: Place, userId: UserId): Promise<number> {
  const { id } = await api.database.db
    .insertInto('channel_payments')
    .values({
      number: `C-${name}`,
      channel: 'wechat',
      purpose: 'recharge',
      card_id: cardId,
      amount_fen: fen(100),
      title: 'Charging balance',
      page_token_hash: Buffer.from(name),
      notify_url: '',
      expires_at: now,
      user_id: userId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A divider of the agent with terms and a share of the order. */
async function sharing(name: string, { agentId, siteId }: Place, orderId: OrderId) {
  const { data: divider } = await api.post<{ id: DividerId }>('/dividers', { name: `Divider ${name}`, agentId });
  const terms = { siteId, electricityPercent: 10, servicePercent: 10, occupancyPercent: 0 };
  const { data: term } = await api.post<{ id: number }>(`/dividers/${divider.id}/terms`, terms);
  await addDividerShare(api.database, { dividerId: divider.id, siteId, orderId }, now);
  return { dividerId: divider.id, dividerTermId: term.id };
}

async function checkedBillImport(name: string, userId: UserId): Promise<number> {
  const made = { user_id: userId, file_name: `${name}.xlsx`, total_count: 1, good_count: 0, created_at: now };
  const { id } = await api.database.db
    .insertInto('grid_bill_imports')
    .values(made)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A bill of the grid for last month, and an order whose settlement is in the books. */
async function billedMeter({ siteId, cardId }: Place, orderId: OrderId): Promise<number> {
  const settled = settleTransfer({
    orderId,
    siteId,
    wallet: cardAccount(cardId),
    held: noParts,
    available: { paidFen: fen(100), giftFen: fen(0) },
    electricityFeeFen: fen(70),
    serviceFeeFen: fen(30),
  });
  if (!settled.ok || settled.value.transfer === null) throw new Error('nothing to settle');
  const { transfer } = settled.value;
  await api.database.db.transaction().execute((trx) => postTransfer(trx, transfer, now));
  const { id } = await api.database.db
    .insertInto('grid_bills')
    .values({
      site_id: siteId,
      account_number: `33010${siteId}`,
      from_on: '2026-10-01',
      to_on: '2026-10-31',
      energy_wh: wattHours(1_000_000),
      amount_fen: fen(70_000),
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A group of the agent's with a user and a checked file of users. */
async function grouped(name: string, { phone }: Place, { token, userId }: { token: string; userId: UserId }) {
  const given = { name: `Group ${name}`, contact: name, contactPhone: '13800000000' };
  const group = await api.post<{ id: GroupId }>('/groups', given, { token });
  const groupId = group.data.id;
  const named = await api.post<{ id: number }>('/group-bindings', { groupId, customerPhone: phone }, { token });
  const file = { user_id: userId, group_id: groupId, file_name: `${name}.xlsx`, total_count: 1, good_count: 0 };
  const { id: memberImportId } = await api.database.db
    .insertInto('group_member_imports')
    .values({ ...file, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { groupId, memberId: named.data.id, memberImportId };
}

async function checkedCardImport(name: string, userId: UserId): Promise<number> {
  const made = { user_id: userId, file_name: `${name}.xlsx`, total_count: 1, good_count: 0, created_at: now };
  const { id } = await api.database.db
    .insertInto('card_imports')
    .values(made)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A refund that an administrator asked for. */
async function waitingRefund(name: string, agentId: AgentId, orderId: OrderId): Promise<number> {
  const { id } = await api.database.db
    .insertInto('approvals')
    .values({
      number: `P-${name}`,
      kind: 'order_refund',
      amount_fen: fen(100),
      agent_id: agentId,
      subject_kind: 'order',
      subject_id: orderId,
      subject_text: `Order of ${name}`,
      detail: JSON.stringify({ orderId, body: { amountFen: 100, reason: 'Broken' } }),
      reason: 'Broken',
      asker_id: 1 as UserId,
      asked_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function checkedImport(name: string, userId: UserId): Promise<number> {
  const made = { user_id: userId, file_name: `${name}.xlsx`, total_count: 1, good_count: 0, created_at: now };
  const { id } = await api.database.db
    .insertInto('station_imports')
    .values(made)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An export that has written its file. */
async function doneTask(name: string, userId: UserId, agentId: AgentId): Promise<TaskId> {
  const { db } = api.database;
  const put = await api.context.files.put(Readable.from([Buffer.from('rows')]), { bytesMax: 10 });
  if (!put.ok) throw new Error(put.error.code);
  const { key, sizeBytes, sha256 } = put.value;
  const made = { user_id: userId, created_at: now };
  const caller = { userName: 'asker', admin: false, dataScope: 'agent' as const, agents: [agentId], customerId: null };
  const detail: StoredDetail<'export'> = { list: 'listOrders', query: {}, caller };
  const { id: fileId } = await db
    .insertInto('files')
    .values({
      ...made,
      key,
      name: 'rows.xlsx',
      content_type: 'text/plain',
      size_bytes: sizeBytes,
      sha256,
      purpose: 'task',
      public: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('tasks')
    .values({
      ...made,
      kind: 'export',
      detail: JSON.stringify(detail),
      state: 'done',
      language: 'en',
      file_id: fileId,
      ended_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addTaskRows(db, id, [{ label: `row of ${name}` }]);
  return id;
}

/** A rehearsal that has finished. */
async function rehearsed({ name, place, userId }: Pick<Side, 'name' | 'place' | 'userId'>): Promise<TaskId> {
  const agents = place.agentId === null ? [] : [place.agentId];
  const caller = { userName: 'asker', admin: false, dataScope: 'agent' as const, agents, customerId: null };
  const filter = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
  const detail: StoredDetail<'rehearsal'> = {
    tariffId: null,
    tariffName: `Draft of ${name}`,
    tariff: dayTariff,
    filter,
    caller,
  };
  const made = { user_id: userId, created_at: now, ended_at: now, language: 'en' };
  const { id } = await api.database.db
    .insertInto('tasks')
    .values({ ...made, kind: 'rehearsal', state: 'done', detail: JSON.stringify(detail) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.database.db
    .insertInto('rehearsal_figures')
    .values({
      task_id: id,
      by: 'site',
      site_id: place.siteId,
      agent_id: place.agentId,
      charges: 1,
      energy_wh: wattHours(1),
      before_fen: fen(1),
      after_fen: fen(2),
    })
    .execute();
  return id;
}

const other = (mine: Side) => (mine === alpha ? beta : alpha);

type Fixture =
  /** The answer contains the texts of `shows` that are in scope, and no others. */
  | { kind: 'list'; path: string; shows(side: Side): string }
  /** The user's own record is found, the other agent's is not. */
  | { kind: 'detail'; path(side: Side): string }
  /** The same figures for both, since both have equal records. */
  | { kind: 'figures'; path: string; expected: Record<string, unknown>; nothing: Record<string, unknown> }
  | { kind: 'platform-only'; path: string; answer: 'denied' | 'empty' | 'not-found' }
  /** The answer contains nothing about records. */
  | { kind: 'own'; because: string };

/** What a list's own fixture expects of its totals and its export. */
function fixtureOfList(route: Route): Fixture | undefined {
  for (const [name, list] of lists) {
    const fixture = fixtures[name];
    if (route === list.totals) return { kind: 'own', because: 'lists.test.ts counts as both sides' };
    if (route !== list.file || fixture === undefined) continue;
    return fixture.kind === 'list'
      ? { ...fixture, path: list.file.path }
      : { kind: 'own', because: 'lists.test.ts counts its rows as both sides' };
  }
  return undefined;
}

const fixtures: Readonly<Record<string, Fixture>> = {
  getUserInfo: { kind: 'own', because: 'who the caller is' },
  getUserMenu: { kind: 'own', because: 'menus follow the position' },
  getDataScopeList: { kind: 'own', because: 'scopes that the caller may give' },
  listMenus: { kind: 'own', because: 'the tree is everybody’s' },
  listAuditEntries: { kind: 'list', path: '/audit-entries', shows: ({ name }) => `"userName":"${name}"` },
  exportAuditEntries: { kind: 'list', path: '/audit-entries/export', shows: ({ name }) => `>${name}</t>` },
  listApprovals: { kind: 'list', path: '/approvals', shows: ({ name }) => `Order of ${name}` },
  getApproval: { kind: 'detail', path: ({ approvalId }) => `/approvals/${approvalId}` },
  listTasks: { kind: 'list', path: '/tasks', shows: ({ name }) => `"userName":"${name}"` },
  exportTasks: { kind: 'list', path: '/tasks/export', shows: ({ name }) => `>${name}</t>` },
  exportUsers: { kind: 'list', path: '/users/export', shows: ({ name }) => `>${name}</t>` },
  exportSignIns: { kind: 'list', path: '/sign-ins/export', shows: ({ name }) => `>${name}</t>` },
  listTaskRows: { kind: 'list', path: '/task-rows', shows: ({ name }) => `row of ${name}` },
  exportTaskRows: { kind: 'list', path: '/task-rows/export', shows: ({ name }) => `row of ${name}` },
  listPriceChanges: { kind: 'list', path: '/price-changes', shows: ({ name }) => `Prices of ${name}` },
  getPriceChange: { kind: 'detail', path: ({ priceChangeId }) => `/price-changes/${priceChangeId}` },
  listPriceChangeStations: {
    kind: 'list',
    path: '/price-change-stations',
    shows: ({ place }) => place.stationNumber,
  },
  listRehearsalFigures: { kind: 'list', path: '/rehearsal-figures', shows: ({ name }) => `Site ${name}` },
  getRehearsal: { kind: 'detail', path: ({ rehearsalId }) => `/rehearsals/${rehearsalId}` },
  getTask: { kind: 'detail', path: ({ taskId }) => `/tasks/${taskId}` },
  getTaskFile: { kind: 'detail', path: ({ taskId }) => `/tasks/${taskId}/file` },
  listUsers: { kind: 'list', path: '/users', shows: ({ name }) => `"userName":"${name}"` },
  getUser: { kind: 'detail', path: ({ userId }) => `/users/${userId}` },
  listPositions: { kind: 'list', path: '/positions', shows: ({ name }) => `position of ${name}` },
  getPosition: { kind: 'detail', path: ({ positionId }) => `/positions/${positionId}` },
  getConfigByKey: { kind: 'own', because: 'public configuration' },
  getListViews: { kind: 'own', because: 'how the caller looks at lists; views.test.ts asks as two' },
  getCaptcha: { kind: 'own', because: 'a picture for whoever asks' },
  listSignIns: { kind: 'list', path: '/sign-ins', shows: ({ name }) => `"name":"${name}"` },
  streamEvents: { kind: 'own', because: 'event-stream.test.ts hears both sides' },
  getLedgerProof: { kind: 'platform-only', path: '/ledger/proof', answer: 'denied' },
  getProofState: { kind: 'platform-only', path: '/ledger/proof-state', answer: 'denied' },
  listProofRuns: { kind: 'platform-only', path: '/ledger/proof-runs', answer: 'denied' },
  getLedgerBalances: { kind: 'platform-only', path: '/ledger/balances', answer: 'denied' },
  listLedgerAccounts: { kind: 'platform-only', path: '/ledger/accounts', answer: 'denied' },
  getLedgerAccount: { kind: 'platform-only', path: '/ledger/accounts/1', answer: 'denied' },
  listLedgerTransfers: { kind: 'platform-only', path: '/ledger/transfers', answer: 'denied' },
  getLedgerTransfer: { kind: 'platform-only', path: '/ledger/transfers/1', answer: 'denied' },
  listUnknownStations: { kind: 'platform-only', path: '/unknown-stations', answer: 'empty' },
  listConfigs: { kind: 'platform-only', path: '/sysConfig/list', answer: 'denied' },
  searchRecords: { kind: 'list', path: '/search?text=ST-', shows: ({ place }) => place.stationNumber },
  listAgents: { kind: 'list', path: '/agents', shows: ({ name }) => `Agent ${name}` },
  findAgents: { kind: 'list', path: '/agent-names', shows: ({ name }) => `Agent ${name}` },
  listDividers: { kind: 'list', path: '/dividers', shows: ({ name }) => `Divider ${name}` },
  getDivider: { kind: 'detail', path: ({ dividerId }) => `/dividers/${dividerId}` },
  listDividerTerms: { kind: 'list', path: '/divider-terms', shows: ({ name }) => `Divider ${name}` },
  getDividedPlace: { kind: 'detail', path: ({ dividerId }) => `/dividers/${dividerId}/divided-places` },
  listDividerShares: { kind: 'list', path: '/divider-shares', shows: ({ name }) => `Divider ${name}` },
  getDividerIncome: { kind: 'detail', path: ({ dividerId }) => `/divider-income?dividerId=${dividerId}` },
  listShareTerms: { kind: 'platform-only', path: '/share-terms', answer: 'denied' },
  getDefaultShareTerms: { kind: 'platform-only', path: '/share-terms/default', answer: 'denied' },
  getAgentIncome: { kind: 'detail', path: ({ place }) => `/agents/${place.agentId}/income` },
  getAgent: { kind: 'detail', path: ({ place }) => `/agents/${place.agentId}` },
  listCardUses: { kind: 'list', path: '/card-uses', shows: ({ place }) => place.cardNumber },
  listCards: { kind: 'list', path: '/cards', shows: ({ place }) => place.cardNumber },
  getCard: { kind: 'detail', path: ({ place }) => `/cards/${place.cardId}` },
  getCardStations: { kind: 'detail', path: ({ place }) => `/cards/${place.cardId}/stations` },
  getStationCards: { kind: 'detail', path: ({ place }) => `/stations/${place.stationId}/cards` },
  listVehicles: { kind: 'list', path: '/vehicles', shows: ({ place }) => place.cardNumber },
  listGroups: { kind: 'list', path: '/groups', shows: ({ name }) => `Group ${name}` },
  getGroup: { kind: 'detail', path: ({ groupId }) => `/groups/${groupId}` },
  getGroupStatement: { kind: 'detail', path: ({ groupId }) => `/groups/${groupId}/statements/2026-11` },
  listGroupMembers: { kind: 'list', path: '/group-bindings', shows: ({ place }) => place.phone },
  getGroupMember: { kind: 'detail', path: ({ memberId }) => `/group-bindings/${memberId}` },
  getGroupMemberTemplate: { kind: 'own', because: 'an empty form' },
  getGroupMemberImport: { kind: 'detail', path: ({ memberImportId }) => `/group-member-imports/${memberImportId}` },
  getGroupMemberImportReport: {
    kind: 'detail',
    path: ({ memberImportId }) => `/group-member-imports/${memberImportId}/report`,
  },
  findChargePayer: {
    kind: 'detail',
    path: ({ place }) => `/connectors/${place.connectorId}/payer?customerPhone=${place.phone}`,
  },
  getVehicle: { kind: 'detail', path: ({ vehicleId }) => `/vehicles/${vehicleId}` },
  listReadings: { kind: 'list', path: '/readings', shows: ({ place }) => place.stationNumber },
  listChargeNotes: { kind: 'list', path: '/charge-notes', shows: ({ place }) => place.stationNumber },
  findCharges: { kind: 'list', path: '/charge-logs', shows: ({ place }) => place.stationNumber },
  getChargeLog: { kind: 'detail', path: ({ orderId }) => `/charge-logs/${orderId}` },
  getOrderStory: { kind: 'detail', path: ({ orderId }) => `/orders/${orderId}/story` },
  getStationStory: { kind: 'detail', path: ({ place }) => `/stations/${place.stationId}/story` },
  getCustomerStory: { kind: 'detail', path: ({ place }) => `/customers/${place.customerId}/story` },
  listCredits: { kind: 'list', path: '/credits', shows: ({ place }) => place.phone },
  getCredit: { kind: 'detail', path: ({ place }) => `/credits/${place.customerId}` },
  listCreditMovements: { kind: 'list', path: '/credit-movements', shows: ({ place }) => place.phone },
  listCustomers: { kind: 'list', path: '/customers', shows: ({ place }) => place.phone },
  getCustomer: { kind: 'detail', path: ({ place }) => `/customers/${place.customerId}` },
  listInteractionLogs: { kind: 'list', path: '/interaction-logs', shows: ({ place }) => place.stationNumber },
  exportInteractionLogs: {
    kind: 'list',
    path: '/interaction-logs/export',
    shows: ({ place }) => place.stationNumber,
  },
  getInteractionLog: { kind: 'detail', path: ({ logKey }) => `/interaction-logs/${logKey}` },
  tailInteractionLogs: { kind: 'own', because: 'tail-logs.test.ts watches as both sides' },
  getConversation: {
    kind: 'detail',
    path: ({ place }) =>
      `/conversations?stationId=${place.stationId}&from=2026-11-21T03:00:00Z&to=2026-11-21T04:00:00Z`,
  },
  getSummary: {
    kind: 'figures',
    path: '/overview/summary',
    expected: { todayOrders: 1, chargingNow: 1, chargingPowerW: 7_000, sites: 1, stations: { online: 0, offline: 1 } },
    nothing: { todayOrders: 0, chargingNow: 0, chargingPowerW: 0, sites: 0, stations: { online: 0, offline: 0 } },
  },
  getBigScreen: { kind: 'own', because: 'read-screen.test.ts asks as both sides' },
  getFirstSteps: { kind: 'own', because: 'find-first-steps.test.ts asks as both sides' },
  listMapSites: { kind: 'list', path: '/overview/sites', shows: ({ name }) => `Site ${name}` },
  listSitePlaces: { kind: 'list', path: '/overview/site-places', shows: ({ name }) => `Site ${name}` },
  listSiteStates: {
    kind: 'figures',
    path: '/overview/site-states',
    expected: { ports: [0, 0, 0, 2] },
    nothing: { ports: [] },
  },
  listRegionTallies: { kind: 'own', because: 'overview.test.ts counts as both sides' },
  listRegionSites: { kind: 'list', path: '/overview/region-sites', shows: ({ name }) => `Site ${name}` },
  listWallPorts: { kind: 'list', path: '/overview/ports', shows: ({ place }) => place.stationNumber },
  listOrders: { kind: 'list', path: '/orders', shows: ({ place }) => place.stationNumber },
  exportOrders: { kind: 'list', path: '/orders/export', shows: ({ place }) => place.stationNumber },
  getStartChoices: { kind: 'detail', path: ({ place }) => `/connectors/${place.connectorId}/start-choices` },
  listAbnormalOrders: { kind: 'list', path: '/abnormal-orders', shows: ({ place }) => place.stationNumber },
  listStopTargets: { kind: 'detail', path: ({ orderId }) => `/orders/${orderId}/stop-targets` },
  listOrderRefunds: { kind: 'list', path: '/refunds', shows: ({ name }) => `Refund of ${name}` },
  getOrderRefund: { kind: 'detail', path: ({ orderRefundId }) => `/refunds/${orderRefundId}` },
  getOrder: { kind: 'detail', path: ({ orderId }) => `/orders/${orderId}` },
  listOrderReadings: { kind: 'detail', path: ({ orderId }) => `/orders/${orderId}/readings` },
  getOrderShares: { kind: 'detail', path: ({ orderId }) => `/orders/${orderId}/shares` },
  findRechargeTargets: {
    kind: 'list',
    path: '/recharges/targets?text=AAAA',
    shows: ({ place }) => place.cardNumber,
  },
  listRecharges: { kind: 'list', path: '/recharges', shows: ({ place }) => place.cardNumber },
  listTransfers: { kind: 'list', path: '/transfers', shows: ({ place }) => place.cardNumber },
  listDebts: { kind: 'list', path: '/debts', shows: ({ place }) => place.cardNumber },
  listStartAttempts: { kind: 'list', path: '/start-attempts', shows: ({ place }) => place.stationNumber },
  getQuality: {
    kind: 'figures',
    path: '/quality',
    expected: { charges: 3, visits: 3 },
    nothing: { charges: 0, visits: 0 },
  },
  getQualityLeague: { kind: 'list', path: '/quality/league?by=site', shows: ({ name }) => `Site ${name}` },
  listGifts: { kind: 'list', path: '/gifts', shows: ({ place }) => place.cardNumber },
  listPaymentChannels: { kind: 'own', because: 'the channels belong to the installation' },
  getRechargeCode: { kind: 'detail', path: ({ rechargeCodeId }) => `/recharge-codes/${rechargeCodeId}` },
  getPayment: { kind: 'own', because: 'whoever has the address of the page may see it' },
  listWithdrawals: { kind: 'platform-only', path: '/withdrawals', answer: 'denied' },
  getWithdrawal: { kind: 'platform-only', path: '/withdrawals/1', answer: 'not-found' },
  getWithdrawalTerms: { kind: 'platform-only', path: '/withdrawals/terms?customerId=1', answer: 'not-found' },
  getTotalProofRun: { kind: 'platform-only', path: '/total-proofs/latest', answer: 'denied' },
  listSettlementPeriods: { kind: 'list', path: '/settlement-periods', shows: ({ name }) => `Agent ${name}` },
  getSettlementPeriod: { kind: 'detail', path: ({ periodId }) => `/settlement-periods/${periodId}` },
  getSettlementPdf: { kind: 'detail', path: ({ periodId }) => `/settlement-periods/${periodId}/pdf` },
  listSettledShares: {
    kind: 'own',
    because: 'settlements.test.ts asks for the shares of another agent’s period and of all',
  },
  getSettlementTerms: { kind: 'detail', path: ({ place }) => `/settlement-terms?agentId=${place.agentId}` },
  listAgentWithdrawals: { kind: 'list', path: '/agent-withdrawals', shows: ({ name }) => `Agent ${name}` },
  getAgentWithdrawal: { kind: 'detail', path: ({ agentWithdrawalId }) => `/agent-withdrawals/${agentWithdrawalId}` },
  getPartyIncome: {
    kind: 'figures',
    path: '/agent-withdrawals/income',
    expected: { balanceFen: 600, frozenFen: 400, waiting: 1, waitingFen: 400 },
    nothing: { incomeFen: 0, balanceFen: 0, frozenFen: 0, waiting: 0, waitingFen: 0 },
  },
  getAgentWithdrawalTerms: { kind: 'own', because: 'the terms of the caller’s own balance' },
  getAgentWithdrawalPayee: { kind: 'own', because: 'agent-withdrawals.test.ts reads it as who may and who may not' },
  listInvoices: { kind: 'list', path: '/invoices', shows: ({ name }) => `Title of ${name}` },
  getInvoice: { kind: 'detail', path: ({ invoiceId }) => `/invoices/${invoiceId}` },
  getInvoiceDocument: { kind: 'detail', path: ({ invoiceId }) => `/invoices/${invoiceId}/document` },
  listInvoiceCalls: { kind: 'detail', path: ({ invoiceId }) => `/invoices/${invoiceId}/provider-calls` },
  getInvoiceChoices: { kind: 'detail', path: ({ place }) => `/invoices/choices?customerId=${place.customerId}` },
  getInvoiceSeller: { kind: 'detail', path: ({ place }) => `/invoice-sellers?agentId=${place.agentId}` },
  listChannelPayments: { kind: 'platform-only', path: '/channel-payments', answer: 'denied' },
  listChannelBillLines: { kind: 'platform-only', path: '/channel-bills', answer: 'denied' },
  listPartners: { kind: 'platform-only', path: '/partners', answer: 'denied' },
  listPartnerMovements: { kind: 'platform-only', path: '/partner-movements', answer: 'denied' },
  listPartnerDeliveries: { kind: 'platform-only', path: '/partner-deliveries', answer: 'denied' },
  listPartnerExchanges: { kind: 'platform-only', path: '/partner-exchanges', answer: 'denied' },
  getPartner: { kind: 'platform-only', path: '/partners/1', answer: 'not-found' },
  listPartnerPulls: { kind: 'platform-only', path: '/partner-pulls', answer: 'denied' },
  listPulledSites: { kind: 'platform-only', path: '/pulled-sites', answer: 'denied' },
  listPulledStations: { kind: 'platform-only', path: '/pulled-stations', answer: 'denied' },
  listPulledPorts: { kind: 'platform-only', path: '/pulled-ports', answer: 'denied' },
  listExposedSites: { kind: 'platform-only', path: '/exposed-sites', answer: 'denied' },
  listExposedStations: { kind: 'platform-only', path: '/exposed-stations', answer: 'denied' },
  listExposedPorts: { kind: 'platform-only', path: '/exposed-ports', answer: 'denied' },
  listPullChanges: { kind: 'platform-only', path: '/partner-pulls/1/changes', answer: 'not-found' },
  listPartnerPayments: { kind: 'platform-only', path: '/partner-payments', answer: 'denied' },
  listPartnerCharges: { kind: 'platform-only', path: '/partner-charges', answer: 'denied' },
  listPartnerDays: { kind: 'platform-only', path: '/partner-days', answer: 'denied' },
  listRoamingCharges: { kind: 'platform-only', path: '/roaming-charges', answer: 'denied' },
  getRoamingCharge: { kind: 'platform-only', path: '/roaming-charges/1', answer: 'not-found' },
  listReconciliationDays: { kind: 'platform-only', path: '/reconciliation/days', answer: 'denied' },
  getReconciliationDay: { kind: 'platform-only', path: '/reconciliation/days/2026-11-20', answer: 'not-found' },
  checkReconciliationSeal: { kind: 'platform-only', path: '/reconciliation/days/2026-11-20/seal', answer: 'not-found' },
  listReconciliationDifferences: { kind: 'platform-only', path: '/reconciliation/differences', answer: 'denied' },
  getReconciliationDifference: { kind: 'platform-only', path: '/reconciliation/differences/1', answer: 'not-found' },
  listMovements: { kind: 'list', path: '/movements', shows: ({ place }) => place.cardNumber },
  listRechargeRefunds: { kind: 'detail', path: ({ rechargeId }) => `/recharges/${rechargeId}/refunds` },
  previewRecharge: { kind: 'own', because: 'promotions.test.ts previews as both sides' },
  listCoupons: { kind: 'platform-only', path: '/coupons', answer: 'denied' },
  listPromotions: { kind: 'list', path: '/promotions', shows: ({ name }) => `Promotion of ${name}` },
  getMovementSums: { kind: 'own', because: 'movements.test.ts counts as both sides' },
  listSites: { kind: 'list', path: '/sites', shows: ({ name }) => `Site ${name}` },
  getMapTiles: { kind: 'own', because: 'the map belongs to the installation' },
  listFacilities: { kind: 'own', because: 'what sites can have belongs to the installation' },
  getSite: { kind: 'detail', path: ({ place }) => `/sites/${place.siteId}` },
  listStations: { kind: 'list', path: '/stations', shows: ({ place }) => place.stationNumber },
  getStation: { kind: 'detail', path: ({ place }) => `/stations/${place.stationId}` },
  getStationTemplate: { kind: 'own', because: 'an empty form' },
  getCardTemplate: { kind: 'own', because: 'an empty form' },
  getStatistics: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  getSalesSummary: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  getSiteRanking: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  getPortUse: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  getWeekHours: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  listReports: { kind: 'list', path: '/reports', shows: ({ name }) => `Report of ${name}` },
  getReportFilters: { kind: 'own', because: 'the caller’s saved filters; reports.test.ts asks for those of a clerk' },
  getReportRuns: { kind: 'own', because: 'reports.test.ts asks for the runs of others' },
  getForecast: { kind: 'own', because: 'forecast.test.ts reads it as several agents' },
  getStatisticsFile: { kind: 'own', because: 'statistics.test.ts reads it as several agents' },
  getSalesProof: { kind: 'platform-only', path: '/statistics/proof', answer: 'denied' },
  listTotals: { kind: 'list', path: '/totals?by=site', shows: ({ name }) => `Site ${name}` },
  exportTotals: { kind: 'list', path: '/totals/export?by=site', shows: ({ name }) => `Site ${name}` },
  listStatements: { kind: 'list', path: '/statements?by=site', shows: ({ name }) => `Site ${name}` },
  exportStatements: { kind: 'list', path: '/statements/export?by=site', shows: ({ name }) => `Site ${name}` },
  listStatementMoves: { kind: 'list', path: '/statements/moves', shows: ({ name }) => `Site ${name}` },
  getStatementPdf: { kind: 'own', because: 'statements.test.ts and statement-pdf.test.ts read it as several agents' },
  getHoldings: { kind: 'platform-only', path: '/holdings', answer: 'denied' },
  listHoldingAccounts: { kind: 'platform-only', path: '/holdings/accounts', answer: 'denied' },
  listGridBills: { kind: 'list', path: '/grid-bills', shows: ({ name }) => `Site ${name}` },
  getGridBill: { kind: 'detail', path: ({ gridBillId }) => `/grid-bills/${gridBillId}` },
  listMargins: { kind: 'list', path: '/margins', shows: ({ name }) => `Site ${name}` },
  getGridBillTemplate: { kind: 'own', because: 'a form without records' },
  getGridBillImport: { kind: 'detail', path: ({ billImportId }) => `/grid-bill-imports/${billImportId}` },
  getGridBillImportReport: { kind: 'detail', path: ({ billImportId }) => `/grid-bill-imports/${billImportId}/report` },
  getCardImport: { kind: 'detail', path: ({ cardImportId }) => `/card-imports/${cardImportId}` },
  getCardImportReport: { kind: 'detail', path: ({ cardImportId }) => `/card-imports/${cardImportId}/report` },
  getStationImport: { kind: 'detail', path: ({ importId }) => `/station-imports/${importId}` },
  getStationImportReport: { kind: 'detail', path: ({ importId }) => `/station-imports/${importId}/report` },
  getStationConnection: { kind: 'detail', path: ({ place }) => `/stations/${place.stationId}/connection` },
  getStationEnergy: { kind: 'detail', path: ({ place }) => `/stations/${place.stationId}/energy` },
  getLabelSheet: {
    kind: 'detail',
    path: ({ place }) => `/connectors/labels?format=50x70&connectorIds=${place.connectorId}`,
  },
  listStationIdentities: { kind: 'list', path: '/station-identities', shows: ({ name }) => `FACTORY-${name}` },
  listConnectors: { kind: 'list', path: '/connectors', shows: ({ place }) => place.stationNumber },
  getTestRun: { kind: 'detail', path: ({ place }) => `/connectors/${place.connectorId}/test-run` },
  listTariffs: { kind: 'list', path: '/tariffs', shows: ({ name }) => `Rule ${name}` },
  getTariff: { kind: 'detail', path: ({ place }) => `/tariffs/${place.tariffId}` },
  getTariffVersions: { kind: 'detail', path: ({ place }) => `/tariffs/${place.tariffId}/versions` },
  getDefaultTariff: { kind: 'own', because: 'tariffs.test.ts asks as an agent and as another' },
  listStationTariffs: { kind: 'list', path: '/station-tariffs', shows: ({ place }) => place.stationNumber },
  listFiles: { kind: 'list', path: '/files', shows: ({ name }) => `${name}.txt` },
  downloadFile: { kind: 'detail', path: ({ fileId }) => `/files/${fileId}/content` },
  listFeedbacks: { kind: 'list', path: '/feedbacks', shows: ({ name }) => `Feedback of ${name}` },
  getFeedback: { kind: 'detail', path: ({ feedbackId }) => `/feedbacks/${feedbackId}` },
  listAdverts: { kind: 'platform-only', path: '/adverts', answer: 'empty' },
  listArticles: { kind: 'platform-only', path: '/articles', answer: 'empty' },
  getArticle: { kind: 'platform-only', path: '/articles/1', answer: 'not-found' },
};

const reading = [...routes].filter(([, route]) => route.method === 'GET');

describe('two agents with records of their own', () => {
  test.each(reading)(
    '%s shows neither agent the other’s records, and nothing to a user who reaches nothing',
    async (name, route) => {
      const fixture = fixtures[name] ?? fixtureOfList(route);
      if (fixture === undefined) throw new Error(`add a fixture for GET ${route.path}`);
      if (fixture.kind === 'own') return;
      for (const mine of [alpha, beta]) {
        const theirs = other(mine);
        if (fixture.kind === 'detail') {
          expect((await api.get(fixture.path(mine), { token: mine.token })).status).toBe(200);
          expect((await api.get(fixture.path(theirs), { token: mine.token })).status).toBe(404);
          expect((await api.get(fixture.path(mine), { token: nobody })).status).toBe(404);
          expect((await api.get(fixture.path(mine))).status).toBe(200);
          continue;
        }
        const answer = await api.get(fixture.path, { token: mine.token });
        if (fixture.kind === 'platform-only' && fixture.answer !== 'empty') {
          expect(answer.status).toBe(fixture.answer === 'denied' ? 403 : 404);
          expect((await api.get(fixture.path)).status).toBe(200);
          continue;
        }
        expect(answer.status).toBe(200);
        const empty = await api.get(fixture.path, { token: nobody });
        expect(empty.status).toBe(200);
        if (fixture.kind === 'platform-only') {
          expect(answer.data).toMatchObject({ items: [], total: 0 });
          expect((await api.get(fixture.path)).data).toMatchObject({ total: 1 });
        } else if (fixture.kind === 'figures') {
          expect(answer.data).toMatchObject(fixture.expected);
          expect(empty.data).toMatchObject(fixture.nothing);
        } else {
          const text = readable(answer);
          expect(text).toContain(fixture.shows(mine));
          for (const word of [fixture.shows(theirs), theirs.name, theirs.place.phone, theirs.place.cardNumber]) {
            expect(text).not.toContain(word);
          }
          for (const word of [fixture.shows(mine), fixture.shows(theirs)]) expect(readable(empty)).not.toContain(word);
          const all = readable(await api.get(fixture.path));
          expect(all).toContain(fixture.shows(mine));
          expect(all).toContain(fixture.shows(theirs));
        }
      }
    },
  );

  const halfOfAll = { electricityPercent: 50, servicePercent: 50, occupancyPercent: 50 };
  const siteForm = { name: 'Mine now', regionCode: '330106', address: 'x', longitude: 120, latitude: 30 };
  const stationForm = (place: Place) => ({
    number: 'MINE-NOW',
    name: 'x',
    type: 'fast',
    equipmentType: 'four-wheel',
    siteId: place.siteId,
    connectorCount: 2,
    maxPowerKw: 60,
  });
  /** A valid body for every change of one record; its path comes from the route. */
  const bodies: Readonly<Record<string, (theirs: Side, mine: Side) => unknown>> = {
    changeSite: () => siteForm,
    changePartner: () => ({ remark: 'mine' }),
    enablePartner: () => ({ enabled: false }),
    deletePartner: () => undefined,
    openSitesToPartner: () => ({ siteIds: [] }),
    depositForPartner: () => ({ amountFen: 1, remark: 'Not mine' }),
    payPartner: () => ({ amountFen: 100, remark: 'Paid' }),
    stopRoamingCharge: () => undefined,
    settleRoamingCharge: () => ({ energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, reason: 'Agreed' }),
    refundRoamingCharge: () => ({ amountFen: 1, reason: 'Agreed' }),
    writeOffRoamingDebt: () => ({ reason: 'Gone' }),
    upholdPartnerCharge: () => ({ reason: 'Agreed' }),
    upholdRoamingCharge: () => ({ reason: 'Agreed' }),
    rotatePartnerKeys: () => ({ direction: 'inbound' }),
    pullPartner: () => ({ kind: 'full' }),
    testConnection: () => undefined,
    openSite: () => ({ opened: true }),
    deleteSite: () => undefined,
    changeStation: (_theirs, mine) => stationForm(mine.place),
    enableStation: () => ({ enabled: false }),
    deleteStation: () => undefined,
    renewStationPassword: () => undefined,
    commandStation: () => ({ kind: 'reset' }),
    deleteUnknownStation: () => undefined,
    adoptStation: (_theirs, mine) => ({ ...stationForm(mine.place), number: undefined }),
    retryStationCommands: () => ({ states: ['refused'] }),
    moveConnector: () => ({ number: 200 }),
    changeConnector: () => ({ name: 'Mine now' }),
    openConnector: () => ({ open: false }),
    startTestRun: () => ({ minutes: 1 }),
    stopTestRun: () => undefined,
    stopOrder: () => undefined,
    cancelOrder: () => undefined,
    settleOrder: () => ({ energyWh: 1, endedAt: '2026-11-21T04:00:00Z', reason: 'because' }),
    endSession: () => undefined,
    cancelTask: () => undefined,
    startCardImport: () => undefined,
    startStationImport: () => undefined,
    changeUser: () => ({ realName: 'Mine now', positionId: null }),
    enableUser: () => ({ enabled: false }),
    resetPassword: () => ({ password: 'mine-now-forever' }),
    signOutUser: () => undefined,
    changePosition: () => ({ name: 'Mine now', dataScope: 'self', menuCodes: [] }),
    deletePosition: () => undefined,
    changeFilterSet: () => ({ name: 'Mine now' }),
    deleteFilterSet: () => undefined,
    changeFile: () => ({ name: 'Mine now', description: '' }),
    deleteFile: () => undefined,
    changeAdvert: () => ({ title: 'Mine now', pictureFileId: 1, page: 'home' }),
    enableAdvert: () => ({ enabled: false }),
    deleteAdvert: () => undefined,
    changeArticle: () => ({ title: 'Mine now', category: 'other', content: '<p>mine</p>' }),
    enableArticle: () => ({ enabled: false }),
    deleteArticle: () => undefined,
    adjustCredit: () => ({ points: 1, reason: 'because' }),
    changeVehicle: () => ({ usage: 'taxi' }),
    deleteVehicle: () => undefined,
    correctOrderShares: () => ({ reason: 'because' }),
    refundOrder: () => ({ amountFen: 1, reason: 'because' }),
    acceptOrder: () => ({ reason: 'because' }),
    assignStop: () => ({ orderNumber: 'N1', reason: 'because' }),
    dismissOrder: () => ({ reason: 'because' }),
    retryRefund: () => undefined,
    sendBackPayment: () => ({ reason: 'x' }),
    takeReconciliationDifference: () => undefined,
    endReconciliationDifference: () => ({ outcome: 'explained', reason: 'because' }),
    askAboutReconciliationDifference: () => undefined,
    reviewWithdrawal: () => ({ decision: 'pass' }),
    payWithdrawalByHand: () => ({ receipt: 'T-1' }),
    retryWithdrawal: () => undefined,
    stateWithdrawalOutcome: () => ({ outcome: 'paid', reason: 'because' }),
    reviewAgentWithdrawal: () => ({ decision: 'pass' }),
    payAgentWithdrawal: () => ({ receipt: 'T-1' }),
    failAgentWithdrawal: () => ({ reason: 'because' }),
    retryAgentWithdrawal: () => undefined,
    returnAgentWithdrawal: () => ({ reason: 'because' }),
    reviewInvoice: () => ({ decision: 'pass' }),
    voidInvoice: () => ({}),
    redLetterInvoice: () => ({ reason: 'because' }),
    retryInvoice: () => undefined,
    resumeInvoice: () => undefined,
    sendInvoice: () => ({ email: 'a@b.cn' }),
    changeCard: () => ({ expiresAt: null }),
    enableCard: () => ({ enabled: false }),
    syncCardStations: () => undefined,
    setCardHolder: () => ({ customerId: null }),
    replaceCard: () => ({ number: 'BEEF000000000001' }),
    cancelCard: () => ({}),
    reportCardLost: () => undefined,
    restoreCard: () => undefined,
    enableCustomer: () => ({ enabled: false }),
    mergeCustomer: ({ place }) => ({ intoId: place.customerId, reason: 'because' }),
    writeOffDebt: () => ({ reason: 'because' }),
    reverseLedgerTransfer: () => ({ reason: 'because' }),
    reverseRecharge: () => ({ reason: 'because' }),
    refundRecharge: () => ({ amountFen: 1, reason: 'because' }),
    changePromotion: () => ({ name: 'Mine', satisfiedFen: 1, giftFen: 1, effective: true, displayed: true }),
    deletePromotion: () => undefined,
    giveCoupon: () => ({ all: true }),
    stopCoupon: () => undefined,
    decideApproval: () => ({ decision: 'approve' }),
    withdrawApproval: () => undefined,
    rechargeAgent: () => ({ amountFen: 1, reason: 'because' }),
    changeDivider: () => ({ name: 'Mine now' }),
    openDividerAccount: () => ({ loginName: 'mine-now' }),
    enableDivider: () => ({ enabled: false }),
    resetDividerPassword: () => undefined,
    deleteDivider: () => undefined,
    addDividerTerms: () => halfOfAll,
    addDividerTermsAtSites: ({ place }) => ({ siteIds: [place.siteId], ...halfOfAll }),
    followDividerTerms: () => halfOfAll,
    endDividerTerms: () => ({}),
    deleteDividerTerms: () => undefined,
    changeAgent: () => ({ realName: 'Mine now' }),
    freezeAgent: () => ({ reason: 'because' }),
    unfreezeAgent: () => undefined,
    resetAgentPassword: () => undefined,
    deleteAgent: () => undefined,
    previewHandOver: (_theirs, mine) => ({ toAgentId: mine.place.agentId, everything: true }),
    handOverAgent: (_theirs, mine) => ({ toAgentId: mine.place.agentId, everything: true, reason: 'because' }),
    changeTariff: () => ({ ...dayTariff, name: 'Mine now' }),
    cancelTariffVersion: () => undefined,
    changeReport: () => ({ name: 'Mine now' }),
    deleteReport: () => undefined,
    runReport: () => ({}),
    cancelPriceChange: () => undefined,
    removePriceChangeStations: ({ place }) => ({ stationIds: [place.stationId] }),
    retryPriceChange: () => ({}),
    deleteTariff: () => undefined,
    changeGroup: () => ({ name: 'Mine now' }),
    enableGroup: () => ({ enabled: false }),
    deleteGroup: () => undefined,
    rechargeGroup: () => ({ amountFen: 1 }),
    allocateToMembers: () => ({ amountFen: 1 }),
    takeBackFromMembers: () => ({}),
    changeGroupMember: () => ({ name: 'Mine now' }),
    reviewGroupMember: () => ({ decision: 'agree' }),
    releaseGroupMember: () => undefined,
    startGroupMemberImport: () => undefined,
    startGridBillImport: () => undefined,
    deleteGridBill: () => undefined,
    lockGridBill: () => ({ locked: true }),
    changeGridBill: ({ place }) => ({
      siteId: place.siteId,
      accountNumber: '1',
      fromOn: '2026-10-01',
      toOn: '2026-10-31',
      energyWh: 1,
      amountFen: 1,
      version: 1,
    }),
    setDefaultTariff: () => ({ for: 'agent', equipmentType: 'four-wheel' }),
  };
  const idOf = (
    path: string,
    {
      place,
      orderId,
      userId,
      positionId,
      sessionId,
      fileId,
      feedbackId,
      taskId,
      vehicleId,
      reportId,
      groupId,
      memberId,
      memberImportId,
      rechargeId,
      promotionId,
      invoiceId,
      agentWithdrawalId,
      importId,
      cardImportId,
      billImportId,
      gridBillId,
      priceChangeId,
      approvalId,
      dividerId,
      dividerTermId,
    }: Side,
  ): number => {
    if (path.startsWith('/approvals')) return approvalId;
    if (path.startsWith('/users')) return userId;
    if (path.startsWith('/positions')) return positionId;
    if (path.startsWith('/sessions')) return sessionId;
    if (path.startsWith('/sites')) return place.siteId;
    if (path.startsWith('/card-imports')) return cardImportId;
    if (path.startsWith('/grid-bill-imports')) return billImportId;
    if (path.startsWith('/grid-bills')) return gridBillId;
    if (path.startsWith('/station-imports')) return importId;
    if (path.startsWith('/stations')) return place.stationId;
    if (path.startsWith('/connectors')) return place.connectorId;
    if (path.startsWith('/orders')) return orderId;
    if (path.startsWith('/files')) return fileId;
    if (path.startsWith('/tasks')) return taskId;
    if (path.startsWith('/feedbacks')) return feedbackId;
    if (path.startsWith('/vehicles')) return vehicleId;
    if (path.startsWith('/reports')) return reportId;
    if (path.startsWith('/groups')) return groupId;
    if (path.startsWith('/group-bindings')) return memberId;
    if (path.startsWith('/group-member-imports')) return memberImportId;
    if (path.startsWith('/recharges')) return rechargeId;
    if (path.startsWith('/promotions')) return promotionId;
    if (path.startsWith('/invoices')) return invoiceId;
    if (path.startsWith('/agent-withdrawals')) return agentWithdrawalId;
    if (path.startsWith('/cards')) return place.cardId;
    if (path.startsWith('/customers')) return place.customerId;
    if (path.startsWith('/credits')) return place.customerId;
    if (path.startsWith('/tariffs')) return place.tariffId;
    if (path.startsWith('/price-changes')) return priceChangeId;
    if (path.startsWith('/agents')) return place.agentId ?? 1;
    if (path.startsWith('/dividers')) return dividerId;
    if (path.startsWith('/divider-terms')) return dividerTermId;
    return 1;
  };
  const changing = [...routes].filter(([, { method, path }]) => method !== 'GET' && path.includes('{id}'));

  test.each(changing)('%s treats the other agent’s record as missing', async (name, route) => {
    const body = bodies[name];
    if (body === undefined) throw new Error(`add a body for ${route.method} ${route.path}`);
    const path = route.path.replace('{id}', String(idOf(route.path, alpha)));
    const sent = body(alpha, beta);
    const answer = await api.ask(route.method, path, {
      token: beta.token,
      language: 'en',
      ...(sent === undefined ? {} : { body: sent }),
    });
    expect(answer.envelope.message).toMatchObject({ status: 404, error: 'record.not_found' });
  });

  test('a new record cannot refer to the other agent’s site, rule, customer, card or agent', async () => {
    const faults = async (path: string, body: unknown) => {
      const answer = await api.post(path, body, { token: beta.token });
      return answer.envelope.message.fields?.map(({ path: field, code }) => `${field} ${code}`);
    };
    expect(await faults('/stations', stationForm(alpha.place))).toEqual(['siteId unknown_reference']);
    expect(await faults('/stations', { ...stationForm(beta.place), cardTariffId: alpha.place.tariffId })).toEqual([
      'cardTariffId unknown_reference',
    ]);
    const card = { number: 'BBBBBBBBBBBBBBBB', customerId: alpha.place.customerId };
    expect(await faults('/cards', card)).toEqual(['customerId unknown_reference']);
    const vehicle = { vin: 'LSVAM4187C2184899', cardNumber: alpha.place.cardNumber };
    expect(await faults('/vehicles', vehicle)).toEqual(['cardNumber unknown_reference']);
    expect(await faults('/recharges', { cardNumber: alpha.place.cardNumber, amountFen: 1 })).toEqual([
      'cardNumber unknown_reference',
    ]);
    expect(await faults('/recharges', { customerPhone: alpha.place.phone, amountFen: 1 })).toEqual([
      'customerPhone unknown_reference',
    ]);
    const ofAlpha = await api.post('/sites', { ...siteForm, agentId: alpha.place.agentId }, { token: beta.token });
    expect(ofAlpha.status).toBe(403);
  });

  test('a record that an agent creates belongs to the agent', async () => {
    const made = await api.post<{ agentId: number }>('/sites', siteForm, { token: beta.token });
    expect(made.data.agentId).toBe(beta.place.agentId);
  });

  test('an agent reaches its sub-agents when the position says so, and never the other way round', async () => {
    const child = await api.addAgent('Agent beta child', beta.place.agentId ?? undefined);
    await makePlace(api.database, child, 'gamma');
    const agentId = beta.place.agentId ?? undefined;
    const { token: tree } = await api.addUser({
      name: 'beta-tree',
      permissions: everything,
      scope: 'agent_tree',
      ...(agentId === undefined ? {} : { agentId }),
    });
    const { token: below } = await api.addUser({
      name: 'gamma',
      permissions: everything,
      scope: 'agent_tree',
      agentId: child,
    });
    const names = async (token: string) =>
      (await api.get<{ items: { name: string }[] }>('/stations', { token })).data.items.map(({ name }) => name).sort();
    expect(await names(tree)).toEqual(['Station beta', 'Station gamma']);
    expect(await names(below)).toEqual(['Station gamma']);
  });

  test('every agent may use the platform’s billing rules', async () => {
    const platform = await makePlace(api.database, null, 'platform');
    const seen = await api.get(`/tariffs/${platform.tariffId}`, { token: beta.token });
    expect(seen.status).toBe(200);
    expect((await api.get(`/stations/${platform.stationId}`, { token: beta.token })).status).toBe(404);
  });
});

describe('a station that went from one agent to another', () => {
  let place: Place;
  let rule: Place;
  let former: string;
  let later: string;
  let orderNumber: string;

  beforeAll(async () => {
    const [formerId, laterId] = [await api.addAgent('Agent former'), await api.addAgent('Agent later')];
    place = await makePlace(api.database, formerId, 'handed');
    rule = await makePlace(api.database, laterId, 'receiver');
    const shared = await makePlace(api.database, null, 'shared');
    const user = { permissions: everything, scope: 'agent' } as const;
    former = (await api.addUser({ ...user, name: 'former', agentId: formerId })).token;
    later = (await api.addUser({ ...user, name: 'later', agentId: laterId })).token;
    await makeOrder(api.database, place, instant(now - 60 * minuteMs));
    const charging = { state: 'charging', ended_at: null, settled_at: null, power_w: watts(7_000) } as const;
    const orderId = await makeOrder(api.database, place, instant(now - 10 * minuteMs), charging);
    orderNumber = (await api.get<{ number: string }>(`/orders/${orderId}`)).data.number;
    const changes = [
      { kind: 'set-card-rule', cardTariffId: shared.tariffId },
      { kind: 'hand-to-agent', agentId: laterId },
      { kind: 'set-card-rule', cardTariffId: rule.tariffId },
    ];
    for (const change of changes) {
      const answer = await api.post('/station-changes', { ...change, stationIds: [place.stationId] });
      expect(answer.data).toMatchObject({ changed: 1 });
    }
  });

  test('the page of the former agent’s site counts the station and shows nothing of its new rule', async () => {
    const site = await api.get<SiteDetail>(`/sites/${place.siteId}`, { token: former });
    expect(site.data).toMatchObject({ stationCount: 1, tariffs: [] });
    expect((await api.get<SiteDetail>(`/sites/${place.siteId}`)).data.tariffs).toMatchObject([{ id: rule.tariffId }]);
  });

  test('the new agent does not see the energy of charges that are the former’s', async () => {
    const charges = async (token: string) => {
      const path = `/stations/${place.stationId}/energy?days=7`;
      const { data } = await api.get<{ stretches: { charges: number; energyWh: number }[] }>(path, { token });
      return data.stretches.filter(({ energyWh }) => energyWh > 0);
    };
    expect(await charges(later)).toEqual([]);
    expect(await charges(api.adminToken)).not.toEqual([]);
  });

  test('the new agent does not see the running charge of the former on its gun ports', async () => {
    const paths = [
      `/connectors?stationId=${place.stationId}`,
      `/connectors/export?format=csv&stationId=${place.stationId}`,
      `/stations/${place.stationId}`,
    ];
    for (const path of paths) {
      const { status, text } = await api.get(path, { token: later });
      expect([status, text.includes(orderNumber)], path).toEqual([200, false]);
      expect((await api.get(path)).text, path).toContain(orderNumber);
    }
    const changed = await api.ask<Connector>('PUT', `/connectors/${place.connectorId}`, {
      token: later,
      body: { name: 'East' },
    });
    expect(changed.data).toMatchObject({ name: 'East', orderId: null, powerW: null });
  });

  test('the new agent does not see which rules of the former the station had', async () => {
    const rules = async (query: string, token: string) => {
      const { data } = await api.get<{ items: { tariffId: number }[] }>(`/station-tariffs?${query}`, { token });
      return data.items.map(({ tariffId }) => tariffId);
    };
    const ofStation = `stationId=${place.stationId}`;
    expect(await rules(ofStation, later)).toContain(rule.tariffId);
    expect(await rules(ofStation, later)).not.toContain(place.tariffId);
    expect(await rules(`ruleId=${place.tariffId}`, later)).toEqual([]);
    expect(await rules(ofStation, api.adminToken)).toContain(place.tariffId);
  });
});

/** The text of an answer; for a workbook, the text of its sheet. */
function readable({
  text,
  bytes,
  headers,
}: {
  text: string;
  bytes: Buffer;
  headers: Readonly<Record<string, unknown>>;
}): string {
  return String(headers['content-type']).includes('spreadsheet') ? sheetText(bytes) : text;
}
