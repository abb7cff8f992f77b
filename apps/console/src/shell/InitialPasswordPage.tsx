import { Button } from 'antd';
import { Suspense } from 'react';
import { signOut } from '../access/leave.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import styles from './shell.module.css';

const ChangePasswordForm = lazyPart(() => import('./ChangePasswordForm.tsx'));

/** Someone else chose the password: until it is changed, the server refuses everything else. */
export function InitialPasswordPage() {
  return (
    <main className={styles.alone}>
      <h1 className="for-readers">{phrase('access.initialPassword')}</h1>
      <Suspense>
        <ChangePasswordForm
          onClose={() => {}}
          insteadOfLeaving={<Button onClick={() => void signOut()}>{phrase('access.signOut')}</Button>}
        />
      </Suspense>
    </main>
  );
}
