import type { InterfaceName } from '@voltdeck/tcec102/messages/all';
import { withoutSecrets } from '@voltdeck/tcec102/secret-fields';
import type { PartnerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export type PartnerExchange = {
  /** Null for a caller that nobody knows. */
  partnerId: PartnerId | null;
  direction: 'in' | 'out';
  interfaceName: InterfaceName | string;
  /** The business texts, decrypted; empty where there was none. */
  request: string;
  answer: string;
  httpStatus: number | null;
  ret: number | null;
  tookMs: number;
  address: string;
  /** What must not be kept of it, wherever it stands: the keys that it was sealed with and the token that it carried. */
  secrets: readonly string[];
};

/** What is kept of a text: a page of stations is longer, and nobody reads it to its end. */
const textCharsMax = 16_384;

/** Writes down what was said, without the secrets in it. */
export async function noteExchange(db: Kysely<Tables>, exchange: PartnerExchange, at: Instant): Promise<void> {
  const { partnerId, direction, interfaceName, httpStatus, ret, tookMs, address, secrets } = exchange;
  await sql`
    insert into partner_exchanges (at, partner_id, direction, interface, request, answer, http_status, ret, took_ms, address)
    values (to_timestamp(${at} / 1000.0), ${partnerId}::bigint, ${direction}, ${interfaceName.slice(0, 64)},
            ${kept(exchange.request, secrets)}, ${kept(exchange.answer, secrets)}, ${httpStatus}::integer, ${ret}::integer,
            ${Math.round(tookMs)}, ${address})`.execute(db);
}

function kept(text: string, secrets: readonly string[]): string {
  const masked = withoutSecrets(text, secrets).replaceAll('\u0000', '\ufffd').toWellFormed();
  return masked.length > textCharsMax ? `${masked.slice(0, textCharsMax)}…` : masked;
}
