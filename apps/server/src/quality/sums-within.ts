import { codesWithin } from '@voltdeck/regions/regions';
import { addDays, firstOfMonth } from '@voltdeck/units/day';
import type { DayPeriod } from '@voltdeck/units/day-period';
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import { figuresOfFlows, startFigures, startKeys } from './keep-attempt-sums.ts';

export type QualityWanted = DayPeriod & {
  siteId?: number | undefined;
  agentId?: number | undefined;
  regionCode?: string | undefined;
  equipmentType?: string | undefined;
  startMode?: readonly string[] | undefined;
};

/** Whether rows of an alias are the caller's to see, and wanted. */
export function isWanted(caller: Reach, wanted: QualityWanted, alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const parts = [sql`true`];
  if (caller.agents !== 'all') parts.push(sql`${column('agent_id')} = any(${[...caller.agents]}::bigint[])`);
  if (wanted.siteId !== undefined) parts.push(sql`${column('site_id')} = ${wanted.siteId}`);
  if (wanted.agentId !== undefined) parts.push(sql`${column('agent_id')} = ${wanted.agentId}`);
  if (wanted.equipmentType !== undefined) parts.push(sql`${column('equipment_type')} = ${wanted.equipmentType}`);
  if (wanted.regionCode !== undefined) {
    const { from, to } = codesWithin(wanted.regionCode);
    parts.push(
      sql`${column('site_id')} in (select id from sites where region_code >= ${from} and region_code <= ${to})`,
    );
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Days of a month that are added up one by one; of more, the other days are taken off the month. */
const daysApartMax = 15;

/**
 * Rows `s` of sums that together are the days of a period: whole months, and days that are added to them or taken off,
 * as `signOf` says. Without whole months, its days.
 */
function covers(period: DayPeriod): RawBuilder<boolean> {
  const { fromOn } = period;
  const end = addDays(period.toOn, 1);
  const isEarly = dayOfMonth(fromOn) <= daysApartMax + 1;
  const isLate = dayOfMonth(end) > daysApartMax + 1;
  const first = isEarly ? firstOfMonth(fromOn) : firstOfMonth(fromOn, 1);
  const last = isLate ? firstOfMonth(end, 1) : firstOfMonth(end);
  if (first >= last) return daysBetween(fromOn, end);
  return sql<boolean>`(
    s.grain = 'month' and s.from_on >= ${first}::date and s.from_on < ${last}::date
    or ${isEarly ? daysBetween(first, fromOn) : daysBetween(fromOn, first)}
    or ${isLate ? daysBetween(end, last) : daysBetween(last, end)})`;
}

/** 1, or -1 for days that lie outside the period and in one of its months. */
function signOf({ fromOn, toOn }: DayPeriod): RawBuilder<number> {
  return sql<number>`case when s.grain = 'month' or s.from_on between ${fromOn}::date and ${toOn}::date then 1 else -1 end`;
}

const daysBetween = (from: string, end: string) =>
  sql<boolean>`(s.grain = 'day' and s.from_on >= ${from}::date and s.from_on < ${end}::date)`;

const dayOfMonth = (day: string) => Number(day.slice(8));

const keys = sql.raw(startKeys.join(', '));
const signed = (sign: RawBuilder<number>) =>
  sql.join(startFigures.map((figure) => sql`(${sign}) * ${sql.ref(figure)} as ${sql.ref(figure)}`));

/** The same for attempts, which know how they were started. */
function isWantedAttempt(caller: Reach, wanted: QualityWanted, alias: string): RawBuilder<boolean> {
  const isIn = isWanted(caller, wanted, alias);
  const { startMode } = wanted;
  if (startMode === undefined) return isIn;
  return sql<boolean>`${isIn} and ${sql.ref(`${alias}.start_mode`)} = any(${[...startMode]}::text[])`;
}

/** What attempts of a period came to, as a subquery with `startKeys` and `startFigures`: sums, and what they lack. */
export function startRows(caller: Reach, wanted: QualityWanted): RawBuilder<unknown> {
  const { fromOn, toOn } = wanted;
  return sql`(
    select ${keys}, ${signed(signOf(wanted))} from start_sums s where ${covers(wanted)} and ${isWantedAttempt(caller, wanted, 's')}
    union all
    select ${keys}, ${figuresOfFlows} from start_attempt_flows f
     where quality_day(at) between ${fromOn}::date and ${toOn}::date and ${isWantedAttempt(caller, wanted, 'f')}
     group by ${keys})`;
}

/** Events by measure and bucket of a period. */
export function measuredRows(caller: Reach, wanted: QualityWanted): RawBuilder<unknown> {
  const { fromOn, toOn } = wanted;
  const within = sql`between ${fromOn}::date and ${toOn}::date`;
  return sql`(
    select measure, bucket, (${signOf(wanted)}) * events as events from quality_sums s where ${covers(wanted)} and ${isWanted(caller, wanted, 's')}
    union all
    select measure, bucket, events from quality_changes c where day ${within} and ${isWanted(caller, wanted, 'c')}
    union all
    select measure, quality_bucket(ms), sign
      from start_attempt_flows f
      cross join lateral (values ('answer', answered_ms::bigint), ('bill', billed_ms)) m (measure, ms)
     where ms is not null and quality_day(at) ${within} and ${isWanted(caller, wanted, 'f')})`;
}
