import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { AgentId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { defaultTariffOf, withRulesInForce } from '../tariffs/rules-of-station.ts';
import { addConnectors } from './add-connectors.ts';
import { checkStation } from './check-station.ts';
import { installIdentity, lockStockedNumber, type StockedNumber } from './identities/stocked-number.ts';
import { findStation } from './queries.ts';
import { stationColumns } from './station-columns.ts';
import { hashStationPassword, newStationPassword } from './station-password.ts';

/**
 * Registers a station with its gun ports. The password, where the protocol has one, appears only in the answer; a station
 * that was made for a factory keeps the one that the factory got, unless another is given.
 */
export async function createStation(
  trx: Trx,
  caller: Caller,
  asked: StationForm,
  at: Instant,
): Promise<Result<Station & { password: string | null }, ApiError>> {
  const chosen = await withRulesInForce(trx, asked);
  const checked = await checkStation(trx, caller, chosen);
  if (!checked.ok) return checked;
  const form = await withDefaultRule(trx, chosen, checked.value.agentId);
  const stocked = await lockStockedNumber(trx, caller, form);
  if (!stocked.ok) return stocked;
  const password = newPasswordOf(form, stocked.value);
  const created = await trx
    .insertInto('stations')
    .values({
      ...stationColumns(form),
      protocol: form.protocol,
      agent_id: checked.value.agentId,
      password_hash: password === null ? (stocked.value?.passwordHash ?? null) : hashStationPassword(password),
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return failed({ code: 'station.number_taken', params: { number: form.number } });
  const numbers = Array.from({ length: form.connectorCount }, (_, index) => index + 1);
  await addConnectors(trx, created.id, numbers);
  if (stocked.value !== null) await installIdentity(trx, stocked.value, created.id);
  // It is registered now, so it leaves the list of unknown stations.
  await trx
    .deleteFrom('unknown_stations')
    .where('number', '=', form.number)
    .where('protocol', '=', form.protocol)
    .execute();
  const { password: _, ...after } = form;
  await audit(trx, caller, at, { action: 'station.create', recordKind: 'station', recordId: created.id, after });
  const station = await findStation(trx, caller, created.id);
  return station === null ? failed({ code: 'record.not_found' }) : ok({ ...station, password });
}

/** Null where the protocol has none, or the factory has it already. */
function newPasswordOf({ protocol, password }: StationForm, stocked: StockedNumber | null): string | null {
  if (!protocolTraits[protocol].hasPassword) return null;
  return password ?? (stocked?.passwordHash == null ? newStationPassword() : null);
}

/** A station for which nobody chose a rule gets the default of its agent or of the platform, for good. */
async function withDefaultRule(trx: Trx, form: StationForm, agentId: AgentId | null): Promise<StationForm> {
  if (form.cardTariffId !== undefined || form.wechatTariffId !== undefined) return form;
  const cardTariffId = await defaultTariffOf(trx, { agentId, equipmentType: form.equipmentType });
  return cardTariffId === null ? form : { ...form, cardTariffId };
}
