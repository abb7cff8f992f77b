import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { storableText } from '../database/column-values.ts';
import type { Tables } from '../database/tables.generated.ts';
import { maskFields } from './mask-fields.ts';
import type { Asked } from './payment-channel.ts';

export type CallKind =
  | 'create_payment'
  | 'query_payment'
  | 'close_payment'
  | 'refund'
  | 'query_refund'
  | 'payout'
  | 'query_payout'
  | 'fetch_keys'
  | 'find_bill'
  | 'download_bill';

export type ChannelCall = {
  at: Instant;
  kind: CallKind;
  /** The business number that it is about. */
  number: string | null;
  request: unknown;
  response: unknown;
  /** Of HTTP; null without an answer. */
  status: number | null;
  outcome: Asked<unknown>['outcome'];
  /** Why nothing is known, or why the channel refused. */
  problem: string | null;
  tookMs: number;
};

/** Writes a call down. It never throws: what a channel answered counts more than its record. */
export type CallLog = (channel: PaymentChannelName, call: ChannelCall) => Promise<void>;

const textMax = 16_384;

export function createCallLog(db: Kysely<Tables>, log: Pick<Logger, 'error'>): CallLog {
  return async (channel, { request, response, ...call }) => {
    try {
      await db
        .insertInto('channel_calls')
        .values({
          at: call.at,
          channel,
          kind: call.kind,
          number: call.number,
          request: textOf(request),
          response: response === null || response === undefined ? null : textOf(response),
          status: call.status,
          outcome: call.outcome,
          problem: storableText(call.problem),
          took_ms: Math.round(call.tookMs),
        })
        .execute();
    } catch (error) {
      log.error(
        { err: error, channel, kind: call.kind, number: call.number },
        'a call of a channel was not written down',
      );
    }
  };
}

/** JSON with masked fields, cut where it is long. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(maskFields(value)) ?? '');
  return (storableText(text) ?? '').slice(0, textMax);
}
