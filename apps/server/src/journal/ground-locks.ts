import type { GroundLockState, ParkingBayState } from '@voltdeck/charging/states';
import type { ConnectorId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { int2, storableText } from '../database/column-values.ts';
import { latestOf } from './latest-of.ts';

export type GroundLockChange = {
  connectorId: ConnectorId;
  /** Ignored when the port has been moved to another station. */
  stationId: StationId;
  lock: GroundLockState;
  bay: ParkingBayState;
  batteryPercent: number;
  alarm: string | null;
  at: Instant;
};

export async function changeGroundLocks(client: pg.PoolClient, changes: readonly GroundLockChange[]): Promise<void> {
  const latest = latestOf(changes, (change) => change.connectorId);
  if (latest.length === 0) return;
  await client.query(
    `update connectors c
        set ground_lock = n.lock, parking_bay = n.bay, ground_lock_battery = n.battery, ground_lock_alarm = n.alarm,
            ground_lock_at = n.at
       from unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::timestamptz[],
                   $7::bigint[])
         as n (id, lock, bay, battery, alarm, at, station_id)
      where c.id = n.id and c.station_id = n.station_id and n.at >= coalesce(c.ground_lock_at, '-infinity')`,
    [
      latest.map((change) => change.connectorId),
      latest.map((change) => change.lock),
      latest.map((change) => change.bay),
      latest.map((change) => int2(change.batteryPercent)),
      latest.map((change) => storableText(change.alarm)),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => change.stationId),
    ],
  );
}
