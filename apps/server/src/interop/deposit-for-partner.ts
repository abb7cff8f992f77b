import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Deposit, depositForPartner as route } from '@voltdeck/contract/partner-deposits';
import type { BodyOf } from '@voltdeck/contract/route';
import { partnerAccount } from '@voltdeck/ledger/account';
import type { PartnerId, RechargeId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { refusalOfDayLimit } from '../ledger/recharge-day-limit.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { lockDebts } from '../orders/repay-debts.ts';
import { tellWalletLater } from '../orders/tell-balance.ts';
import { writeRecharge } from '../payments/write-recharge.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';

export type Deposited = {
  deposit: Deposit;
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Enters what a partner paid in from outside for the charges that it starts at our stations. What earlier charges left
 * owing is repaid at once, the oldest order first.
 */
export async function depositFor(
  trx: Trx,
  caller: Caller,
  id: PartnerId,
  { amountFen, remark }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Deposited | Waits, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const partner = await trx
    .selectFrom('partners')
    .select(['name', 'role'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (partner === undefined) return failed({ code: 'record.not_found' });
  if (partner.role === 'supervision') return failed({ code: 'partner.no_deposit' });
  const refusal = await refusalOfDayLimit(trx, caller.userId, amountFen, at);
  if (refusal !== null) return failed(refusal);
  const wallet = partnerAccount(id);
  await lockDebts(trx, wallet);
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'partner_deposit',
      amountFen,
      agentId: null,
      subject: { kind: 'partner', id, text: partner.name },
      detail: { partnerId: id, body: { amountFen, remark } },
      reason: remark,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const written = await writeRecharge(
    trx,
    {
      wallet,
      amountFen,
      source: { channel: 'back-office' },
      agentId: null,
      userId: caller.userId,
      remark,
      promotion: null,
    },
    at,
  );
  await tellWalletLater(trx, wallet);
  await audit(trx, caller, at, {
    action: 'partner.deposit',
    recordKind: 'partner',
    recordId: id,
    after: { amountFen, remark, number: written.number },
  });
  const deposit = await findDeposit(trx, written.id);
  if (deposit === null) throw new Error(`deposit ${written.id} is gone`);
  return ok({ deposit, repaidOrders: written.repaidOrders });
}

export async function findDeposit(db: Kysely<Tables>, id: RechargeId): Promise<Deposit | null> {
  const row = await db
    .selectFrom('recharges')
    .innerJoin('partners', 'partners.id', 'recharges.partner_id')
    .select([
      'recharges.id',
      'recharges.number',
      'partners.id as partnerId',
      'partners.name as partnerName',
      'recharges.amount_fen as amountFen',
      'recharges.balance_before_fen as balanceBeforeFen',
      'recharges.balance_after_fen as balanceAfterFen',
      'recharges.owed_after_fen as owedAfterFen',
      'recharges.repaid_fen as repaidFen',
      'recharges.remark',
      'recharges.created_at as createdAt',
    ])
    .where('recharges.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, createdAt: toIso(row.createdAt) };
}
