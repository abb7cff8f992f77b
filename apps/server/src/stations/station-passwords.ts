import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { hashStationPassword } from './station-password.ts';

/**
 * Stores a station's next password before the station gets it, since it may sign in with it at once. The present one
 * stays valid until then. @returns a name for the new one.
 */
export async function expectPassword(db: Kysely<Tables>, id: StationId, password: string): Promise<string> {
  const hash = hashStationPassword(password);
  await db.updateTable('stations').set({ next_password_hash: hash }).where('id', '=', id).execute();
  return hash;
}

/** The station refused the new password. */
export async function forgetExpectedPassword(db: Kysely<Tables>, id: StationId, hash: string): Promise<void> {
  await db
    .updateTable('stations')
    .set({ next_password_hash: null })
    .where('id', '=', id)
    .where('next_password_hash', '=', hash)
    .execute();
}

/** The station signed in with its new password, which is the only valid one from now on. */
export async function usePassword(db: Kysely<Tables>, id: StationId, hash: string | null, at: Instant): Promise<void> {
  await db
    .updateTable('stations')
    .set({ password_hash: hash, next_password_hash: null, password_changed_at: at })
    .where('id', '=', id)
    .where('next_password_hash', '=', hash)
    .execute();
}

/** Stations whose password was changed after `since` and no later than `until`, with the present one. */
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
