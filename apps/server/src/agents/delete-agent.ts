import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isReferredTo } from '../database/is-referred-to.ts';
import type { Trx } from '../database/transact.ts';
import { lockTree } from './agent-tree.ts';
import { lockAgentBelow } from './lock-agent-below.ts';
import { findAgent } from './queries.ts';

/** Records without a foreign key to their agent, or with one that would delete them. */
const keptRecords = ['orders', 'station_places'].map((table) => ({ table, column: 'agent_id' }));
/** Counted one by one, because people can do something about them. */
const counted = ['agents', 'users', 'stations', 'sites'];

/** Deletes an agent, with its main account, that nothing belongs to and nobody has signed in for. */
export async function deleteAgent(trx: Trx, caller: Caller, id: AgentId, at: Instant): Promise<Result<null, ApiError>> {
  await lockTree(trx);
  const locked = await lockAgentBelow(trx, caller, id);
  if (!locked.ok) return locked;
  const before = await findAgent(trx, caller, id, at);
  if (before === null) return failed({ code: 'record.not_found' });
  const { stationCount, siteCount, subordinates, staff, userId, lastLoginAt } = before;
  if (stationCount > 0) return failed({ code: 'agent.has_stations', params: { count: stationCount } });
  if (siteCount > 0) return failed({ code: 'agent.has_sites', params: { count: siteCount } });
  if (subordinates > 0) return failed({ code: 'agent.has_subordinates', params: { count: subordinates } });
  const others = staff - (userId === null ? 0 : 1);
  if (others > 0) return failed({ code: 'agent.has_staff', params: { count: others } });
  if (lastLoginAt !== null) return failed({ code: 'agent.was_used' });
  if (await isReferredTo(trx, 'agents', id, { except: counted, besides: keptRecords }))
    return failed({ code: 'agent.has_records' });
  await trx.updateTable('agents').set({ user_id: null }).where('id', '=', id).execute();
  if (userId !== null) await trx.deleteFrom('users').where('id', '=', userId).execute();
  await trx.deleteFrom('agents').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'agent.delete', recordKind: 'agent', recordId: id, before });
  return ok(null);
}
