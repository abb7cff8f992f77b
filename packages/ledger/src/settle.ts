import type { OrderId, SiteId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  electricityIncomeAccount,
  heldAccount,
  keyOf,
  receivableAccount,
  serviceIncomeAccount,
  type Wallet,
} from './account.ts';
import { flow } from './posting.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

export type Settlement = {
  /** Null when nothing was held and nothing is due: there is no money to move. */
  transfer: Transfer | null;
  /** Taken from held and free money. */
  paidFen: Fen;
  /** What the wallet could not pay, now owed by its owner. */
  shortfallFen: Fen;
  /** Held money that was returned to the wallet. */
  releasedFen: Fen;
};

/**
 * Pays the bill of an order: first from its hold, then from the wallet, then as a debt; the unused hold is returned.
 * `paidFen + shortfallFen` is the bill, to the fen. All amounts are zero or more.
 */
export function settleTransfer(settlement: {
  orderId: OrderId;
  siteId: SiteId;
  wallet: Wallet;
  /** The order's hold. */
  heldFen: Fen;
  /** What is free in the wallet. */
  availableFen: Fen;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
}): Result<Settlement, TransferFault> {
  const { orderId, siteId, wallet, heldFen, availableFen, electricityFeeFen, serviceFeeFen } = settlement;
  const negative = negativeAmount({ heldFen, availableFen, electricityFeeFen, serviceFeeFen });
  if (negative !== null) return failed(negative);

  const dueFen = addFen(electricityFeeFen, serviceFeeFen);
  const fromHeldFen = minFen(heldFen, dueFen);
  const fromWalletFen = minFen(availableFen, subtractFen(dueFen, fromHeldFen));
  const paidFen = addFen(fromHeldFen, fromWalletFen);
  const shortfallFen = subtractFen(dueFen, paidFen);
  const releasedFen = subtractFen(heldFen, fromHeldFen);
  const held = keyOf(heldAccount(wallet));
  const free = keyOf(wallet);
  const payments = flow(
    [
      { account: held, amountFen: fromHeldFen },
      { account: free, amountFen: fromWalletFen },
      { account: keyOf(receivableAccount(wallet)), amountFen: shortfallFen },
    ],
    [
      { account: keyOf(electricityIncomeAccount(siteId)), amountFen: electricityFeeFen },
      { account: keyOf(serviceIncomeAccount(siteId)), amountFen: serviceFeeFen },
    ],
  );
  const release = flow([{ account: held, amountFen: releasedFen }], [{ account: free, amountFen: releasedFen }]);
  const postings = [...payments, ...release];
  if (postings.length === 0) return ok({ transfer: null, paidFen, shortfallFen, releasedFen });
  const transfer = makeTransfer({ key: `order:${orderId}:settle`, reason: 'charge_settled', orderId, postings });
  return transfer.ok ? ok({ transfer: transfer.value, paidFen, shortfallFen, releasedFen }) : transfer;
}
