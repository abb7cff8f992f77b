import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import { isSameBill, type RoamingDoubt, roamingDoubtsOf } from '@voltdeck/charging/roaming-charge';
import { totalOf } from '@voltdeck/ledger/parts';
import { settleRoamingTransfer } from '@voltdeck/ledger/roaming';
import { confirmResults } from '@voltdeck/tcec102/conversation';
import { doubtsOf } from '@voltdeck/tcec102/translate';
import type { WattHours } from '@voltdeck/units/energy';
import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, zeroFen } from '@voltdeck/units/money';
import type { Trx } from '../../database/transact.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { lockParts } from '../../ledger/wallet-parts.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { tellWalletLater } from '../../orders/tell-balance.ts';
import { writeRoaming } from './change-roaming.ts';
import { heldOf, owedToPartner, type RoamingRow, walletOfRoaming } from './roaming-row.ts';

type Figures = { energyWh: WattHours; electricityFeeFen: Fen; serviceFeeFen: Fen };
/** A person who settles, and why. */
export type ByHand = { userId: UserId | null; reason: string };

/**
 * Takes the bill of a charge and pays it where nothing is wrong with it. Partners tell a bill until it is answered: the
 * same one again is answered as before, and another one for a charge that was paid is disputed.
 * @returns ConfirmResult
 */
export async function takeBill(trx: Trx, charge: RoamingRow, order: PartnerOrder, at: Instant): Promise<number> {
  switch (charge.state) {
    case 'completed':
      if (isPaid(charge, order)) return confirmResults.repeated;
      // A person has decided about this one.
      if (charge.dispute === null && isSecond(charge, order)) return confirmResults.disputed;
      await writeRoaming(trx, charge, { dispute: 'amount_differs', second_bill: JSON.stringify(order) as never });
      return confirmResults.disputed;
    case 'disputed':
      if (charge.bill !== null && isSameBill(charge.bill, order))
        return charge.confirmResult ?? confirmResults.disputed;
      break;
    case 'cancelled':
      // Nothing was charged, as we thought. It is kept: a start that is told after it begins nothing.
      if (order.amountFen === 0 && order.energyWh === 0) {
        const accepted = { confirm_result: confirmResults.accepted, billed_at: at };
        if (charge.bill === null)
          await writeRoaming(trx, charge, { bill: JSON.stringify(order) as never, ...accepted });
        return confirmResults.accepted;
      }
      // What a person closed stays closed.
      if (charge.refusal === 'by_hand') {
        if (charge.dispute === null && isSecond(charge, order)) return confirmResults.disputed;
        await writeRoaming(trx, charge, { dispute: 'amount_differs', second_bill: JSON.stringify(order) as never });
        return confirmResults.disputed;
      }
      break;
    default:
      break;
  }
  const doubts: RoamingDoubt[] = [...doubtsOf(order), ...roamingDoubtsOf(charge, order, at)];
  const told = {
    bill: JSON.stringify(order) as never,
    doubts,
    billed_at: at,
    heard_at: at,
    started_at: order.from,
    ended_at: order.to,
    stop_reason: order.stopReason,
    energy_wh: order.energyWh,
    electricity_fee_fen: order.electricityFeeFen,
    service_fee_fen: order.serviceFeeFen,
    amount_fen: order.amountFen,
    poll_due_at: null,
    ...(order.vin === undefined ? {} : { vin: order.vin }),
    ...(order.plate === undefined ? {} : { plate: order.plate }),
  };
  if (doubts.length > 0) {
    await writeRoaming(trx, charge, {
      ...told,
      // What was known before stays what the next bill is judged by.
      ended_at: charge.endedAt ?? order.to,
      state: 'disputed',
      confirm_result: confirmResults.disputed,
    });
    return confirmResults.disputed;
  }
  await writeRoaming(trx, charge, { ...told, confirm_result: confirmResults.accepted });
  await settleRoaming(trx, charge, order, at);
  return confirmResults.accepted;
}

/**
 * What was paid may be what a person agreed on, which the bill need not say. After a refund the amount alone tells: nobody
 * entered the energy that it stands for.
 */
function isPaid(charge: RoamingRow, order: PartnerOrder): boolean {
  const dueFen = owedToPartner(charge);
  return order.amountFen === dueFen && (order.energyWh === charge.energyWh || dueFen < charge.amountFen);
}

function isSecond({ secondBill }: RoamingRow, order: PartnerOrder): boolean {
  return secondBill !== null && isSameBill(secondBill, order);
}

/** The customer pays, from the hold first, then from the balance; what is missing is owed. We owe it to the partner. */
export async function settleRoaming(
  trx: Trx,
  charge: RoamingRow,
  { energyWh, electricityFeeFen, serviceFeeFen }: Figures,
  at: Instant,
  byHand: ByHand | null = null,
): Promise<void> {
  const wallet = walletOfRoaming(charge);
  const settled = settleRoamingTransfer({
    chargeId: charge.id,
    partnerId: charge.partnerId,
    wallet,
    held: heldOf(charge),
    available: await lockParts(trx, wallet),
    electricityFeeFen,
    serviceFeeFen,
  });
  if (!settled.ok) throw new Error(`a checked bill cannot be settled: ${JSON.stringify(settled.error)}`);
  const { transfer, paid, shortfallFen } = settled.value;
  if (transfer !== null) {
    await postTransfer(trx, soundTransfer({ ok: true, value: transfer }), at, [
      { wallet, type: 'consume', number: charge.sequence, paidFen: -paid.paidFen, giftFen: -paid.giftFen },
    ]);
    await tellWalletLater(trx, wallet);
  }
  await writeRoaming(trx, charge, {
    state: 'completed',
    energy_wh: energyWh,
    electricity_fee_fen: electricityFeeFen,
    service_fee_fen: serviceFeeFen,
    amount_fen: addFen(electricityFeeFen, serviceFeeFen),
    paid_fen: totalOf(paid),
    gift_paid_fen: paid.giftFen,
    owed_fen: shortfallFen,
    held_fen: zeroFen,
    held_gift_fen: zeroFen,
    settled_at: at,
    poll_due_at: null,
    ...(byHand !== null && { user_id: byHand.userId, reason: byHand.reason, doubts: [] }),
  });
}
