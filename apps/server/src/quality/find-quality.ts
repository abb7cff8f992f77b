import { type StartDropOut, type StartStep, startSteps } from '@voltdeck/charging/start-attempt';
import { type getQuality, type getQualityLeague, leagueRowsMax, leagueVisitsMin } from '@voltdeck/contract/quality';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { SiteId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { percentileMs } from '@voltdeck/units/log-bucket';
import { type Kysely, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { atOneMoment, type Trx } from '../database/transact.ts';
import { isWanted, measuredRows, type QualityWanted, startRows } from './sums-within.ts';

type Quality = AnswerOf<typeof getQuality>;
type League = AnswerOf<typeof getQualityLeague>;

type StepRow = {
  step: StartStep;
  drop_out: StartDropOut | null;
  attempts: number;
  visits: number;
  first_times: number;
  charges: number;
  energy_wh: number;
  occupied_ms: number;
};
type Measure = 'answer' | 'bill' | 'disconnection' | 'attended' | 'repair' | 'complaint';
type MeasuredRow = { measure: Measure; bucket: number; events: number };

/** Read from one snapshot: attempts go from the tail to the sums meanwhile. */
export function findQuality(db: Kysely<Tables>, caller: Reach, wanted: QualityWanted, at: Instant): Promise<Quality> {
  return atOneMoment(db, (trx) => readQuality(trx, caller, wanted, at));
}

async function readQuality(trx: Trx, caller: Reach, wanted: QualityWanted, at: Instant): Promise<Quality> {
  const steps = await sql<StepRow>`
    select step, drop_out, sum(attempts)::bigint as attempts, sum(visits)::bigint as visits,
           sum(first_times)::bigint as first_times, sum(charges)::bigint as charges,
           sum(energy_wh)::bigint as energy_wh, sum(occupied_ms)::bigint as occupied_ms
      from ${startRows(caller, wanted)} r group by step, drop_out`.execute(trx);
  const measured = await sql<MeasuredRow>`
    select measure, bucket, sum(events)::bigint as events from ${measuredRows(caller, wanted)} r
     group by measure, bucket`.execute(trx);
  const ports = await findPortDays(trx, caller, wanted, at);
  const sumOf = (figure: Exclude<keyof StepRow, 'step' | 'drop_out'>) =>
    steps.rows.reduce((sum, row) => sum + row[figure], 0);
  const ofMeasure = (measure: Measure) => measured.rows.filter((row) => row.measure === measure);
  const countOf = (measure: Measure) => ofMeasure(measure).reduce((sum, { events }) => sum + events, 0);
  const timesOf = (measure: Measure) => {
    const counts = new Map(ofMeasure(measure).map(({ bucket, events }) => [bucket, events]));
    return { count: countOf(measure), p50Ms: percentileMs(counts, 0.5), p99Ms: percentileMs(counts, 0.99) };
  };
  return {
    fromOn: wanted.fromOn,
    toOn: wanted.toOn,
    steps: stepsOf(steps.rows),
    visits: sumOf('visits'),
    firstTimes: sumOf('first_times'),
    charges: sumOf('charges'),
    energyWh: sumOf('energy_wh') as Quality['energyWh'],
    occupiedMs: sumOf('occupied_ms'),
    ...ports,
    disconnections: countOf('disconnection'),
    complaints: countOf('complaint'),
    answer: timesOf('answer'),
    bill: timesOf('bill'),
    attended: timesOf('attended'),
    repair: timesOf('repair'),
  };
}

function stepsOf(rows: readonly StepRow[]): Quality['steps'] {
  return startSteps.map((step, index) => {
    const here = rows.filter((row) => row.step === step);
    const reached = rows.filter((row) => startSteps.indexOf(row.step) >= index);
    return {
      step,
      attempts: reached.reduce((sum, { attempts }) => sum + attempts, 0),
      underWay:
        step === 'ended_clean' ? 0 : here.reduce((sum, row) => sum + (row.drop_out === null ? row.attempts : 0), 0),
      dropOuts: here
        .flatMap(({ drop_out: dropOut, attempts }) =>
          dropOut === null || attempts === 0 ? [] : [{ dropOut, attempts }],
        )
        .sort((a, b) => b.attempts - a.attempts),
    };
  });
}

/** The beginning of the day, in China, on which a station was added. */
const addedOn = sql`date_trunc('day', stations.created_at at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`;

/** A day that has begun counts as far as it is over. */
async function findPortDays(
  trx: Trx,
  caller: Reach,
  wanted: QualityWanted,
  at: Instant,
): Promise<Pick<Quality, 'portDays' | 'days'>> {
  const from = sql`(${wanted.fromOn}::date::timestamp at time zone 'Asia/Shanghai')`;
  const to = sql`least(((${wanted.toOn}::date + 1)::timestamp at time zone 'Asia/Shanghai'), ${toIso(at)}::timestamptz)`;
  const daysFrom = (since: unknown) => sql`greatest(0, extract(epoch from ${to} - ${since}) / 86400)`;
  const { rows } = await sql<{ days: number; port_days: number }>`
    select ${daysFrom(from)}::float8 as days,
           coalesce((select sum(${daysFrom(sql`greatest(${from}, ${addedOn})`)} * p.ports)
              from stations
              join (select station_id, count(*) as ports from connectors group by station_id) p on p.station_id = stations.id
             where ${isWanted(caller, wanted, 'stations')}), 0)::float8 as port_days`.execute(trx);
  return { days: rows[0]?.days ?? 0, portDays: rows[0]?.port_days ?? 0 };
}

type LeagueRow = {
  make: string | null;
  model: string | null;
  firmware: string | null;
  site_id: SiteId | null;
  site_name: string | null;
  attempts: number;
  visits: number;
  first_times: number;
  energised: number;
  ended_clean: number;
};

const namesBy = {
  make: ['make'],
  model: ['make', 'model'],
  firmware: ['make', 'model', 'firmware'],
  site: ['site_id'],
} as const;

/** Subjects with fewer visits than the minimum stand below the others, without a rank. */
export async function findLeague(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: QualityWanted,
  by: keyof typeof namesBy,
): Promise<League> {
  const names = sql.raw(namesBy[by].join(', '));
  const nameOf = (name: 'make' | 'model' | 'firmware' | 'site_id') =>
    sql.raw(
      namesBy[by].some((each) => each === name) ? `g.${name}` : `null::${name === 'site_id' ? 'bigint' : 'text'}`,
    );
  const { rows } = await sql<LeagueRow>`
    select ${nameOf('make')} as make, ${nameOf('model')} as model, ${nameOf('firmware')} as firmware,
           ${nameOf('site_id')} as site_id,
           (select name from sites where id = ${nameOf('site_id')}) as site_name,
           g.attempts, g.visits, g.first_times, g.energised, g.ended_clean
      from (
        select ${names}, sum(attempts)::bigint as attempts, sum(visits)::bigint as visits,
               sum(first_times)::bigint as first_times,
               coalesce(sum(attempts) filter (where step in ('energised', 'ended_clean')), 0)::bigint as energised,
               coalesce(sum(attempts) filter (where step = 'ended_clean'), 0)::bigint as ended_clean
          from ${startRows(caller, wanted)} r group by ${names}) g
     where g.attempts > 0
     order by g.visits >= ${leagueVisitsMin} desc, g.visits desc limit ${leagueRowsMax}`.execute(db);
  const share = ({ first_times: won, visits }: LeagueRow) => (visits === 0 ? 0 : won / visits);
  const ranked = rows
    .filter(({ visits }) => visits >= leagueVisitsMin)
    .sort((a, b) => share(b) - share(a) || b.visits - a.visits);
  const others = rows.filter(({ visits }) => visits < leagueVisitsMin);
  return {
    visitsMin: leagueVisitsMin,
    rows: [...ranked, ...others].map((row, index) => ({
      rank: index < ranked.length ? index + 1 : null,
      make: row.make,
      model: row.model,
      firmware: row.firmware,
      siteId: row.site_id,
      siteName: row.site_name,
      attempts: row.attempts,
      visits: row.visits,
      firstTimes: row.first_times,
      energised: row.energised,
      endedClean: row.ended_clean,
    })),
  };
}
