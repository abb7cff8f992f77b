import { phrase } from '../../phrases.ts';
import { CopyButton } from '../frames/CopyButton.tsx';
import styles from './conversation.module.css';

/** How to replay a saved conversation to a server with a virtual station. */
export function ReplayHint({ fileName }: { fileName: string }) {
  const command = `npm run sim -- replay ${fileName}`;
  return (
    <div className={styles.replay}>
      <span>{phrase('logs.replayHint')}</span>
      <code>{command}</code>
      <CopyButton label={phrase('shell.copy')} text={() => command} />
    </div>
  );
}
