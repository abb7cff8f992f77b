import type { Invoice, InvoiceDetail } from '@voltdeck/contract/invoices';
import type { InvoiceKind, InvoiceStep } from '@voltdeck/invoices/states';
import type { InvoiceId, OrderId } from '@voltdeck/units/id';
import { expect } from 'vitest';
import type { Answer, Ask, TestApi } from '../http/test-api.ts';
import type { Delivered, InvoiceProvider, IssueRequest, ProviderState } from '../invoicing/invoice-provider.ts';
import { workInvoice } from './work-invoice.ts';

/** A provider that answers what a test tells it to, and remembers what it was asked. */
export type ScriptedProvider = InvoiceProvider & {
  calls: { kind: 'issue' | 'query' | 'signAgain' | 'void' | 'deliver'; request: IssueRequest }[];
  /** What it answers from now on. */
  answers: ProviderState;
  delivers: Delivered;
  lacking: readonly (keyof IssueRequest['seller'])[];
};

export function scriptedProvider(): ScriptedProvider {
  const asked = (kind: ScriptedProvider['calls'][number]['kind']) => async (request: IssueRequest) => {
    provider.calls.push({ kind, request });
    return provider.answers;
  };
  const provider: ScriptedProvider = {
    name: 'embedded',
    calls: [],
    answers: { outcome: 'pending' },
    delivers: { outcome: 'sent' },
    lacking: [],
    lacks: () => provider.lacking,
    issue: asked('issue'),
    query: asked('query'),
    signAgain: asked('signAgain'),
    void: asked('void'),
    document: async () => Buffer.from('%PDF-1.7 scripted'),
    async deliver(request) {
      provider.calls.push({ kind: 'deliver', request });
      return provider.delivers;
    },
  };
  return provider;
}

export const personal = { titleKind: 'personal', title: 'Zhang San' } as const;
export const company = { titleKind: 'company', title: 'Some Technology Ltd', taxNumber: '91350100M000100Y43' } as const;

export function invoicesOf(api: () => TestApi) {
  const at = (id: InvoiceId, path = '') => `/invoices/${id}${path}`;
  const act = (id: InvoiceId, path: string, body?: object, ask?: Ask) =>
    api().post<Invoice>(at(id, path), body, { language: 'en', ...ask });
  const found = async (id: InvoiceId) => (await api().get<InvoiceDetail>(at(id))).data;
  return {
    apply: (orderIds: readonly OrderId[], given: object = personal, ask?: Ask): Promise<Answer<Invoice>> =>
      api().post<Invoice>('/invoices', { orderIds, ...given }, { language: 'en', ...ask }),
    act,
    found,
    async applied(orderIds: readonly OrderId[], given: object = personal): Promise<Invoice> {
      const applied = await api().post<Invoice>('/invoices', { orderIds, ...given }, { language: 'en' });
      expect([applied.status, applied.text]).toEqual([200, expect.anything()]);
      return applied.data;
    },
    /** Has the provider asked now, however long ago it was asked last. */
    async work(id: InvoiceId): Promise<InvoiceDetail> {
      const past = api().context.now();
      await api()
        .database.db.updateTable('invoices')
        .set({ next_try_at: past })
        .where('id', '=', id)
        .where('next_try_at', 'is not', null)
        .execute();
      await workInvoice(api().context, id);
      return found(id);
    },
    refusal: ({ envelope }: Answer<unknown>) => `${envelope.message.error}: ${envelope.message.message}`,
  };
}

/** What the provider has to say, and what a person has to do, to bring a passed invoice to each step. */
export const waysTo: Readonly<
  Record<InvoiceKind, Readonly<Partial<Record<InvoiceStep, readonly (ProviderState | `/${string}`)[]>>>>
> = {
  blue: {
    review: [],
    issuing: ['/pass'],
    issuing_person: ['/pass', { outcome: 'needs_person_step', text: 'The drawer has to scan the code' }],
    signing: ['/pass', { outcome: 'signing', invoiceNumber: '26332000000000000001' }],
    issued: ['/pass', issuedAs('1')],
    refused: ['/pass', { outcome: 'refused', text: 'wrong tax number' }],
    rejected: ['/reject'],
    signing_failed: ['/pass', { outcome: 'signing_refused', text: 'no signature', invoiceNumber: null }],
    voiding: ['/pass', issuedAs('2'), '/voidings'],
    voiding_person: ['/pass', issuedAs('3'), '/voidings', { outcome: 'needs_person_step', text: 'Scan a face' }],
    reddening: ['/pass', issuedAs('4'), '/red-letters'],
    voided: ['/reject', '/voidings'],
    reddened: ['/pass', issuedAs('5'), '/red-letters', issuedAs('6')],
  },
  red: {},
};

export function issuedAs(number: string): Extract<ProviderState, { outcome: 'issued' }> {
  const issuedAt = Date.UTC(2026, 10, 27) as Extract<ProviderState, { outcome: 'issued' }>['issuedAt'];
  const invoiceNumber = number.padStart(20, '2633200000000000');
  return { outcome: 'issued', serial: `serial-${number}`, code: null, invoiceNumber, issuedAt };
}
