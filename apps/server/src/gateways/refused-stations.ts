import type { Protocol } from '@voltdeck/charging/states';
import type { StationId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** Why a registered station was not let in; phrase keys of the connection help. */
export type Refusal = 'no_password' | 'wrong_user' | 'wrong_password' | 'wrong_subprotocol' | 'wrong_protocol';

export const unknownStationsMax = 10_000;
/** A station that tries every second is written down this often. */
const noteEveryMs = 5 * secondMs;
const notedMax = 10_000;

export type RefusedStations = {
  /** Keeps a station that nobody registered in the list from which one click adopts it. */
  noteUnknown(tried: { number: string; protocol: Protocol; remoteAddress: string }): Promise<void>;
  /** Tells the installer, in the station's connection help, why the charger is not let in. */
  noteRefusal(stationId: StationId, refusal: { because: Refusal; remoteAddress: string }): Promise<void>;
};

export function createRefusedStations(context: Context<'stations'>): RefusedStations {
  const notedAt = new Map<string, number>();
  const isDue = (key: string, now: number): boolean => {
    if (now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return false;
    if (notedAt.size >= notedMax) notedAt.clear();
    notedAt.set(key, now);
    return true;
  };
  return {
    async noteUnknown({ number, protocol, remoteAddress }) {
      const now = context.now();
      if (!isDue(`${protocol} ${number}`, now)) return;
      await sql`
        insert into unknown_stations (number, protocol, remote_address, first_seen_at, last_seen_at)
        select ${number}, ${protocol}, ${remoteAddress}, to_timestamp(${now} / 1000.0), to_timestamp(${now} / 1000.0)
         where (select count(*) from unknown_stations) < ${unknownStationsMax}
        on conflict (protocol, number) do update
           set last_seen_at = excluded.last_seen_at, remote_address = excluded.remote_address,
               attempts = unknown_stations.attempts + 1`.execute(context.database.db);
      context.bus.publish({ agentId: null, event: { kind: 'unknown-stations-changed' } });
    },
    async noteRefusal(stationId, { because, remoteAddress }) {
      const now = context.now();
      if (!isDue(`${stationId} ${because}`, now)) return;
      await context.database.db
        .updateTable('stations')
        .set({ refused_at: now, refused_because: because, refused_address: remoteAddress })
        .where('id', '=', stationId)
        .execute();
    },
  };
}
