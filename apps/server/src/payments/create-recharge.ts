import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Recharge, createRecharge as route } from '@voltdeck/contract/payments';
import type { BodyOf } from '@voltdeck/contract/route';
import { groupAccount, prepaidAccount, type Wallet } from '@voltdeck/ledger/account';
import type { AgentId, CardId, CustomerId, GroupId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { refusalOfDayLimit } from '../ledger/recharge-day-limit.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { lockDebts } from '../orders/repay-debts.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { findWallet } from './find-wallet.ts';
import { lockPromotion } from './promotions/choose-promotion.ts';
import { findRecharge } from './queries.ts';
import { writeRecharge } from './write-recharge.ts';

type Form = BodyOf<typeof route>;
export type Recharged = {
  recharge: Recharge;
  wallet: Wallet;
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Recharges a card, a customer's balance or a group through the books: from outside for the platform, from the agent's prepaid
 * account for an agent. The payer's debts are repaid at once, the oldest order first.
 */
export async function createRecharge(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<Recharged | Waits, ApiError>> {
  const target = await findTarget(trx, caller, form);
  if (!target.ok) return target;
  const { wallet, cardId, customerId, groupId, text } = target.value;
  const { amountFen, remark } = form;
  const giftByHandFen = form.giftFen ?? zeroFen;
  // Gifts are the platform's money.
  if (giftByHandFen > 0 && !(caller.agents === 'all' && may(caller, 'recharge.gift'))) {
    return failed({ code: 'access.denied' });
  }
  const payerId = caller.agents === 'all' ? null : (caller.agents[0] ?? null);
  // Promotions are for riders.
  const promotion =
    groupId !== null
      ? null
      : await lockPromotion(
          trx,
          {
            cardId,
            customerId,
            amountFen,
            agentId: target.value.agentId ?? payerId,
            isPrepaid: caller.agents !== 'all',
          },
          at,
        );
  const movedFen = addFen(amountFen, addFen(promotion?.giftFen ?? zeroFen, giftByHandFen));
  const refusal = await refusalOfDayLimit(trx, caller.userId, movedFen, at);
  if (refusal !== null) return failed(refusal);
  await lockDebts(trx, wallet);
  const prepaid = await payPrepaid(trx, caller, wallet, amountFen);
  if (!prepaid.ok) return prepaid;
  const { agentId, prepaidAfterFen } = prepaid.value;
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'recharge',
      amountFen: movedFen,
      // Whose money it is, whoever owns the card.
      agentId,
      subject: { kind: wallet.kind, id: wallet.owner, text },
      detail: {
        body: {
          ...(cardId === null ? {} : { cardId }),
          ...(customerId === null ? {} : { customerId }),
          ...(groupId === null ? {} : { groupId }),
          amountFen,
          ...(form.giftFen === undefined ? {} : { giftFen: form.giftFen }),
          remark,
        },
      },
      reason: remark,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const { id, repaidOrders } = await writeRecharge(
    trx,
    {
      wallet,
      amountFen,
      source: agentId === null ? { channel: 'back-office' } : { agentId, prepaidAfterFen },
      agentId: target.value.agentId ?? agentId,
      userId: caller.userId,
      remark: remark ?? '',
      promotion,
      giftByHandFen,
    },
    at,
  );
  await audit(trx, caller, at, { action: 'recharge.create', recordKind: 'recharge', recordId: id, after: form });
  const recharge = await findRecharge(trx, caller, id);
  if (recharge === null) throw new Error(`recharge ${id} is out of its own payer's scope`);
  return ok({ recharge, wallet, repaidOrders });
}

/** What people put money on by hand. */
type RechargedWallet = Extract<Wallet, { kind: 'card' | 'customer' | 'group' }>;

type Target = {
  wallet: RechargedWallet;
  cardId: CardId | null;
  customerId: CustomerId | null;
  groupId: GroupId | null;
  /** Of the card or the group. */
  agentId: AgentId | null;
  text: string;
};

/** Whom the form names: a card, a customer or a group, exactly one of them. */
async function findTarget(trx: Trx, caller: Caller, form: Form): Promise<Result<Target, ApiError>> {
  const { groupId, ...personal } = form;
  if (groupId === undefined) {
    const found = await findWallet(trx, caller, personal, { to: 'receive' });
    return found.ok ? ok({ ...found.value, groupId: null }) : found;
  }
  const { cardNumber, cardId, customerPhone, customerId } = personal;
  if ([cardNumber, cardId, customerPhone, customerId].some((named) => named !== undefined)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'groupId', code: 'only_one' }] });
  }
  const group = await scoped(trx.selectFrom('groups'), caller, 'groups.agent_id')
    .select(['groups.name', 'groups.state', 'groups.agent_id'])
    .where('groups.id', '=', groupId)
    // Not disabled until the money is there.
    .forShare()
    .executeTakeFirst();
  if (group === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'groupId', code: 'unknown_reference' }] });
  }
  if (group.state !== 'enabled') return failed({ code: 'group.disabled', params: { group: group.name } });
  const wallet = groupAccount(groupId);
  return ok({ wallet, cardId: null, customerId: null, groupId, agentId: group.agent_id, text: group.name });
}

type Prepaid = { agentId: AgentId; prepaidAfterFen: Fen } | { agentId: null; prepaidAfterFen: null };

/** Who pays: for an agent, its prepaid account, which is locked here together with the wallet. */
async function payPrepaid(
  trx: Trx,
  caller: Caller,
  wallet: Wallet,
  amountFen: Fen,
): Promise<Result<Prepaid, ApiError>> {
  if (caller.agents === 'all') return ok({ agentId: null, prepaidAfterFen: null });
  const [agentId] = caller.agents;
  if (agentId === undefined) return failed({ code: 'access.denied' });
  const prepaid = prepaidAccount(agentId);
  const availableFen = (await lockAccounts(trx, [prepaid, wallet]))(prepaid);
  if (availableFen < amountFen) {
    return failed({ code: 'agent.prepaid_too_low', params: { available: formatYuan(availableFen) } });
  }
  return ok({ agentId, prepaidAfterFen: subtractFen(availableFen, amountFen) });
}
