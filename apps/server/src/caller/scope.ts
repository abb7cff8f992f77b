import type { AgentId } from '@voltdeck/units/id';
import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from './caller.ts';

/** What of a caller says whose records are theirs. */
export type Reach = Pick<Caller, 'agents' | 'customerId'>;

/**
 * The one place where a caller's data scope becomes SQL: rows of agents that are not the caller's do not exist. `agentId`
 * is the column that says whose a row is; a null there is the platform's own. `customerId`, where given, is the one that
 * says which registered person it belongs to: they see it, whoever's it is.
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
    : query.where(agentId, 'in', caller.agents as never);
}

/** Whether everything that was within reach of `then` is within that of `now`. */
export function reachesAllOf(now: Reach, then: Reach): boolean {
  if (now.agents === 'all') return true;
  if (then.agents === 'all' || then.customerId !== now.customerId) return false;
  const { agents } = now;
  return then.agents.every((agent) => agents.includes(agent));
}

/** Whether a record of that agent is the caller's to see. */
export function isInScope(caller: Pick<Caller, 'agents'>, agentId: AgentId | null): boolean {
  return caller.agents === 'all' || (agentId !== null && caller.agents.includes(agentId));
}

/**
 * Whose a new record is: what was asked for if it is the caller's to give, else the caller's own agent. `undefined` when
 * it may not be: the field names somebody else's agent or the caller owns nothing.
 */
export function agentOfNewRecord(
  caller: Pick<Caller, 'agents'>,
  asked: AgentId | undefined,
): AgentId | null | undefined {
  if (caller.agents === 'all') return asked ?? null;
  if (asked === undefined) return caller.agents[0];
  return caller.agents.includes(asked) ? asked : undefined;
}

/** Like `scoped`, for records that the platform lends to everybody: its own are seen too. */
export function scopedOrPlatform<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<Caller, 'agents'>,
  agentId: ReferenceExpression<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.agents === 'all') return query;
  const { agents } = caller;
  return query.where((eb) => {
    const platforms = eb(agentId, 'is', null);
    return agents.length === 0 ? platforms : eb.or([platforms, eb(agentId, 'in', agents as never)]);
  });
}

/**
 * Customers are the platform's; an agent sees those who hold one of its cards. `customerId` is the column that names
 * the customer.
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

/** Like `scopedByCards`, for reading: a registered person finds themselves. */
export function scopedByCardsOrOwn<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Reach,
  customerId: string,
): SelectQueryBuilder<DB, TB, O> {
  if (caller.customerId === null) return scopedByCards(query, caller, customerId);
  return query.where(sql<boolean>`${sql.ref(customerId)} = ${caller.customerId}`);
}
