import type { AgentId } from '@voltdeck/units/id';
import type { Trx } from '../database/transact.ts';
import type { Caller } from './caller.ts';
import { isInScope } from './scope.ts';

/** Locks an agent against deletion until a record refers to it. False where the caller sees no such agent. */
export async function lockAgent(trx: Trx, caller: Pick<Caller, 'agents'>, id: AgentId): Promise<boolean> {
  if (!isInScope(caller, id)) return false;
  const agent = await trx.selectFrom('agents').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return agent !== undefined;
}
