import { accessGivenDays, type UndecidableCode } from '@voltdeck/contract/approval-records';
import { type ApprovalKind, approvedActPermissions } from '@voltdeck/contract/approvals';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentId, AgentWithdrawalId, UserId, WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { permissionsOf } from '../caller/open-menus.ts';
import { isInScope } from '../caller/scope.ts';
import { findRights, readOpenMenus } from '../caller/user-rights.ts';
import type { Tables } from '../database/tables.generated.ts';

/** What decides who may decide. */
export type Decidable = {
  kind: ApprovalKind;
  agentId: AgentId | null;
  askerId: UserId;
  askedAt: Instant;
  /** The record of its kind of subject: of a withdrawal, its applicants do not decide either. */
  subjectId: number;
  /** Of a recharge that is given back: whether by a refund instead of a reversal. Null where it is not known. */
  isRefund?: boolean | null;
  /** Of a recharge: whether it comes with a gift by hand. Null where it is not known. */
  hasGift?: boolean | null;
};

type ActFacts = Pick<Decidable, 'kind' | 'agentId' | 'isRefund' | 'hasGift'>;

/** The permissions of an act: nobody approves what they may not do themselves. */
function permissionsOfAct({ kind, agentId, isRefund, hasGift }: ActFacts): readonly Permission[] {
  if (kind === 'recharge' && hasGift === true) return [approvedActPermissions.recharge, 'recharge.gift'];
  if (kind === 'recharge_refund' && isRefund === true) return ['recharge.refund'];
  const isPlatformDefault = kind === 'tariff_default' && agentId === null;
  return [approvedActPermissions[kind], ...(isPlatformDefault ? (['tariff.platform_default'] as const) : [])];
}

/** Whether a user has the permissions of an act. */
export function mayCarryOut(caller: Pick<Caller, 'admin' | 'permissions'>, act: ActFacts): boolean {
  return permissionsOfAct(act).every((permission) => may(caller, permission));
}

/** Whether a user has the permissions to decide about an act; nobody decides about their own. */
export function mayDecide(caller: Pick<Caller, 'admin' | 'permissions'>, act: ActFacts): boolean {
  return may(caller, 'approval.decide') && mayCarryOut(caller, act);
}

/** Why a user who sees an approval may not decide it; null where they may. */
export async function whyNotDecide(
  db: Kysely<Tables>,
  caller: Pick<Caller, 'userId' | 'admin' | 'permissions'>,
  approval: Decidable,
): Promise<UndecidableCode | null> {
  if (approval.askerId === caller.userId) return 'approval.own';
  if (!mayDecide(caller, approval)) return 'approval.act_not_permitted';
  if (approval.kind === 'withdrawal' && (await hasAppliedFor(db, caller.userId, approval.subjectId as WithdrawalId))) {
    return 'withdrawal.own';
  }
  const isOfParty = approval.kind === 'agent_withdrawal' || approval.kind === 'agent_withdrawal_return';
  if (isOfParty && (await hasPartyOf(db, caller.userId, approval.subjectId as AgentWithdrawalId))) {
    return 'withdrawal.own';
  }
  return whyOnePerson(db, caller.userId, approval);
}

/** Whether a user counts as one person with somebody who applied for a withdrawal or gets its money. */
export async function hasAppliedFor(db: Kysely<Tables>, userId: UserId, id: WithdrawalId): Promise<boolean> {
  const { rows } = await sql<{ applied: boolean }>`
    select ${isApplicant(sql`${userId}::bigint`, sql`${id}::bigint`)} as applied`.execute(db);
  return rows[0]?.applied === true;
}

/**
 * The same for a select, by the columns or values of both ids. Applicants are who wrote it down at the desk and the users
 * of the console whom it pays, by their own account or by their phone.
 */
export function isApplicant(userId: Expression<unknown>, withdrawalId: Expression<unknown>): RawBuilder<boolean> {
  const applicant = sql.ref('applicants.id');
  return sql<boolean>`exists (
    select 1 from withdrawals applied join customers paid on paid.id = applied.customer_id
             join users applicants on applicants.id = applied.applied_by or applicants.customer_id = paid.id
                                      or applicants.phone = paid.phone or applicants.user_name = paid.phone
     where applied.id = ${withdrawalId}
       and (${haveOnePhone(userId, applicant)} or ${haveOneGiver(userId, applicant, sql.ref('applied.applied_at'))}))`;
}

