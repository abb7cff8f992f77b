import type { InvoiceCallKind, InvoiceProviderName } from '@voltdeck/contract/invoices';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { storableText } from '../database/column-values.ts';
import type { Tables } from '../database/tables.generated.ts';
import { maskCall } from './mask-call.ts';

export type InvoiceCall = {
  at: Instant;
  kind: InvoiceCallKind;
  /** The request's number at the provider; null where the call is about no invoice. */
  number: string | null;
  /** The call's own name at the provider. */
  requestId: string | null;
  request: unknown;
  /** Null without an answer. */
  response: unknown;
  /** Of HTTP; null without an answer. */
  status: number | null;
  outcome: 'answered' | 'refused' | 'unknown';
  /** Why nothing is known, or why the provider refused. */
  problem: string | null;
  tookMs: number;
};

/** Writes a call down. It never throws: what a provider answered counts more than its record. */
export type InvoiceCallLog = (provider: InvoiceProviderName, call: InvoiceCall) => Promise<void>;

const textMax = 8_192;
const problemMax = 500;

export function createInvoiceCallLog(db: Kysely<Tables>, log: Pick<Logger, 'error'>): InvoiceCallLog {
  return async (provider, call) => {
    try {
      await db
        .insertInto('invoice_calls')
        .values({
          at: call.at,
          provider,
          kind: call.kind,
          number: storableText(call.number),
          request_id: call.requestId,
          request: textOf(call.request),
          response: call.response === null || call.response === undefined ? null : textOf(call.response),
          status: call.status,
          outcome: call.outcome,
          problem: call.problem === null ? null : textOf(call.problem).slice(0, problemMax),
          took_ms: Math.round(call.tookMs),
        })
        .execute();
    } catch (error) {
      log.error(
        { err: error, provider, kind: call.kind, number: call.number },
        'a call of an invoice provider was not written down',
      );
    }
  };
}

/** Masked JSON or text, cut where it is long. */
function textOf(value: unknown): string {
  const masked = maskCall(value);
  const text = typeof masked === 'string' ? masked : (JSON.stringify(masked) ?? '');
  return (storableText(text) ?? '').slice(0, textMax);
}
