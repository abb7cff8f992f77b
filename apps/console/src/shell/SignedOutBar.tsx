import { Button } from 'antd';
import { phrase } from '../phrases.ts';
import { askAgain, useSessionLoss } from './session-loss.ts';
import styles from './shell.module.css';

/** For users who chose to stay without a session: what that means, and how to sign in again. */
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
