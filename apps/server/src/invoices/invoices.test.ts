import {
  deliveriesPerInvoiceMax,
  deliveriesPerUserMax,
  type Invoice,
  type InvoiceChoices,
  type InvoiceDetail,
  type InvoiceSeller,
} from '@voltdeck/contract/invoices';
import type { Permission } from '@voltdeck/contract/permissions';
import { type InvoiceStep, invoiceSteps } from '@voltdeck/invoices/states';
import { personActs, stepAfter } from '@voltdeck/invoices/transitions';
import type { GroupId, GroupMemberId, InvoiceId, OrderId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { createEmbeddedProvider } from '../invoicing/embedded/embedded-provider.ts';
import { deliverInvoice } from './send-invoice.ts';
import {
  company,
  invoicesOf,
  issuedAs,
  personal,
  type ScriptedProvider,
  scriptedProvider,
  waysTo,
} from './test-invoices.ts';
import { workDueInvoices, workInvoice } from './work-invoice.ts';

let api: TestApi;
let provider: ScriptedProvider;
let places = 0;
let numbers = 0;
let home: Place;
beforeAll(async () => {
  provider = scriptedProvider();
  api = await openTestApi({ invoiceProviderOf: () => provider });
  home = await newPlace();
});
beforeEach(() => {
  provider.calls = [];
  provider.answers = { outcome: 'pending' };
  provider.delivers = { outcome: 'sent' };
  provider.lacking = [];
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const { apply, applied, act, found, work, refusal } = invoicesOf(() => api);

async function newPlace(agent: string | null = null, isAvailable = true): Promise<Place> {
  places += 1;
  const agentId = agent === null ? null : await api.addAgent(agent);
  const place = await makePlace(api.database, agentId, `invoice${places}`);
  await api.database.db
    .updateTable('sites')
    .set({ invoice_available: isAvailable })
    .where('id', '=', place.siteId)
    .execute();
  return place;
}

const order = (place: Place, given: Parameters<typeof makeOrder>[3] = {}) =>
  makeOrder(api.database, place, instant(Date.now()), given);

const step = async (id: InvoiceId) => (await found(id)).step;

/** Takes an invoice one step on its way: what a person does, or what the provider answers when it is asked. */
async function take(id: InvoiceId, way: (typeof waysTo.blue)[InvoiceStep] = []): Promise<void> {
  for (const each of way) {
    if (typeof each !== 'string') {
      const { related } = await found(id);
      const red = related.find(({ kind }) => kind === 'red');
      // A number is one invoice's.
      const isNumbered = 'invoiceNumber' in each && each.invoiceNumber !== null;
      if (isNumbered) numbers += 1;
      provider.answers = isNumbered ? { ...each, invoiceNumber: issuedAs(`${1_000 + numbers}`).invoiceNumber } : each;
      await work(red?.id ?? id);
    } else if (each === '/pass' || each === '/reject') {
      const reviewed = await act(id, '/reviews', { decision: each.slice(1), reason: 'because' });
      expect(reviewed.status).toBe(200);
    } else {
      expect((await act(id, each, { reason: 'because' })).status).toBe(200);
    }
  }
}

describe('an application', () => {
  test('its amount is what was paid with money and not refunded, with net and tax per part', async () => {
    const place = await newPlace();
    const first = await order(place);
    const second = await order(place, {
      amount_fen: fen(5_000),
      electricity_fee_fen: fen(3_000),
      service_fee_fen: fen(2_000),
      discount_fen: fen(500),
      paid_fen: fen(4_500),
      gift_paid_fen: fen(1_500),
      refunded_fen: fen(900),
      refunded_gift_fen: fen(300),
      payment_state: 'partly_refunded',
    });
    const invoice = await applied([first, second], { ...company, email: 'tax@example.com' });
    expect(invoice).toMatchObject({
      state: 'waiting',
      step: 'review',
      externalCode: '0',
      kind: 'blue',
      type: 'ordinary',
      orderCount: 2,
      energyWh: 20_000,
      amountFen: 1_100 + 2_400,
      electricityFen: 700 + 1_600,
      serviceFen: 400 + 800,
      // 265 of 2300 at 13 %, 68 of 1200 at 6 %.
      taxFen: 265 + 68,
      netFen: 3_500 - 333,
      title: company.title,
      taxNumber: company.taxNumber,
      email: 'tax@example.com',
      nickname: `Customer invoice${places}`,
      customerPhone: place.phone,
      agentName: null,
      hasDocument: false,
    });
    expect(invoice.number).toMatch(/^I\d{20}$/);
    const detail = await found(invoice.id);
    expect(detail.orders.map(({ orderId, amountFen }) => [orderId, amountFen])).toEqual([
      [first, 1_100],
      [second, 2_400],
    ]);
    expect(detail.timeline.map(({ event }) => event)).toEqual(['apply']);
  });

  test('an order is invoiced once: of ten applications at once for one order, one is taken', async () => {
    const place = await newPlace();
    const id = await order(place);
    const all = await Promise.all(Array.from({ length: 10 }, () => apply([id])));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const refused = all.find(({ status }) => status === 409);
    expect(refused?.envelope.message.message).toMatch(/^Order N\d{8} is on invoice I\d{20} already\.$/);
  });

  test('orders of a group are invoiced to the group’s header, never to the member who charged, and once', async () => {
    const place = await newPlace();
    const header = { title: 'Lakeside Taxis Ltd', taxNumber: company.taxNumber, email: 'pay@taxis.cn' };
    const given = { name: 'Taxis', contact: 'Li', contactPhone: '13800000000', ...header };
    const group = await api.post<{ id: GroupId }>('/groups', given);
    const member = await api.post<{ id: GroupMemberId }>('/group-bindings', {
      groupId: group.data.id,
      customerPhone: place.phone,
    });
    const paidBy = {
      payment_type: 'group' as const,
      card_id: null,
      card_number: null,
      group_id: group.data.id,
      group_member_id: member.data.id,
    };
    const [first, second, own] = [await order(place, paidBy), await order(place, paidBy), await order(place)];
    expect(refusal(await apply([first, own]))).toContain('invoice.many_payers');
    const choices = await api.get<InvoiceChoices>(`/invoices/choices?groupId=${group.data.id}`);
    expect(choices.data.orders.map(({ orderId }) => orderId).sort()).toEqual([first, second]);
    expect(choices.data.groupHeader).toMatchObject(header);
    const ofMember = await api.get<InvoiceChoices>(`/invoices/choices?customerId=${place.customerId}`);
    expect(ofMember.data.orders.map(({ orderId }) => orderId)).toEqual([own]);
    const invoice = await applied([first, second], { titleKind: 'personal', title: 'Zhang San', savesTitle: true });
    expect(invoice).toMatchObject({
      titleKind: 'company',
      ...header,
      customerId: null,
      groupId: group.data.id,
      groupName: 'Taxis',
      amountFen: 2_200,
    });
    expect(refusal(await apply([second]))).toContain('invoice.order_invoiced');
    expect((await api.get<InvoiceChoices>(`/invoices/choices?customerId=${place.customerId}`)).data.titles).toEqual([]);
    expect((await api.get(`/invoices/choices?customerId=1&groupId=${group.data.id}`)).status).toBe(404);
  });

  test('an order of a site without invoices is refused with its site', async () => {
    const place = await newPlace(null, false);
    expect(refusal(await apply([await order(place)]))).toMatch(
      /^invoice\.site_unavailable: Site Site invoice\d+ issues no invoices \(order N\d+\)\.$/,
    );
  });

  test('orders that are not settled, still owe, or of which nothing was paid with money are refused', async () => {
    const place = await newPlace();
    const unsettled = await order(place, { state: 'settling', settled_at: null });
    expect(refusal(await apply([unsettled]))).toContain('invoice.order_not_settled');
    const owes = await order(place, { paid_fen: fen(100), payment_state: 'partly_paid' });
    expect(refusal(await apply([owes]))).toContain('invoice.order_owes');
    const given = await order(place, { gift_paid_fen: fen(1_100) });
    expect(refusal(await apply([given]))).toContain('invoice.order_nothing_paid');
    const returned = await order(place, { refunded_fen: fen(1_100), payment_state: 'refunded' });
    expect(refusal(await apply([returned]))).toContain('invoice.order_nothing_paid');
  });

  test('one invoice holds orders of one payer and one seller', async () => {
    const [one, other] = [await newPlace(), await newPlace()];
    expect(refusal(await apply([await order(one), await order(other)]))).toBe(
      'invoice.many_payers: One invoice holds orders of one payer.',
    );
    const agents = await newPlace('Seller agent');
    const ofOne = await order(agents, { customer_id: one.customerId });
    expect(refusal(await apply([await order(one), ofOne]))).toContain('invoice.many_sellers');
    // Where nobody holds the card, the card is who paid.
    const anonymous = { customer_id: null };
    const twice = [await order(one, anonymous), await order(one, anonymous)];
    expect((await applied(twice)).customerId).toBeNull();
  });

  test('a company needs a tax number with its check digit, a person gets no special invoice', async () => {
    const id = await order(home);
    const without = await apply([id], { titleKind: 'company', title: 'Some company' });
    expect(without.envelope.message).toMatchObject({ fields: [{ path: 'taxNumber', code: 'required' }] });
    const wrong = await apply([id], { ...company, taxNumber: '91350100M000100Y44' });
    expect(wrong.envelope.message.fields).toMatchObject([{ path: 'taxNumber', code: 'tax_number' }]);
    const special = await apply([id], { ...personal, type: 'special' });
    expect(refusal(special)).toContain('invoice.personal_special');
    expect(refusal(await apply([id], { ...company, type: 'special' }))).toContain('invoice.type_not_allowed');
  });

  test('an unknown order, or one of another agent, is not there', async () => {
    const mine = await newPlace('Agent of mine');
    const theirs = await newPlace('Agent of theirs');
    const { token } = await api.addUser({
      name: `invoicer${places}`,
      permissions: ['invoice.read', 'invoice.create', 'invoice.review'],
      scope: 'agent_tree',
      agentId: mine.agentId as never,
    });
    const unknown = await apply([await order(theirs)], personal, { token });
    expect(unknown.envelope.message.fields).toMatchObject([{ path: 'orderIds', code: 'unknown_reference' }]);
    const own = await apply([await order(mine)], personal, { token });
    expect(own.data).toMatchObject({ agentName: 'Agent of mine', state: 'waiting' });
    const other = await applied([await order(theirs)]);
    expect((await act(other.id, '/reviews', { decision: 'pass' }, { token })).status).toBe(404);
    const seen = await api.get<{ items: Invoice[] }>('/invoices', { token });
    expect(seen.data.items.map(({ id }) => id)).toEqual([own.data.id]);
  });

  test('the choices of a user name each order’s obstacle, and a kept title comes back', async () => {
    const place = await newPlace();
    const [open, taken] = [await order(place), await order(place)];
    await applied([taken], { ...company, savesTitle: true, bank: '某银行', email: 'a@b.cn' });
    const choices = await api.get<{ orders: { orderId: OrderId; obstacle: string | null }[]; titles: object[] }>(
      `/invoices/choices?customerId=${place.customerId}`,
    );
    expect(choices.data.orders.map(({ orderId, obstacle }) => [orderId, obstacle]).sort()).toEqual([
      [open, null],
      [taken, 'invoice.order_invoiced'],
    ]);
    expect(choices.data.titles).toMatchObject([{ ...company, bank: '某银行', email: 'a@b.cn', isDefault: true }]);
  });
});

describe('what leads to a person', () => {
  const email = 'wang.wu@example.com';
  const titles = {
    person: { ...personal, taxNumber: '11010119900307851500', bankAccount: '6222021234567890', email },
    company: { ...company, bankAccount: '5921000099998888', email },
  };
  const guard = async (name: string, permissions: Permission[]) =>
    (await api.addUser({ name: `${name}${places}`, permissions })).token;

  test('is masked without the right to see it: in answers, the list, its file and the timeline', async () => {
    const place = await newPlace();
    const [person, firm] = [
      await applied([await order(place)], titles.person),
      await applied([await order(place)], titles.company),
    ];
    for (const { id } of [person, firm]) await take(id, waysTo.blue.issued);
    const token = await guard('guard', ['invoice.read', 'invoice.send', 'audit.read']);
    const sent = await act(person.id, '/deliveries', { email }, { token });
    expect(sent.data).toMatchObject({ email: 'w******@example.com', taxNumber: '1101************1500' });

    const masked = await api.get<InvoiceDetail>(`/invoices/${person.id}`, { token });
    expect(masked.data).toMatchObject({
      email: 'w******@example.com',
      taxNumber: '1101************1500',
      bankAccount: '6222********7890',
    });
    expect(masked.text).not.toContain(email);
    expect(masked.data.timeline.find(({ event }) => event === 'deliver')?.text).toBe('w******@example.com');
    // The tax number of a company is public.
    const ofFirm = (await api.get<InvoiceDetail>(`/invoices/${firm.id}`, { token })).data;
    expect(ofFirm).toMatchObject({ taxNumber: company.taxNumber, bankAccount: '5921********8888' });

    const query = `customerId=${place.customerId}`;
    const listed = await api.get(`/invoices?${query}`, { token });
    const file = await api.get(`/invoices/export?${query}&format=csv`, { token });
    const audited = await api.get(`/audit-entries?recordKind=invoice&recordId=${person.id}`, { token });
    for (const said of [listed.text, file.bytes.toString('utf8'), audited.text]) {
      expect(said).toContain('w******@example.com');
      expect(said).not.toContain(email);
      expect(said).not.toContain(titles.person.taxNumber);
    }
    const open = await guard('open', ['invoice.read', 'personal.reveal']);
    const revealed = await api.get<InvoiceDetail>(`/invoices/${person.id}`, { token: open });
    expect(revealed.data).toMatchObject({ email, taxNumber: titles.person.taxNumber, bankAccount: '6222021234567890' });
  });

  test('is sent again without being seen, and a masked address is never sent to', async () => {
    const { id } = await applied([await order(await newPlace())], titles.person);
    await take(id, waysTo.blue.issued);
    const token = await guard('blind', ['invoice.read', 'invoice.send']);
    expect((await act(id, '/deliveries', {}, { token })).status).toBe(200);
    expect(await found(id)).toMatchObject({ email });
    const masked = await act(id, '/deliveries', { email: 'w******@example.com' }, { token });
    expect(masked.envelope.message.fields).toMatchObject([{ path: 'email', code: 'email_format' }]);
  });

  test('of the titles that users keep, an agent’s people write none, nor those who may not edit users', async () => {
    const place = await newPlace('Agent without titles');
    const rights = ['invoice.read', 'invoice.create', 'customer.edit'] as const;
    const agent = { scope: 'agent_tree', agentId: place.agentId as never } as const;
    const callers = [
      await api.addUser({ name: `agents${places}`, permissions: [...rights], ...agent }),
      await api.addUser({ name: `reader${places}`, permissions: ['invoice.read', 'invoice.create'] }),
    ];
    for (const { token } of callers) {
      const asked = await apply([await order(place)], { ...company, savesTitle: true }, { token });
      expect([asked.status, refusal(asked)]).toEqual([
        403,
        expect.stringMatching(/^invoice\.title_of_user: .* without/),
      ]);
    }
    const titlesOf = async () =>
      (await api.get<{ titles: object[] }>(`/invoices/choices?customerId=${place.customerId}`)).data.titles;
    expect(await titlesOf()).toEqual([]);
    const [agents] = callers;
    expect((await apply([await order(place)], company, { token: agents?.token ?? '' })).status).toBe(200);
    const editor = await api.addUser({ name: `editor${places}`, permissions: [...rights] });
    const kept = await apply([await order(place)], { ...company, savesTitle: true }, { token: editor.token });
    expect(kept.status).toBe(200);
    expect(await titlesOf()).toHaveLength(1);
  });
});

describe('deliveries', () => {
  test('of one invoice end after five within a day, and say when to send it again', async () => {
    const { id, number } = await applied([await order(home)]);
    await take(id, waysTo.blue.issued);
    const none = await act(id, '/deliveries', {});
    expect(none.envelope.message.fields).toMatchObject([{ path: 'email', code: 'required' }]);
    for (let sent = 0; sent < deliveriesPerInvoiceMax; sent += 1) {
      expect((await act(id, '/deliveries', { email: 'a@b.cn' })).status).toBe(200);
    }
    const refused = await act(id, '/deliveries', { email: 'other@b.cn' });
    expect([refused.status, refusal(refused)]).toEqual([
      429,
      `invoice.sent_often: Invoice ${number} was sent 5 times within a day. Send it again in 24 h, or download it.`,
    ]);
    expect(await found(id)).toMatchObject({ email: 'a@b.cn' });
    await api.database.db
      .updateTable('invoice_events')
      .set({ at: instant(Date.now() - 25 * 3_600_000) })
      .where('invoice_id', '=', id)
      .execute();
    expect((await act(id, '/deliveries', { email: 'other@b.cn' })).status).toBe(200);
  });

  test('that one person asks for end after a hundred within a day, of all invoices together', async () => {
    const { id } = await applied([await order(home)]);
    const { id: next } = await applied([await order(home)]);
    for (const each of [id, next]) await take(each, waysTo.blue.issued);
    const { id: userId, token } = await api.addUser({
      name: `sender${places}`,
      permissions: ['invoice.read', 'invoice.send'],
    });
    const at = instant(Date.now());
    await api.database.db
      .insertInto('invoice_events')
      .values(
        Array.from({ length: deliveriesPerUserMax - 1 }, () => ({
          invoice_id: next,
          at: instant(at - 60_000),
          event: 'deliver',
          user_id: userId,
        })),
      )
      .execute();
    const many = await Promise.all(
      Array.from({ length: 3 }, () => act(id, '/deliveries', { email: 'a@b.cn' }, { token })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(refusal(await act(id, '/deliveries', { email: 'a@b.cn' }, { token }))).toMatch(
      /^invoice\.sent_much: You had 100 invoices sent within a day\. Send the next one in 24 h\.$/,
    );
    expect((await act(id, '/deliveries', { email: 'a@b.cn' })).status).toBe(200);
  });
});

describe('reviews', () => {
  test('a rejection needs its reason, and frees the orders', async () => {
    const id = await order(home);
    const invoice = await applied([id]);
    const bare = await act(invoice.id, '/reviews', { decision: 'reject' });
    expect(refusal(bare)).toBe('invoice.reason_required: Rejection reason cannot be empty');
    const zh = await act(invoice.id, '/reviews', { decision: 'reject' }, { language: 'zh-CN' });
    expect(zh.envelope.message.message).toBe('驳回原因不能为空');
    const rejected = await act(invoice.id, '/reviews', { decision: 'reject', reason: 'Wrong header' });
    expect(rejected.data).toMatchObject({
      state: 'failed',
      step: 'rejected',
      rejectionReason: 'Wrong header',
      operatorName: expect.any(String),
    });
    await applied([id]);
  });

  test('reviews of many want an audit status and at least one invoice, and decide all or none', async () => {
    const place = await newPlace();
    const [one, two] = [await applied([await order(place)]), await applied([await order(place)])];
    const many = (body: object) => api.post<{ decided: number }>('/invoices/reviews', body, { language: 'en' });
    expect(refusal(await many({ ids: [one.id] }))).toBe('invoice.decision_required: Choose an audit status');
    expect(refusal(await many({ ids: [], decision: 'pass' }))).toBe(
      'invoice.none_selected: Select at least one invoice',
    );
    expect(refusal(await api.post('/invoices/voidings', { ids: [] }, { language: 'en' }))).toBe(
      'invoice.none_selected: Select at least one invoice',
    );
    await act(two.id, '/reviews', { decision: 'reject', reason: 'no' });
    expect(refusal(await many({ ids: [one.id, two.id], decision: 'pass' }))).toBe(
      `invoice.not_waiting: Invoice ${two.number} cannot be reviewed. Its state: Invoice failed.`,
    );
    expect(await step(one.id)).toBe('review');
    const three = await applied([await order(place)]);
    expect((await many({ ids: [one.id, three.id], decision: 'pass' })).data).toEqual({ decided: 2 });
    expect([await step(one.id), await step(three.id)]).toEqual(['issuing', 'issuing']);
  });

  test('an application whose order was refunded meanwhile is not passed', async () => {
    const place = await newPlace();
    const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
    const invoice = await applied([orderId]);
    const refunded = await api.post(`/orders/${orderId}/refunds`, { amountFen: 300, reason: 'Broken gun' });
    expect(refunded.status).toBe(200);
    expect(await found(invoice.id)).toMatchObject({ attention: 'amount_changed' });
    expect(refusal(await act(invoice.id, '/reviews', { decision: 'pass' }))).toMatch(
      /^invoice\.amount_changed: ¥10\.00 of order N\d+ could be invoiced when it was applied for; now it is ¥7\.00\./,
    );
    await act(invoice.id, '/reviews', { decision: 'reject', reason: 'Refunded' });
    expect((await applied([orderId])).amountFen).toBe(700);
  });

  test('a seller that lacks what the provider needs is named with the field', async () => {
    const invoice = await applied([await order(await newPlace('Poor agent'))]);
    provider.lacking = ['taxNumber'];
    expect(refusal(await act(invoice.id, '/reviews', { decision: 'pass' }))).toBe(
      'invoice.seller_incomplete: The invoice settings of Poor agent lack: Tax number.',
    );
  });
});

/** Acts with their routes; the reviews' two are one route. */
const routes: Readonly<Record<(typeof personActs)[number], [path: string, body: object | undefined, refusal: string]>> =
  {
    pass: ['/reviews', { decision: 'pass' }, 'invoice.not_waiting'],
    reject: ['/reviews', { decision: 'reject', reason: 'because' }, 'invoice.not_waiting'],
    retry: ['/retries', undefined, 'invoice.not_failed'],
    void: ['/voidings', { reason: 'because' }, 'invoice.not_voidable'],
    red_letter: ['/red-letters', { reason: 'because' }, 'invoice.not_invoiced'],
    resume: ['/resumptions', undefined, 'invoice.no_step'],
  };

describe.each(invoiceSteps)('an invoice at the step %s', (at) => {
  test.each(personActs)(`%s is carried out or refused as the table says`, async (name) => {
    const { id, number } = await applied([await order(home)]);
    await take(id, waysTo.blue[at]);
    expect(await step(id)).toBe(at);
    const [path, body, code] = routes[name];
    const next = stepAfter('blue', at, name);
    const answer = await act(id, path, body);
    if (next === null) {
      expect(answer.status).toBe(409);
      expect(refusal(answer)).toMatch(new RegExp(`^${code}: Invoice ${number} .*state`));
      expect(await step(id)).toBe(at);
    } else {
      expect([answer.status, answer.data.step]).toEqual([200, next]);
    }
  });
});

describe('the provider', () => {
  test('an issued invoice has its number, its document and its codes, and is sent to the buyer', async () => {
    const { id } = await applied([await order(home)], { ...personal, email: 'buyer@example.com' });
    await act(id, '/reviews', { decision: 'pass' });
    expect(await found(id)).toMatchObject({ state: 'signing', step: 'issuing', externalCode: '20' });
    expect((await act(id, '/deliveries', { email: 'x@y.cn' })).envelope.message.error).toBe('invoice.not_invoiced');
    provider.answers = { outcome: 'signing', invoiceNumber: '26332000000000000009' };
    expect(await work(id)).toMatchObject({ state: 'signing', step: 'signing', externalCode: '21' });
    provider.answers = issuedAs('9');
    const issued = await work(id);
    expect(issued).toMatchObject({
      state: 'invoiced',
      externalCode: '2',
      invoiceNumber: issuedAs('9').invoiceNumber,
      issuedAt: '2026-11-27T00:00:00.000Z',
      hasDocument: true,
      delivery: 'waiting',
    });
    await deliverInvoice(api.context, id);
    expect(await found(id)).toMatchObject({ delivery: 'sent' });
    expect(provider.calls.map(({ kind }) => kind)).toEqual(['issue', 'query', 'deliver']);
    const document = await api.get(`/invoices/${id}/document`);
    expect(document.headers['content-type']).toBe('application/pdf');
    expect(document.text).toContain('%PDF');
    expect((await found(id)).timeline.map(({ event }) => event)).toEqual([
      'apply',
      'pass',
      'sign',
      'issue',
      'delivered',
    ]);
  });

  test('an answer that cannot be taken changes nothing but what the invoice says of it, until a clear one comes', async () => {
    const [first, { id }] = [await applied([await order(home)]), await applied([await order(home)])];
    await take(first.id, ['/pass', issuedAs('77')]);
    await take(id, ['/pass']);
    const taken = (await found(first.id)).invoiceNumber ?? expect.fail('no number');
    for (const [answer, doubt] of [
      [{ outcome: 'unknown', detail: 'status 500' }, 'no_answer'],
      [{ outcome: 'unknown', detail: 'issued over 12.00', doubt: 'other_amount' }, 'other_amount'],
      [{ ...issuedAs('77'), invoiceNumber: taken }, 'number_taken'],
      [{ ...issuedAs('78'), invoiceNumber: `7\0${'8'.repeat(5_000)}` }, 'bad_number'],
    ] as const) {
      provider.answers = answer;
      expect(await work(id)).toMatchObject({ step: 'issuing', invoiceNumber: null, issuedAt: null, doubt });
    }
    provider.answers = { outcome: 'pending' };
    expect(await work(id)).toMatchObject({ step: 'issuing', doubt: null });
    provider.answers = { outcome: 'unknown', detail: 'status 500' };
    await work(id);
    provider.answers = issuedAs('78');
    expect(await work(id)).toMatchObject({ step: 'issued', doubt: null });
  });

  test('where no service sends mail, the invoice says that a person has to', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.issued);
    provider.delivers = { outcome: 'by_hand' };
    const noMail = await act(id, '/deliveries', { email: 'not a mail' });
    expect(noMail.envelope.message.fields).toMatchObject([{ path: 'email', code: 'email_format' }]);
    expect((await act(id, '/deliveries', { email: 'buyer@example.com' })).data.delivery).toBe('waiting');
    await deliverInvoice(api.context, id);
    expect(await found(id)).toMatchObject({ delivery: 'by_hand', email: 'buyer@example.com' });
    provider.delivers = { outcome: 'refused', text: 'no such mailbox' };
    await act(id, '/deliveries', { email: 'other@example.com' });
    await deliverInvoice(api.context, id);
    const { delivery, timeline } = await found(id);
    expect([delivery, timeline.at(-1)?.text]).toEqual(['failed', 'no such mailbox']);
  });

  test('a refusal is shown, and a retry is another request under another number', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.refused);
    expect(await found(id)).toMatchObject({ state: 'failed', failure: 'wrong tax number', externalCode: '22' });
    await act(id, '/retries');
    provider.answers = issuedAs('11');
    expect(await work(id)).toMatchObject({ state: 'invoiced', failure: null });
    const numbers = provider.calls.filter(({ kind }) => kind === 'issue').map(({ request }) => request.requestNumber);
    expect(numbers.map((number) => number.slice(-2))).toEqual(['01', '02']);
    expect(numbers.map((number) => number.length)).toEqual([20, 20]);
  });

  test('a step that only a person can take is shown with its text, and done it goes on', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.issuing_person);
    expect(await found(id)).toMatchObject({
      state: 'signing',
      step: 'issuing_person',
      personStep: 'The drawer has to scan the code',
      attention: 'person_needed',
    });
    const listed = await api.get<{ items: Invoice[] }>('/invoices?attention=person_needed');
    expect(listed.data.items.map((each) => each.id)).toContain(id);
    expect((await act(id, '/resumptions')).data).toMatchObject({ step: 'issuing', personStep: null });
    provider.answers = issuedAs('12');
    expect(await work(id)).toMatchObject({ state: 'invoiced' });
  });

  test('a failed signature is signed again, not issued again', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.signing_failed);
    await act(id, '/retries');
    provider.answers = issuedAs('13');
    expect(await work(id)).toMatchObject({ state: 'invoiced' });
    expect(provider.calls.map(({ kind }) => kind)).toEqual(['issue', 'signAgain']);
  });

  test('a voiding that the provider refuses leaves the invoice as it was, with the reason', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.voiding);
    provider.answers = { outcome: 'refused', text: '已超过当月' };
    expect(await work(id)).toMatchObject({ state: 'invoiced', failure: '已超过当月' });
    await act(id, '/voidings', {});
    provider.answers = { outcome: 'voided' };
    expect(await work(id)).toMatchObject({ state: 'voided', externalCode: '3' });
  });

  test('an unsigned invoice whose voiding is refused is unsigned again', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, [...(waysTo.blue.signing_failed ?? []), '/voidings']);
    provider.answers = { outcome: 'refused', text: 'no' };
    expect(await work(id)).toMatchObject({ state: 'signing_failed' });
  });
});

