import { useEffect, useEffectEvent, useMemo } from 'react';
import { useSessionStore } from '../session/session.ts';
import { type Draft, dropDraft, keepDraft, readDraft } from './drafts.ts';

export type DraftPlace = {
  read: () => Draft | null;
  /** `began` are the initial values that `values` were typed over. */
  keep: (values: object, began?: object | null) => void;
  drop: () => void;
};

const nowhere: DraftPlace = { read: () => null, keep: () => {}, drop: () => {} };

/** Where the signed-in user's draft of the form `draftKey` is stored; nowhere without a key. */
export function useDraft(draftKey: string | undefined): DraftPlace {
  const userId = useSessionStore(({ session }) => session?.user.id);
  return useMemo(() => {
    if (draftKey === undefined || userId === undefined) return nowhere;
    return {
      read: () => readDraft(userId, draftKey),
      keep: (values, began = null) => keepDraft(userId, draftKey, values, began),
      drop: () => dropDraft(userId, draftKey),
    };
  }, [draftKey, userId]);
}

/**
 * Reopens a form with input that was open when the window was reloaded; closed forms have no draft. `draftKey` is null
 * until its record is known.
 */
export function useReopenedDraft(draftKey: string | null, reopen: () => void): void {
  const userId = useSessionStore(({ session }) => session?.user.id);
  const onFound = useEffectEvent(reopen);
  useEffect(() => {
    if (draftKey !== null && userId !== undefined && readDraft(userId, draftKey) !== null) onFound();
  }, [draftKey, userId]);
}
