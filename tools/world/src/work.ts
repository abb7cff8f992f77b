import type { ApiError } from '@voltdeck/contract/errors';
import type { Caller } from '@voltdeck/server/caller/caller';
import { openMenus, permissionsOf } from '@voltdeck/server/caller/open-menus';
import type { Context } from '@voltdeck/server/context';
import type { Trx } from '@voltdeck/server/database/transact';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { Network } from './network.ts';

/** One thing that a user does once, by the product's own actions, as if on its screens. */
export type Work = {
  /** Kept with the demo's state, so that it is done once. */
  name: string;
  /** Whether what it needs is there: stations that answer, charges of the past. */
  isReady(office: Office): Promise<boolean>;
  do(trx: Trx, caller: Caller, office: Office, at: Instant): Promise<Result<unknown, ApiError>>;
};

export type Office = { context: Context; network: Network };

/** A user with the rights of their position, as a session of theirs would have them; null if there is none. */
export async function readCaller(trx: Trx, userName: string): Promise<Caller | null> {
  const user = await trx
    .selectFrom('users')
    .innerJoin('positions', 'positions.id', 'users.position_id')
    .select(['users.id', 'users.agent_id', 'positions.data_scope', 'positions.menu_codes'])
    .where('users.user_name', '=', userName)
    .executeTakeFirst();
  if (user === undefined) return null;
  const menus = await trx
    .selectFrom('menus')
    .select(['code', 'parent_code as parentCode', 'enabled', 'permission'])
    .execute();
  return {
    userId: user.id,
    userName,
    admin: false,
    permissions: permissionsOf(openMenus(menus), user.menu_codes),
    menuCodes: new Set(user.menu_codes),
    dataScope: user.data_scope,
    // What they do here is about their own agent, not about those below.
    agents: user.agent_id === null ? 'all' : [user.agent_id],
    customerId: null,
    dividerId: null,
    language: 'zh-CN',
    remoteAddress: '',
  };
}