/** Whether a user counts as one person with somebody of the party that gets the money of a withdrawal. */
export async function hasPartyOf(db: Kysely<Tables>, userId: UserId, id: AgentWithdrawalId): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select ${isOfParty(sql`${userId}::bigint`, sql`${id}::bigint`)} as found`.execute(db);
  return rows[0]?.found === true;
}

/**
 * The same for a select, by the columns or values of both ids. Who applied counts after having left the agent, too, and
 * so does whoever set the account that it is paid to.
 */
export function isOfParty(userId: Expression<unknown>, withdrawalId: Expression<unknown>): RawBuilder<boolean> {
  const paid = sql.ref('paid.id');
  return sql<boolean>`exists (
    select 1 from agent_withdrawals applied
             cross join lateral (
               select applied.applied_by as id
               union select u.id from users u where u.agent_id = applied.agent_id
               union select u.id from users u where u.divider_id = applied.divider_id
               union select c.changed_by from payout_account_changes c
                      where (c.agent_id = applied.agent_id or c.divider_id = applied.divider_id)
                        and translate(c.number, '-', '') = translate(applied.payee_number, '-', '')) paid
     where applied.id = ${withdrawalId}
       and (${haveOnePhone(userId, paid)} or ${haveOneGiver(userId, paid, sql.ref('applied.applied_at'))}))`;
}

/**
 * Whether two users, given by the columns or values of their ids, have a phone in common and so are one person. Phones are
 * the user's own, that of the registered user they are, and a login name that is one.
 */
export function haveOnePhone(one: Expression<unknown>, other: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${phonesOf(one)} && ${phonesOf(other)}, false)`;
}

function phonesOf(userId: Expression<unknown>): RawBuilder<unknown> {
  return sql`(
    select array_remove(array[u.phone, c.phone, case when u.user_name ~ '^[0-9]{11}$' then u.user_name end], null)
      from users u left join customers c on c.id = u.customer_id where u.id = ${userId})`;
}

/**
 * Whether two users, given by their ids, count as one person for an act of `askedAt`: one gave the other the account, a
 * password or a phone, or somebody gave theirs to both, shortly before the act or since. Through others too. One
 * administrator may have given theirs to both, since in a new network one adds everybody.
 */
export function haveOneGiver(
  one: Expression<unknown>,
  other: Expression<unknown>,
  askedAt: Expression<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from ${giversOf(one, askedAt)} a join ${giversOf(other, askedAt)} b on b.id = a.id join users g on g.id = a.id
     where a.id = ${one} or a.id = ${other} or not g.admin)`;
}

/** A user and everybody who gave them access, and who gave those theirs. */
function giversOf(userId: Expression<unknown>, askedAt: Expression<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive givers (id) as (
      select ${userId}::bigint
       union
      select given.giver_id from givers join access_givers given on given.user_id = givers.id
       where given.at > ${askedAt} - make_interval(days => ${sql.lit(accessGivenDays)}))
    select id from givers)`;
}

async function whyOnePerson(
  db: Kysely<Tables>,
  userId: UserId,
  { askerId, askedAt }: Decidable,
): Promise<UndecidableCode | null> {
  const [one, other] = [sql`${userId}::bigint`, sql`${askerId}::bigint`];
  const { rows } = await sql<{ phone: boolean; giver: boolean }>`
    select ${haveOnePhone(one, other)} as phone,
           ${haveOneGiver(one, other, sql`to_timestamp(${askedAt} / 1000.0)`)} as giver`.execute(db);
  if (rows[0]?.phone === true) return 'approval.same_phone';
  return rows[0]?.giver === true ? 'approval.access_given' : null;
}

/** Users that are looked at one by one: those with a suitable position are few. */
const candidatesMax = 50;

/** Whether anybody but the asker may decide an approval at present. */
export async function hasDecider(db: Kysely<Tables>, approval: Decidable): Promise<boolean> {
  const menus = await readOpenMenus(db);
  const positions = await db.selectFrom('positions').select(['id', 'menu_codes']).execute();
  const suitable = positions
    .filter(({ menu_codes }) => mayDecide({ admin: false, permissions: permissionsOf(menus, menu_codes) }, approval))
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
