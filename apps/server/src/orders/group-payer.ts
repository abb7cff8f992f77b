import { isWithinHours, parseHoursOfDay } from '@voltdeck/charging/hours-of-day';
import type { GroupFunding, GroupState } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import { groupAccount, memberAccount, type Wallet } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import { totalOf } from '@voltdeck/ledger/parts';
import type { AgentId, CustomerId, GroupId, GroupMemberId, SiteId } from '@voltdeck/units/id';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { type Fen, fen, formatYuan, minFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { debtLimit, debtOf } from '../ledger/debt.ts';
import { readParts } from '../ledger/wallet-parts.ts';
import { monthOf, readMonthUse } from './month-use.ts';

/** A charge that a group may pay for. */
export type GroupCharge = {
  customerId: CustomerId;
  siteId: SiteId;
  /** Of the station. */
  agentId: AgentId | null;
  isFree: boolean;
  /** The least that it needs to begin. */
  neededFen: Fen;
  at: Instant;
};

export type GroupPayer = {
  wallet: Wallet;
  paid: {
    payment_type: 'group' | 'member';
    card_id: null;
    customer_id: CustomerId;
    group_id: GroupId;
    group_member_id: GroupMemberId;
  };
  /** What the member may still spend this month; null without a limit. */
  leftFen: Fen | null;
};

export type GroupAnswer = { name: string; leftFen: Fen | null; payer: Result<GroupPayer, ApiError> };

type Membership = {
  id: GroupMemberId;
  groupId: GroupId;
  name: string;
  state: GroupState;
  funding: GroupFunding;
  agentId: AgentId | null;
  allSites: boolean;
  isSite: boolean;
  hours: string;
  limitFen: Fen | null;
  limitCharges: number | null;
};

/**
 * Whether the group that a customer is bound to pays for a charge, and if not, why; null where they are bound to none.
 * With `lock`, the group is not disabled meanwhile and the member begins one charge at a time, so that two at once are
 * held to one limit.
 */
export async function findGroupPayer(
  db: Kysely<Tables>,
  charge: GroupCharge,
  { lock }: { lock: boolean },
): Promise<GroupAnswer | null> {
  const member = await findMembership(db, charge, lock);
  if (member === null) return null;
  const { name, id, groupId } = member;
  const refusal = refusalOfPlace(member, charge);
  if (refusal !== null) return { name, leftFen: null, payer: failed(refusal) };
  const use = await readMonthUse(db, id, monthOf(charge.at));
  const limitLeftFen = member.limitFen === null ? null : fen(Math.max(0, member.limitFen - use.spentFen));
  const wallet = member.funding === 'shared' ? groupAccount(groupId) : memberAccount(id);
  const freeFen = totalOf(await readParts(db, wallet));
  const leftFen = leftOf(member.funding, limitLeftFen, freeFen);
  const isOften = member.limitCharges !== null && use.charges >= member.limitCharges;
  const isMuch = limitLeftFen !== null && limitLeftFen < charge.neededFen;
  if (isOften || isMuch) {
    return { name, leftFen, payer: failed({ code: 'group.member_limit', params: { group: name } }) };
  }
  const owedFen = await debtOf(db as Trx, wallet);
  const owesTooMuch = isBeyondDebtLimit(owedFen, await readParameter(db, debtLimit));
  const missingFen = charge.neededFen - freeFen;
  if (!charge.isFree && (missingFen > 0 || owesTooMuch)) {
    const params = { missing: formatYuan(fen(Math.max(0, missingFen))), available: formatYuan(freeFen) };
    return { name, leftFen, payer: failed({ code: 'group.balance', params }) };
  }
  const paid = {
    payment_type: member.funding === 'shared' ? 'group' : 'member',
    card_id: null,
    customer_id: charge.customerId,
    group_id: groupId,
    group_member_id: id,
  } as const;
  return { name, leftFen, payer: ok({ wallet, paid, leftFen: limitLeftFen }) };
}

/** What is told to a member: the limit and the own pot, and never the balance that all of them share. */
function leftOf(funding: GroupFunding, limitLeftFen: Fen | null, freeFen: Fen): Fen | null {
  if (funding === 'shared') return limitLeftFen;
  return limitLeftFen === null ? freeFen : minFen(limitLeftFen, freeFen);
}

/** Why a group pays for nothing at this place and hour; null where it may. */
function refusalOfPlace(member: Membership, { at, agentId }: GroupCharge): ApiError | null {
  const { name, state, allSites, isSite, hours } = member;
  if (state !== 'enabled') return { code: 'group.disabled', params: { group: name } };
  // Without sites of its own choice, the group of an agent pays at that agent's stations.
  const isReached = allSites ? member.agentId === null || member.agentId === agentId : isSite;
  if (!isReached) return { code: 'group.site_not_allowed', params: { group: name } };
  const [, hour = '0', minute = '0'] = /(\d{2}):(\d{2}):\d{2}$/.exec(shanghaiDateTime(at)) ?? [];
  const isOpen = isWithinHours(parseHoursOfDay(hours) ?? [], Number(hour) * 60 + Number(minute));
  return isOpen ? null : { code: 'group.hour_not_allowed', params: { group: name, hours } };
}

async function findMembership(
  db: Kysely<Tables>,
  { customerId, siteId }: GroupCharge,
  lock: boolean,
): Promise<Membership | null> {
  const bound = await db
    .selectFrom('group_members')
    .select(['id', 'group_id'])
    .where('customer_id', '=', customerId)
    .where('state', '=', 'bound')
    .executeTakeFirst();
  if (bound === undefined) return null;
  if (lock) {
    await db.selectFrom('groups').select('id').where('id', '=', bound.group_id).forShare().execute();
    await db.selectFrom('group_members').select('id').where('id', '=', bound.id).forUpdate().execute();
  }
  const member = await db
    .selectFrom('group_members as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .select(['m.id', 'g.id as groupId', 'g.name', 'g.state', 'g.funding', 'g.agent_id as agentId', 'g.hours'])
    .select('g.all_sites as allSites')
    .select([
      sql<boolean>`exists (select from group_sites s where s.group_id = g.id and s.site_id = ${siteId})`.as('isSite'),
      sql<Fen | null>`coalesce(m.month_limit_fen, g.month_limit_fen)`.as('limitFen'),
      sql<number | null>`coalesce(m.month_limit_charges, g.month_limit_charges)`.as('limitCharges'),
    ])
    .where('m.id', '=', bound.id)
    // Released since it was found.
    .where('m.state', '=', 'bound')
    .executeTakeFirst();
  return member ?? null;
}

/**
 * What the limit of its member leaves for more holds of an order of a group, in the month in which it was placed; null
 * without a limit, and for every other order.
 */
export async function readLimitLeft(
  db: Kysely<Tables>,
  { group_member_id: memberId, placed_at: placedAt }: { group_member_id: number | null; placed_at: Instant },
  { lock }: { lock: boolean },
): Promise<Fen | null> {
  if (memberId === null) return null;
  const id = memberId as GroupMemberId;
  if (lock) await db.selectFrom('group_members').select('id').where('id', '=', id).forUpdate().execute();
  const { limitFen } = await db
    .selectFrom('group_members as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .select(sql<Fen | null>`coalesce(m.month_limit_fen, g.month_limit_fen)`.as('limitFen'))
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow();
  if (limitFen === null) return null;
  const { spentFen } = await readMonthUse(db, id, monthOf(placedAt));
  return spentFen >= limitFen ? zeroFen : fen(limitFen - spentFen);
}
