import type { InvoiceId } from '@voltdeck/units/id';
import { dayMs, instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { createEmbeddedProvider } from '../invoicing/embedded/embedded-provider.ts';
import { mailedProvider } from '../invoicing/mailed-provider.ts';
import { createSmtpSender } from '../mail/smtp-sender.ts';
import { attachmentOf, startTestSmtp, type TestSmtp } from '../mail/test-smtp.ts';
import { deliverDueInvoices, deliverInvoice, deliveryTriesMax } from './send-invoice.ts';
import { invoicesOf, personal } from './test-invoices.ts';

const email = 'buyer@example.com';

let smtp: TestSmtp;
let api: TestApi;
let place: Place;
beforeAll(async () => {
  smtp = await startTestSmtp();
  api = await openTestApi({
    invoiceProviderOf: (world) => mailedProvider(createEmbeddedProvider(world), createSmtpSender(smtp.settings)),
  });
  place = await makePlace(api.database, null, 'mailed');
  await api.database.db.updateTable('sites').set({ invoice_available: true }).execute();
});
beforeEach(() => {
  api.clock.now = null;
  smtp.fault = 'none';
  smtp.mails = [];
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

const { applied, act, found, work } = invoicesOf(() => api);

/** An issued invoice whose document waits in the outbox. */
async function issued(): Promise<InvoiceId> {
  const { id } = await applied([await makeOrder(api.database, place, instant(Date.now()))], { ...personal, email });
  await act(id, '/reviews', { decision: 'pass' });
  expect(await work(id)).toMatchObject({ state: 'invoiced', delivery: 'waiting' });
  return id;
}

test('an issued invoice reaches its buyer’s mail server with its document, once', async () => {
  const id = await issued();
  await Promise.all(Array.from({ length: 4 }, () => deliverInvoice(api.context, id)));
  const { delivery, timeline, number } = await found(id);
  expect([delivery, timeline.at(-1)?.event]).toEqual(['sent', 'delivered']);
  expect(smtp.mails.map(({ to }) => to)).toEqual([email]);
  const raw = smtp.mails[0]?.raw ?? '';
  expect(raw).toContain(`${number}.pdf`);
  const { bytes } = await api.get(`/invoices/${id}/document`);
  expect(attachmentOf(raw).equals(bytes)).toBe(true);
  await deliverDueInvoices(api.context);
  expect(smtp.mails).toHaveLength(1);
});

test('a mail server that asks for patience is tried again, later each time, and says why it waits', async () => {
  const id = await issued();
  smtp.fault = 'later';
  await deliverInvoice(api.context, id);
  expect(await found(id)).toMatchObject({ delivery: 'waiting', deliveryProblem: expect.stringContaining('451') });
  // Not before its time.
  smtp.fault = 'none';
  await deliverDueInvoices(api.context);
  expect(smtp.mails).toEqual([]);
  api.clock.now = instant(Date.now() + 2 * minuteMs);
  await deliverDueInvoices(api.context);
  expect(await found(id)).toMatchObject({ delivery: 'sent', deliveryProblem: null });
  expect(smtp.mails).toHaveLength(1);
});

test('a mail server that takes minutes over a mail gets it once', async () => {
  const id = await issued();
  const gate = Promise.withResolvers<void>();
  smtp.gate = gate.promise;
  const slow = deliverInvoice(api.context, id);
  await expect.poll(() => smtp.waiting).toBe(1);
  api.clock.now = instant(Date.now() + 4 * minuteMs);
  await deliverDueInvoices(api.context);
  gate.resolve();
  await slow;
  api.clock.now = null;
  expect(smtp.mails).toHaveLength(1);
  expect(await found(id)).toMatchObject({ delivery: 'sent' });
});

test('after eight tries it is left to a person, whose next try begins anew', async () => {
  const id = await issued();
  smtp.fault = 'later';
  for (let tries = 1; tries <= deliveryTriesMax; tries += 1) {
    expect(await found(id)).toMatchObject({ delivery: 'waiting' });
    api.clock.now = instant(Date.now() + tries * dayMs);
    await deliverDueInvoices(api.context);
    api.clock.now = null;
  }
  const failed = await found(id);
  expect(failed).toMatchObject({ delivery: 'failed', deliveryProblem: expect.stringContaining('451') });
  expect(failed.timeline.at(-1)?.event).toBe('refuse_delivery');
  smtp.fault = 'none';
  await act(id, '/deliveries', { email: 'other@example.com' });
  await deliverInvoice(api.context, id);
  expect(await found(id)).toMatchObject({ delivery: 'sent', email: 'other@example.com' });
});

test('an address that is refused, and a mail that may have gone out, are not sent again by themselves', async () => {
  for (const fault of ['refuse', 'hang up after data'] as const) {
    const id = await issued();
    smtp.fault = fault;
    await deliverInvoice(api.context, id);
    expect(await found(id)).toMatchObject({ delivery: 'failed', deliveryProblem: expect.any(String) });
    smtp.fault = 'none';
    api.clock.now = instant(Date.now() + dayMs);
    await deliverDueInvoices(api.context);
    expect(smtp.mails).toEqual([]);
    api.clock.now = null;
  }
});

test('a document whose invoice is taken back before it went out stays here', async () => {
  const id = await issued();
  await act(id, '/voidings', { reason: 'A wrong header' });
  expect(await work(id)).toMatchObject({ state: 'voided' });
  await deliverDueInvoices(api.context);
  expect(await found(id)).toMatchObject({ delivery: null });
  expect(smtp.mails).toEqual([]);
});