describe('red letters', () => {
  test('a refund after the invoice asks for the red letter, which takes it back and frees its orders', async () => {
    const place = await newPlace();
    const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
    const { id, amountFen, taxFen } = await applied([orderId]);
    await take(id, waysTo.blue.issued);
    await api.post(`/orders/${orderId}/refunds`, { amountFen: 300, reason: 'Broken gun' });
    expect(await found(id)).toMatchObject({ state: 'invoiced', attention: 'red_letter_needed' });
    const flagged = await api.get<{ items: Invoice[] }>('/invoices?attention=red_letter_needed');
    expect(flagged.data.items.map((each) => each.id)).toEqual([id]);
    expect(refusal(await apply([orderId]))).toContain('invoice.order_invoiced');

    const asked = await act(id, '/red-letters', { reason: 'An order was refunded' });
    expect(asked.data).toMatchObject({ state: 'voiding', step: 'reddening' });
    const red = (await found(id)).related[0];
    expect(red).toMatchObject({ kind: 'red', state: 'signing' });
    const total = async () =>
      (await api.get<{ sums: Record<string, number> }>(`/invoices/totals?orderId=${orderId}`)).data.sums;
    // It stands until its red letter is issued.
    expect(await total()).toMatchObject({ amountFen });
    const redId = red?.id as InvoiceId;
    provider.answers = issuedAs('21');
    expect(await work(redId)).toMatchObject({
      kind: 'red',
      state: 'invoiced',
      amountFen: -amountFen,
      taxFen: -taxFen,
      redReason: 'An order was refunded',
      orders: [{ orderId }],
    });
    expect(await found(id)).toMatchObject({ state: 'voided', step: 'reddened', attention: null });
    const { request } = provider.calls.findLast(({ kind }) => kind === 'issue') ?? {};
    expect(request).toMatchObject({ kind: 'red', original: { invoiceNumber: (await found(id)).invoiceNumber } });
    expect(request?.lines.every((line) => line.grossFen < 0 && line.taxFen < 0)).toBe(true);
    expect((await applied([orderId])).amountFen).toBe(700);
    // What was only applied for is no turnover yet.
    expect(await total()).toMatchObject({ amountFen: 0 });
  });

  test('a red letter that the provider refuses is retried, or given up, and then the invoice stands again', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.reddening);
    const redId = (await found(id)).related[0]?.id as InvoiceId;
    provider.answers = { outcome: 'refused', text: '购方已抵扣' };
    expect(await work(redId)).toMatchObject({ kind: 'red', state: 'failed', failure: '购方已抵扣' });
    expect(await step(id)).toBe('reddening');
    await act(redId, '/retries');
    await work(redId);
    expect((await act(redId, '/voidings', {})).data).toMatchObject({ kind: 'red', state: 'voided' });
    expect(await step(id)).toBe('issued');
    expect((await act(id, '/red-letters', { reason: 'once more' })).status).toBe(200);
  });

  test('a red letter is not reviewed, voided once it is issued, or taken back itself', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.reddened);
    const redId = (await found(id)).related[0]?.id as InvoiceId;
    expect(await step(redId)).toBe('issued');
    for (const name of personActs) {
      const [path, body, code] = routes[name];
      expect(refusal(await act(redId, path, body))).toContain(code);
    }
  });
});

