import type { InteractionLog } from '@voltdeck/contract/logs';
import { phrase } from '../phrases.ts';
import styles from './logs.module.css';

/** Who spoke, with an arrow and words so that it does not depend on colour. */
export function Direction({ of }: { of: InteractionLog['direction'] }) {
  const isFromStation = of === 'from-station';
  return (
    <span className={styles.direction} data-direction={of}>
      {phrase(isFromStation ? 'logs.fromStation' : 'logs.toStation')}
    </span>
  );
}
