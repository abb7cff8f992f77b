import type { AgentId, DividerId } from '@voltdeck/units/id';
import { addFen, type Fen, fen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';

/** The fees of a bill that are shared apart. */
export const feeKinds = ['electricity', 'service', 'occupancy'] as const;
export type FeeKind = (typeof feeKinds)[number];
export type PerFee<Value> = Readonly<Record<FeeKind, Value>>;

/** A part of money in hundredths of a percent: 0 to 10,000. */
export type RateE4 = number;
export const wholeE4: RateE4 = 10_000;

/** Who gets a part of what an order took. */
export type Party = { kind: 'platform' } | { kind: 'agent'; id: AgentId } | { kind: 'divider'; id: DividerId };

/**
 * Why a party gets its part: the platform for the payment channel and as commission, a divider by its rate, and
 * whoever passes money on what is left to them. `coupon` is what the platform pays of a bill itself; it is below zero.
 */
export const shareReasons = ['channel_fee', 'commission', 'rate', 'remainder', 'coupon'] as const;
export type ShareReason = (typeof shareReasons)[number];

/** Who divides money with whom, as it was agreed when an order was settled. */
export type SharePlan = {
  /** Of everything; kept by the platform, which pays the channels. */
  channelFeeE4: RateE4;
  /** Of what the channel fee leaves. */
  commissionE4: PerFee<RateE4>;
  /** Of what the commission leaves on the platform's own sites. */
  dividers: readonly PlannedDivider[];
  /** From the platform's own agent down to the one who runs the station. Each gets its rate of what the one above has. */
  agents: readonly PlannedAgent[];
};
export type PlannedAgent = {
  id: AgentId;
  rateE4: RateE4;
  /** Of what the agent has left after the agent below. Their rates for one fee are a whole together at most. */
  dividers: readonly PlannedDivider[];
};
export type PlannedDivider = { id: DividerId; rateE4: PerFee<RateE4> };

export type Share = { party: Party; reason: ShareReason; fee: FeeKind; amountFen: Fen };

/** What came in for an order so far, and what it was charged. */
export type Received = {
  /** What the payer paid less what went back: zero up to the bill after its coupon. */
  receivedFen: Fen;
  chargedFen: PerFee<Fen>;
  /** What a coupon took off the bill and the platform pays in its place; zero where the site bears it. */
  couponFen: Fen;
};

/**
 * Divides what an order took: the fees in the proportion they were charged, then each of them down the plan. Every step
 * gives the first n parties together their part of the step, rounded half up, so that all shares add up to what was
 * received, to the fen. The result depends on `received` alone: after a refund or a late payment, an order's shares are
 * those of its new sum, and what is posted is the difference.
 * @throws RangeError for an amount below zero, or rates that are more than a whole.
 */
export function divide(plan: SharePlan, { receivedFen, chargedFen, couponFen }: Received): Share[] {
  const billFen = addFen(...feeKinds.map((fee) => chargedFen[fee]));
  if (billFen === 0) return [];
  const dueFen = subtractFen(billFen, couponFen);
  // The platform pays for the coupon as far as the payer has paid for the rest.
  const paidByPlatformFen =
    dueFen === 0 ? couponFen : (splitFen(couponFen, [receivedFen, subtractFen(dueFen, receivedFen)])[0] ?? zeroFen);
  const sharedFen = splitFen(
    addFen(receivedFen, paidByPlatformFen),
    feeKinds.map((fee) => chargedFen[fee]),
  );
  const shares = feeKinds.flatMap((fee, at) => divideFee(plan, fee, sharedFen[at] ?? zeroFen));
  const coupon: Share = {
    party: { kind: 'platform' },
    reason: 'coupon',
    fee: 'service',
    amountFen: subtractFen(zeroFen, paidByPlatformFen),
  };
  return [...shares, coupon].filter(({ amountFen }) => amountFen !== 0);
}

function divideFee(plan: SharePlan, fee: FeeKind, amountFen: Fen): Share[] {
  const platform: Party = { kind: 'platform' };
  const [channelFeeFen, afterChannelFen] = partOf(amountFen, plan.channelFeeE4);
  const [commissionFen, leftFen] = partOf(afterChannelFen, plan.commissionE4[fee]);
  const shares: Share[] = [
    { party: platform, reason: 'channel_fee', fee, amountFen: channelFeeFen },
    { party: platform, reason: 'commission', fee, amountFen: commissionFen },
  ];
  let holder: { party: Party; dividers: readonly PlannedDivider[] } = { party: platform, dividers: plan.dividers };
  let heldFen = leftFen;
  for (const { id, rateE4, dividers } of plan.agents) {
    const [passedFen, keptFen] = partOf(heldFen, rateE4);
    shares.push(...divideAmongDividers(holder, fee, keptFen));
    holder = { party: { kind: 'agent', id }, dividers };
    heldFen = passedFen;
  }
  return [...shares, ...divideAmongDividers(holder, fee, heldFen)];
}

function divideAmongDividers(
  { party, dividers }: { party: Party; dividers: readonly PlannedDivider[] },
  fee: FeeKind,
  amountFen: Fen,
): Share[] {
  const rates = dividers.map(({ rateE4 }) => rateE4[fee]);
  const restE4 = rates.reduce((rest, rate) => rest - rate, wholeE4);
  const parts = splitFen(amountFen, [...rates, restE4]);
  const ofDividers = dividers.map(
    ({ id }, at): Share => ({
      party: { kind: 'divider', id },
      reason: 'rate',
      fee,
      amountFen: parts[at] ?? zeroFen,
    }),
  );
  return [...ofDividers, { party, reason: 'remainder', fee, amountFen: parts[dividers.length] ?? zeroFen }];
}

/** The part of an amount by its rate, and the rest. */
function partOf(amountFen: Fen, rateE4: RateE4): [Fen, Fen] {
  const [part = zeroFen] = splitFen(amountFen, [rateE4, wholeE4 - rateE4]);
  return [part, subtractFen(amountFen, part)];
}

/** What is to be posted so that an order's shares become `now`: their difference to those posted `before`. */
export function shareChanges(before: readonly Share[], now: readonly Share[]): Share[] {
  const changes = new Map<string, Share>();
  const add = (share: Share, sign: 1 | -1) => {
    const { party, reason, fee, amountFen } = share;
    const name = `${party.kind} ${'id' in party ? party.id : ''} ${reason} ${fee}`;
    const known = changes.get(name) ?? { ...share, amountFen: zeroFen };
    changes.set(name, { ...known, amountFen: fen(known.amountFen + sign * amountFen) });
  };
  for (const share of now) add(share, 1);
  for (const share of before) add(share, -1);
  return [...changes.values()].filter(({ amountFen }) => amountFen !== 0);
}
