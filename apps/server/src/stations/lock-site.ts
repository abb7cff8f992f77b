import type { AgentId, SiteId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

/**
 * Locks a site against deletion and a change of agent until its stations refer to it. Without a caller, whoever owns it;
 * otherwise undefined where they see no such site.
 */
export function lockSite(
  trx: Trx,
  caller: Caller | null,
  id: SiteId,
): Promise<{ id: SiteId; name: string; agentId: AgentId | null } | undefined> {
  const sites = trx.selectFrom('sites');
  return (caller === null ? sites : scoped(sites, caller, 'sites.agent_id'))
    .select(['id', 'name', 'agent_id as agentId'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
}
