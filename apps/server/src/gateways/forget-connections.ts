import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** A server that starts holds no socket: what an ended process left as online is not. Stations come back by themselves. */
export async function forgetConnections(context: Context): Promise<void> {
  const now = context.now();
  await sql`update stations set online = false, offline_at = to_timestamp(${now} / 1000.0) where online`.execute(
    context.database.db,
  );
  await sql`
    update connectors set state = 'offline', state_at = to_timestamp(${now} / 1000.0), fault_code = null, fault_info = null
     where state <> 'offline'`.execute(context.database.db);
}
