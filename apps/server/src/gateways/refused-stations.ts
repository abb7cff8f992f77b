import { setTimeout as wait } from 'node:timers/promises';
import type { StationId } from '@voltdeck/units/id';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Asking } from './admission.ts';

/** Why a registered station was not admitted; phrase keys of the connection help. */
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

/** Size of the list of unknown stations. Beyond it, the one seen longest ago is removed. */
export const unknownStationLimits = { all: 10_000, perNetwork: 500 } as const;
/** How often a station that tries every second is recorded. */
const noteEveryMs = 5 * secondMs;
const notedMax = 10_000;
/** Interval between two writes, so that a storm of strangers is a few statements. */
const writeEveryMs = 250;
const waitingMax = 1_000;

export type RefusedStations = {
  /**
   * Adds an unregistered station to the list from which one click adopts it, at once or together with others that
   * follow soon.
   */
  noteUnknown(asking: Asking): void;
  /** Records, for the installer, why the station was refused; its connection help shows it. */
  noteRefusal(stationId: StationId, refusal: { because: Refusal; remoteAddress: string }): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
};

type Noted = Asking & { at: Instant };

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
  let waiting = new Map<string, Noted>();
  let writing: Promise<void> | null = null;
  const closing = new AbortController();
  const writeAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const noted = [...waiting.values()];
      waiting = new Map();
      try {
        await keepUnknown(context.database.db, noted, limits);
        context.bus.publish({ agentId: null, event: { kind: 'unknown-stations-changed' } });
      } catch (error) {
        // They will try again.
        context.log.warn({ error: String(error), count: noted.length }, 'listing unknown stations failed');
      }
      await wait(writeEveryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
    writing = null;
  };
  return {
    noteUnknown(asking) {
      const now = context.now();
      const key = `${asking.protocol} ${asking.number}`;
      if (waiting.size >= waitingMax || !isDue(key, now)) return;
      waiting.set(key, { ...asking, at: now });
      writing ??= writeAll();
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
    async close() {
      closing.abort();
      await writing;
    },
  };
}

/** Lists them, except those registered meanwhile, and makes room. */
async function keepUnknown(
  db: Context['database']['db'],
  noted: readonly Noted[],
  limits: { all: number; perNetwork: number },
): Promise<void> {
  const column = <Name extends keyof Noted>(name: Name) => noted.map((each) => each[name]);
  const { rows } = await sql<{ network: string; isNew: boolean }>`
    insert into unknown_stations (number, protocol, remote_address, network, first_seen_at, last_seen_at)
    select number, protocol, remote_address, network, to_timestamp(at / 1000.0), to_timestamp(at / 1000.0)
      from unnest(${column('number')}::text[], ${column('protocol')}::text[], ${column('remoteAddress')}::text[],
                  ${column('network')}::text[], ${column('at')}::bigint[])
             with ordinality as noted (number, protocol, remote_address, network, at, position)
     where not exists (select 1 from stations where stations.number = noted.number)
     order by position
    on conflict (protocol, number) do update
       set last_seen_at = excluded.last_seen_at, remote_address = excluded.remote_address,
           network = excluded.network, attempts = unknown_stations.attempts + 1
    returning network, xmax = 0 as "isNew"`.execute(db);
  const networks = [...new Set(rows.filter(({ isNew }) => isNew).map(({ network }) => network))];
  if (networks.length === 0) return;
  await sql`
    delete from unknown_stations
     where id in (select id from unnest(${networks}::text[]) as crowded (network)
                    cross join lateral (select id from unknown_stations where network = crowded.network
                                         order by last_seen_at desc, id desc offset ${limits.perNetwork}) as beyond)`.execute(
    db,
  );
  await sql`
    delete from unknown_stations
     where id in (select id from unknown_stations order by last_seen_at desc, id desc offset ${limits.all})`.execute(
    db,
  );
}
