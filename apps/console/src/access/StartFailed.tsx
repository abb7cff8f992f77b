import { phrase } from '../phrases.ts';
import styles from './login.module.css';

/** The console's own code could not be fetched: nothing of it can be shown, not even its error page. */
export function StartFailed() {
  return (
    <main className={styles.main}>
      <div className={styles.form} role="alert">
        <h1>{phrase('access.unreachable')}</h1>
        <button type="button" className={styles.submit} onClick={() => location.reload()}>
          {phrase('access.retry')}
        </button>
      </div>
    </main>
  );
}
