import type { AgentId, DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { feeKinds, type PerFee, type PlannedDivider, type RateE4, type SharePlan, wholeE4 } from './share.ts';

/** What the platform keeps of a site's orders before anybody shares. */
export type ShareTerms = { channelFeeE4: RateE4; commissionE4: PerFee<RateE4> };

/** Rates of a divider, of what its holder has left: the platform where `agentId` is null. */
export type DividerTerms = {
  dividerId: DividerId;
  agentId: AgentId | null;
  rateE4: PerFee<RateE4>;
  fromMs: number;
  /** Null while open-ended. */
  toMs: number | null;
};

/** Who may share in the orders of a station. */
export type ShareParties = {
  terms: ShareTerms | null;
  /** From the platform's own agent down to the one who runs the station. */
  agents: readonly { id: AgentId; rateE4: RateE4 }[];
  /** In the order in which they were agreed. */
  dividers: readonly DividerTerms[];
};

/**
 * The plan for a charge that ended at `endedAt`; null where everything is the platform's. Where a holder's dividers were
 * promised more than a whole, those who came later get what is left.
 */
export function sharePlanAt({ terms, agents, dividers }: ShareParties, endedAt: Instant): SharePlan | null {
  const valid = dividers.filter(({ fromMs, toMs }) => fromMs <= endedAt && (toMs === null || toMs > endedAt));
  if (terms === null && agents.length === 0 && valid.length === 0) return null;
  const dividersOf = (holder: AgentId | null) => plannedDividers(valid.filter(({ agentId }) => agentId === holder));
  return {
    channelFeeE4: terms?.channelFeeE4 ?? 0,
    commissionE4: terms?.commissionE4 ?? { electricity: 0, service: 0, occupancy: 0 },
    dividers: dividersOf(null),
    agents: agents.map(({ id, rateE4 }) => ({ id, rateE4, dividers: dividersOf(id) })),
  };
}

/** What valid terms of one holder's dividers come to: rates of a divider are added, and nobody gets more than is left. */
export function plannedDividers(terms: readonly DividerTerms[]): PlannedDivider[] {
  const left = { electricity: wholeE4, service: wholeE4, occupancy: wholeE4 };
  const planned = new Map<DividerId, Record<keyof typeof left, RateE4>>();
  for (const { dividerId, rateE4 } of terms) {
    const rates = planned.get(dividerId) ?? { electricity: 0, service: 0, occupancy: 0 };
    for (const fee of feeKinds) {
      const given = Math.min(rateE4[fee], left[fee]);
      left[fee] -= given;
      rates[fee] += given;
    }
    planned.set(dividerId, rates);
  }
  return [...planned].map(([id, rateE4]) => ({ id, rateE4 }));
}
