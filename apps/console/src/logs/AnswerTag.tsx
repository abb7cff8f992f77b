import type { InteractionLog } from '@voltdeck/contract/logs';
import { phrase } from '../phrases.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { answerStateOf, answerTones, latencyText } from './log-words.ts';
import styles from './logs.module.css';

/** Whether it was answered, and how fast. */
export function AnswerTag({ log }: { log: InteractionLog }) {
  const state = answerStateOf(log);
  if (state === 'not-awaited') return <span className={styles.quiet}>{phrase('logs.answer.not-awaited')}</span>;
  if (state === 'missing') return <StateTag tone={answerTones[state]}>{phrase('logs.answer.missing')}</StateTag>;
  return (
    <StateTag tone={answerTones[state]}>
      <span className="figure">
        {state === 'slow'
          ? phrase('logs.answer.slow', { time: latencyText(log.latencyMs) })
          : log.latencyMs === null
            ? phrase('logs.answer.answered')
            : latencyText(log.latencyMs)}
      </span>
    </StateTag>
  );
}
