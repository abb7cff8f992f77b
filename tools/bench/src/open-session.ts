import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';

/** A signed-in user of the platform, or of an agent and those below it. */
export async function openSession({ db, pool }: Database, agentId: number | null = null): Promise<string> {
  const { rows } = await pool.query<{ id: UserId }>(
    `insert into users (user_name, real_name, password_hash, agent_id, position_id)
     values ($1, 'Bench', '-', $2, (select min(id) from positions where data_scope = $3))
     returning id`,
    agentId === null ? ['bench', null, 'platform'] : [`bench-${agentId}`, agentId, 'agent_tree'],
  );
  const [user] = rows;
  if (user === undefined) throw new Error('no user was made');
  const origin = { remoteAddress: '127.0.0.1', userAgent: 'bench' };
  const sessions = createSessions(db);
  return (await db.transaction().execute((trx) => sessions.open(trx, user.id, instant(Date.now()), origin))).token;
}
