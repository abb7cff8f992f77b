import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId, DividerId, PositionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { createUser } from '../access/users/create-user.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

type Owner = { id: DividerId; name: string; phone: string | null; agentId: AgentId | null };

/** Gives a divider, which must be locked, an account of its own; its initial password. */
export async function openAccount(
  trx: Trx,
  caller: Caller,
  { id, name, phone, agentId }: Owner,
  loginName: string,
  at: Instant,
): Promise<Result<string, ApiError>> {
  const positionId = await usualPosition(trx);
  if (positionId === null) return failed({ code: 'divider.no_position' });
  const account = { userName: loginName, realName: name.slice(0, 32), phone, positionId, agentId };
  const made = await createUser(trx, caller, account, at, { dividerId: id });
  if (!made.ok) return made;
  const { initialPassword } = made.value;
  if (initialPassword === null) throw new Error('the account of a divider got no initial password');
  await audit(trx, caller, at, {
    action: 'divider.account_open',
    recordKind: 'divider',
    recordId: id,
    after: { loginName, phone, positionId },
  });
  return ok(initialPassword);
}

/** The oldest of the platform's positions for dividers: that of the installation, unless deleted. */
async function usualPosition(trx: Trx): Promise<PositionId | null> {
  const position = await trx
    .selectFrom('positions')
    .select('id')
    .where('agent_id', 'is', null)
    .where('data_scope', '=', 'divider')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return position?.id ?? null;
}
