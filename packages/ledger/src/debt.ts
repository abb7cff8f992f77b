import type { OrderId } from '@voltdeck/units/id';
import { type Fen, minFen, subtractFen } from '@voltdeck/units/money';

/** What is still owed for an order; more than zero. */
export type Debt = { orderId: OrderId; owedFen: Fen };

export type Repayment = {
  orderId: OrderId;
  amountFen: Fen;
  /** What is still owed for the order afterwards. */
  owedFen: Fen;
};

/**
 * What `availableFen` (zero or more) repays of debts, in the given order: each in full before the next, the last one as
 * far as the money goes. The total never exceeds the money or the debts.
 */
export function repayInOrder(debts: readonly Debt[], availableFen: Fen): Repayment[] {
  const repayments: Repayment[] = [];
  let leftFen = availableFen;
  for (const { orderId, owedFen } of debts) {
    const amountFen = minFen(owedFen, leftFen);
    if (amountFen <= 0) break;
    repayments.push({ orderId, amountFen, owedFen: subtractFen(owedFen, amountFen) });
    leftFen = subtractFen(leftFen, amountFen);
  }
  return repayments;
}

/** Whether somebody owes too much to begin another charge. A debt of exactly the limit is still within it. */
export function isBeyondDebtLimit(debtFen: Fen, limitFen: Fen): boolean {
  return debtFen > limitFen;
}
