import { siteMapState } from '@voltdeck/charging/site-map-state';
import { type MapSite, type SitePlaces, summaryKeptMs } from '@voltdeck/contract/overview';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { portCounts } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import { keptByKey, scopeKey } from './kept-by-key.ts';

/** The most that a map shows. */
export const boardSitesMax = 20_000;

/** Scopes that are kept; each may be twenty thousand sites. */
const boardsMax = 16;

type Tally = MapSite['connectors'];
type Place = Omit<MapSite, 'state' | 'connectors'> & {
  /** Its place among all names in the order of the reader's dictionary. */
  nameRank: number;
};
export type BoardSite = MapSite & { nameRank: number };

/** The sites where a caller has something, with what the ports of its stations do. */
export type Board = {
  at: Instant;
  sites: readonly BoardSite[];
  columns: SitePlaces;
};

/**
 * Keeps the board of each data scope for a moment, since every console with a map asks for it after each event and
 * counting 200,000 ports takes a quarter of a second. Callers at the same time share one reading.
 */
export function createSiteBoards(
  db: Kysely<Tables>,
  now: () => Instant,
): (caller: Caller, at: Instant) => Promise<Board> {
  const kept = keptByKey<Board>({ max: boardsMax, keptMs: summaryKeptMs, now });
  return (caller, at) => kept(scopeKey(caller), (before) => readBoard(db, caller, at, before));
}

/** The places are read again only when one of them changed. */
async function readBoard(
  db: Kysely<Tables>,
  caller: Caller,
  at: Instant,
  before: Promise<Board> | undefined,
): Promise<Board> {
  const known = await before?.catch(() => undefined);
  const revision = await readRevision(db, caller);
  const tallies = await readTallies(db, caller);
  const places =
    known !== undefined && known.columns.revision === revision ? known.sites : await readPlaces(db, caller);
  const sites = places.map((place): BoardSite => {
    const connectors = tallies.get(place.id) ?? noPorts;
    return { ...place, connectors, state: siteMapState(connectors) };
  });
  return { at, sites, columns: columnsOf(sites, revision) };
}

const noPorts: Tally = { free: 0, occupied: 0, fault: 0, offline: 0 };

/** Own sites, and those of others where own stations stand. */
function placesOf(db: Kysely<Tables>, caller: Caller) {
  const sites = db.selectFrom('sites');
  if (caller.agents === 'all') return sites;
  return sites.where(({ eb, or, selectFrom }) =>
    or([
      eb('sites.id', 'in', scoped(selectFrom('sites as own'), caller, 'own.agent_id').select('own.id')),
      eb('sites.id', 'in', scoped(selectFrom('stations'), caller, 'stations.agent_id').select('stations.site_id')),
    ]),
  );
}

async function readRevision(db: Kysely<Tables>, caller: Caller): Promise<string> {
  const row = await placesOf(db, caller)
    .select(
      sql<string>`count(*) || '-' || coalesce(sum(hashtextextended(
        concat_ws('|', id, name, region_code, address, longitude, latitude), 0)), 0)`.as('revision'),
    )
    .executeTakeFirstOrThrow();
  return row.revision;
}

function readPlaces(db: Kysely<Tables>, caller: Caller): Promise<Place[]> {
  return placesOf(db, caller)
    .select(['id', 'name', 'region_code as regionCode', 'address', 'longitude', 'latitude'])
    .select(sql<number>`row_number() over (order by name collate "zh-x-icu", id)`.as('nameRank'))
    .orderBy('id')
    .limit(boardSitesMax)
    .execute();
}

async function readTallies(db: Kysely<Tables>, caller: Caller): Promise<ReadonlyMap<number, Tally>> {
  const ports = db.selectFrom('stations').innerJoin('connectors', 'connectors.station_id', 'stations.id');
  const rows = await scoped(ports, caller, 'stations.agent_id')
    .select('stations.site_id as siteId')
    .select(portCounts)
    .groupBy('stations.site_id')
    .execute();
  return new Map<number, Tally>(
    rows.map(({ siteId, free, occupied, fault, offline }) => [siteId, { free, occupied, fault, offline } as Tally]),
  );
}

function columnsOf(sites: readonly BoardSite[], revision: string): SitePlaces {
  return {
    revision,
    ids: sites.map(({ id }) => id),
    names: sites.map(({ name }) => name),
    regionCodes: sites.map(({ regionCode }) => regionCode),
    longitudes: sites.map(({ longitude }) => longitude),
    latitudes: sites.map(({ latitude }) => latitude),
    ports: sites.flatMap(({ connectors: { free, occupied, fault, offline } }) => [free, occupied, fault, offline]),
  };
}
