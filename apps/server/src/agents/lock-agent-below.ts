import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

/** The agent whose staff the caller is; null for the platform's. */
export function ownAgent({ agents }: Pick<Caller, 'agents'>): AgentId | null {
  return agents === 'all' ? null : (agents[0] ?? null);
}

/**
 * The agent, locked until the transaction ends. Refused for the caller's own one: its share, its payout account and
 * whether it is frozen are for the platform or the agent above it to say.
 */
export async function lockAgentBelow(trx: Trx, caller: Caller, id: AgentId) {
  const agent = await scoped(trx.selectFrom('agents'), caller, 'agents.id')
    .selectAll('agents')
    .where('agents.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const result: Result<typeof agent & {}, ApiError> =
    agent === undefined
      ? failed({ code: 'record.not_found' })
      : id === ownAgent(caller)
        ? failed({ code: 'agent.own' })
        : ok(agent);
  return result;
}
