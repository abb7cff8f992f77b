import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { AuditAction } from '@voltdeck/contract/audit-actions';
import type { ApiError } from '@voltdeck/contract/errors';
import type {
  RoamingCorrectionKind,
  refundRoamingCharge as refundRoute,
  upholdRoamingCharge as upholdRoute,
  writeOffRoamingDebt as writeOffRoute,
} from '@voltdeck/contract/roaming';
import type { BodyOf } from '@voltdeck/contract/route';
import { partsOf } from '@voltdeck/ledger/parts';
import { refundRoamingTransfer, writeOffRoamingTransfer } from '@voltdeck/ledger/roaming';
import type { RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { tellWalletLater } from '../../orders/tell-balance.ts';
import type { ApprovalDetails } from '../../second-person/approval-details.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { money } from '../../second-person/fact-figures.ts';
import { isOpenRoaming, writeRoaming } from './change-roaming.ts';
import { closeRoamingWriteOffs } from './close-write-offs.ts';
import { byId, lockRoaming, owedToPartner, type RoamingRow, walletOfRoaming } from './roaming-row.ts';

type Corrected = Result<RoamingChargeId | Waits, ApiError>;

/**
 * Gives a customer back what both operators agreed was billed too much; the partner gets that much less. Where nothing
 * but what its contradicting bill says is left to pay, the contradiction is over.
 */
export async function refundRoaming(
  trx: Trx,
  caller: Caller,
  id: RoamingChargeId,
  body: BodyOf<typeof refundRoute>,
  at: Instant,
): Promise<Corrected> {
  const charge = await lockPaid(trx, caller, id);
  if (!charge.ok) return charge;
  const { amountFen, reason } = body;
  const { sequence, partnerId, paidFen, giftPaidFen, refundedFen, refundedGiftFen, owedFen, secondBill } = charge.value;
  const maxFen = refundableFen(charge.value);
  if (maxFen <= 0) return failed({ code: 'order.nothing_to_refund' });
  if (amountFen > maxFen) return failed({ code: 'order.refund_too_high', params: { max: formatYuan(maxFen) } });
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'roaming_refund',
      amountFen,
      agentId: null,
      subject: { kind: 'roaming_charge', id, text: sequence },
      detail: { chargeId: id, body },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const wallet = walletOfRoaming(charge.value);
  const made = refundRoamingTransfer({
    chargeId: id,
    number: (await countRefunds(trx, id)) + 1,
    partnerId,
    wallet,
    amountFen,
    paid: partsOf(paidFen, giftPaidFen),
    refunded: partsOf(refundedFen, refundedGiftFen),
    owedFen,
  });
  if (!made.ok) throw new Error(`charge ${sequence} cannot be refunded: ${made.error.code}`);
  const { transfer, forgivenFen, refunded } = made.value;
  if (owedFen > 0 && forgivenFen === owedFen) await closeRoamingWriteOffs(trx, caller, id, at);
  await postTransfer(trx, transfer, at, [
    { wallet, type: 'order_refund', number: sequence, ...refunded, userId: caller.userId, remark: reason },
  ]);
  await tellWalletLater(trx, wallet);
  const isAgreed = secondBill !== null && subtractFen(owedToPartner(charge.value), amountFen) === secondBill.amountFen;
  await writeRoaming(trx, charge.value, {
    owed_fen: subtractFen(owedFen, forgivenFen),
    forgiven_fen: addFen(charge.value.forgivenFen, forgivenFen),
    refunded_fen: addFen(refundedFen, subtractFen(amountFen, forgivenFen)),
    refunded_gift_fen: addFen(refundedGiftFen, refunded.giftFen),
    ...(isAgreed && { dispute: null }),
  });
  return note(trx, caller, charge.value, { kind: 'refund', amountFen, forgivenFen, reason }, at);
}

/** Gives up what a customer still owes for a charge: the loss is ours, and the partner is paid all the same. */
export async function writeOffRoaming(
  trx: Trx,
  caller: Caller,
  id: RoamingChargeId,
  body: BodyOf<typeof writeOffRoute>,
  at: Instant,
): Promise<Corrected> {
  const charge = await lockPaid(trx, caller, id);
  if (!charge.ok) return charge;
  const { sequence, owedFen, writtenOffFen } = charge.value;
  if (owedFen <= 0) return failed({ code: 'order.nothing_owed' });
  const { reason } = body;
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'roaming_write_off',
      amountFen: owedFen,
      agentId: null,
      subject: { kind: 'roaming_charge', id, text: sequence },
      detail: { chargeId: id, body },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  await closeRoamingWriteOffs(trx, caller, id, at);
  const noted = await note(trx, caller, charge.value, { kind: 'write_off', amountFen: owedFen, reason }, at);
  await writeRoaming(trx, charge.value, { owed_fen: zeroFen, written_off_fen: addFen(writtenOffFen, owedFen) });
  return noted;
}

/** Ends a contradiction in favour of what was paid, or of nothing, as both operators agreed. No money moves. */
export async function upholdRoaming(
  trx: Trx,
  caller: Caller,
  id: RoamingChargeId,
  { reason }: BodyOf<typeof upholdRoute>,
  at: Instant,
): Promise<Result<RoamingChargeId, ApiError>> {
  const charge = caller.agents === 'all' ? await lockRoaming(trx, byId(id)) : null;
  if (charge === null) return failed({ code: 'record.not_found' });
  if (isOpenRoaming(charge)) return failed({ code: 'roaming.not_paid' });
  if (charge.dispute === null) return failed({ code: 'roaming.no_dispute' });
  await writeRoaming(trx, charge, { dispute: null });
  return note(trx, caller, charge, { kind: 'upheld', amountFen: zeroFen, reason }, at);
}

/** What a refund leaves of a charge's bill. */
export async function factsOfRoamingRefund(
  db: Kysely<Tables>,
  { chargeId, body }: ApprovalDetails['roaming_refund'],
): Promise<ApprovalFact[]> {
  const charge = await readPaid(db, chargeId);
  const givenBackFen = addFen(charge.refundedFen, charge.forgivenFen);
  const leftFen = refundableFen(charge);
  return [
    money('bill', null, charge.amountFen),
    money('givenBack', givenBackFen, addFen(givenBackFen, body.amountFen)),
    money('refundable', leftFen, subtractFen(leftFen, minFen(leftFen, body.amountFen))),
  ];
}

/** The paid charge, locked. */
async function lockPaid(trx: Trx, caller: Caller, id: RoamingChargeId): Promise<Result<RoamingRow, ApiError>> {
  const charge = caller.agents === 'all' ? await lockRoaming(trx, byId(id)) : null;
  if (charge === null) return failed({ code: 'record.not_found' });
  return charge.state === 'completed' ? ok(charge) : failed({ code: 'roaming.not_paid' });
}

function readPaid(db: Kysely<Tables>, id: RoamingChargeId) {
  return db
    .selectFrom('roaming_charges')
    .select(['amount_fen as amountFen', 'paid_fen as paidFen', 'refunded_fen as refundedFen'])
    .select(['forgiven_fen as forgivenFen', 'owed_fen as owedFen'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

function refundableFen({
  owedFen,
  paidFen,
  refundedFen,
}: Pick<RoamingRow, 'owedFen' | 'paidFen' | 'refundedFen'>): Fen {
  return addFen(owedFen, subtractFen(paidFen, refundedFen));
}

async function countRefunds(trx: Trx, id: RoamingChargeId): Promise<number> {
  const { count } = await trx
    .selectFrom('roaming_corrections')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('charge_id', '=', id)
    .where('kind', '=', 'refund')
    .executeTakeFirstOrThrow();
  return count;
}

const actions = {
  refund: 'roaming.refund',
  write_off: 'roaming.write_off',
  upheld: 'roaming.uphold',
} as const satisfies Readonly<Record<RoamingCorrectionKind, AuditAction>>;

async function note(
  trx: Trx,
  caller: Caller,
  charge: RoamingRow,
  correction: { kind: RoamingCorrectionKind; amountFen: Fen; forgivenFen?: Fen; reason: string },
  at: Instant,
): Promise<Result<RoamingChargeId, ApiError>> {
  const { kind, amountFen, forgivenFen = zeroFen, reason } = correction;
  const { id } = await trx
    .insertInto('roaming_corrections')
    .values({
      charge_id: charge.id,
      kind,
      amount_fen: amountFen,
      forgiven_fen: forgivenFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (kind === 'write_off') {
    const transfer = writeOffRoamingTransfer({ id, wallet: walletOfRoaming(charge), amountFen });
    await postTransfer(trx, soundTransfer(transfer), at);
    await tellWalletLater(trx, walletOfRoaming(charge));
  }
  await audit(trx, caller, at, {
    action: actions[kind],
    recordKind: 'roaming_charge',
    recordId: charge.id,
    after: { ...(kind !== 'upheld' && { amountFen }), reason },
  });
  return ok(charge.id);
}
