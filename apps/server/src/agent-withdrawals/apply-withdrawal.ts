import type { createAgentWithdrawal as route } from '@voltdeck/contract/agent-withdrawals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { freezeBalanceTransfer } from '@voltdeck/ledger/payout';
import { balanceAccount, type Settled } from '@voltdeck/ledger/settlement';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import { type Instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { formatYuan, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { payableOfBalance } from '../ledger/party-play-money.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { readAgentWithdrawalTerms, withdrawalFeeFen } from '../ledger/withdrawal-terms.ts';
import { lockParty } from './find-party.ts';
import { lockBalance } from './lock-withdrawal.ts';
import { noParty } from './no-party.ts';
import { ofParty, partyFor } from './own-party.ts';

/**
 * Writes an application for the caller's own agent or divider, or for a divider that they hold, with its payout account
 * as it is now, and freezes its money.
 */
export async function applyForBalance(
  trx: Trx,
  caller: Caller,
  { amountFen, remark = '', dividerId }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentWithdrawalId, ApiError>> {
  const own = await partyFor(trx, caller, dividerId);
  const party = own === null ? null : await lockParty(trx, own);
  if (own === null || party === null) return failed(noParty(dividerId));
  if (party.isFrozen) return failed({ code: 'agent_withdrawal.party_frozen' });
  const { account } = party;
  if (account === null) return failed({ code: 'agent_withdrawal.no_account' });
  const terms = await readAgentWithdrawalTerms(trx);
  if ((await countToday(trx, own, at)) >= terms.perDay) {
    return failed({ code: 'withdrawal.too_many_today', params: { max: terms.perDay } });
  }
  const balance = balanceAccount(own);
  const balanceFen = await lockBalance(trx, own);
  if (balanceFen < terms.minFen) {
    const told = { balance: formatYuan(balanceFen), min: formatYuan(terms.minFen) };
    return failed({ code: 'agent_withdrawal.too_little', params: told });
  }
  if (amountFen < terms.minFen || amountFen > balanceFen) {
    const range = { min: formatYuan(terms.minFen), max: formatYuan(balanceFen) };
    return failed({ code: 'withdrawal.out_of_range', params: range });
  }
  const payableFen = await payableOfBalance(trx, own, { balanceFen, frozenFen: zeroFen });
  if (amountFen > payableFen)
    return failed({ code: 'agent_withdrawal.play_money', params: { max: formatYuan(payableFen) } });
  const feeFen = withdrawalFeeFen(amountFen, terms.feeBp);
  if (feeFen >= amountFen) return failed({ code: 'withdrawal.below_fee', params: { fee: formatYuan(feeFen) } });
  const number = receiptNumber('E', at);
  const { id } = await trx
    .insertInto('agent_withdrawals')
    .values({
      number,
      party: own.kind,
      agent_id: own.kind === 'agent' ? own.id : null,
      divider_id: own.kind === 'divider' ? own.id : null,
      holder_id: party.holderId,
      payee_kind: account.payeeKind,
      payee_holder: account.payeeHolder,
      payee_bank: account.payeeBank,
      payee_branch: account.payeeBranch,
      payee_bank_code: account.payeeBankCode,
      payee_number: account.payeeAccount,
      amount_fen: amountFen,
      fee_fen: feeFen,
      remark,
      applied_by: caller.userId,
      applied_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const freeze = freezeBalanceTransfer({ cause: { kind: 'agent-withdrawal', id }, balance, amountFen });
  if (!freeze.ok) throw new Error(`withdrawal ${number} cannot be frozen: ${freeze.error.code}`);
  if (!(await postTransfer(trx, freeze.value, at))) throw new Error(`withdrawal ${number} was frozen before`);
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.apply',
    recordKind: 'agent_withdrawal',
    recordId: id,
    after: { number, amountFen, feeFen, remark },
  });
  return ok(id);
}

/** Applications of a party in the day of Shanghai, whatever became of them. */
export async function countToday(db: Kysely<Tables>, party: Settled, at: Instant): Promise<number> {
  const { count } = await ofParty(db.selectFrom('agent_withdrawals'), party)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('applied_at', '>=', shanghaiDayStart(at))
    .executeTakeFirstOrThrow();
  return count;
}
