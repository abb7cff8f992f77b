import { addFen, type Fen, fen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';

/** Rates of tax are in hundredths of a percent: 13 % is 1300. */
export const rateBpMax = 10_000;

export type Taxed = { grossFen: Fen; netFen: Fen; taxFen: Fen };

/**
 * The tax that an amount includes, rounded half up to the fen. What remains is the amount without tax, so that both add
 * up to what was paid.
 * @throws RangeError for an amount below zero, or a rate out of its range.
 */
export function taxedOf(grossFen: Fen, rateBp: number): Taxed {
  if (grossFen < 0) throw new RangeError(`an invoice is not below zero, got ${grossFen}`);
  if (!Number.isInteger(rateBp) || rateBp < 0 || rateBp > rateBpMax) {
    throw new RangeError(`a rate of tax is from 0 to ${rateBpMax}, got ${rateBp}`);
  }
  const divisor = 2n * BigInt(10_000 + rateBp);
  const taxFen = fen(Number((2n * BigInt(grossFen) * BigInt(rateBp) + divisor / 2n) / divisor));
  return { grossFen, netFen: subtractFen(grossFen, taxFen), taxFen };
}

/** What of an order is invoiced. */
export type InvoicedOrder = {
  /** Really paid and not returned: no gifts, no coupon, nothing that is still owed. */
  amountFen: Fen;
  electricityFen: Fen;
  serviceFen: Fen;
};

/**
 * What was paid for an order with money and has not been returned, parted in the proportion of what was charged for
 * electricity and for service after the coupon.
 * @throws RangeError for amounts that contradict each other.
 */
export function invoicedOf(order: {
  electricityFeeFen: Fen;
  /** Before the coupon, which is taken off this. */
  serviceFeeFen: Fen;
  discountFen: Fen;
  /** Gifts included. */
  paidFen: Fen;
  giftPaidFen: Fen;
  refundedFen: Fen;
  refundedGiftFen: Fen;
}): InvoicedOrder {
  const { electricityFeeFen, serviceFeeFen, discountFen } = order;
  const paidFen = subtractFen(order.paidFen, order.giftPaidFen);
  const amountFen = subtractFen(paidFen, subtractFen(order.refundedFen, order.refundedGiftFen));
  if (amountFen === 0) return { amountFen, electricityFen: zeroFen, serviceFen: zeroFen };
  const [electricityFen = zeroFen, serviceFen = zeroFen] = splitFen(amountFen, [
    electricityFeeFen,
    subtractFen(serviceFeeFen, discountFen),
  ]);
  return { amountFen, electricityFen, serviceFen };
}

export type InvoiceAmounts = { amountFen: Fen; netFen: Fen; taxFen: Fen; electricity: Taxed; service: Taxed };

/** The amounts of an invoice over orders. Tax is reckoned on each part's sum, as it stands on the document. */
export function amountsOf(
  orders: readonly Pick<InvoicedOrder, 'electricityFen' | 'serviceFen'>[],
  rates: { electricityBp: number; serviceBp: number },
): InvoiceAmounts {
  const electricity = taxedOf(addFen(...orders.map(({ electricityFen }) => electricityFen)), rates.electricityBp);
  const service = taxedOf(addFen(...orders.map(({ serviceFen }) => serviceFen)), rates.serviceBp);
  return {
    amountFen: addFen(electricity.grossFen, service.grossFen),
    netFen: addFen(electricity.netFen, service.netFen),
    taxFen: addFen(electricity.taxFen, service.taxFen),
    electricity,
    service,
  };
}

/**
 * What of an order has to be taken back, where less of it is sold now than an invoice holds: the difference, by parts,
 * and never more of a part than is held. Nothing where as much or more is sold now.
 */
export function takenBackOf(held: InvoicedOrder, now: InvoicedOrder): InvoicedOrder {
  const amountFen = fen(Math.max(0, held.amountFen - now.amountFen));
  const wanted = held.electricityFen - now.electricityFen;
  const least = Math.max(0, amountFen - held.serviceFen);
  const electricityFen = fen(Math.min(amountFen, held.electricityFen, Math.max(least, wanted)));
  return { amountFen, electricityFen, serviceFen: subtractFen(amountFen, electricityFen) };
}

/**
 * A part of a red letter, above zero: `backFen` of a part of an invoice that still stands for `standingFen`. Its tax is
 * what the tax of the standing part falls by, so that what stands afterwards always has the tax of its amount, and red
 * letters over all of a part take back all of its tax, to the fen.
 * @throws RangeError for more than what stands, an amount below zero, or a rate out of its range.
 */
export function reddenedOf(standingFen: Fen, backFen: Fen, rateBp: number): Taxed {
  if (backFen < 0 || backFen > standingFen) {
    throw new RangeError(`${backFen} cannot be taken back of ${standingFen}`);
  }
  const before = taxedOf(standingFen, rateBp);
  const after = taxedOf(subtractFen(standingFen, backFen), rateBp);
  const taxFen = subtractFen(before.taxFen, after.taxFen);
  return { grossFen: backFen, netFen: subtractFen(backFen, taxFen), taxFen };
}
