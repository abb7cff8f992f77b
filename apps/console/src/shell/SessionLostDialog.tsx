import { Button, Input, type InputRef, Modal } from 'antd';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { asksForCaptcha, CaptchaInput, useCaptcha } from '../access/CaptchaInput.tsx';
import { signIn } from '../access/sign-in.ts';
import { forgetToken, isRemembered, keepToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { useSessionStore } from '../session/session.ts';
import { declineSignIn, signedInAgain } from './session-loss.ts';
import styles from './session-lost.module.css';

/**
 * Specification section 8: sign in again (drops the token, reloads the page), or cancel and stay. Beyond the
 * specification, the same user can enter their password and continue without losing input.
 */
export default function SessionLostDialog() {
  const user = useSessionStore((state) => state.session?.user);
  return (
    <Modal
      open
      title={phrase('shell.systemNotice')}
      onCancel={declineSignIn}
      mask={{ closable: false }}
      width={420}
      zIndex={1900}
      footer={
        <div className={styles.buttons}>
          <Button onClick={declineSignIn}>{phrase('shell.cancel')}</Button>
          <Button
            type={user === undefined ? 'primary' : 'default'}
            onClick={() => {
              forgetToken();
              location.reload();
            }}
          >
            {phrase('shell.relogin')}
          </Button>
        </div>
      }
    >
      <p>{phrase('shell.sessionLost')}</p>
      {user === undefined ? null : <StayHere userName={user.userName} name={user.name} />}
    </Modal>
  );
}

function StayHere({ userName, name }: { userName: string; name: string }) {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isCaptchaAsked, setCaptchaAsked] = useState(false);
  const captcha = useCaptcha(isCaptchaAsked);
  const captchaField = useRef<HTMLInputElement>(null);
  const field = useRef<InputRef>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (isCaptchaAsked) captchaField.current?.focus();
  }, [isCaptchaAsked]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') {
      setFault(phrase('field.required'));
      return;
    }
    setBusy(true);
    setFault(null);
    const outcome = await signIn(userName, password, captcha.answer);
    setBusy(false);
    switch (outcome.kind) {
      case 'signed-in':
        keepToken(outcome.answer.token, isRemembered());
        signedInAgain(outcome.answer.userInfo.id);
        return;
      case 'refused':
        setFault(outcome.refused.message);
        if (isCaptchaAsked) captcha.renew();
        if (asksForCaptcha(outcome.refused.code)) {
          setCaptchaAsked(true);
          captchaField.current?.focus();
          return;
        }
        break;
      case 'unreachable':
        setFault(phrase('shell.unreachable'));
    }
    field.current?.focus({ cursor: 'all' });
  };

  return (
    <form className={styles.stay} onSubmit={(event) => void submit(event)} aria-labelledby={`${id}-title`}>
      <strong id={`${id}-title`}>{phrase('shell.stayHere')}</strong>
      <label htmlFor={id}>{phrase('shell.stayHereText', { name })}</label>
      <input type="text" autoComplete="username" value={userName} readOnly hidden />
      <div className={styles.line}>
        <Input.Password
          id={id}
          ref={field}
          value={password}
          maxLength={256}
          autoComplete="current-password"
          placeholder={phrase('shell.password')}
          status={fault === null ? '' : 'error'}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-fault`}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {phrase('shell.continue')}
        </Button>
      </div>
      {isCaptchaAsked ? (
        <CaptchaInput
          ref={captchaField}
          id={`${id}-captcha`}
          captcha={captcha}
          fault={undefined}
          hint={phrase('access.captchaWait')}
        />
      ) : null}
      <div id={`${id}-fault`} className={styles.fault} role="alert">
        {fault}
      </div>
    </form>
  );
}
