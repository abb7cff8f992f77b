import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { keepToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { asksForCaptcha, CaptchaInput, useCaptcha } from './CaptchaInput.tsx';
import { LoginField } from './LoginField.tsx';
import styles from './login.module.css';
import { PasswordInput } from './PasswordInput.tsx';
import { signIn } from './sign-in.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

const rememberedNameKey = 'voltdeck-user-name';

type Fault = { field: 'userName' | 'password' | 'captcha'; text: string };

type SignInFormProps = {
  /** Who registered a moment ago. */
  knownName: string | null;
  onSignedIn: () => void;
  /** Says what went wrong; null takes an earlier word away. */
  onTrouble: (text: string | null) => void;
};

export function SignInForm({ knownName, onSignedIn, onTrouble }: SignInFormProps) {
  const [userName, setUserName] = useState(() => knownName ?? localStorage.getItem(rememberedNameKey) ?? '');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(() => localStorage.getItem(rememberedNameKey) !== null);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isCaptchaAsked, setCaptchaAsked] = useState(false);
  const [waitSeconds, startWaiting] = useSecondsLeft();
  const captcha = useCaptcha(isCaptchaAsked);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const captchaField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Whoever walks along the tabs by keyboard stays there.
    if (document.activeElement?.role === 'tab') return;
    (nameField.current?.value === '' ? nameField : passwordField).current?.focus();
  }, []);
  useEffect(() => {
    if (isCaptchaAsked) captchaField.current?.focus();
  }, [isCaptchaAsked]);

  const missing = (): Fault | null => {
    if (userName.trim() === '') return { field: 'userName', text: phrase('access.userNameMissing') };
    if (password === '') return { field: 'password', text: phrase('access.passwordMissing') };
    return null;
  };
  const fields = { userName: nameField, password: passwordField, captcha: captchaField };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || waitSeconds > 0) return;
    const found = missing();
    setFault(found);
    if (found !== null) {
      fields[found.field].current?.focus();
      return;
    }
    onTrouble(null);
    setBusy(true);
    // Without characters it is sent all the same: after a wait none are asked for.
    const outcome = await signIn(userName, password, captcha.answer);
    if (outcome.kind === 'signed-in') {
      if (remember) localStorage.setItem(rememberedNameKey, userName.trim());
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
    // At the field alone: said as a toast as well it would be heard twice.
    if (code !== 'captcha.wrong') onTrouble(message);
    if (code === 'login.locked' && retryAfterSeconds !== undefined) startWaiting(retryAfterSeconds);
    if (asksForCaptcha(code)) {
      setCaptchaAsked(true);
      if (code === 'captcha.wrong') setFault({ field: 'captcha', text: message });
      if (isCaptchaAsked) captcha.renew();
      captchaField.current?.focus();
      return;
    }
    if (isCaptchaAsked) captcha.renew();
    passwordField.current?.select();
  };

  const faultOf = (field: Fault['field']) => (fault?.field === field ? fault.text : undefined);
  return (
    <form onSubmit={submit} noValidate>
      <LoginField label={phrase('access.userName')} fault={faultOf('userName')} id="user-name">
        <input
          ref={nameField}
          id="user-name"
          name="userName"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={userName}
          aria-invalid={fault?.field === 'userName'}
          aria-describedby="user-name-fault"
          onChange={(event) => setUserName(event.target.value)}
        />
      </LoginField>
      <PasswordInput
        ref={passwordField}
        id="password"
        name="password"
        label={phrase('access.password')}
        autoComplete="current-password"
        value={password}
        fault={faultOf('password')}
        onChange={setPassword}
      />
      {isCaptchaAsked ? (
        <CaptchaInput
          ref={captchaField}
          id="captcha"
          captcha={captcha}
          fault={faultOf('captcha')}
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
