import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { checkStation } from './check-station.ts';
import { addConnectors, stationColumns } from './create-station.ts';
import { findStation } from './queries.ts';

export type StationChange = Omit<StationForm, 'password' | 'protocol'>;

/**
 * Changes a station; ports are added or removed to match the count. A port that ever charged stays, and a connected
 * station keeps the number it connected with.
 */
export async function changeStation(
  trx: Trx,
  caller: Caller,
  id: StationId,
  form: StationChange,
  at: Instant,
): Promise<Result<Station, ApiError>> {
  await trx.selectFrom('stations').select('id').where('id', '=', id).forUpdate().execute();
  const before = await findStation(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const checked = await checkStation(trx, caller, { ...form, protocol: before.protocol });
  if (!checked.ok) return checked;

  const fields: FieldFault[] = [];
  if (form.number !== before.number) {
    const other = await trx.selectFrom('stations').select('id').where('number', '=', form.number).executeTakeFirst();
    if (other !== undefined) return failed({ code: 'station.number_taken', params: { number: form.number } });
    if (before.online) fields.push({ path: 'number', code: 'in_use' });
  }
  if (form.connectorCount < before.connectorCount) {
    const used = await trx
      .selectFrom('orders')
      .select('id')
      .where('station_id', '=', id)
      .where('connector_number', '>', form.connectorCount)
      .limit(1)
      .executeTakeFirst();
    if (used !== undefined) fields.push({ path: 'connectorCount', code: 'in_use' });
  }
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });

  await trx
    .updateTable('stations')
    .set({ ...stationColumns(form), agent_id: checked.value.agentId })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('connectors').where('station_id', '=', id).where('number', '>', form.connectorCount).execute();
  await addConnectors(trx, id, before.connectorCount + 1, form.connectorCount);
  await audit(trx, caller, at, { action: 'station.change', recordKind: 'station', recordId: id, before, after: form });
  return found(await findStation(trx, caller, id));
}