describe('red letters over a part', () => {
  /** ¥6.00 of electricity at 13 % and ¥4.00 of service at 6 %. */
  async function invoiced() {
    const place = await newPlace();
    const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
    const { id, number } = await applied([orderId, await order(place)]);
    await take(id, waysTo.blue.issued);
    return { id, number, orderId };
  }
  const refund = async (orderId: OrderId, amountFen: number) =>
    expect((await api.post(`/orders/${orderId}/refunds`, { amountFen, reason: 'Broken gun' })).status).toBe(200);
  const redden = (id: InvoiceId, extent: string) => act(id, '/red-letters', { extent, reason: 'A refund' });
  const lastRed = async (id: InvoiceId) => (await found(id)).related.at(-1)?.id as InvoiceId;

  test('take back what was refunded, by parts with their tax, and the invoice stands for the rest', async () => {
    const { id, number, orderId } = await invoiced();
    expect(refusal(await redden(id, 'refunded'))).toMatch(
      new RegExp(`^invoice\\.nothing_refunded: Nothing was refunded of the orders of invoice ${number} `),
    );
    await refund(orderId, 300);
    expect((await redden(id, 'refunded')).data).toMatchObject({ state: 'voiding', step: 'reddening' });
    // One at a time.
    expect((await redden(id, 'refunded')).envelope.message.error).toBe('invoice.not_invoiced');
    const redId = await lastRed(id);
    provider.answers = issuedAs('51');
    // ¥13.00 and ¥8.00 stood; tax of ¥13.00 is ¥1.50, of ¥11.20 ¥1.29; of ¥8.00 ¥0.45, of ¥6.80 ¥0.38.
    expect(await work(redId)).toMatchObject({
      kind: 'red',
      isPart: true,
      state: 'invoiced',
      orderCount: 1,
      energyWh: 0,
      amountFen: -300,
      electricityFen: -180,
      electricityTaxFen: -21,
      serviceFen: -120,
      serviceTaxFen: -7,
      taxFen: -28,
      netFen: -272,
      orders: [{ orderId, amountFen: 300, electricityFen: 180, serviceFen: 120 }],
      related: [{ id, kind: 'blue', amountFen: 2_100 }],
    });
    const standing = await found(id);
    expect(standing).toMatchObject({
      state: 'invoiced',
      step: 'issued',
      attention: null,
      amountFen: 2_100,
      reddenedFen: 300,
      related: [{ id: redId, kind: 'red', isPart: true, amountFen: -300, state: 'invoiced' }],
    });
    expect(standing.timeline.map(({ event }) => event)).toContain('end_part');
    const { request } = provider.calls.findLast(({ kind }) => kind === 'issue') ?? {};
    expect(request).toMatchObject({
      takesPartOf: ['electricity', 'service'],
      original: { invoiceNumber: (await found(id)).invoiceNumber },
    });
    // The order stays on the invoice, which cannot be voided any more.
    expect(refusal(await apply([orderId]))).toContain('invoice.order_invoiced');
    expect(refusal(await act(id, '/voidings', {}))).toBe(
      `invoice.partly_reddened: A red letter has taken back ¥3.00 of invoice ${number}, so it cannot be voided. Take the rest back by a red letter.`,
    );
    expect((await redden(id, 'refunded')).envelope.message.error).toBe('invoice.nothing_refunded');
  });

  test('follow each other to the fen, and the rest takes back what is left with all of its tax', async () => {
    const { id, orderId } = await invoiced();
    const whole = await found(id);
    for (const [index, amountFen] of [1, 333, 333].entries()) {
      await refund(orderId, amountFen);
      expect((await redden(id, 'refunded')).status).toBe(200);
      provider.answers = issuedAs(`6${index}`);
      expect(await work(await lastRed(id))).toMatchObject({ amountFen: -amountFen, isPart: true });
    }
    expect(await found(id)).toMatchObject({ reddenedFen: 667, step: 'issued' });
    expect((await redden(id, 'rest')).status).toBe(200);
    provider.answers = issuedAs('69');
    expect(await work(await lastRed(id))).toMatchObject({ isPart: false, amountFen: -(2_100 - 667) });
    expect(await found(id)).toMatchObject({ state: 'voided', step: 'reddened' });
    const reds = await Promise.all((await found(id)).related.map((red) => found(red.id)));
    for (const field of ['amountFen', 'taxFen', 'netFen', 'electricityTaxFen', 'serviceTaxFen'] as const) {
      expect([field, reds.reduce<number>((sum, red) => sum + red[field], whole[field])]).toEqual([field, 0]);
    }
    expect((await applied([orderId])).amountFen).toBe(1_000 - 667);
  });

  test('over everything are red letters over the rest', async () => {
    const place = await newPlace();
    const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
    const { id } = await applied([orderId]);
    await take(id, waysTo.blue.issued);
    await refund(orderId, 1_000);
    await redden(id, 'refunded');
    provider.answers = issuedAs('71');
    expect(await work(await lastRed(id))).toMatchObject({ isPart: false, amountFen: -1_000 });
    expect(await found(id)).toMatchObject({ step: 'reddened' });
  });

  test('that are given up change nothing, and one during which more was refunded asks for the next', async () => {
    const { id, orderId } = await invoiced();
    await refund(orderId, 100);
    await redden(id, 'refunded');
    provider.answers = { outcome: 'refused', text: 'no' };
    await work(await lastRed(id));
    expect((await act(await lastRed(id), '/voidings', {})).status).toBe(200);
    expect(await found(id)).toMatchObject({ step: 'issued', attention: 'red_letter_needed', reddenedFen: 0 });
    await redden(id, 'refunded');
    await refund(orderId, 50);
    provider.answers = issuedAs('72');
    expect(await work(await lastRed(id))).toMatchObject({ amountFen: -100 });
    expect(await found(id)).toMatchObject({ step: 'issued', attention: 'red_letter_needed', reddenedFen: 100 });
    await redden(id, 'refunded');
    provider.answers = issuedAs('73');
    expect(await work(await lastRed(id))).toMatchObject({ amountFen: -50 });
    expect(await found(id)).toMatchObject({ attention: null, reddenedFen: 150 });
  });

  test('asked for at once are issued once', async () => {
    const { id, orderId } = await invoiced();
    await refund(orderId, 300);
    const all = await Promise.all(Array.from({ length: 6 }, () => redden(id, 'refunded')));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await found(id)).related).toHaveLength(1);
  });

  test('never go beyond the invoice: the database refuses it, whoever writes', async () => {
    const { id } = await invoiced();
    const beyond = api.database.db
      .updateTable('invoices')
      .set({ reddened_service_fen: fen(801) })
      .where('id', '=', id)
      .execute();
    await expect(beyond).rejects.toThrow('invoices_reddened');
  });
});

