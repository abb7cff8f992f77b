import type { StationId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { sendTariff } from './send-tariff.ts';
import { tariffState } from './station-tariff.ts';

export const tariffWatchLimits = {
  everyMs: 15 * secondMs,
  /** The shortest interval between two tries at one station, so that one that always refuses costs little. */
  againAfterMs: 5 * minuteMs,
  /** Grace period after the login, in which a station asks by itself. */
  ownQuestionMs: 30 * secondMs,
  stationsAtOnce: 50,
} as const;

/** Sends stations the tariff they should run when they run another. Returns a function that ends the watch. */
export function watchTariffs(context: Context): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    watchTariffsOnce(context)
      .catch((error: unknown) => {
        context.log[isDatabaseAway(error) ? 'warn' : 'error']({ err: error }, 'tariffs: the watch was cut short');
      })
      .finally(() => {
        running = false;
      });
  }, tariffWatchLimits.everyMs);
  return () => clearInterval(timer);
}

/**
 * Rounds as long as one finds as many as it takes, so that a price change reaches ten thousand stations in a minute. A
 * station that was tried is left to the next time, so that those that never answer do not keep it going.
 */
export async function watchTariffsOnce(context: Context): Promise<void> {
  const startedAt = context.now();
  while ((await watchTariffsRound(context, startedAt)) === tariffWatchLimits.stationsAtOnce);
}

/** Rounds at once, after stations were given another rule; what they leave is found by the watch. */
export function watchTariffsNow(context: Context): void {
  watchTariffsOnce(context).catch((error: unknown) => {
    context.log.warn({ err: error }, 'tariffs: sending changed ones was cut short');
  });
}

/**
 * Starts with the stations whose last try is the oldest. A try is recorded before it is made, so that only one of several
 * nodes makes it.
 * @returns how many stations were sent their tariff
 */
async function watchTariffsRound(context: Context, startedAt: Instant): Promise<number> {
  const now = context.now();
  const { db } = context.database;
  const due = outOfDate(db)
    .where('stations.online_at', '<', instant(now - tariffWatchLimits.ownQuestionMs))
    .where((or) =>
      or.or([
        or('stations.tariff_asked_at', 'is', null),
        or('stations.tariff_asked_at', '<', instant(startedAt - tariffWatchLimits.againAfterMs)),
      ]),
    )
    .orderBy('stations.tariff_asked_at', (order) => order.asc().nullsFirst())
    .limit(tariffWatchLimits.stationsAtOnce)
    .forNoKeyUpdate('stations')
    .skipLocked();
  const taken = await db
    .with('due', () => due)
    .updateTable('stations')
    .from('due')
    .set({ tariff_asked_at: now, tariff_outcome: null, tariff_answer: null })
    .whereRef('stations.id', '=', 'due.id')
    .returning(['stations.id', 'stations.number', 'stations.agent_id as agentId'])
    .execute();
  await Promise.all(taken.map((station) => sendTariff(context, station)));
  return taken.length;
}

/**
 * Sends a tariff at once after it was changed by hand. A station that is charging gets it from the watch afterwards.
 */
export async function sendTariffIfIdle(context: Context, stationId: StationId): Promise<void> {
  const station = await outOfDate(context.database.db).where('stations.id', '=', stationId).executeTakeFirst();
  if (station !== undefined) await sendTariff(context, station);
}

/** Idle connected stations that run another tariff than they should. */
function outOfDate(db: Kysely<Tables>) {
  return db
    .selectFrom('stations')
    .select(['stations.id', 'stations.number', 'stations.agent_id as agentId'])
    .where('stations.online', '=', true)
    .where(sql<boolean>`${tariffState} in ('differs', 'unknown')`)
    .where(
      sql<boolean>`stations.id not in (select station_id from orders where orders.state in ('placed', 'charging'))`,
    )
    .where(
      sql<boolean>`not exists (select 1 from connectors
                                where connectors.station_id = stations.id and connectors.state = 'charging')`,
    );
}
