import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { keepToken } from '../api/token.ts';
import { keepText } from '../keep-text.ts';
import { phrase } from '../phrases.ts';
import { asksForCaptcha, CaptchaInput, useCaptcha } from './CaptchaInput.tsx';
import { LoginField } from './LoginField.tsx';
import styles from './login.module.css';
import { PasswordInput } from './PasswordInput.tsx';
import { signIn } from './sign-in.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

const rememberedNameKey = 'voltdeck-user-name';

type FieldName = 'userName' | 'password' | 'captcha';
type Faults = Readonly<Partial<Record<FieldName, string>>>;

type SignInFormProps = {
  /** The name of a user who has just registered. */
  knownName: string | null;
  onSignedIn: () => void;
  /** Shows what went wrong; null clears the message. */
  onTrouble: (text: string | null) => void;
};

export function SignInForm({ knownName, onSignedIn, onTrouble }: SignInFormProps) {
  const [userName, setUserName] = useState(() => knownName ?? localStorage.getItem(rememberedNameKey) ?? '');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(() => localStorage.getItem(rememberedNameKey) !== null);
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [isCaptchaAsked, setCaptchaAsked] = useState(false);
  const [waitSeconds, startWaiting] = useSecondsLeft();
  const captcha = useCaptcha(isCaptchaAsked);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const captchaField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Keep the focus on the tab of a user who moves between tabs by keyboard.
    if (document.activeElement?.role === 'tab') return;
    (nameField.current?.value === '' ? nameField : passwordField).current?.focus();
  }, []);
  useEffect(() => {
    if (isCaptchaAsked) captchaField.current?.focus();
  }, [isCaptchaAsked]);

  const missing = (): Faults => ({
    ...(userName.trim() === '' ? { userName: phrase('access.userNameMissing') } : {}),
    ...(password === '' ? { password: phrase('access.passwordMissing') } : {}),
  });
  const fields = { userName: nameField, password: passwordField, captcha: captchaField };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || waitSeconds > 0) return;
    const found = missing();
    setFaults(found);
    const first = (['userName', 'password'] as const).find((field) => found[field] !== undefined);
    if (first !== undefined) {
      fields[first].current?.focus();
      return;
    }
    onTrouble(null);
    setBusy(true);
    // Sends even an empty captcha: after a lockout the server may no longer require one.
    const outcome = await signIn(userName, password, captcha.answer);
    if (outcome.kind === 'signed-in') {
      if (remember) keepText(localStorage, rememberedNameKey, userName.trim());
      else localStorage.removeItem(rememberedNameKey);
      keepToken(outcome.answer.token, remember);
      onSignedIn();
      return;
    }
    setBusy(false);
    if (outcome.kind === 'unreachable') {
      onTrouble(phrase('access.unreachable'));
      return;
    }
    const { code, message, retryAfterSeconds } = outcome.refused;
    // A screen reader would read it twice if it were a toast as well.
    if (code !== 'captcha.wrong') onTrouble(message);
    if (code === 'login.locked' && retryAfterSeconds !== undefined) startWaiting(retryAfterSeconds);
    if (asksForCaptcha(code)) {
      setCaptchaAsked(true);
      if (code === 'captcha.wrong') setFaults({ captcha: message });
      if (isCaptchaAsked) captcha.renew();
      captchaField.current?.focus();
      return;
    }
    if (isCaptchaAsked) captcha.renew();
    passwordField.current?.select();
  };

  /** The fault of the previous entry does not apply to the new one. */
  const enter = (field: FieldName, set: (text: string) => void) => (text: string) => {
    set(text);
    onTrouble(null);
    setFaults(({ [field]: _, ...others }) => others);
  };
  return (
    <form onSubmit={submit} noValidate>
      <LoginField label={phrase('access.userName')} fault={faults.userName} id="user-name">
        <input
          ref={nameField}
          id="user-name"
          name="userName"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={userName}
          aria-invalid={faults.userName !== undefined}
          aria-describedby="user-name-fault"
          onChange={(event) => enter('userName', setUserName)(event.target.value)}
        />
      </LoginField>
      <PasswordInput
        ref={passwordField}
        id="password"
        name="password"
        label={phrase('access.password')}
        autoComplete="current-password"
        value={password}
        fault={faults.password}
        onChange={enter('password', setPassword)}
      />
      {isCaptchaAsked ? (
        <CaptchaInput
          ref={captchaField}
          id="captcha"
          captcha={captcha}
          fault={faults.captcha}
          hint={phrase('access.captchaWait')}
        />
      ) : null}
      <label className={styles.remember}>
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
        {phrase('access.remember')}
      </label>
      <button type="submit" className={styles.submit} disabled={waitSeconds > 0} aria-disabled={isBusy}>
        {waitSeconds > 0
          ? phrase('access.wait', { seconds: waitSeconds })
          : phrase(isBusy ? 'access.signingIn' : 'access.signIn')}
      </button>
    </form>
  );
}