describe('a recharge that is reversed', () => {
  /** A bill of 200 yuan: 100 are on the card, and 100 are owed until a recharge repays them. */
  async function repaidOrder() {
    const place = await newPlace();
    const settledAt = instant(Date.now());
    const order = { electricityFeeFen: 20_000, serviceFeeFen: 0, settledAt };
    const id = await makeSettledOrder(api.database, place, order);
    const recharge = { cardNumber: place.cardNumber, amountFen: 10_000 };
    const { data } = await api.post<{ id: number }>('/recharges', recharge);
    const reverse = () => api.post(`/recharges/${data.id}/reversals`, { reason: 'The wrong card' });
    return { id, reverse };
  }

  test('takes back what it repaid: an issued invoice of the order asks for its red letter', async () => {
    const { id, reverse } = await repaidOrder();
    const invoice = await applied([id]);
    expect(invoice.amountFen).toBe(20_000);
    await act(invoice.id, '/reviews', { decision: 'pass' });
    provider.answers = issuedAs('901');
    expect(await work(invoice.id)).toMatchObject({ step: 'issued' });
    expect((await reverse()).status).toBe(200);
    expect(await found(invoice.id)).toMatchObject({ amountFen: 20_000, attention: 'red_letter_needed' });
  });

  test('takes back what it repaid: an application for the order says that its amount changed', async () => {
    const { id, reverse } = await repaidOrder();
    const invoice = await applied([id]);
    expect((await reverse()).status).toBe(200);
    expect(await found(invoice.id)).toMatchObject({ attention: 'amount_changed' });
  });
});

