import type { Waits } from './approvals.ts';

/**
 * Whether an act waits for a second person and nothing was changed yet. An order has a field of the same name, which is a
 * word.
 */
export function isWaiting<Answer>(answer: Answer | Waits): answer is Waits {
  if (typeof answer !== 'object' || answer === null || !('waitsFor' in answer)) return false;
  return typeof answer.waitsFor === 'object' && answer.waitsFor !== null;
}
