import { canStartCharge } from '@voltdeck/charging/abilities';
import type { Protocol } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Watts } from '@voltdeck/units/energy';
import type { AgentId, ConnectorId, SiteId, StationId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

type StartablePort = {
  id: ConnectorId;
  number: number;
  stationId: StationId;
  stationNumber: string;
  protocol: Protocol;
  maxPowerW: Watts;
  siteId: SiteId;
  agentId: AgentId | null;
  free: boolean;
};

/** A gun port where a charge can begin now, locked so that only one is placed there; otherwise why none can. */
export async function lockStartablePort(
  trx: Trx,
  caller: Pick<Caller, 'agents'>,
  connectorId: ConnectorId,
): Promise<Result<StartablePort, ApiError>> {
  const port = await trx
    .selectFrom('connectors as c')
    .innerJoin('stations as s', 's.id', 'c.station_id')
    .innerJoin('sites', 'sites.id', 's.site_id')
    .select([
      'c.id',
      'c.number',
      'c.open',
      'c.state',
      's.id as stationId',
      's.number as stationNumber',
      's.protocol',
      's.max_power_w as maxPowerW',
      's.enabled',
      's.online',
      's.site_id as siteId',
      'sites.state as siteState',
      's.agent_id as agentId',
      's.free',
    ])
    .where('c.id', '=', connectorId)
    .forUpdate('c')
    .executeTakeFirst();
  if (port === undefined || !isInScope(caller, port.agentId)) {
    return failed({ code: 'record.not_found' });
  }
  const ability = canStartCharge(port, port);
  if (!ability.allowed) return failed({ code: ability.because as ApiError['code'] });
  const waiting = await trx
    .selectFrom('orders')
    .select('id')
    .where('connector_id', '=', port.id)
    .where('state', 'in', ['placed', 'charging'])
    .limit(1)
    .executeTakeFirst();
  return waiting === undefined ? ok(port) : failed({ code: 'connector.busy' });
}
