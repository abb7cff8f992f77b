import type { StationId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Asking } from './admission.ts';

/** Why a registered station was not let in; phrase keys of the connection help. */
export type Refusal =
  | 'no_password'
  | 'wrong_user'
  | 'wrong_password'
  | 'wrong_subprotocol'
  | 'wrong_protocol'
  | 'too_many_attempts'
  | 'no_certificate'
  | 'foreign_certificate'
  | 'certificate_of_another'
  | 'wrong_network';

/** The list of unknown stations. Beyond a limit whoever was seen longest ago makes room. */
export const unknownStationLimits = { all: 10_000, perNetwork: 500 } as const;
/** A station that tries every second is written down this often. */
const noteEveryMs = 5 * secondMs;
const notedMax = 10_000;

export type RefusedStations = {
  /** Keeps a station that nobody registered in the list from which one click adopts it. */
  noteUnknown(asking: Asking): Promise<void>;
  /** Tells the installer, in the station's connection help, why the charger is not let in. */
  noteRefusal(stationId: StationId, refusal: { because: Refusal; remoteAddress: string }): Promise<void>;
};

export function createRefusedStations(
  context: Context<'stations'>,
  limits: { all: number; perNetwork: number } = unknownStationLimits,
): RefusedStations {
  const notedAt = new Map<string, number>();
  const isDue = (key: string, now: number): boolean => {
    if (now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return false;
    if (notedAt.size >= notedMax) notedAt.clear();
    notedAt.set(key, now);
    return true;
  };
  return {
    async noteUnknown({ number, protocol, remoteAddress, network }) {
      const now = context.now();
      if (!isDue(`${protocol} ${number}`, now)) return;
      const { db } = context.database;
      const { rows } = await sql<{ isNew: boolean }>`
        insert into unknown_stations (number, protocol, remote_address, network, first_seen_at, last_seen_at)
        values (${number}, ${protocol}, ${remoteAddress}, ${network},
                to_timestamp(${now} / 1000.0), to_timestamp(${now} / 1000.0))
        on conflict (protocol, number) do update
           set last_seen_at = excluded.last_seen_at, remote_address = excluded.remote_address,
               network = excluded.network, attempts = unknown_stations.attempts + 1
        returning xmax = 0 as "isNew"`.execute(db);
      if (rows[0]?.isNew === true) {
        await sql`
          delete from unknown_stations
           where id in (select id from unknown_stations where network = ${network}
                         order by last_seen_at desc, id desc offset ${limits.perNetwork})
              or id in (select id from unknown_stations order by last_seen_at desc, id desc offset ${limits.all})`.execute(
          db,
        );
      }
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
