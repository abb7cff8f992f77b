import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { presenceLimits } from './station-presence.ts';

/** A holder that has not said so for this long holds the station no more: three times what it takes to say it again. */
export const holdLostMs = 3 * presenceLimits.lastSeenEveryMs;

/**
 * A node that starts holds no socket: what its ended process left as online is not. Stations that another node holds
 * stay, and all come back by themselves.
 */
export async function forgetConnections(context: Context<'stations'>, node: string): Promise<void> {
  await letGo(context, sql`s.holder = ${node} or s.holder is null`);
}

/** Nodes that ended without a word leave their stations online: nobody holds these any more. */
export async function forgetLostHolders(context: Context<'stations'>): Promise<void> {
  await letGo(context, sql`s.last_seen_at < to_timestamp(${context.now() - holdLostMs} / 1000.0)`);
}

/** Looks for lost holders all the time. @returns the end of it. */
export function watchHolders(context: Context<'stations'>): () => void {
  const timer = setInterval(() => {
    forgetLostHolders(context).catch((error: unknown) => {
      context.log.warn({ error: String(error) }, 'gateway: lost holders could not be looked for');
    });
  }, presenceLimits.lastSeenEveryMs);
  return () => clearInterval(timer);
}

/** Without a holder: should one turn up that still has the station, its next word brings it back. */
async function letGo(context: Context<'stations'>, whose: ReturnType<typeof sql>): Promise<void> {
  const now = context.now();
  await sql`
    with gone as (
      update stations s set online = false, holder = null, offline_at = to_timestamp(${now} / 1000.0)
       where s.online and (${whose}) returning s.id
    )
    update connectors c
       set state = 'offline', state_at = to_timestamp(${now} / 1000.0), fault_code = null, fault_info = null
      from gone where c.station_id = gone.id and c.state <> 'offline'`.execute(context.database.db);
}
