import { useEffect, useEffectEvent, useMemo } from 'react';
import { useSessionStore } from '../session/session.ts';
import { type Draft, dropDraft, keepDraft, readDraft } from './drafts.ts';

export type DraftPlace = {
  read: () => Draft | null;
  keep: (values: object) => void;
  drop: () => void;
};

const nowhere: DraftPlace = { read: () => null, keep: () => {}, drop: () => {} };

/** Where the draft of the form called `draftKey` is kept for the signed-in person; nowhere without a key. */
export function useDraft(draftKey: string | undefined): DraftPlace {
  const userId = useSessionStore(({ session }) => session?.user.id);
  return useMemo(() => {
    if (draftKey === undefined || userId === undefined) return nowhere;
    return {
      read: () => readDraft(userId, draftKey),
      keep: (values) => keepDraft(userId, draftKey, values),
      drop: () => dropDraft(userId, draftKey),
    };
  }, [draftKey, userId]);
}

/**
 * Opens a form again that was open with something typed into it when the window was loaded again: a form that was closed
 * has no draft. `draftKey` is null while its record is not known yet.
 */
export function useReopenedDraft(draftKey: string | null, reopen: () => void): void {
  const userId = useSessionStore(({ session }) => session?.user.id);
  const onFound = useEffectEvent(reopen);
  useEffect(() => {
    if (draftKey !== null && userId !== undefined && readDraft(userId, draftKey) !== null) onFound();
  }, [draftKey, userId]);
}
