import type { EquipmentType } from '@voltdeck/charging/states';
import type { AgentId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Stations without a rule that a default is for: an agent's own, or those of nobody with a default of their own. */
export function stationsWithout(db: Kysely<Tables>, agentId: AgentId | null, equipmentType: EquipmentType) {
  const stations = db
    .selectFrom('stations')
    .where('stations.equipment_type', '=', equipmentType)
    .where('stations.card_tariff_id', 'is', null)
    .where('stations.wechat_tariff_id', 'is', null);
  return agentId !== null
    ? stations.where('stations.agent_id', '=', agentId)
    : stations.where(
        sql<boolean>`not exists (select 1 from tariff_defaults d
                                  where d.agent_id = stations.agent_id and d.equipment_type = ${equipmentType})`,
      );
}
