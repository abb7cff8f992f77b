import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { startEvents } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { checkOwner, useSessionLoss } from './session-loss.ts';

/** The event stream, which restarts with a regained session; what is shown is then fetched again. */
export function useEvents(): void {
  const queries = useQueryClient();
  const regained = useSessionLoss((loss) => loss.regained);
  useEffect(() => {
    if (regained > 0) void fetchAgain(queries);
    return startEvents();
  }, [regained, queries]);
  useEffect(() => {
    const onSight = () => {
      if (!document.hidden) void checkOwner();
    };
    document.addEventListener('visibilitychange', onSight);
    return () => document.removeEventListener('visibilitychange', onSight);
  }, []);
}
