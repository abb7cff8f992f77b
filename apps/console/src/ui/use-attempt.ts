import { useState } from 'react';
import { failureText } from './failure-text.ts';

export type Attempt = (act: () => Promise<unknown>) => Promise<void>;

/** What a person starts in a dialog, which shows the failure of the last try in words. */
export function useAttempt(): { attempt: Attempt; isBusy: boolean; failure: string | null; forget: () => void } {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt: Attempt = async (act) => {
    setFailure(null);
    setBusy(true);
    try {
      await act();
    } catch (thrown) {
      setFailure(failureText(thrown).text);
    } finally {
      setBusy(false);
    }
  };
  return { attempt, isBusy, failure, forget: () => setFailure(null) };
}
