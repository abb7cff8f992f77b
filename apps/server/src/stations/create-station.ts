import type { ApiError } from '@voltdeck/contract/errors';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { DefaultRules, withRulesInForce } from '../tariffs/rules-of-station.ts';
import { type AddedStation, addStations, type NewStation, NumberTaken } from './add-stations.ts';
import { checkStation } from './check-station.ts';
import { findStation } from './queries.ts';
import { lockStockedNumber } from './stocked-number.ts';

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
  const { agentId } = checked.value;
  const form = await new DefaultRules(trx).complete(chosen, agentId);
  const stocked = await lockStockedNumber(trx, caller, form);
  if (!stocked.ok) return stocked;
  const added = await addOne(trx, caller, { form, agentId, identity: stocked.value }, at);
  if (!added.ok) return added;
  const { id, password } = added.value;
  const station = await findStation(trx, caller, id);
  return station === null ? failed({ code: 'record.not_found' }) : ok({ ...station, password });
}

async function addOne(
  trx: Trx,
  caller: Caller,
  station: NewStation,
  at: Instant,
): Promise<Result<AddedStation<NewStation>, ApiError>> {
  try {
    const [added] = await addStations(trx, caller, [station], at);
    if (added !== undefined) return ok(added);
  } catch (error) {
    if (!(error instanceof NumberTaken)) throw error;
  }
  return failed({ code: 'station.number_taken', params: { number: station.form.number } });
}
