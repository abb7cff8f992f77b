import { isPaymentChannel } from '@voltdeck/contract/payment-channels';
import type { Counterpart } from '@voltdeck/contract/reconciliation';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { oursOf } from './compare-channel.ts';
import { type Day, instantSql } from './comparison.ts';

/** What of a day's records is part of its seal. */
export type DigestedPart = 'bills' | 'payments' | 'orders' | 'transfers';

export type Digest = { part: DigestedPart; counterpart: Counterpart; rows: number; sha256: string };

/** Rows are hashed by the thousand, and these hashes together, so that a day of any size takes little memory. */
const rowsOfPiece = 1_000;

/** The records of both sides of a day, hashed in a fixed order. */
export async function digestsOf(db: Kysely<Tables>, day: Day, counterparts: readonly Counterpart[]): Promise<Digest[]> {
  const digests: Digest[] = [];
  for (const counterpart of counterparts) {
    for (const { part, rows } of sourcesOf(day, counterpart)) {
      const [digest] = (
        await sql<{ rows: number; sha256: string }>`
        with numbered as (select text, row_number() over (order by place) - 1 as place from (${rows}) r (place, text)),
        pieces as (
          select place / ${rowsOfPiece} as piece, count(*) as rows,
                 sha256(convert_to(string_agg(text, chr(10) order by place), 'UTF8')) as hash
            from numbered group by 1)
        select coalesce(sum(rows), 0)::int as rows,
               encode(sha256(coalesce(string_agg(hash, ''::bytea order by piece), ''::bytea)), 'hex') as sha256
          from pieces`.execute(db)
      ).rows;
      if (digest === undefined) throw new Error('a digest has no row');
      digests.push({ part, counterpart, ...digest });
    }
  }
  return digests;
}

/** Each record as a line of text, and its place in the order. */
function sourcesOf(
  { day, from, to }: Day,
  counterpart: Counterpart,
): { part: DigestedPart; rows: RawBuilder<unknown> }[] {
  if (isPaymentChannel(counterpart)) {
    return [
      {
        part: 'bills',
        rows: sql`
          select line, concat_ws('|', line, kind, number, third_party_number, amount_fen, fee_fen,
                                 extract(epoch from at), raw)
            from channel_bill_lines where channel = ${counterpart} and day = ${day}::date`,
      },
      {
        part: 'payments',
        rows: sql`
          select kind || ':' || number, concat_ws('|', kind, number, fen) from (${oursOf(counterpart, day)}) o`,
      },
    ];
  }
  if (counterpart === 'meters') {
    return [
      {
        part: 'orders',
        rows: sql`
          select id, concat_ws('|', id, number, energy_wh, amount_fen, coalesce(meter_start_wh, -1),
                               coalesce(meter_stop_wh, -1), extract(epoch from settled_at))
            from orders where settled_at >= ${instantSql(from)} and settled_at < ${instantSql(to)}
             and state = 'completed'`,
      },
    ];
  }
  return [
    {
      part: 'transfers',
      rows: sql`
        select id, concat_ws('|', id, key, reason, amount_fen, order_id) from ledger_transfers
         where created_at >= ${instantSql(from)} and created_at < ${instantSql(to)} and order_id is not null`,
    },
  ];
}
