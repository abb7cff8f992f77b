import type { Counterpart } from '@voltdeck/contract/reconciliation';
import { dayMs, type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';
import { dayOf, instantSql } from './comparison.ts';
import { counterpartsOf, reconcileDay } from './reconcile-day.ts';

/** As many past days as bills are fetched for. */
const daysLookedBack = 10;

type Room = { db: Kysely<Tables>; log: Pick<Logger, 'error' | 'info'>; now(): Instant };

/**
 * Compares what is due of the last days: what was never compared, what waited for a bill that has come, and what still
 * differs, because it may have been repaired. Older days are compared by hand.
 * @returns how many comparisons were made.
 */
export async function reconcileDue({ db, log, now }: Room): Promise<number> {
  const at = now();
  const first = await firstDay(db);
  let made = 0;
  for (let back = daysLookedBack; back >= 1; back -= 1) {
    const day = dayOf(shanghaiDate(instant(at - back * dayMs)));
    if (day === null || first === null || day.day < first) continue;
    const due = await dueOf(db, day.day, await counterpartsOf(db, day));
    if (due.length === 0) continue;
    const ran = await reconcileDay(db, day.day, at, due);
    if (ran.ok) made += due.length;
    else if (ran.error.code !== 'reconciliation.sealed')
      log.error({ day: day.day, error: ran.error }, 'reconciliation');
  }
  return made;
}

async function dueOf(db: Kysely<Tables>, day: string, counterparts: readonly Counterpart[]): Promise<Counterpart[]> {
  const { rows } = await sql<{ counterpart: Counterpart }>`
    select c.counterpart from unnest(${[...counterparts]}::text[]) with ordinality as c (counterpart, place)
      left join reconciliations r on r.day = ${day}::date and r.counterpart = c.counterpart
      left join channel_bills b on b.day = ${day}::date and b.channel = c.counterpart and b.failure is null
     where not is_day_sealed(${day}::date)
       and (r.day is null or r.state = 'differs' or (r.state = 'waiting' and b.day is not null))
     order by c.place`.execute(db);
  return rows.map(({ counterpart }) => counterpart);
}

/** The first day on which anything happened that is compared; null while nothing has. */
async function firstDay(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ at: Instant | null }>`
    select least((select created_at from channel_payments order by id limit 1),
                 (select settled_at from orders where settled_at > ${instantSql(instant(0))}
                   order by settled_at limit 1)) as at`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : shanghaiDate(at);
}
