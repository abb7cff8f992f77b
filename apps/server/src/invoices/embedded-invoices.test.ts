import type { Invoice, InvoiceCall } from '@voltdeck/contract/invoices';
import type { InvoiceId } from '@voltdeck/units/id';
import { dayMs, instant } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { testTasks } from '../http/test-tasks.ts';
import { readInvoice } from '../invoicing/embedded/test-invoice-pdf.ts';
import { forgetOldRecords } from '../jobs/keep-time.ts';
import { company, invoicesOf } from './test-invoices.ts';

let api: TestApi;
let place: Place;
const workers = testTasks(() => api);
const { applied, act, found } = invoicesOf(() => api);
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'embedded');
  await api.database.db.updateTable('sites').set({ invoice_available: true }).execute();
});
afterAll(async () => {
  await workers.rest();
  await api.close();
});

const document = async (id: InvoiceId) => (await api.get(`/invoices/${id}/document`)).bytes;
const stateOf = async (id: InvoiceId) => (await found(id)).state;

test('a passed invoice is issued by the workers, and its document says what the invoice says', async () => {
  await api.ask('PUT', '/invoice-sellers', {
    body: {
      name: 'Lakeside Charging Ltd',
      taxNumber: '91330106673959654P',
      electricityRateBp: 1300,
      serviceRateBp: 600,
      allowed: 'both',
      drawer: 'Wang',
    },
  });
  const orders = [
    await makeOrder(api.database, place, instant(Date.now())),
    await makeOrder(api.database, place, instant(Date.now())),
  ];
  const invoice = await applied(orders, { ...company, type: 'special', remark: 'November' });
  await workers.work();
  await act(invoice.id, '/reviews', { decision: 'pass' });
  await expect.poll(() => stateOf(invoice.id)).toBe('invoiced');
  const issued = await found(invoice.id);
  expect(issued.invoiceNumber).toMatch(/^TEST\d{16}$/);
  const { text, pages } = await readInvoice(await document(invoice.id));
  expect(pages).toBe(1);
  for (const said of [
    issued.invoiceNumber ?? '',
    issued.number,
    company.title,
    company.taxNumber,
    'Lakeside Charging Ltd',
    '91330106673959654P',
    'November',
    '20.000',
    formatYuan(issued.amountFen),
    formatYuan(issued.netFen),
    formatYuan(issued.taxFen),
  ]) {
    expect(text).toContain(said);
  }
});

test('voiding and red letters go through the same workers, and nothing is left waiting', async () => {
  const [voided, reddened] = [
    await applied([await makeOrder(api.database, place, instant(Date.now()))]),
    await applied([await makeOrder(api.database, place, instant(Date.now()))]),
  ];
  await workers.work();
  for (const { id } of [voided, reddened]) {
    await act(id, '/reviews', { decision: 'pass' });
    await expect.poll(() => stateOf(id)).toBe('invoiced');
  }
  await act(voided.id, '/voidings', { reason: 'A wrong header' });
  await act(reddened.id, '/red-letters', { reason: 'An order was refunded' });
  await expect.poll(() => stateOf(voided.id)).toBe('voided');
  await expect.poll(() => stateOf(reddened.id)).toBe('voided');
  const [red] = (await found(reddened.id)).related;
  const redId = red?.id as InvoiceId;
  const { text } = await readInvoice(await document(redId));
  expect(text).toContain(formatYuan((await found(redId)).amountFen));
  expect(text).toContain((await found(reddened.id)).invoiceNumber ?? 'no number');
  const waiting = await api.database.db
    .selectFrom('invoices')
    .select('id')
    .where('next_try_at', 'is not', null)
    .execute();
  expect(waiting).toEqual([]);
});

test('an exported list has every column of the invoices that it shows', async () => {
  const listed = await api.get<{ items: Invoice[] }>('/invoices?kind=red');
  const csv = await api.get('/invoices/export?kind=red&format=csv', { language: 'en' });
  expect(csv.status).toBe(200);
  const [head = '', row = ''] = csv.bytes.toString('utf8').replace('\ufeff', '').split(/\r?\n/);
  expect(head).toContain('Serial number');
  expect(head).toContain('External code');
  expect(row).toContain(listed.data.items[0]?.number ?? 'none');
});

test('the calls of the provider about an invoice are shown with it, without who buys, and kept for 90 days', async () => {
  const invoice = await applied([await makeOrder(api.database, place, instant(Date.now()))], {
    ...company,
    bankAccount: '5921000099998888',
  });
  const path = `/invoices/${invoice.id}/provider-calls`;
  const callsOf = async () => (await api.get<{ items: InvoiceCall[] }>(path)).data.items;
  expect(await callsOf()).toEqual([]);
  await workers.work();
  await act(invoice.id, '/reviews', { decision: 'pass' });
  await expect.poll(() => stateOf(invoice.id)).toBe('invoiced');
  const calls = await callsOf();
  expect(calls.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['document', 'answered'],
    ['issue', 'answered'],
  ]);
  const [asked] = calls.slice(-1);
  expect(asked?.number).toBe(`${invoice.number.slice(3)}01`);
  expect(asked?.response).toContain((await found(invoice.id)).invoiceNumber);
  for (const hidden of [company.title, company.taxNumber, '5921000099998888']) {
    expect(asked?.request).not.toContain(hidden);
  }
  const { token } = await api.addUser({ name: 'no-logs', permissions: ['invoice.read'] });
  expect((await api.get(path, { token })).status).toBe(403);
  // Sessions end by then.
  const kept = () =>
    api.database.db
      .selectFrom('invoice_calls')
      .select('id')
      .where('number', '=', `${invoice.number.slice(3)}01`)
      .execute();
  await forgetOldRecords(api.database.db, instant(Date.now() + 89 * dayMs));
  expect(await kept()).toHaveLength(2);
  await forgetOldRecords(api.database.db, instant(Date.now() + 91 * dayMs));
  expect(await kept()).toEqual([]);
});
