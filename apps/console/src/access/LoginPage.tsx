import { languages } from '@voltdeck/contract/languages';
import { type KeyboardEvent, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { chooseLanguage, language, languageNames } from '../language.ts';
import { phrase } from '../phrases.ts';
import styles from './login.module.css';
import { NetworkDrawing } from './NetworkDrawing.tsx';
import { takeNotice } from './notice.ts';
import { SignInForm } from './SignInForm.tsx';
import { configuredTitle, onConfiguredTitle } from './title.ts';

const RegisterForm = lazyPart(() => import('./RegisterForm.tsx'));

/**
 * Specification section 9: the message of a failed sign-in stays for three seconds. Notices stay as long as other
 * toasts.
 */
const toastMs = { trouble: 3_000, notice: 5_000 } as const;

/** The default value of sys_title. */
const builtInName = 'Voltdeck';

type Toast = { tone: keyof typeof toastMs; text: string };
type Way = 'signIn' | 'register';

/** Has no shell around it: it renders before any of the console has loaded. */
export function LoginPage({ onSignedIn }: { onSignedIn: () => void }) {
  const [way, setWay] = useState<Way>('signIn');
  const [registeredPhone, setRegisteredPhone] = useState<string | null>(null);
  const [toast, setToast] = useState<Toast | null>(() => {
    const notice = takeNotice();
    return notice === null ? null : { tone: 'notice', text: notice };
  });

  const name = useSyncExternalStore(onConfiguredTitle, configuredTitle) ?? builtInName;

  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => setToast(null), toastMs[toast.tone]);
    return () => clearTimeout(timer);
  }, [toast]);

  const tell = (text: string | null) => setToast(text === null ? null : { tone: 'trouble', text });
  return (
    <div className={styles.page}>
      <NetworkDrawing />
      <header className={styles.header}>
        <span className={styles.brand}>
          <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" fill="var(--strong)" />
            <path d="M17.6 4.5 8.4 17.8h5.9l-1.5 9.7 9.6-13.7h-6.2z" fill="#fff" />
          </svg>
          {name === builtInName ? builtInName : null}
        </span>
        <label className={styles.language}>
          <span className={styles.hidden}>{phrase('access.language')}</span>
          <select
            value={language}
            onChange={(event) => {
              const chosen = languages.find((candidate) => candidate === event.target.value);
              if (chosen !== undefined) chooseLanguage(chosen);
            }}
          >
            {languages.map((candidate) => (
              <option key={candidate} value={candidate}>
                {languageNames[candidate]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <main className={styles.main}>
        <div className={styles.intro}>
          <h1>{name === builtInName ? phrase('access.product') : name}</h1>
          <p>{phrase('access.tagline')}</p>
        </div>
        <div className={styles.form}>
          <Ways way={way} onChoose={setWay} />
          <div id="way" role="tabpanel" aria-labelledby={`way-${way}`} className={styles.way}>
            {way === 'signIn' ? (
              <SignInForm knownName={registeredPhone} onSignedIn={onSignedIn} onTrouble={tell} />
            ) : (
              <Suspense>
                <RegisterForm
                  onSignedIn={onSignedIn}
                  onRegistered={(phone) => {
                    setRegisteredPhone(phone);
                    setWay('signIn');
                    setToast({ tone: 'notice', text: phrase('access.registered') });
                  }}
                  onTrouble={tell}
                />
              </Suspense>
            )}
          </div>
        </div>
      </main>
      <div className={styles.toasts} role="alert">
        {toast === null ? null : (
          <div className={styles.toast} data-tone={toast.tone}>
            {toast.text}
          </div>
        )}
      </div>
    </div>
  );
}

const ways = { signIn: 'access.title', register: 'access.register' } as const satisfies Record<Way, string>;
const wayNames: readonly Way[] = ['signIn', 'register'];

/** Two tabs with arrow-key navigation. */
function Ways({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }) {
  const turn = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next: Way = way === 'signIn' ? 'register' : 'signIn';
    onChoose(next);
    document.getElementById(`way-${next}`)?.focus();
  };
  return (
    <div className={styles.ways} role="tablist" aria-label={phrase('access.ways')} onKeyDown={turn}>
      {wayNames.map((name) => (
        <button
          key={name}
          id={`way-${name}`}
          type="button"
          role="tab"
          aria-selected={name === way}
          aria-controls="way"
          tabIndex={name === way ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {phrase(ways[name])}
        </button>
      ))}
    </div>
  );
}
