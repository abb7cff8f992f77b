import { codesWithin } from '@voltdeck/regions/regions';
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { DayPeriod } from '../finance/day-period.ts';
import { figuresOfFlows, startFigures, startKeys } from './keep-attempt-sums.ts';

export type QualityWanted = DayPeriod & {
  siteId?: number | undefined;
  agentId?: number | undefined;
  regionCode?: string | undefined;
  equipmentType?: string | undefined;
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

/** Rows `s` of sums that cover the days exactly: the months that lie within them whole, and the days around those. */
function covers({ fromOn, toOn }: DayPeriod): RawBuilder<boolean> {
  const first = fromOn.endsWith('-01') ? fromOn : firstOfNextMonth(fromOn);
  // The month of the last day is whole where the next day begins another.
  const end = firstOfNextMonth(toOn) === nextDay(toOn) ? nextDay(toOn) : `${toOn.slice(0, 8)}01`;
  if (first >= end) return sql`s.grain = 'day' and s.from_on between ${fromOn}::date and ${toOn}::date`;
  return sql`((s.grain = 'month' and s.from_on >= ${first}::date and s.from_on < ${end}::date)
    or (s.grain = 'day' and s.from_on >= ${fromOn}::date and s.from_on < ${first}::date)
    or (s.grain = 'day' and s.from_on >= ${end}::date and s.from_on <= ${toOn}::date))`;
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function firstOfNextMonth(day: string): string {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1)).toISOString().slice(0, 10);
}

const keys = sql.raw(startKeys.join(', '));
const figures = sql.raw(startFigures.join(', '));

/** What attempts of a period came to, as a subquery with `startKeys` and `startFigures`: sums, and what they lack. */
export function startRows(caller: Reach, wanted: QualityWanted): RawBuilder<unknown> {
  const { fromOn, toOn } = wanted;
  return sql`(
    select ${keys}, ${figures} from start_sums s where ${covers(wanted)} and ${isWanted(caller, wanted, 's')}
    union all
    select ${keys}, ${figuresOfFlows} from start_attempt_flows f
     where quality_day(at) between ${fromOn}::date and ${toOn}::date and ${isWanted(caller, wanted, 'f')}
     group by ${keys})`;
}

/** Events by measure and bucket of a period. */
export function measuredRows(caller: Reach, wanted: QualityWanted): RawBuilder<unknown> {
  const { fromOn, toOn } = wanted;
  const within = sql`between ${fromOn}::date and ${toOn}::date`;
  return sql`(
    select measure, bucket, events from quality_sums s where ${covers(wanted)} and ${isWanted(caller, wanted, 's')}
    union all
    select measure, bucket, events from quality_changes c where day ${within} and ${isWanted(caller, wanted, 'c')}
    union all
    select measure, quality_bucket(ms), sign
      from start_attempt_flows f
      cross join lateral (values ('answer', answered_ms::bigint), ('bill', billed_ms)) m (measure, ms)
     where ms is not null and quality_day(at) ${within} and ${isWanted(caller, wanted, 'f')})`;
}
