import type { ConnectorState } from '@voltdeck/charging/states';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { storableText } from '../database/column-values.ts';
import { latestOf } from './latest-of.ts';

export type ConnectorChange = {
  connectorId: ConnectorId;
  state: ConnectorState;
  at: Instant;
  faultCode: string | null;
  faultInfo: string | null;
};

export async function changeConnectors(client: pg.PoolClient, changes: readonly ConnectorChange[]): Promise<void> {
  const latest = latestOf(changes, (change) => change.connectorId);
  if (latest.length === 0) return;
  await client.query(
    `update connectors c
        set state = n.state, fault_code = n.fault_code, fault_info = n.fault_info,
            state_at = case when c.state = n.state then c.state_at else n.at end
       from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
         as n (id, state, at, fault_code, fault_info)
      where c.id = n.id and n.at >= coalesce(c.state_at, '-infinity')`,
    [
      latest.map((change) => change.connectorId),
      latest.map((change) => change.state),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => storableText(change.faultCode)),
      latest.map((change) => storableText(change.faultInfo)),
    ],
  );
}
