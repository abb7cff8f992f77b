import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Station } from '@voltdeck/contract/stations';
import type { adoptStation as route } from '@voltdeck/contract/unknown-stations';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { createStation } from './create-station.ts';

/** Registers a station under the number it tried to connect with, and removes it from the list of unknown ones. */
export async function adoptStation(
  trx: Trx,
  caller: Caller,
  id: Id<'unknown-station'>,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Station & { password: string | null }, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const unknown = await trx
    .selectFrom('unknown_stations')
    .select(['number', 'protocol'])
    .where('id', '=', id as unknown as Id<'unknown_station'>)
    .forUpdate()
    .executeTakeFirst();
  if (unknown === undefined) return failed({ code: 'record.not_found' });
  const protocol = unknown.protocol as Station['protocol'];
  return createStation(trx, caller, { ...form, number: unknown.number, protocol }, at);
}
