import { listApprovals } from '@voltdeck/contract/approval-records';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';

/** Minimum interval between fetches. */
const refetchGapMs = 1_000;

const question = { query: { mine: 'waits', pageSize: 10 }, quiet: true } as const;

/** How many acts wait for the user's decision, and the latest of them. */
export function useWaitingApprovals() {
  const answer = useAnswer(listApprovals, question);
  const askAgain = useAskAgain(listApprovals, question, refetchGapMs);
  useConsoleEvents('approval-changed', askAgain);
  useConsoleEvents('missed', askAgain);
  return { count: answer.data?.total ?? 0, latest: answer.data?.items ?? [] };
}
