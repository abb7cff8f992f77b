import { type ApprovalKind, approvedActPermissions } from '@voltdeck/contract/approvals';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { permissionsOf } from '../caller/open-menus.ts';
import { isInScope } from '../caller/scope.ts';
import { findRights, readOpenMenus } from '../caller/user-rights.ts';
import type { Tables } from '../database/tables.generated.ts';

/** What decides who may decide. */
export type Decidable = { kind: ApprovalKind; agentId: AgentId | null; askerId: UserId };

/** Whether the rights of a user include deciding an approval; their own they never decide (`isSamePerson`). */
export function mayDecide(caller: Pick<Caller, 'admin' | 'permissions'>, kind: ApprovalKind): boolean {
  return may(caller, 'approval.decide') && may(caller, approvedActPermissions[kind]);
}

/** Why a user who sees an approval may not decide it; null where they may. */
export async function whyNotDecide(
  db: Kysely<Tables>,
  caller: Pick<Caller, 'userId' | 'admin' | 'permissions'>,
  { kind, askerId }: Decidable,
): Promise<ErrorCode | null> {
  if (askerId === caller.userId) return 'approval.own';
  if (!mayDecide(caller, kind)) return 'approval.act_not_permitted';
  return (await isSamePerson(db, caller.userId, askerId)) ? 'approval.same_phone' : null;
}

/** A user's phones: their own, that of the registered user they are, and a login name that is one. */
const phones = sql`(
  select u.id, array_remove(array[u.phone, c.phone, case when u.user_name ~ '^[0-9]{11}$' then u.user_name end], null) as numbers
    from users u left join customers c on c.id = u.customer_id)`;

/** Whether two accounts have a phone in common, and so belong to one person. */
async function isSamePerson(db: Kysely<Tables>, one: UserId, other: UserId): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select a.numbers && b.numbers as same from ${phones} a, ${phones} b where a.id = ${one} and b.id = ${other}`.execute(
    db,
  );
  return rows[0]?.same === true;
}

/** Users that are looked at one by one: those with a suitable position are few. */
const candidatesMax = 50;

/** Whether anybody but the asker may decide an approval at present. */
export async function hasDecider(db: Kysely<Tables>, approval: Decidable): Promise<boolean> {
  const menus = await readOpenMenus(db);
  const positions = await db.selectFrom('positions').select(['id', 'menu_codes']).execute();
  const suitable = positions
    .filter(({ menu_codes }) =>
      mayDecide({ admin: false, permissions: permissionsOf(menus, menu_codes) }, approval.kind),
    )
    .map(({ id }) => id);
  const candidates = await db
    .selectFrom('users')
    .select('id')
    .where('enabled', '=', true)
    .where('id', '!=', approval.askerId)
    .where((eb) => eb.or([eb('admin', '=', true), eb('position_id', 'in', suitable)]))
    .orderBy('admin', 'desc')
    .orderBy('last_login_at', (order) => order.desc().nullsLast())
    .limit(candidatesMax)
    .execute();
  for (const { id } of candidates) {
    const rights = await findRights(db, id);
    if (rights === null || !isInScope(rights, approval.agentId)) continue;
    if ((await whyNotDecide(db, rights, approval)) === null) return true;
  }
  return false;
}
