import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { type getSalesProof, type rebuildSales, rebuildsShown, type SalesRebuild } from '@voltdeck/contract/statistics';
import type { Id } from '@voltdeck/units/id';
import { type Instant, isoOrNull, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { shownName } from '../http/shown-name.ts';
import { askRebuild } from './rebuild-sales.ts';

type Row = Omit<SalesRebuild, 'askedAt' | 'doneAt'> & { askedAt: Instant; doneAt: Instant | null };

async function findRebuilds(
  db: Kysely<Tables>,
  { language }: Caller,
  only: Id<'sale_rebuild'> | null = null,
): Promise<SalesRebuild[]> {
  const rows: Row[] = await db
    .selectFrom('sale_rebuilds as r')
    .leftJoin('users', 'users.id', 'r.user_id')
    .select(['r.id', 'r.because', 'r.days', 'r.differing', 'r.failed', 'r.asked_at as askedAt', 'r.done_at as doneAt'])
    .select([
      sql<string>`r.from_on::text`.as('fromOn'),
      sql<string>`r.to_on::text`.as('toOn'),
      sql<number>`r.to_on - r.from_on + 1`.as('daysInAll'),
      sql<boolean>`r.done_at is null and r.asked_at > now()`.as('waitsForNight'),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
    ])
    .orderBy('r.asked_at', 'desc')
    .orderBy('r.id', 'desc')
    .where((eb) => (only === null ? eb.lit(true) : eb('r.id', '=', only)))
    .limit(rebuildsShown)
    .execute();
  return rows.map(({ askedAt, doneAt, ...row }) => ({ ...row, askedAt: toIso(askedAt), doneAt: isoOrNull(doneAt) }));
}

/** Whether the kept sums are what the orders say. */
export async function findSalesProof(db: Kysely<Tables>, caller: Caller): Promise<AnswerOf<typeof getSalesProof>> {
  const { rows } = await sql<{ waiting: number; keptAt: Instant | null }>`
    select (select count(*)::int from sale_changes) as waiting, kept_at as "keptAt" from sale_progress`.execute(db);
  const [first] = rows;
  return {
    waiting: first?.waiting ?? 0,
    keptAt: isoOrNull(first?.keptAt ?? null),
    rebuilds: await findRebuilds(db, caller),
  };
}

/** Asks for a comparison of days with their orders: of all that have any, unless the body says which. */
export async function startRebuild(
  trx: Trx,
  caller: Caller,
  body: BodyOf<typeof rebuildSales>,
  at: Instant,
): Promise<Result<SalesRebuild, ApiError>> {
  // Requests take turns, because concurrent ones would all find none running.
  await sql`select pg_advisory_xact_lock(hashtextextended('request for a comparison of sums', 0))`.execute(trx);
  const { rows } = await sql<{ first: string | null; running: boolean }>`
    select (select (min(ended_at) at time zone 'Asia/Shanghai')::date::text from orders) as first,
           exists (select 1 from sale_rebuilds where done_at is null and because = 'asked') as running`.execute(trx);
  if (rows[0]?.running === true) return failed({ code: 'statistics.rebuild_running' });
  const today = shanghaiDate(at);
  const toOn = body.toOn === undefined || body.toOn > today ? today : body.toOn;
  const first = rows[0]?.first ?? today;
  const begun = body.fromOn === undefined || body.fromOn < first ? first : body.fromOn;
  if (body.fromOn !== undefined && body.fromOn > toOn) {
    return failed({ code: 'request.invalid', fields: [{ path: 'fromOn', code: 'invalid' }] });
  }
  const [fromOn = toOn] = [begun, toOn].toSorted();
  const id = await askRebuild(trx, { fromOn, toOn, because: 'asked', userId: caller.userId, at });
  await audit(trx, caller, at, {
    action: 'statistics.rebuild',
    recordKind: 'statistics',
    recordId: fromOn,
    after: { fromOn, toOn },
  });
  const [rebuild] = await findRebuilds(trx, caller, id);
  if (rebuild === undefined) throw new Error('the request was not written');
  return ok(rebuild);
}
