import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { hashStationPassword } from './station-password.ts';

/**
 * Keeps the password that a station is about to be given, before it is told: it may come back with it at once. The one
 * that it has stays good until it does. @returns what to name it by.
 */
export async function expectPassword(db: Kysely<Tables>, id: StationId, password: string): Promise<string> {
  const hash = hashStationPassword(password);
  await db.updateTable('stations').set({ next_password_hash: hash }).where('id', '=', id).execute();
  return hash;
}

/** The station did not take the password after all. */
export async function forgetExpectedPassword(db: Kysely<Tables>, id: StationId, hash: string): Promise<void> {
  await db
    .updateTable('stations')
    .set({ next_password_hash: null })
    .where('id', '=', id)
    .where('next_password_hash', '=', hash)
    .execute();
}

/** The station came with its new password: from now on it is the only one. */
export async function usePassword(db: Kysely<Tables>, id: StationId, hash: string | null, at: Instant): Promise<void> {
  await db
    .updateTable('stations')
    .set({ password_hash: hash, next_password_hash: null, password_changed_at: at })
    .where('id', '=', id)
    .where('next_password_hash', '=', hash)
    .execute();
}

/** Stations whose password was changed after `since` and no later than `until`, with what it is now. */
export async function passwordsChanged(
  db: Kysely<Tables>,
  since: Instant,
  until: Instant,
): Promise<{ number: string; passwordHash: string | null }[]> {
  return db
    .selectFrom('stations')
    .select(['number', 'password_hash as passwordHash'])
    .where('password_changed_at', '>', since)
    .where('password_changed_at', '<=', until)
    .execute();
}
