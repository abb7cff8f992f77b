import { Button } from 'antd';
import { signOut } from '../access/leave.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './shell.module.css';

/** For users who may sign in but have no menus yet. */
export function AwaitingPage() {
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
            <Button type="text" onClick={() => void signOut()}>
              {phrase('access.signOut')}
            </Button>
          </>
        }
      />
    </main>
  );
}
