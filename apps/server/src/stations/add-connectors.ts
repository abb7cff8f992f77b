import type { StationId } from '@voltdeck/units/id';
import type { Trx } from '../database/transact.ts';

/** Adds ports, named by their number until somebody renames them. */
export async function addConnectors(trx: Trx, stationId: StationId, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await trx
    .insertInto('connectors')
    .values(numbers.map((number) => ({ station_id: stationId, number, name: String(number) })))
    .execute();
}
