/** A charge that a customer of ours has at the station of another operator, and what is decided about it. */
import { hourMs, type Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, subtractFen } from '@voltdeck/units/money';
import type { PartnerChargeStage, PartnerOrder, PartnerOrderDoubt } from './partner-charge.ts';
import type { PartnerPriceSlot } from './partner-site.ts';

/**
 * `starting`: the partner was asked, and it has not begun; `settling`: it ended and its bill is awaited; `disputed`: the
 * bill cannot be believed, or contradicts one that was paid, and a person decides.
 */
export const roamingStates = ['starting', 'charging', 'settling', 'disputed', 'completed', 'cancelled'] as const;
export type RoamingState = (typeof roamingStates)[number];

/** Money is held for it, and the partner may still act. */
export const openRoamingStates = ['starting', 'charging', 'settling', 'disputed'] as const;
export const runningRoamingStates = ['starting', 'charging'] as const;

/**
 * Why a bill is not paid unseen: it contradicts itself, names another port, costs more than any price that was told, or
 * is of a charge that was given up.
 */
export const roamingDoubts = [
  'ends_before_start',
  'fees_differ',
  'lines_energy',
  'lines_fees',
  'port_differs',
  'above_price',
  'was_cancelled',
] as const satisfies readonly (PartnerOrderDoubt | string)[];
export type RoamingDoubt = (typeof roamingDoubts)[number];

export const roamingLimits = {
  /** The least balance to begin with: less would be used up between two messages of the partner. */
  startBalanceMinFen: fen(1_000),
  /** With less of the hold left, more is held. */
  extendBelowFen: fen(2_000),
  /** With less of the hold left and nothing more to hold, the partner is asked to stop. */
  stopBelowFen: fen(500),
  /** A person may settle a running charge of which nothing was heard for this long. */
  silentMs: hourMs,
} as const;

/** Where a charge goes when the partner says how far it is; null where it stays. A charge only goes on. */
export function stateAfterStage(state: RoamingState, stage: PartnerChargeStage): RoamingState | null {
  switch (stage) {
    case 'charging':
    case 'stopping':
      return state === 'starting' ? 'charging' : null;
    case 'ended':
      // One that ended before it began is cancelled by whoever knows that it never began.
      return state === 'charging' ? 'settling' : null;
    case 'starting':
    case 'unknown':
      return null;
  }
}

/** What to do about the hold of a running charge that has cost `feeFen` so far. */
export function decideRoamingHold(charge: {
  heldFen: Fen;
  feeFen: Fen;
  availableFen: Fen;
  isStopAsked: boolean;
}): 'keep' | 'extend' | 'stop' {
  const { heldFen, feeFen, availableFen, isStopAsked } = charge;
  const leftFen = subtractFen(heldFen, feeFen);
  if (leftFen >= roamingLimits.extendBelowFen) return 'keep';
  if (availableFen > 0) return 'extend';
  return leftFen < roamingLimits.stopBelowFen && !isStopAsked ? 'stop' : 'keep';
}

/** What partners round: a fen for each fee of each line, and the energy to 0.01 kWh. */
const roundingFen = 2;
const roundingWh = 10;

/** What is wrong with a partner's bill beside what it contradicts itself in (`doubtsOf` of packages/tcec102). */
export function roamingDoubtsOf(
  charge: { state: RoamingState; portCode: string; prices: readonly PartnerPriceSlot[] },
  order: PartnerOrder,
): readonly RoamingDoubt[] {
  const doubts: RoamingDoubt[] = [];
  if (order.portId !== charge.portCode) doubts.push('port_differs');
  if (charge.state === 'cancelled') doubts.push('was_cancelled');
  const dearestE5 = Math.max(
    ...charge.prices.map(({ electricityPriceE5, servicePriceE5 }) => electricityPriceE5 + servicePriceE5),
  );
  // Prices are in 1e-5 yuan per kWh: 1e-3 fen per kWh, so 1e-6 fen per Wh.
  const mostFen = ((order.energyWh + roundingWh) * dearestE5) / 1_000_000;
  if (charge.prices.length > 0 && order.amountFen > mostFen + roundingFen * (1 + order.lines.length)) {
    doubts.push('above_price');
  }
  return doubts;
}

/** Whether a person may settle a charge with figures that both operators agreed on. */
export function canSettleRoaming(
  { state, heardAt, placedAt }: { state: RoamingState; heardAt: Instant | null; placedAt: Instant },
  now: Instant,
): boolean {
  switch (state) {
    case 'settling':
    case 'disputed':
      return true;
    case 'starting':
    case 'charging':
      return now - (heardAt ?? placedAt) >= roamingLimits.silentMs;
    case 'completed':
    case 'cancelled':
      return false;
  }
}

/** Whether a bill that comes again says the same. */
export function isSameBill(told: PartnerOrder, again: PartnerOrder): boolean {
  return (
    told.energyWh === again.energyWh &&
    told.amountFen === again.amountFen &&
    addFen(told.electricityFeeFen, told.serviceFeeFen) === addFen(again.electricityFeeFen, again.serviceFeeFen)
  );
}
