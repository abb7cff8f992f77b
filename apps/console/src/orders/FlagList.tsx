import { evidenceSentence } from '@voltdeck/contract/flag-evidence';
import type { OrderFlag } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { isoDateTime } from '../ui/instants.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './order-page.module.css';
import { sayEvidence } from './say-evidence.ts';

/** The flags of an order: what each rule saw, what it means, and what a person did about it. */
export function FlagList({ flags }: { flags: readonly OrderFlag[] }) {
  return (
    <section className={styles.flags} aria-label={phrase('orders.flags')}>
      {flags.map((flag) => (
        <div key={flag.rule} className={styles.flag}>
          <StateTag tone={flag.handled === null ? 'fault' : 'offline'}>{phrase(`abnormal-rule.${flag.rule}`)}</StateTag>
          <div>
            <p className={styles.flagWhy}>{evidenceSentence(flag, sayEvidence)}</p>
            <p className={styles.flagEvidence}>{phrase(`abnormal-why.${flag.rule}`)}</p>
            <Handling handled={flag.handled} />
          </div>
          <span className={styles.flagTime}>
            <Instant at={flag.at} />
          </span>
        </div>
      ))}
    </section>
  );
}

function Handling({ handled }: Pick<OrderFlag, 'handled'>) {
  if (handled === null) return null;
  const { at, how, userName, reason } = handled;
  const told = phrase('abnormal.handledBy', {
    how: phrase(`flag-handling.${how}`),
    who: userName ?? nothingText,
    time: isoDateTime(at) ?? at,
  });
  return <p className={styles.flagHandled}>{reason === '' ? told : `${told} · ${reason}`}</p>;
}
