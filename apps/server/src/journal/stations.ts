import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import type { Holder } from './holder.ts';

export type StationChange = {
  stationId: StationId;
  /** The reporting holder: reports of earlier holders are ignored. */
  holder: Holder;
  online: boolean;
  at: Instant;
  remoteAddress: string | null;
};

/**
 * Records which stations are connected and when they were last heard. After a holder reported its station gone, nothing
 * else from it counts, in whichever order its reports become durable.
 */
export async function changeStations(client: pg.PoolClient, changes: readonly StationChange[]): Promise<void> {
  const latest = finalReports(changes);
  if (latest.length === 0) return;
  await client.query(
    `update stations s
        set online = n.online, remote_address = coalesce(n.remote_address, s.remote_address),
            holder = n.holder, holder_number = n.holder_number,
            last_seen_at = case when n.holder_number > s.holder_number then n.at else greatest(n.at, s.last_seen_at) end,
            online_at = case when n.online and not s.online then n.at else s.online_at end,
            offline_at = case when not n.online and s.online then n.at else s.offline_at end
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::boolean[], $5::timestamptz[], $6::text[])
         as n (id, holder, holder_number, online, at, remote_address)
      where s.id = n.id
        and (n.holder_number > s.holder_number
             or n.holder_number = s.holder_number and (not n.online or s.online or s.holder is null))`,
    [
      latest.map(({ stationId }) => stationId),
      latest.map(({ holder }) => holder.node),
      latest.map(({ holder }) => holder.number),
      latest.map(({ online }) => online),
      latest.map(({ at }) => new Date(at)),
      latest.map(({ remoteAddress }) => remoteAddress),
    ],
  );
}

/**
 * The final report of each station's newest holder, in a fixed order, so that concurrent writers lock rows in the same
 * order.
 */
function finalReports(changes: readonly StationChange[]): StationChange[] {
  const latest = new Map<StationId, StationChange>();
  for (const change of changes) {
    const before = latest.get(change.stationId);
    if (before === undefined || change.holder.number > before.holder.number) latest.set(change.stationId, change);
    else if (change.holder.number === before.holder.number) {
      latest.set(change.stationId, {
        ...change,
        online: before.online && change.online,
        remoteAddress: change.remoteAddress ?? before.remoteAddress,
      });
    }
  }
  return [...latest.values()].sort((one, other) => one.stationId - other.stationId);
}
