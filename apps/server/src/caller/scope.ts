import type { AgentId } from '@voltdeck/units/id';
import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from './caller.ts';
import type { CustomerCaller } from './customer-caller.ts';

/** The fields of a caller that decide which records they see, but for the shares of dividers. */
export type Reach = Pick<Caller, 'agents' | 'customerId'>;
/** All of them. */
export type WholeReach = Reach & Pick<Caller, 'dividerId'>;

/**
 * The one place that turns a caller's data scope into SQL: rows of other agents do not exist. `agentId` is the column
 * of the owning agent, null for the platform's own. `customerId`, where given, is the column of the registered user a
 * row belongs to, who sees it whichever agent owns it.
 */
export function scoped<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Reach,
  agentId: ReferenceExpression<DB, TB>,
  customerId?: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.agents === 'all') return query;
  if (caller.agents.length === 0) {
    if (caller.customerId === null || customerId === undefined) return query.where(sql<boolean>`false`);
    return query.where(customerId, '=', caller.customerId as never);
  }
  const [only, ...others] = caller.agents;
  // "=" lets PostgreSQL walk an index in the order of the list; "in" would make it sort.
  return others.length === 0
    ? query.where(agentId, '=', only as never)
    : query.where(agentId, '=', anyOf(caller.agents) as never);
}

/** One parameter however many they are, so that all callers share the prepared statements. */
const anyOf = (agents: readonly AgentId[]) => sql`any(${[...agents]}::bigint[])`;

/** Whether the scope `now` contains all of the scope `then`. */
export function reachesAllOf(now: WholeReach, then: WholeReach): boolean {
  if (now.agents === 'all') return true;
  if (then.agents === 'all' || then.customerId !== now.customerId || then.dividerId !== now.dividerId) return false;
  const { agents } = now;
  return then.agents.every((agent) => agents.includes(agent));
}

/** Whether the caller may see a record of that agent. */
export function isInScope(caller: Pick<Caller, 'agents'>, agentId: AgentId | null): boolean {
  return caller.agents === 'all' || (agentId !== null && caller.agents.includes(agentId));
}

/**
 * The agent of a new record: the requested one if the caller may assign it, otherwise the caller's own. `undefined`
 * when refused: the field names another agent, or the caller owns nothing.
 */
export function agentOfNewRecord(
  caller: Pick<Caller, 'agents'>,
  asked: AgentId | undefined,
): AgentId | null | undefined {
  if (caller.agents === 'all') return asked ?? null;
  if (asked === undefined) return caller.agents[0];
  return caller.agents.includes(asked) ? asked : undefined;
}

/** Like `scoped`, for records that the platform shares with everyone: its own are visible too. */
export function scopedOrPlatform<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<Caller, 'agents'>,
  agentId: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.agents === 'all') return query;
  const { agents } = caller;
  return query.where((eb) => {
    const platforms = eb(agentId, 'is', null);
    return agents.length === 0 ? platforms : eb.or([platforms, eb(agentId, '=', anyOf(agents) as never)]);
  });
}

/**
 * Customers belong to the platform; an agent sees those who hold one of its cards. `customerId` is the column that
 * names the customer.
 */
export function scopedByCards<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<Caller, 'agents'>,
  customerId: string,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.agents === 'all') return query;
  return query.where(
    sql<boolean>`exists (select 1 from cards as held
                          where held.customer_id = ${sql.ref(customerId)} and held.agent_id = any(${[...caller.agents]}))`,
  );
}

/** Like `scopedByCards`, for reading: a registered user also finds themselves. */
export function scopedByCardsOrOwn<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Reach,
  customerId: string,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.customerId === null) return scopedByCards(query, caller, customerId);
  return query.where(sql<boolean>`${sql.ref(customerId)} = ${caller.customerId}`);
}

/**
 * What dividers got: a divider's own people see its own, everybody else that of the dividers whose holder is in their
 * scope. `agentId` is the column of the holder, `dividerId` that of the divider.
 */
export function scopedByDivider<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: WholeReach,
  agentId: ReferenceExpression<DB, TB>,
  dividerId: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  return caller.dividerId === null
    ? scoped(query, caller, agentId)
    : query.where(dividerId, '=', caller.dividerId as never);
}

/** What belongs to the user who started it, a task or an upload; administrators see all. `userId` is that column. */
export function ownedBy<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<Caller, 'userId' | 'admin'>,
  userId: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  return caller.admin ? query : query.where(userId, '=', caller.userId as never);
}

/**
 * What belongs to the customer who calls: the one place that decides it for the customers' own API. `customerId` is the
 * column of the customer.
 */
export function ofCustomer<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<CustomerCaller, 'customerId'>,
  customerId: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  return query.where(customerId, '=', caller.customerId as never);
}
