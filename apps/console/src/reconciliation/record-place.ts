import type { ReconciliationDifference } from '@voltdeck/contract/reconciliation';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';

/** The number of a difference, or what stands for it. */
export const numberOf = ({ number }: ReconciliationDifference) => number ?? phrase('reconciliation.noNumber');

/** Our record of a difference: its order, or its payment among those of channels. Null where we have none. */
export function recordPlace({ orderId, subject, number }: ReconciliationDifference): Place | null {
  if (orderId !== null) return place('orderListDetailHistory', { id: orderId });
  return subject === 'payment' && number !== null ? place('chongzhiRecods', { view: 'channels', number }) : null;
}
