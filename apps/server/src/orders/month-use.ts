import type { GroupMemberId } from '@voltdeck/units/id';
import { type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** A month in Asia/Shanghai: from the first instant up to that of the next. */
export type Month = { from: Instant; to: Instant };

/** The month of an instant. */
export function monthOf(at: Instant): Month {
  return namedMonth(shanghaiDate(at).slice(0, 7));
}

/** A month by its name, "2026-11". */
export function namedMonth(name: string): Month {
  const [year = 0, month = 0] = name.split('-').map(Number);
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
  return { from: firstInstant(name), to: firstInstant(next) };
}

function firstInstant(name: string): Instant {
  return instant(Date.parse(`${name}-01T00:00:00+08:00`));
}

/** What of an order `o` counts against the month of its member: a settled bill less refunds, or what is held. */
const counted = sql`case o.state
  when 'completed' then o.amount_fen - o.discount_fen - o.refunded_fen - o.forgiven_fen
  when 'cancelled' then 0 else o.held_fen end`;

/**
 * What a member's orders of a month come to, for the member whose id is `memberId`. An order belongs to the month in
 * which it was placed.
 */
export function monthUse(memberId: RawBuilder<unknown>, { from, to }: Month) {
  const orders = sql`from orders o
    where o.group_member_id = ${memberId} and o.placed_at >= to_timestamp(${from} / 1000.0)
      and o.placed_at < to_timestamp(${to} / 1000.0)`;
  return {
    spentFen: sql<Fen>`(select coalesce(sum(${counted}), 0)::bigint ${orders})`,
    charges: sql<number>`(select count(*)::integer ${orders} and o.state <> 'cancelled')`,
  };
}

export type MonthUse = { spentFen: Fen; charges: number };

/** The same, read. Hold a lock of the member where a decision follows from it. */
export async function readMonthUse(db: Kysely<Tables>, memberId: GroupMemberId, month: Month): Promise<MonthUse> {
  const { spentFen, charges } = monthUse(sql`${memberId}`, month);
  const { rows } = await sql<MonthUse>`select ${spentFen} as "spentFen", ${charges} as charges`.execute(db);
  const [use] = rows;
  if (use === undefined) throw new Error('an aggregate gave no row');
  return use;
}
