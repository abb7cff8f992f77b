import type { FeedbackState } from '@voltdeck/contract/feedbacks';
import type { Tone } from '../ui/state-colours.ts';

export const feedbackTones: Readonly<Record<FeedbackState, Tone>> = {
  waiting: 'occupied',
  handled: 'free',
  ignored: 'offline',
};

/** The contract's limit for one handling. */
export const handlingMax = 100;

/** Whether all of these are still waiting; the server refuses the whole batch if one is not. */
export function areAllWaiting(feedbacks: readonly { readonly state: FeedbackState }[]): boolean {
  return feedbacks.every(({ state }) => state === 'waiting');
}
