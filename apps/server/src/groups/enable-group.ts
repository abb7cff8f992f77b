import type { ApiError } from '@voltdeck/contract/errors';
import type { Group, enableGroup as route } from '@voltdeck/contract/groups';
import type { BodyOf } from '@voltdeck/contract/route';
import type { GroupId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { lockGroup } from './lock-group.ts';
import { findGroup } from './queries.ts';

/** Enables a group, or disables one without customers who are bound or wait (specification section 4). */
export async function enableGroup(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  { enabled }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Group, ApiError>> {
  const locked = await lockGroup(trx, caller, id, 'update');
  if (!locked.ok) return locked;
  const state = enabled ? 'enabled' : 'disabled';
  if (!enabled) {
    const { bound, waiting } = await trx
      .selectFrom('group_members')
      .select(sql<number>`count(*) filter (where state = 'bound')::integer`.as('bound'))
      .select(sql<number>`count(*) filter (where state = 'waiting')::integer`.as('waiting'))
      .where('group_id', '=', id)
      .where('state', 'in', ['waiting', 'bound'])
      .executeTakeFirstOrThrow();
    if (bound > 0) return failed({ code: 'group.has_members' });
    if (waiting > 0) return failed({ code: 'group.has_waiting', params: { count: waiting } });
  }
  if (locked.value.state !== state) {
    await trx.updateTable('groups').set({ state }).where('id', '=', id).execute();
    await audit(trx, caller, at, {
      action: enabled ? 'group.enable' : 'group.disable',
      recordKind: 'group',
      recordId: id,
      before: { state: locked.value.state },
      after: { state },
    });
  }
  return found(await findGroup(trx, caller, id));
}
