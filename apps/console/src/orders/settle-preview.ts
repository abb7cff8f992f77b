import { billingByHand, type Proposal } from '@voltdeck/charging/charge/decide-settlement';
import type { OrderDetail } from '@voltdeck/contract/orders';
import { billAsProposed } from '@voltdeck/contract/proposed-bill';
import { tariff as tariffView } from '@voltdeck/contract/tariffs';
import type { Bill } from '@voltdeck/tariffs/bill';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { type Instant, instant } from '@voltdeck/units/instant';

export type SettlePreview =
  | {
      kind: 'bill';
      bill: Bill;
      /** The energy was spread evenly over the time, since its course is unknown. */
      isSpread: boolean;
      fromHeldFen: number;
      beyondHeldFen: number;
      givenBackFen: number;
    }
  /** The end lies before the start. */
  | { kind: 'ends-too-early' }
  | { kind: 'no-rule' };

/** The order's billing rule, if it has one that can be read. */
export function ruleOf(order: Pick<OrderDetail, 'tariff'>): Tariff | null {
  const rule = tariffView.shape.detail.safeParse(order.tariff?.detail);
  return rule.success ? (rule.data as Tariff) : null;
}

/**
 * The bill of a settlement by hand, computed as the server does: the proposed bill if the input matches it; else the
 * entered energy in Wh, spread evenly from the start to the entered end.
 */
export function settlePreview(input: {
  tariff: Tariff | null;
  /** Null when unknown; the charge then has no duration. */
  startedAt: Instant | null;
  byHand: Proposal;
  proposal?: OrderDetail['proposal'];
  heldFen: number;
}): SettlePreview {
  const { tariff, startedAt, byHand, proposal = null, heldFen } = input;
  if (tariff === null) return { kind: 'no-rule' };
  if (startedAt !== null && byHand.endedAt < startedAt) return { kind: 'ends-too-early' };
  const billing = billingByHand({ startedAt, meterStartWh: null }, byHand);
  const proposed = billAsProposed(proposal, byHand);
  if (proposed !== null) return previewOf(proposed, { isSpread: false, heldFen });
  const priced = priceCharge({
    tariff,
    readings: [
      { at: billing.startedAt, energyWh: billing.meterStartWh },
      { at: billing.endedAt, energyWh: billing.meterStopWh },
    ],
  });
  if (!priced.ok) return { kind: 'no-rule' };
  return previewOf(priced.value, { isSpread: priced.value.lines.length > 1, heldFen });
}

function previewOf(bill: Bill, { isSpread, heldFen }: { isSpread: boolean; heldFen: number }): SettlePreview {
  const { amountFen } = bill;
  return {
    kind: 'bill',
    bill,
    isSpread,
    fromHeldFen: Math.min(amountFen, heldFen),
    beyondHeldFen: Math.max(0, amountFen - heldFen),
    givenBackFen: Math.max(0, heldFen - amountFen),
  };
}

/** `settlePreview` of an order's proposal; null without one. */
export function proposalPreview(
  order: Pick<OrderDetail, 'tariff' | 'startedAt' | 'proposal' | 'heldFen'>,
): SettlePreview | null {
  const { proposal, startedAt, heldFen } = order;
  if (proposal === null) return null;
  return settlePreview({
    tariff: ruleOf(order),
    startedAt: instantOf(startedAt),
    byHand: { energyWh: proposal.energyWh, endedAt: instant(Date.parse(proposal.endedAt)) },
    proposal,
    heldFen,
  });
}

export function instantOf(iso: string | null): Instant | null {
  return iso === null ? null : instant(Date.parse(iso));
}
