import { listStationIdentities, type StationIdentity } from '@voltdeck/contract/station-identities';
import { toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { hasPart } from '../../http/part-of-text.ts';

/** A station that has connected once is installed. */
const state = sql<StationIdentity['state']>`case
  when station_identities.station_id is null then 'in_stock'
  when (select activated_at from stations where stations.id = station_identities.station_id) is null then 'assigned'
  else 'installed' end`;

function identityRows(db: Kysely<Tables>) {
  return db
    .selectFrom('station_identities')
    .leftJoin('stations', 'stations.id', 'station_identities.station_id')
    .leftJoin('sites', 'sites.id', 'stations.site_id')
    .leftJoin('agents', 'agents.id', 'station_identities.agent_id')
    .select([
      'station_identities.id',
      'station_identities.number',
      'station_identities.batch',
      'station_identities.protocol',
      'station_identities.type',
      'station_identities.equipment_type as equipmentType',
      'station_identities.connector_count as connectorCount',
      'station_identities.max_power_w as maxPowerW',
      'station_identities.manufacturer',
      'station_identities.equipment_model as equipmentModel',
      'station_identities.agent_id as agentId',
      'agents.name as agentName',
      'station_identities.station_id as stationId',
      'sites.name as siteName',
      'station_identities.created_at as createdAt',
    ])
    .select(state.as('state'));
}

export const identityList = listSource({
  route: listStationIdentities,
  filtered(db, caller, filter) {
    let identities = scoped(db.selectFrom('station_identities'), caller, 'station_identities.agent_id');
    if (filter.number !== undefined) {
      identities = identities.where(hasPart('station_identities.number', 'number', filter.number));
    }
    if (filter.batch !== undefined) {
      identities = identities.where(hasPart('station_identities.batch', 'name', filter.batch));
    }
    if (filter.protocol !== undefined) identities = identities.where('protocol', 'in', filter.protocol);
    if (filter.agentId !== undefined) identities = identities.where('agent_id', '=', filter.agentId);
    if (filter.state !== undefined) identities = identities.where(sql<boolean>`${state} = any(${filter.state})`);
    return identities;
  },
  id: sql`station_identities.id`,
  sorts: { createdAt: sql`station_identities.created_at`, number: sql`station_identities.number` },
  rows: identityRows,
  toItem: ({ maxPowerW, createdAt, ...row }) => ({
    ...row,
    protocol: row.protocol as StationIdentity['protocol'],
    type: row.type as StationIdentity['type'],
    equipmentType: row.equipmentType as StationIdentity['equipmentType'],
    maxPowerKw: maxPowerW / 1000,
    createdAt: toIso(createdAt),
  }),
});
