import type { OrderDetail } from '@voltdeck/contract/orders';

/** What the energy of a proposed settlement is based on. */
export const proposalBases = ['told', 'periods', 'registers', 'readings', 'counted', 'nothing'] as const;
export type ProposalBasis = (typeof proposalBases)[number];

/** Null when nothing is proposed. */
export function proposalBasis(
  order: Pick<OrderDetail, 'proposal' | 'energyWh' | 'meterStopWh' | 'flags'>,
): ProposalBasis | null {
  if (order.proposal === null) return null;
  const { energyWh } = order.proposal;
  const isTold = order.meterStopWh !== null;
  if (isTold && energyWh === order.energyWh) return 'told';
  if (energyWh === 0) return 'nothing';
  const witnesses = order.flags.find(({ rule }) => rule === 'record_contradicts')?.evidence;
  if (witnesses?.periodsWh === energyWh) return 'periods';
  if (witnesses?.registersWh === energyWh) return 'registers';
  if (witnesses?.readWh === energyWh || !isTold) return 'readings';
  return 'counted';
}

/** Whether the proposal has a basis. */
export function isBelieved(order: Parameters<typeof proposalBasis>[0]): boolean {
  const basis = proposalBasis(order);
  return basis !== null && basis !== 'nothing';
}
