import type { ConnectorState } from '@voltdeck/charging/states';
import type { ConnectorId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { storableText } from '../database/column-values.ts';
import type { Holder } from './holder.ts';
import { latestOf } from './latest-of.ts';

export type ConnectorChange = {
  connectorId: ConnectorId;
  /** Ignored when the port has been moved to another station. */
  stationId: StationId;
  state: ConnectorState;
  at: Instant;
  faultCode: string | null;
  faultInfo: string | null;
  /** Ignored when another holder has the station by now, since the old socket no longer knows the ports. */
  holder?: Holder;
};

export async function changeConnectors(client: pg.PoolClient, changes: readonly ConnectorChange[]): Promise<void> {
  const latest = latestOf(changes, (change) => change.connectorId);
  if (latest.length === 0) return;
  await client.query(
    `update connectors c
        set state = n.state, fault_code = n.fault_code, fault_info = n.fault_info,
            state_at = case when c.state = n.state then c.state_at else n.at end
       from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[],
                   $7::bigint[])
         as n (id, state, at, fault_code, fault_info, holder_number, station_id)
      where c.id = n.id and c.station_id = n.station_id and n.at >= coalesce(c.state_at, '-infinity')
        and (n.holder_number is null
             or n.holder_number >= (select s.holder_number from stations s where s.id = c.station_id))`,
    [
      latest.map((change) => change.connectorId),
      latest.map((change) => change.state),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => storableText(change.faultCode)),
      latest.map((change) => storableText(change.faultInfo)),
      latest.map((change) => change.holder?.number ?? null),
      latest.map((change) => change.stationId),
    ],
  );
}
