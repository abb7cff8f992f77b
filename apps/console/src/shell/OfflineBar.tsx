import { useEffect, useState, useSyncExternalStore } from 'react';
import { useStreamState } from '../api/events.ts';
import { hasNetwork, isServerSilent, onNetwork } from '../api/network.ts';
import { phrase } from '../phrases.ts';
import { useSessionLoss } from './session-loss.ts';
import styles from './shell.module.css';

/** Shorter gaps of the live stream recover before anyone could read about them. */
const patienceMs = 3_000;

/** A bar rather than an overlay: the page stays usable while the connection is down. */
export function OfflineBar() {
  const hasSession = useSessionLoss(({ state }) => state === 'none');
  // Without a session nothing reconnects, and another bar says so.
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
  const isOffline = !useSyncExternalStore(onNetwork, hasNetwork);
  const isSilent = useSyncExternalStore(onNetwork, isServerSilent);
  const text = isOffline ? phrase('shell.noNetwork') : isSilent || isShown ? phrase('shell.reconnecting') : null;
  return (
    <div role="status" className={text === null ? undefined : styles.offline}>
      {text}
    </div>
  );
}
