import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { presenceLimits } from './station-presence.ts';

/** A holder that has not confirmed within this has lost the station: three times the confirmation interval. */
export const holdLostMs = 3 * presenceLimits.lastSeenEveryMs;

/**
 * Marks stations offline that the ended process of this node left as online, because a starting node holds no socket.
 * Stations held by other nodes stay, and all reconnect by themselves.
 */
export async function forgetConnections(context: Context<'stations'>, node: string): Promise<void> {
  await letGo(context, sql`s.holder = ${node} or s.holder is null`);
}

/** Marks stations offline whose node ended without a word, since nobody holds them any more. */
export async function forgetLostHolders(context: Context<'stations'>): Promise<void> {
  await letGo(context, sql`s.last_seen_at < to_timestamp(${context.now() - holdLostMs} / 1000.0)`);
}

/** Checks for lost holders periodically. @returns a function that stops it. */
export function watchHolders(context: Context<'stations'>): () => void {
  const timer = setInterval(() => {
    forgetLostHolders(context).catch((error: unknown) => {
      context.log.warn({ error: String(error) }, 'gateway: checking for lost holders failed');
    });
  }, presenceLimits.lastSeenEveryMs);
  return () => clearInterval(timer);
}

/** A hundred thousand at once, each with its triggers, would take longer than a statement may. */
const letGoAtOnce = 5_000;

/** Without a holder; if one still has the station after all, its next confirmation brings it back. */
async function letGo(context: Context<'stations'>, whose: ReturnType<typeof sql>): Promise<void> {
  const now = context.now();
  const held = sql`s.online and (${whose})`;
  for (let gone = 1; gone > 0; ) {
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        update stations s set online = false, holder = null, offline_at = to_timestamp(${now} / 1000.0)
         where ${held} and s.id in (select s.id from stations s where ${held} limit ${letGoAtOnce}) returning s.id
      ), ports as (
        update connectors c
           set state = 'offline', state_at = to_timestamp(${now} / 1000.0), fault_code = null, fault_info = null
          from gone where c.station_id = gone.id and c.state <> 'offline'
      )
      select count(*)::integer as gone from gone`.execute(context.database.db);
    gone = rows[0]?.gone ?? 0;
  }
}
