import { connectorGroupOf, connectorStates } from '@voltdeck/charging/states';
import { summaryKeptMs, type WallPort, wallPagesMax, wallPortsMax } from '@voltdeck/contract/overview';
import type { RegionCode } from '@voltdeck/regions/regions';
import { codesWithin } from '@voltdeck/regions/regions';
import type { SiteId } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { scoped } from '../caller/scope.ts';
import { addTally } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import { keptByKey, scopeKey } from './kept-by-key.ts';
import type { BoardSite } from './site-board.ts';

type Asked = { siteId: SiteId | null; regionCode: RegionCode | null; page: number };
type PortId = WallPort['id'];
type Wall = { items: WallPort[]; connectors: BoardSite['connectors']; pages: number };

const groupRank = { fault: 0, offline: 1, occupied: 2, free: 3 } as const;
const whens = sql.join(
  connectorStates.map((state) => sql`when ${sql.lit(state)} then ${sql.lit(groupRank[connectorGroupOf[state]])}`),
  sql` `,
);
const rank = sql<number>`case when not stations.online then ${sql.lit(groupRank.offline)}
                              else case connectors.state ${whens} end end`;

/** Orders of walls in memory: at most 6,000 ids each. */
const ordersMax = 100;

type PortWall = (caller: Caller, sites: readonly BoardSite[], asked: Asked) => Promise<Wall>;

/**
 * Pages of ports, those in trouble first; within a group every port keeps its place. The order of a wide wall is kept
 * for a moment, since each console with a wall asks after each event and sorting 200,000 ports takes long.
 */
export function createPortWall(db: Kysely<Tables>, now: () => Instant): PortWall {
  const kept = keptByKey<PortId[]>({ max: ordersMax, keptMs: summaryKeptMs, now });
  return async (caller, sites, { siteId, regionCode, page }) => {
    const inside = tallyOf(sites, siteId, regionCode);
    const count = inside.free + inside.occupied + inside.fault + inside.offline;
    const pages = Math.min(Math.max(Math.ceil(count / wallPortsMax), 1), wallPagesMax);
    const read = () => inOrder(db, caller, { siteId, regionCode });
    const keep = () => kept(`${scopeKey(caller)} ${regionCode ?? ''}`, read);
    // What has no ports takes no place from what has.
    const ids = count === 0 ? [] : await (siteId === null ? keep() : read());
    const shown = ids.slice((page - 1) * wallPortsMax, page * wallPortsMax);
    return { items: await portsOf(db, caller, shown), connectors: inside, pages };
  };
}

function tallyOf(sites: readonly BoardSite[], siteId: SiteId | null, regionCode: RegionCode | null) {
  const range = regionCode === null ? null : codesWithin(regionCode);
  const tally = { free: 0, occupied: 0, fault: 0, offline: 0 };
  for (const site of sites) {
    if (siteId !== null && site.id !== siteId) continue;
    if (range !== null && (site.regionCode < range.from || site.regionCode > range.to)) continue;
    addTally(tally, site.connectors);
  }
  return tally;
}

/** Only ids are sorted: the names of 200,000 ports would be carried through the sort. */
async function inOrder(db: Kysely<Tables>, caller: Caller, { siteId, regionCode }: Omit<Asked, 'page'>) {
  let ports = scoped(
    db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id'),
    caller,
    'stations.agent_id',
  );
  if (siteId !== null) ports = ports.where('stations.site_id', '=', siteId);
  if (regionCode !== null) {
    const { from, to } = codesWithin(regionCode);
    ports = ports.where('sites.region_code', '>=', from).where('sites.region_code', '<=', to);
  }
  const rows = await ports
    .select('connectors.id')
    .orderBy(rank)
    .orderBy('stations.site_id')
    .orderBy('connectors.station_id')
    .orderBy('connectors.number')
    .limit(wallPortsMax * wallPagesMax)
    .execute();
  return rows.map(({ id }) => id);
}

async function portsOf(db: Kysely<Tables>, caller: Caller, ids: readonly PortId[]): Promise<WallPort[]> {
  const { agents } = caller;
  if (ids.length === 0 || agents.length === 0) return [];
  // The kept order may name a port that has gone to another agent since.
  const mine = scoped(
    db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id'),
    caller,
    'stations.agent_id',
  );
  const rows = await mine
    // A charge stays with the agent that it began with, also where the station has gone to another.
    .leftJoin('orders', (join) => {
      const charging = join
        .onRef('orders.connector_id', '=', 'connectors.id')
        .on('orders.state', '=', sql.lit('charging'));
      return agents === 'all' ? charging : charging.on('orders.agent_id', 'in', agents);
    })
    .where('connectors.id', 'in', ids)
    .select([
      'connectors.id',
      'connectors.number',
      'connectors.name',
      'connectors.state',
      'connectors.state_at as stateAt',
      'connectors.fault_code as faultCode',
      'connectors.fault_info as faultInfo',
      'connectors.open',
      'stations.id as stationId',
      'stations.number as stationNumber',
      'stations.name as stationName',
      'stations.online',
      'stations.offline_at as offlineAt',
      'sites.id as siteId',
      'sites.name as siteName',
      'orders.id as orderId',
      'orders.power_w as powerW',
      'orders.soc_percent as socPercent',
      'orders.energy_wh as energyWh',
    ])
    .execute();
  const place = new Map(ids.map((id, index) => [id, index]));
  const seesOrders = may(caller, 'order.read');
  const seesCharges = seesOrders || may(caller, 'connector.read');
  return rows
    .toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    .map(({ online, offlineAt, stateAt, state, orderId, powerW, socPercent, energyWh, ...port }) => {
      const since = online ? stateAt : (offlineAt ?? stateAt);
      return {
        ...port,
        state: online ? state : 'offline',
        stateSince: isoOrNull(since),
        orderId: seesCharges ? orderId : null,
        powerW: seesCharges ? powerW : null,
        socPercent: seesCharges ? socPercent : null,
        energyWh: seesOrders ? energyWh : null,
      };
    });
}
