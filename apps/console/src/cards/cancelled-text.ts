import { isWaiting, type Waits } from '@voltdeck/contract/approvals';
import type { Card } from '@voltdeck/contract/cards';
import { phrase } from '../phrases.ts';

/** What to say of a cancellation that was sent. */
export function cancelledText({ number }: Card, saved: Card | Waits): string {
  return isWaiting(saved)
    ? phrase('cards.cancelWaits', { number, approval: saved.waitsFor.number })
    : phrase('cards.cancelled', { number });
}
