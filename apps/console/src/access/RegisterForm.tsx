import type { ErrorCode } from '@voltdeck/contract/errors';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Refused } from '../api/refused.ts';
import { keepToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { CaptchaInput, useCaptcha } from './CaptchaInput.tsx';
import { LoginField } from './LoginField.tsx';
import styles from './login.module.css';
import { PasswordInput } from './PasswordInput.tsx';
import { phoneFault } from './phone-fault.ts';
import { askForCode, askToRegister } from './registration-request.ts';
import { signIn } from './sign-in.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

/** Specification section 5. */
const passwordLengthMin = 6;

type FieldName = 'phone' | 'captcha' | 'code' | 'password' | 'confirmPassword';
type Faults = Partial<Readonly<Record<FieldName, string>>>;
/** In the order of the form. The captcha appears only when it is needed. */
const fieldNames: readonly FieldName[] = ['phone', 'captcha', 'code', 'password', 'confirmPassword'];

/** The field that shows each refusal of the form. */
const fieldOf: Partial<Readonly<Record<ErrorCode, FieldName>>> = {
  'captcha.needed': 'captcha',
  'captcha.wrong': 'captcha',
  'sms.code_wrong': 'code',
  'register.phone_taken': 'phone',
  'password.too_common': 'password',
};

type RegisterFormProps = {
  onSignedIn: () => void;
  /** Registering does not sign the user in. */
  onRegistered: (phone: string) => void;
  onTrouble: (text: string | null) => void;
};

export default function RegisterForm({ onSignedIn, onRegistered, onTrouble }: RegisterFormProps) {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [confirmPassword, setConfirmPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [busyWith, setBusyWith] = useState<'code' | 'register' | null>(null);
  const [codeSeconds, startCodeCountdown] = useSecondsLeft();
  /** Specification section 2 has no captcha here: the first codes are sent for the phone number alone. */
  const [isCaptchaAsked, setCaptchaAsked] = useState(false);
  const captcha = useCaptcha(isCaptchaAsked);
  const form = useRef<HTMLFormElement>(null);
  const captchaField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (isCaptchaAsked) captchaField.current?.focus();
  }, [isCaptchaAsked]);

  const focus = (field: FieldName) => form.current?.querySelector<HTMLInputElement>(`#register-${field}`)?.focus();

  /** Shows the faults and focuses the first field that has one. @returns whether there are any */
  const show = (found: Faults): boolean => {
    setFaults(found);
    const first = fieldNames.find((field) => found[field] !== undefined);
    if (first !== undefined) focus(first);
    return first !== undefined;
  };
  const phoneFaults = (): Faults => {
    const fault = phoneFault(phone);
    return fault === null ? {} : { phone: phrase(fault) };
  };

  const refuse = (refused: Refused) => {
    const found: Record<string, string> = {};
    for (const { path, message } of refused.fields) found[path] ??= message;
    const meant = refused.code === undefined ? undefined : fieldOf[refused.code];
    if (meant !== undefined) found[meant] = refused.message;
    if (!show(found)) onTrouble(refused.message);
  };

  const obtainCode = async () => {
    if (busyWith !== null || codeSeconds > 0) return;
    const { answer } = captcha;
    const isCaptchaMissing = isCaptchaAsked && answer === null;
    if (show({ ...phoneFaults(), ...(isCaptchaMissing ? { captcha: phrase('access.captchaMissing') } : {}) })) return;
    onTrouble(null);
    setBusyWith('code');
    const outcome = await askForCode({ phone: phone.trim(), ...answer });
    setBusyWith(null);
    if (isCaptchaAsked) captcha.renew();
    if (outcome.kind === 'done') {
      startCodeCountdown(outcome.answer.secondsToNext);
      setSentTo(phone.trim());
      focus('code');
      return;
    }
    if (outcome.kind === 'unreachable') {
      onTrouble(phrase('access.unreachable'));
      return;
    }
    const { refused } = outcome;
    if (refused.code === 'captcha.needed') setCaptchaAsked(true);
    if (refused.code === 'sms.too_soon') startCodeCountdown(refused.retryAfterSeconds ?? 0);
    refuse(refused);
  };

  const missing = (): Faults => ({
    ...phoneFaults(),
    ...(code.trim() === '' ? { code: phrase('access.codeMissing') } : {}),
    ...(password.length < passwordLengthMin ? { password: phrase('access.passwordShort') } : {}),
    ...(confirmPassword === password ? {} : { confirmPassword: phrase('access.passwordsDiffer') }),
  });

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busyWith !== null || show(missing())) return;
    onTrouble(null);
    setBusyWith('register');
    const outcome = await askToRegister({ phone: phone.trim(), code: code.trim(), password, confirmPassword });
    if (outcome.kind !== 'done') {
      setBusyWith(null);
      if (outcome.kind === 'unreachable') onTrouble(phrase('access.unreachable'));
      else refuse(outcome.refused);
      return;
    }
    const signedIn = await signIn(phone, password);
    if (signedIn.kind !== 'signed-in') {
      onRegistered(phone.trim());
      return;
    }
    keepToken(signedIn.answer.token, false);
    onSignedIn();
  };

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <LoginField label={phrase('access.phone')} fault={faults.phone} id="register-phone">
        <input
          id="register-phone"
          name="phone"
          type="tel"
          inputMode="numeric"
          autoComplete="username"
          maxLength={20}
          value={phone}
          aria-invalid={faults.phone !== undefined}
          aria-describedby="register-phone-fault"
          onChange={(event) => setPhone(event.target.value)}
        />
      </LoginField>
      {isCaptchaAsked ? (
        <CaptchaInput
          ref={captchaField}
          id="register-captcha"
          captcha={captcha}
          fault={faults.captcha}
          hint={phrase('access.captchaHelp')}
        />
      ) : null}
      <LoginField
        label={phrase('access.code')}
        fault={faults.code}
        hint={sentTo === null ? undefined : phrase('access.codeSent', { phone: sentTo })}
        id="register-code"
      >
        <div className={styles.beside}>
          <input
            id="register-code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            aria-invalid={faults.code !== undefined}
            aria-describedby="register-code-fault"
            onChange={(event) => setCode(event.target.value)}
          />
          <button
            type="button"
            className={styles.obtain}
            disabled={codeSeconds > 0}
            aria-disabled={busyWith === 'code'}
            onClick={() => void obtainCode()}
          >
            {codeSeconds > 0 ? phrase('access.codeAgain', { seconds: codeSeconds }) : phrase('access.codeObtain')}
          </button>
        </div>
      </LoginField>
      <PasswordInput
        id="register-password"
        name="password"
        label={phrase('access.password')}
        autoComplete="new-password"
        value={password}
        fault={faults.password}
        onChange={setPassword}
      />
      <PasswordInput
        id="register-confirmPassword"
        name="confirmPassword"
        label={phrase('access.confirmPassword')}
        autoComplete="new-password"
        value={confirmPassword}
        fault={faults.confirmPassword}
        onChange={setConfirmPassword}
      />
      <button type="submit" className={styles.submit} aria-disabled={busyWith === 'register'}>
        {phrase(busyWith === 'register' ? 'access.registering' : 'access.register')}
      </button>
    </form>
  );
}
