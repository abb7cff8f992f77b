import type { FeedbackState } from '@voltdeck/contract/content';
import type { Tone } from '../ui/state-colours.ts';

/** Waiting asks for attention, handled is done, ignored needs nobody. */
export const feedbackTones: Readonly<Record<FeedbackState, Tone>> = {
  waiting: 'occupied',
  handled: 'free',
  ignored: 'offline',
};

/** What one handling may be about at the most; the contract takes no more. */
export const handlingMax = 100;

/** Whether every one of these still waits: one that was handled refuses the whole. */
export function areAllWaiting(feedbacks: readonly { readonly state: FeedbackState }[]): boolean {
  return feedbacks.every(({ state }) => state === 'waiting');
}
