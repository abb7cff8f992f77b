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
      /** Its energy was spread over its time, because nobody knows better. */
      isSpread: boolean;
      fromHeldFen: number;
      beyondHeldFen: number;
      givenBackFen: number;
    }
  /** The end lies before the start. */
  | { kind: 'ends-too-early' }
  | { kind: 'no-rule' };

/** The rule that an order is priced by, where it has one that can be read. */
export function ruleOf(order: Pick<OrderDetail, 'tariff'>): Tariff | null {
  const rule = tariffView.shape.detail.safeParse(order.tariff?.detail);
  return rule.success ? (rule.data as Tariff) : null;
}

/**
 * What a settlement by hand bills, by the computation of the server: what is proposed where that is what was entered;
 * else the energy in Wh that was entered, spread evenly over the time from the start to the end that was entered.
 */
export function settlePreview(input: {
  tariff: Tariff | null;
  /** Null where nobody knows it: then the charge has no length. */
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

/** `settlePreview` of what is proposed for an order; null where nothing is. */
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
