import type { AgentDetail } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import { isDividersOwn } from '../caller/user-rights.ts';
import type { Trx } from '../database/transact.ts';
import { lockAgentBelow } from './lock-agent-below.ts';
import { findAgent } from './queries.ts';

export type AgentFrozen = {
  agent: AgentDetail;
  /** Users whose sessions ended: call `forgetCached` for them after the commit. */
  signedOut: UserId[];
};

/**
 * Freezes an agent or, without a reason, unfreezes it. Its people are signed out and stay out; those of the agents below
 * it do not. Its stations go on charging, because a driver at a plug knows nothing of it. What the platform froze, even if
 * the agent above had frozen it before, only the platform unfreezes.
 */
export async function freezeAgent(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: AgentId,
  reason: string | null,
  at: Instant,
): Promise<Result<AgentFrozen, ApiError>> {
  const locked = await lockAgentBelow(trx, caller, id);
  if (!locked.ok) return locked;
  const { frozen_at: frozenAt, frozen_reason: before, frozen_by_platform: wasByPlatform } = locked.value;
  const isPlatform = caller.agents === 'all';
  if (reason === null && wasByPlatform && !isPlatform) return failed({ code: 'agent.frozen_by_platform' });
  const byPlatform = reason !== null && isPlatform;
  const isChange = (frozenAt === null) !== (reason === null) || (byPlatform && !wasByPlatform);
  const signedOut: UserId[] = [];
  if (isChange) {
    await trx
      .updateTable('agents')
      .set({ frozen_at: reason === null ? null : at, frozen_reason: reason ?? '', frozen_by_platform: byPlatform })
      .where('id', '=', id)
      .execute();
    if (reason !== null) signedOut.push(...(await signOutStaff(trx, sessions, id, at)));
    await audit(trx, caller, at, {
      action: reason === null ? 'agent.unfreeze' : 'agent.freeze',
      recordKind: 'agent',
      recordId: id,
      before: { frozen: frozenAt !== null, reason: before, byPlatform: wasByPlatform },
      after: { frozen: reason !== null, reason: reason ?? '', byPlatform },
    });
  }
  const agent = await findAgent(trx, caller, id, at);
  return agent === null ? failed({ code: 'record.not_found' }) : ok({ agent, signedOut });
}

async function signOutStaff(trx: Trx, sessions: Sessions, id: AgentId, at: Instant): Promise<UserId[]> {
  const staff = await trx
    .selectFrom('users')
    .select('id')
    .where('agent_id', '=', id)
    .where((eb) => eb.not(isDividersOwn))
    .orderBy('id')
    .execute();
  for (const user of staff) await sessions.endAll(trx, user.id, at, 'disabled');
  return staff.map((user) => user.id);
}
