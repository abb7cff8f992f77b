import { useEffect, useState } from 'react';
import { useStreamState } from '../api/events.ts';
import { phrase } from '../phrases.ts';
import { useSessionLoss } from './session-loss.ts';
import styles from './shell.module.css';

/** Shorter gaps mend themselves before anyone has read about them. */
const patienceMs = 3_000;

/** A bar, not a wall: what is on the page stays usable while the connection is away. */
export function OfflineBar() {
  const hasSession = useSessionLoss(({ state }) => state === 'none');
  // Without a session nothing reconnects, and that is said elsewhere.
  const isLost = useStreamState((stream) => stream.state === 'lost') && hasSession;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status" className={isShown ? styles.offline : undefined}>
      {isShown ? phrase('shell.reconnecting') : null}
    </div>
  );
}
