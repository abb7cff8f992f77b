import { type Fen, fen } from '@voltdeck/units/money';

/**
 * What counts for a customer's credit score: paid money and hundredths of a point. One fen is as many hundredths as a
 * yuan has points, so nothing is ever rounded away and small charges count as much as large ones.
 */
export type Credit = { amountFen: Fen; pointsE2: number };

/**
 * What an order changes when `movedFen` more of it was really paid, or less than zero when paid money was returned.
 * `counted` is what it has counted so far. More money counts at the present rate; returned money takes its part of what
 * the order gave, so that many small refunds never take more than that, and an order that gave nothing loses nothing.
 */
export function creditChange(counted: Credit, movedFen: number, pointsPerYuan: number): Credit {
  if (movedFen >= 0) return { amountFen: fen(movedFen), pointsE2: movedFen * pointsPerYuan };
  const leftFen = Math.max(0, counted.amountFen + movedFen);
  const leftE2 = leftFen === 0 ? 0 : Number((BigInt(counted.pointsE2) * BigInt(leftFen)) / BigInt(counted.amountFen));
  return { amountFen: fen(leftFen - counted.amountFen), pointsE2: leftE2 - counted.pointsE2 };
}
