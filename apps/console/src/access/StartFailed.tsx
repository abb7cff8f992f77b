import { phrase } from '../phrases.ts';
import styles from './login.module.css';

/** Shown when the console's code could not be loaded, which includes its error page. */
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