test('where two records of one person are merged, the invoices and titles go to the one that stays', async () => {
  const [old, kept] = [await newPlace(), await newPlace()];
  const titled = { ...company, savesTitle: true };
  const { id } = await applied([await order(old)], titled);
  await applied([await order(kept)], { ...personal, savesTitle: true });
  await api.database.db
    .updateTable('configs')
    .set({ value: 'off' })
    .where('key', '=', 'second_person_transfer_fen')
    .execute();
  const merged = await api.post(`/customers/${old.customerId}/merges`, {
    intoId: kept.customerId,
    reason: 'The same person',
  });
  expect(merged.status).toBe(200);
  expect(await found(id)).toMatchObject({ customerId: kept.customerId });
  const choices = await api.get<{ titles: object[] }>(`/invoices/choices?customerId=${kept.customerId}`);
  expect(choices.data.titles).toMatchObject([
    { title: personal.title, isDefault: true },
    { title: company.title, isDefault: false },
  ]);
});

describe('a server that is killed', () => {
  test('between asking and the answer asks about the request first, and again only what nobody knows', async () => {
    const { id } = await applied([await order(home)]);
    await act(id, '/reviews', { decision: 'pass' });
    provider.answers = { outcome: 'unknown', detail: 'no connection' };
    await work(id);
    provider.answers = { outcome: 'absent' };
    await work(id);
    provider.answers = issuedAs('31');
    expect(await work(id)).toMatchObject({ state: 'invoiced' });
    expect(provider.calls.map(({ kind }) => kind)).toEqual(['issue', 'query', 'issue', 'query']);
    expect(new Set(provider.calls.map(({ request }) => request.requestNumber)).size).toBe(1);
  });

  test('and jobs that run twice at once ask once', async () => {
    const { id } = await applied([await order(home)]);
    await act(id, '/reviews', { decision: 'pass' });
    provider.answers = issuedAs('32');
    const asked = await Promise.all(Array.from({ length: 8 }, () => workInvoice(api.context, id)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(provider.calls).toHaveLength(1);
    const { rows } = await api.database.pool.query(
      `select count(*)::integer as files from files where purpose = 'invoice' and name = $1`,
      [`${(await found(id)).number}.pdf`],
    );
    expect(rows).toEqual([{ files: 1 }]);
  });

  test('with the embedded provider, one request gets one number however often it is asked', async () => {
    const embedded = createEmbeddedProvider({ db: api.database.db, now: () => api.context.now() });
    const { id } = await applied([await order(home)]);
    await act(id, '/reviews', { decision: 'pass' });
    await work(id);
    const request = provider.calls[0]?.request;
    if (request === undefined) throw new Error('nothing was asked');
    const all = await Promise.all(Array.from({ length: 10 }, () => embedded.issue(request)));
    expect(new Set(all.map((state) => (state.outcome === 'issued' ? state.invoiceNumber : state.outcome))).size).toBe(
      1,
    );
  });

  test('what is due is found by the clock, and one that cannot be asked about keeps nobody waiting', async () => {
    const [one, two] = [await applied([await order(home)]), await applied([await order(home)])];
    for (const { id } of [one, two]) await act(id, '/reviews', { decision: 'pass' });
    const { db } = api.database;
    await db.updateTable('invoices').set({ next_try_at: null }).where('id', 'not in', [one.id, two.id]).execute();
    await db.updateTable('invoices').set({ seller: null }).where('id', '=', one.id).execute();
    provider.answers = issuedAs('41');
    await workDueInvoices(api.context);
    expect([await step(one.id), await step(two.id)]).toEqual(['issuing', 'issued']);
  });
});

describe('acts that meet', () => {
  /** What an act locks in `invoices` while it waits for a row that somebody else has. */
  async function lockedMeanwhile(holding: string, held: number, run: () => Promise<Answer>, id: InvoiceId) {
    const { pool } = api.database;
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query(holding, [held]);
      const answer = run();
      await vi.waitFor(async () => {
        const waiting =
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
        expect((await pool.query(waiting)).rows).toHaveLength(1);
      }, 10_000);
      const free = await holder.query('select id from invoices where id = $1 for update skip locked', [id]);
      await holder.query('rollback');
      return { isFree: free.rows.length === 1, status: (await answer).status };
    } finally {
      holder.release();
    }
  }
  const ofOrder = 'select 1 from orders where id = $1 for no key update';

  test('whoever passes an application waits for a refund of its order before the invoice is locked', async () => {
    const orderId = await order(home);
    const { id } = await applied([orderId]);
    const pass = () => act(id, '/reviews', { decision: 'pass' });
    expect(await lockedMeanwhile(ofOrder, orderId, pass, id)).toEqual({ isFree: true, status: 200 });
    const [one, two] = [await applied([await order(home)]), await order(home)];
    const other = await applied([two]);
    const many = () => api.post('/invoices/reviews', { ids: [one.id, other.id], decision: 'pass' });
    expect(await lockedMeanwhile(ofOrder, two, many, one.id)).toEqual({ isFree: true, status: 200 });
  });

  test('a red letter is given up in the order in which its issue is taken: its invoice first', async () => {
    const { id } = await applied([await order(home)]);
    await take(id, waysTo.blue.reddening);
    const redId = (await found(id)).related[0]?.id as InvoiceId;
    provider.answers = { outcome: 'refused', text: '购方已抵扣' };
    await work(redId);
    const giveUp = () => act(redId, '/voidings', {});
    const ofInvoice = 'select 1 from invoices where id = $1 for update';
    expect(await lockedMeanwhile(ofInvoice, id, giveUp, redId)).toEqual({ isFree: true, status: 200 });
  });
});

describe('the settings of a seller', () => {
  test('defaults hold until somebody sets them, per agent and for the platform', async () => {
    const place = await newPlace('Set agent');
    const agentId = place.agentId;
    const path = `/invoice-sellers?agentId=${agentId}`;
    expect((await api.get<InvoiceSeller>(path)).data).toMatchObject({
      isDefault: true,
      name: 'Set agent',
      electricityRateBp: 1300,
      serviceRateBp: 600,
      allowed: 'ordinary',
    });
    const form = {
      agentId,
      name: '某某充电有限公司',
      taxNumber: company.taxNumber,
      electricityRateBp: 300,
      serviceRateBp: 0,
      allowed: 'both',
      drawer: '王五',
    };
    const put = await api.ask<InvoiceSeller>('PUT', '/invoice-sellers', { body: form });
    expect(put.data).toMatchObject({ isDefault: false, agentName: 'Set agent', drawer: '王五' });
    const invoice = await applied([await order(place)], { ...company, type: 'special' });
    expect(invoice).toMatchObject({ type: 'special', agentName: 'Set agent', taxFen: 20 });
    const none = await api.ask('PUT', '/invoice-sellers', { body: { ...form, allowed: 'none' } });
    expect(none.status).toBe(200);
    expect(refusal(await apply([await order(place)]))).toBe(
      'invoice.type_not_allowed: 某某充电有限公司 does not issue this type of invoice. Its settings say so.',
    );
    const bad = await api.ask('PUT', '/invoice-sellers', { body: { ...form, taxNumber: '91350100M000100Y44' } });
    expect(bad.status).toBe(422);
    // What was applied for keeps its rates.
    expect(await found(invoice.id)).toMatchObject({ electricityRateBp: 300, taxFen: 20 });
  });

  test('an agent’s people see their own agent’s settings and set none, whatever their position says', async () => {
    const [mine, other] = [await newPlace('Own seller'), await newPlace('Other seller')];
    const { token } = await api.addUser({
      name: `seller${places}`,
      permissions: ['invoice.read', 'invoice.settings'],
      scope: 'agent_tree',
      agentId: mine.agentId as never,
    });
    const form = { name: 'Mine Ltd', electricityRateBp: 1300, serviceRateBp: 600, allowed: 'ordinary' };
    const put = (body: object) => api.ask<InvoiceSeller>('PUT', '/invoice-sellers', { body, token });
    for (const agentId of [undefined, mine.agentId, other.agentId]) {
      const refused = await put({ ...form, agentId, taxNumber: company.taxNumber });
      expect([refused.status, refused.envelope.message.error]).toEqual([403, 'access.denied']);
    }
    expect((await api.get(`/invoice-sellers?agentId=${other.agentId}`, { token })).status).toBe(404);
    expect((await api.get<InvoiceSeller>('/invoice-sellers', { token })).data).toMatchObject({
      agentId: mine.agentId,
      isDefault: true,
      taxNumber: '',
    });
    expect((await api.get<InvoiceSeller>('/invoice-sellers')).data).toMatchObject({ agentId: null, isDefault: true });
  });
});
