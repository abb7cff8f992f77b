import { type Bill, type BillLine, sumLines } from '@voltdeck/tariffs/bill';
import { wattHours } from '@voltdeck/units/energy';
import { type Instant, instant } from '@voltdeck/units/instant';
import type { OrderDetail } from './orders.ts';

/**
 * The bill that is proposed for an order which waits for a person, when they settle it by the very energy (Wh) and end
 * that are proposed; null where they enter others, or none was made.
 */
export function billAsProposed(
  proposal: OrderDetail['proposal'],
  byHand: { energyWh: number; endedAt: Instant },
): Bill | null {
  if (proposal === null || proposal.lines === null) return null;
  if (proposal.energyWh !== byHand.energyWh || Date.parse(proposal.endedAt) !== byHand.endedAt) return null;
  const lines = proposal.lines.map(
    (line) =>
      ({ ...line, from: instant(Date.parse(line.from)), to: instant(Date.parse(line.to)) }) as unknown as BillLine,
  );
  return sumLines(lines, wattHours(proposal.energyWh));
}
