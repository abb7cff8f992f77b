import { logout } from '@voltdeck/contract/access';
import { Button } from 'antd';
import { leaveToLogin } from '../access/leave.ts';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './shell.module.css';

/** For somebody who may sign in but has no menus yet. */
export function AwaitingPage() {
  const leave = async () => {
    await call(logout).catch(() => null);
    leaveToLogin();
  };
  return (
    <main className={styles.alone}>
      <h1 className="for-readers">{phrase('access.awaiting')}</h1>
      <EmptyState
        title={phrase('access.awaiting')}
        text={phrase('access.awaitingText')}
        action={
          <>
            <Button type="primary" onClick={() => location.reload()}>
              {phrase('access.awaitingRetry')}
            </Button>
            <Button type="text" onClick={() => void leave()}>
              {phrase('access.signOut')}
            </Button>
          </>
        }
      />
    </main>
  );
}
