import {
  billAwaitedDays,
  type DayState,
  isDifferenceOpen,
  listReconciliationDays,
  listReconciliationDifferences,
  type Reconciliation,
  type ReconciliationDay,
  type ReconciliationDifference,
  type ReconciliationState,
} from '@voltdeck/contract/reconciliation';
import type { ReconciliationDayId, ReconciliationDifferenceId } from '@voltdeck/units/id';
import {
  dayMs,
  type Instant,
  instant,
  isoOrNull,
  parseIso,
  parseShanghaiDate,
  shanghaiDate,
  toIso,
} from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';

type Part = Omit<Reconciliation, 'ranAt'> & { ranAt: number };

/** The comparisons of a day in the order of their counterparts, as JSON. */
const parts = sql<Part[] | null>`(
  select json_agg(json_build_object(
           'counterpart', r.counterpart, 'state', r.state, 'ranAt', round(extract(epoch from r.ran_at) * 1000),
           'ourCount', r.our_count, 'ourFen', r.our_fen, 'ourWh', r.our_wh, 'theirCount', r.their_count,
           'theirFen', r.their_fen, 'theirWh', r.their_wh, 'feeFen', r.fee_fen, 'matchedCount', r.matched_count,
           'openCount', (select count(*) from reconciliation_differences d
                          where d.day = r.day and d.counterpart = r.counterpart and d.state in ('open', 'taken')))
         order by array_position(array['wechat', 'alipay', 'embedded', 'meters', 'ledger'], r.counterpart))
    from reconciliations r where r.day = reconciliation_days.day)`;

function daysAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('reconciliation_days')
    .leftJoin('users as sealers', 'sealers.id', 'reconciliation_days.sealed_by')
    .select([
      'reconciliation_days.id',
      'reconciliation_days.day',
      'reconciliation_days.sealed_at as sealedAt',
      'reconciliation_days.sealed_hash as sealedHash',
      'reconciliation_days.missing_bill_reason as missingBillReason',
      shownName<string | null>(language, 'user', 'sealers.real_name', 'sealers.real_name_key').as('sealedByName'),
      parts.as('parts'),
    ]);
}

type DayRow = {
  id: ReconciliationDayId;
  day: string;
  sealedAt: Instant | null;
  sealedHash: string | null;
  missingBillReason: string | null;
  sealedByName: string | null;
  parts: Part[] | null;
};

/** Whether the bills of a day are no longer looked for. */
export function isBillGivenUp(day: string, at: Instant): boolean {
  return day < lastAwaited(at);
}

/** The earliest day whose bills are still looked for. */
const lastAwaited = (at: Instant) => shanghaiDate(instant(at - billAwaitedDays * dayMs));

function toDay({ parts: read, sealedAt, ...row }: DayRow, at: Instant): ReconciliationDay {
  const shown = (read ?? []).map((part) => ({ ...part, ranAt: toIso(part.ranAt as Instant) }));
  return {
    ...row,
    state: stateOf(
      sealedAt,
      shown.map(({ state }) => state),
    ),
    parts: shown,
    openCount: shown.reduce((sum, { openCount }) => sum + openCount, 0),
    sealedAt: isoOrNull(sealedAt),
    isBillGivenUp: isBillGivenUp(row.day, at),
  };
}

function stateOf(sealedAt: Instant | null, states: readonly ReconciliationState[]): DayState {
  if (sealedAt !== null) return 'sealed';
  if (states.length === 0) return 'open';
  if (states.includes('differs')) return 'differs';
  return states.includes('waiting') ? 'waiting' : 'agrees';
}

export async function findDay(
  db: Kysely<Tables>,
  caller: Caller,
  day: string,
  at: Instant,
): Promise<ReconciliationDay | null> {
  if (caller.agents !== 'all' || parseShanghaiDate(day) === null) return null;
  const row = await daysAsShown(db, caller).where('reconciliation_days.day', '=', day).executeTakeFirst();
  return row === undefined ? null : toDay(row, at);
}

export const reconciliationDayList = listSource({
  route: listReconciliationDays,
  platformOnly: true,
  filtered(db, _caller, { sealed, from, to }) {
    let days = db.selectFrom('reconciliation_days');
    if (sealed !== undefined) days = days.where('reconciliation_days.sealed_at', sealed ? 'is not' : 'is', null);
    const [first, last] = [from, to].map((text) => (text === undefined ? null : parseIso(text)));
    if (first !== null && first !== undefined) days = days.where('reconciliation_days.day', '>=', shanghaiDate(first));
    if (last !== null && last !== undefined) days = days.where('reconciliation_days.day', '<=', shanghaiDate(last));
    return days;
  },
  id: sql`reconciliation_days.id`,
  sorts: { day: sql`reconciliation_days.day` },
  rows: (db, read) => daysAsShown(db, read),
  toItem: (row, { at }) => toDay(row, at),
  neverShrinks: true,
});

const differences = 'reconciliation_differences';

function differencesAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom(differences)
    .innerJoin('reconciliation_days as days', 'days.day', `${differences}.day`)
    .leftJoin('users as takers', 'takers.id', `${differences}.taken_by`)
    .leftJoin('users as enders', 'enders.id', `${differences}.ended_by`)
    .leftJoin('orders', 'orders.id', `${differences}.order_id`)
    .leftJoin('channel_refunds as refunds', 'refunds.id', `${differences}.refund_id`)
    .select([
      `${differences}.id`,
      `${differences}.day`,
      sql<ReconciliationDifference['counterpart']>`${sql.ref(`${differences}.counterpart`)}`.as('counterpart'),
      `${differences}.kind`,
      `${differences}.subject`,
      `${differences}.number`,
      `${differences}.third_party_number as thirdPartyNumber`,
      `${differences}.our_fen as ourFen`,
      `${differences}.their_fen as theirFen`,
      `${differences}.our_wh as ourWh`,
      `${differences}.their_wh as theirWh`,
      `${differences}.our_at as ourAt`,
      `${differences}.their_at as theirAt`,
      `${differences}.other_day as otherDay`,
      sql<
        ReconciliationDifference['paymentId']
      >`coalesce(reconciliation_differences.payment_id, refunds.payment_id)`.as('paymentId'),
      `${differences}.order_id as orderId`,
      'orders.station_id as stationId',
      sql<boolean>`num_nonnulls(reconciliation_differences.payment_id, reconciliation_differences.refund_id,
        reconciliation_differences.payout_id) > 0`.as('isAskable'),
      sql<ReconciliationDifference['repair']>`${sql.ref(`${differences}.repair`)}`.as('repair'),
      `${differences}.state`,
      `${differences}.found_at as foundAt`,
      `${differences}.taken_at as takenAt`,
      `${differences}.ended_at as endedAt`,
      `${differences}.outcome`,
      `${differences}.reason`,
      sql<boolean>`days.sealed_at is not null`.as('isSealed'),
      shownName<string | null>(language, 'user', 'takers.real_name', 'takers.real_name_key').as('takenByName'),
      shownName<string | null>(language, 'user', 'enders.real_name', 'enders.real_name_key').as('endedByName'),
    ]);
}

type Times = { ourAt: Instant | null; theirAt: Instant | null; foundAt: Instant; takenAt: Instant | null };

function toDifference<R extends Times & { endedAt: Instant | null }>(row: R) {
  return {
    ...row,
    ourAt: isoOrNull(row.ourAt),
    theirAt: isoOrNull(row.theirAt),
    foundAt: toIso(row.foundAt),
    takenAt: isoOrNull(row.takenAt),
    endedAt: isoOrNull(row.endedAt),
  };
}

export async function findDifference(
  db: Kysely<Tables>,
  caller: Caller,
  id: ReconciliationDifferenceId,
): Promise<ReconciliationDifference | null> {
  if (caller.agents !== 'all') return null;
  const row = await differencesAsShown(db, caller).where(`${differences}.id`, '=', id).executeTakeFirst();
  return row === undefined ? null : toDifference(row);
}

export const reconciliationDifferenceList = listSource({
  route: listReconciliationDifferences,
  platformOnly: true,
  filtered(db, caller, filter) {
    let found = db.selectFrom(differences);
    const { state, counterpart, kind, day, number, mine, from, to } = filter;
    if (state !== undefined) {
      // In the words of the index of open ones, where only those are wanted.
      if (state.every(isDifferenceOpen))
        found = found.where(sql<boolean>`${sql.ref(`${differences}.state`)} in ('open', 'taken')`);
      if (state.length < 2 || !state.every(isDifferenceOpen)) found = found.where(`${differences}.state`, 'in', state);
    }
    if (counterpart !== undefined) found = found.where(`${differences}.counterpart`, 'in', counterpart);
    if (kind !== undefined) found = found.where(`${differences}.kind`, 'in', kind);
    if (day !== undefined) {
      if (parseShanghaiDate(day) === null) return null;
      found = found.where(`${differences}.day`, '=', day);
    }
    if (number !== undefined) found = found.where(`${differences}.number`, 'in', [number, number.toUpperCase()]);
    if (mine === true) found = found.where(`${differences}.taken_by`, '=', caller.userId);
    if (mine === false) found = found.where(`${differences}.taken_by`, 'is distinct from', caller.userId);
    const first = from === undefined ? null : parseIso(from);
    const last = to === undefined ? null : parseIso(to);
    if (first !== null) found = found.where(`${differences}.day`, '>=', shanghaiDate(first));
    if (last !== null) found = found.where(`${differences}.day`, '<=', shanghaiDate(last));
    return found;
  },
  id: sql`reconciliation_differences.id`,
  sorts: { day: sql`reconciliation_differences.day` },
  sums: {
    ourFen: sql`coalesce(reconciliation_differences.our_fen, 0)`,
    theirFen: sql`coalesce(reconciliation_differences.their_fen, 0)`,
  },
  rows: (db, read) => differencesAsShown(db, read),
  toItem: toDifference,
});
