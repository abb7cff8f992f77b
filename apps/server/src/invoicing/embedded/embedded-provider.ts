import type { InvoiceCallKind } from '@voltdeck/contract/invoices';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { InvoiceCallLog } from '../call-log.ts';
import type { InvoiceProvider, IssueRequest, ProviderState } from '../invoice-provider.ts';
import { invoicePdf } from './invoice-pdf.ts';

type EmbeddedWorld = {
  db: Kysely<Tables>;
  now(): Instant;
  /** Where its calls are written down, as those of another company are; nowhere if omitted. */
  note?: InvoiceCallLog;
};

/**
 * The provider that comes with the product: it issues at once and sends nothing. Its documents say that they are none of
 * the tax administration. What it knows of requests is in a table of its own, as that of another company would be.
 */
export function createEmbeddedProvider({ db, now, note }: EmbeddedWorld): InvoiceProvider {
  const find = async (requestNumber: string): Promise<ProviderState> => {
    const known = await db
      .selectFrom('embedded_invoices')
      .select(['invoice_number', 'state', 'issued_at'])
      .where('request_number', '=', requestNumber)
      .executeTakeFirst();
    if (known === undefined) return { outcome: 'absent' };
    if (known.state === 'voided') return { outcome: 'voided' };
    return {
      outcome: 'issued',
      serial: requestNumber,
      code: null,
      invoiceNumber: known.invoice_number,
      issuedAt: known.issued_at,
    };
  };
  const noted = async <Answer>(
    kind: InvoiceCallKind,
    request: IssueRequest,
    act: () => Promise<Answer>,
    say: (answer: Answer) => unknown = (answer) => answer,
  ): Promise<Answer> => {
    const at = now();
    const beganAt = performance.now();
    const answer = await act();
    await note?.('embedded', {
      at,
      kind,
      number: request.requestNumber,
      requestId: null,
      request,
      response: say(answer),
      status: null,
      outcome: 'answered',
      problem: null,
      tookMs: performance.now() - beganAt,
    });
    return answer;
  };
  const provider: InvoiceProvider = {
    name: 'embedded',
    lacks: () => [],
    async issue({ requestNumber }) {
      const at = now();
      await db
        .insertInto('embedded_invoices')
        .values({
          request_number: requestNumber,
          // As long as a fully digital invoice's, and no number of one.
          invoice_number: sql`${`TEST${shanghaiDate(at).replaceAll('-', '').slice(2)}`}
                              || lpad(nextval('embedded_invoice_numbers')::text, 10, '0')`,
          state: 'issued',
          issued_at: at,
        })
        .onConflict((conflict) => conflict.column('request_number').doNothing())
        .execute();
      return find(requestNumber);
    },
    query: ({ requestNumber }) => find(requestNumber),
    signAgain: ({ requestNumber }) => find(requestNumber),
    async void({ requestNumber }) {
      await db
        .updateTable('embedded_invoices')
        .set({ state: 'voided' })
        .where('request_number', '=', requestNumber)
        .execute();
      return find(requestNumber);
    },
    async document(request, { invoiceNumber, issuedAt }) {
      if (invoiceNumber === null || issuedAt === null) return null;
      return invoicePdf(request, { invoiceNumber, issuedAt });
    },
    deliver: async () => ({ outcome: 'by_hand' }),
  };
  return {
    ...provider,
    issue: (request) => noted(request.kind === 'red' ? 'red_letter' : 'issue', request, () => provider.issue(request)),
    query: (request, issued) =>
      noted(request.kind === 'red' ? 'query_red_letter' : 'query', request, () => provider.query(request, issued)),
    signAgain: (request, issued) => noted('sign_again', request, () => provider.signAgain(request, issued)),
    void: (request, issued) => noted('void', request, () => provider.void(request, issued)),
    document: (request, issued) =>
      noted(
        'document',
        request,
        () => provider.document(request, issued),
        (bytes) => ({ bytes: bytes?.length ?? 0 }),
      ),
  };
}
