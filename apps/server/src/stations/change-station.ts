import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { withRulesInForce } from '../tariffs/rules-of-station.ts';
import { addConnectors } from './add-connectors.ts';
import { checkStation } from './check-station.ts';
import { findStation } from './queries.ts';
import { stationColumns } from './station-columns.ts';
import { isStocked } from './stocked-number.ts';
import { areConnectorsUsed } from './used-connectors.ts';

export type StationChange = Omit<StationForm, 'password' | 'protocol'>;

/**
 * Changes a station; ports are added or removed to match the count. A port with an order stays, and a connected
 * station keeps the number it connected with.
 */
export async function changeStation(
  trx: Trx,
  caller: Caller,
  id: StationId,
  asked: StationChange,
  at: Instant,
): Promise<Result<Station, ApiError>> {
  const form = await withRulesInForce(trx, asked);
  await trx.selectFrom('stations').select('id').where('id', '=', id).forUpdate().execute();
  const before = await findStation(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const checked = await checkStation(trx, caller, { ...form, protocol: before.protocol }, before);
  if (!checked.ok) return checked;

  const fields: FieldFault[] = [];
  if (form.number !== before.number) {
    const other = await trx.selectFrom('stations').select('id').where('number', '=', form.number).executeTakeFirst();
    if (other !== undefined || (await isStocked(trx, form.number)))
      return failed({ code: 'station.number_taken', params: { number: form.number } });
    if (before.online) fields.push({ path: 'number', code: 'in_use' });
  }
  const ports = await trx
    .selectFrom('connectors')
    .select(['id', 'number'])
    .where('station_id', '=', id)
    .orderBy('number')
    .execute();
  const surplus = ports.slice(form.connectorCount).map((port) => port.id);
  if (await areConnectorsUsed(trx, surplus)) fields.push({ path: 'connectorCount', code: 'in_use' });
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });

  await trx
    .updateTable('stations')
    .set({ ...stationColumns(form), agent_id: checked.value.agentId })
    .where('id', '=', id)
    .execute();
  if (surplus.length > 0) await trx.deleteFrom('connectors').where('id', 'in', surplus).execute();
  const taken = new Set(ports.map(({ number }) => number));
  await addConnectors(trx, id, lowestFree(taken, form.connectorCount - ports.length));
  await audit(trx, caller, at, { action: 'station.change', recordKind: 'station', recordId: id, before, after: form });
  return found(await findStation(trx, caller, id));
}

/** Numbers for more ports: a port that was moved away leaves a gap. */
function lowestFree(taken: ReadonlySet<number>, count: number): number[] {
  const free: number[] = [];
  for (let number = 1; free.length < count; number += 1) if (!taken.has(number)) free.push(number);
  return free;
}
