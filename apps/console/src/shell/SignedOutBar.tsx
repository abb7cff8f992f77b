import { Button } from 'antd';
import { phrase } from '../phrases.ts';
import { askAgain, useSessionLoss } from './session-loss.ts';
import styles from './shell.module.css';

/** For who chose to stay on the page without a session: what it means, and the way back. */
export function SignedOutBar() {
  const isOut = useSessionLoss(({ state }) => state === 'declined');
  return (
    <div role="status" className={isOut ? styles.offline : undefined}>
      {isOut ? (
        <>
          {phrase('shell.signedOut')}{' '}
          <Button type="link" size="small" onClick={askAgain}>
            {phrase('shell.relogin')}
          </Button>
        </>
      ) : null}
    </div>
  );
}
