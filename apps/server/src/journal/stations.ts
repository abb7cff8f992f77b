import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { latestOf } from './latest-of.ts';

export type StationChange = { stationId: StationId; online: boolean; at: Instant; remoteAddress: string | null };

export async function changeStations(client: pg.PoolClient, changes: readonly StationChange[]): Promise<void> {
  const latest = latestOf(changes, (change) => change.stationId);
  if (latest.length === 0) return;
  await client.query(
    `update stations s
        set online = n.online, last_seen_at = n.at, remote_address = coalesce(n.remote_address, s.remote_address),
            online_at = case when n.online and not s.online then n.at else s.online_at end,
            offline_at = case when not n.online and s.online then n.at else s.offline_at end
       from unnest($1::bigint[], $2::boolean[], $3::timestamptz[], $4::text[]) as n (id, online, at, remote_address)
      where s.id = n.id and n.at >= coalesce(s.last_seen_at, '-infinity')`,
    [
      latest.map((change) => change.stationId),
      latest.map((change) => change.online),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => change.remoteAddress),
    ],
  );
}
