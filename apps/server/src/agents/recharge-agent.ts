import type { AgentRecharge, rechargeAgent as route } from '@voltdeck/contract/agents';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { prepaidAccount } from '@voltdeck/ledger/account';
import { fillPrepaidTransfer } from '@voltdeck/ledger/recharge';
import type { AgentId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { refusalOfDayLimit } from '../ledger/recharge-day-limit.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';

/** Books money that an agent prepaid to the platform. Only the platform can confirm that it arrived. */
export async function rechargeAgent(
  trx: Trx,
  caller: Caller,
  agentId: AgentId,
  { amountFen, reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentRecharge | Waits, ApiError>> {
  const agent = await scoped(trx.selectFrom('agents'), caller, 'agents.id')
    .select('name')
    .where('id', '=', agentId)
    .executeTakeFirst();
  if (agent === undefined) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const refusal = await refusalOfDayLimit(trx, caller.userId, amountFen, at);
  if (refusal !== null) return failed(refusal);
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'agent_recharge',
      amountFen,
      agentId: null,
      subject: { kind: 'agent', id: agentId, text: agent.name },
      detail: { agentId, body: { amountFen, reason } },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const number = receiptNumber('A', at);
  const { id } = await trx
    .insertInto('agent_recharges')
    .values({
      number,
      agent_id: agentId,
      amount_fen: amountFen,
      // Read after the transfer, which locks the account.
      balance_before_fen: zeroFen,
      balance_after_fen: zeroFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const transfer = fillPrepaidTransfer({ id, channel: 'back-office', agentId, amountFen });
  if (!transfer.ok) throw new Error(`a prepaid account cannot be filled: ${transfer.error.code}`);
  if (!(await postTransfer(trx, transfer.value, at))) throw new Error(`agent recharge ${id} was posted before`);
  const prepaid = prepaidAccount(agentId);
  const balanceAfterFen = (await lockAccounts(trx, [prepaid]))(prepaid);
  const balanceBeforeFen = subtractFen(balanceAfterFen, amountFen);
  await trx
    .updateTable('agent_recharges')
    .set({ balance_before_fen: balanceBeforeFen, balance_after_fen: balanceAfterFen })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'agent.recharge',
    recordKind: 'agent',
    recordId: agentId,
    after: { amountFen, reason, number },
  });
  return ok({
    id,
    number,
    agentId,
    agentName: agent.name,
    amountFen,
    balanceBeforeFen,
    balanceAfterFen,
    reason,
    createdAt: toIso(at),
  });
}
