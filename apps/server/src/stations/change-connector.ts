import type { Connector, ConnectorForm } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import { watts } from '@voltdeck/units/energy';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findConnector } from './queries.ts';

type ConnectorFacts = { [Field in keyof ConnectorForm]-?: Exclude<ConnectorForm[Field], undefined> };

/**
 * Gives a gun port its name and its facts; what the form leaves out is not known any more. Refuses a lower limit of the
 * rated voltage above the upper one.
 */
export async function changeConnector(
  trx: Trx,
  caller: Caller,
  id: ConnectorId,
  form: ConnectorForm,
  at: Instant,
): Promise<Result<Connector, ApiError>> {
  await trx
    .selectFrom('connectors')
    .innerJoin('stations', 'stations.id', 'connectors.station_id')
    .select('connectors.id')
    .where('connectors.id', '=', id)
    // The station too: one that goes to another agent meanwhile is not changed.
    .forShare('stations')
    .forUpdate('connectors')
    .execute();
  const port = await findConnector(trx, caller, id);
  if (port === null) return failed({ code: 'record.not_found' });
  const { ratedVoltageMinV: min, ratedVoltageMaxV: max } = form;
  if (min != null && max != null && min > max) {
    const fault = { path: 'ratedVoltageMinV', code: 'above_upper_limit', params: { max } } as const;
    return failed({ code: 'request.invalid', fields: [fault] });
  }
  const before = factsOf(port);
  const after = factsOf(form);
  if (JSON.stringify(before) === JSON.stringify(after)) return ok(port);
  await trx
    .updateTable('connectors')
    .set({
      name: after.name,
      bay_number: after.bayNumber,
      kind: after.kind,
      national_standard: after.nationalStandard,
      rated_voltage_min_v: after.ratedVoltageMinV,
      rated_voltage_max_v: after.ratedVoltageMaxV,
      rated_current_a: after.ratedCurrentA,
      rated_power_w: after.ratedPowerW === null ? null : watts(after.ratedPowerW),
    })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'connector.change', recordKind: 'connector', recordId: id, before, after });
  return found(await findConnector(trx, caller, id));
}

function factsOf(port: Connector | ConnectorForm): ConnectorFacts {
  return {
    name: port.name,
    bayNumber: port.bayNumber ?? null,
    kind: port.kind ?? null,
    nationalStandard: port.nationalStandard ?? null,
    ratedVoltageMinV: port.ratedVoltageMinV ?? null,
    ratedVoltageMaxV: port.ratedVoltageMaxV ?? null,
    ratedCurrentA: port.ratedCurrentA ?? null,
    ratedPowerW: port.ratedPowerW ?? null,
  };
}
