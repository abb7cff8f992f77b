import type { InteractionLog } from '@voltdeck/contract/logs';
import { phrase } from '../phrases.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { answerStateOf, answerTones, faultText, latencyText } from './log-words.ts';
import styles from './logs.module.css';

/** How fast the answer came, or what went wrong. Success is shown quietly, since nearly every row has it. */
export function AnswerTag({ log }: { log: InteractionLog }) {
  if (log.fault !== null) return <StateTag tone="fault">{faultText(log.fault)}</StateTag>;
  const state = answerStateOf(log);
  if (state === 'not-awaited') return <span className={styles.quiet}>{phrase('logs.answer.not-awaited')}</span>;
  if (state === 'missing') return <StateTag tone={answerTones[state]}>{phrase('logs.answer.missing')}</StateTag>;
  if (state === 'answered') {
    return (
      <span className={`figure ${styles.quiet}`}>
        {log.latencyMs === null ? phrase('logs.answer.answered') : latencyText(log.latencyMs)}
      </span>
    );
  }
  return (
    <StateTag tone={answerTones[state]}>
      <span className="figure">{phrase('logs.answer.slow', { time: latencyText(log.latencyMs) })}</span>
    </StateTag>
  );
}
