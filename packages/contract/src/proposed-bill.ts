import { type Bill, type BillLine, sumLines } from '@voltdeck/tariffs/bill';
import { wattHours } from '@voltdeck/units/energy';
import { type Instant, instant } from '@voltdeck/units/instant';
import type { OrderDetail } from './orders.ts';

/**
 * The bill proposed for an order that waits for a person, valid only while they keep the proposed energy (Wh) and end;
 * null where they enter other values or nothing was proposed.
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
