import { useEffect, useState } from 'react';
import { useProgress } from './progress.ts';
import styles from './shell.module.css';

/** How long the finished bar stays visible. */
const fadeMs = 250;

/** A thin line at the top while a page loads, instead of a spinner. */
export function ProgressBar() {
  const isBusy = useProgress((state) => state.count > 0);
  const [phase, setPhase] = useState<'idle' | 'running' | 'done'>('idle');
  useEffect(() => {
    if (isBusy) {
      setPhase('running');
      return;
    }
    setPhase((before) => (before === 'running' ? 'done' : before));
    const timer = setTimeout(() => setPhase('idle'), fadeMs);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return phase === 'idle' ? null : <div className={styles.progress} data-phase={phase} aria-hidden="true" />;
}
