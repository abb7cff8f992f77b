import type { ErrorCode } from '@voltdeck/contract/errors';
import { type Ref, useCallback, useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';
import { LoginField } from './LoginField.tsx';
import styles from './login.module.css';
import { askForCaptcha } from './registration-request.ts';
import type { TypedCaptcha } from './sign-in.ts';

type Picture = { id: string; image: string };

export type CaptchaState = {
  /** Null while loading and after a failed fetch. */
  picture: Picture | null;
  typed: string;
  /** The characters to send; null while the field is empty. */
  answer: TypedCaptcha | null;
  /** Why the picture could not be loaded. */
  trouble: string | null;
  setTyped: (typed: string) => void;
  /** Fetches another picture; each one is good for one try. */
  renew: () => void;
};

/** Fetches a captcha once `isAsked` is true. */
export function useCaptcha(isAsked: boolean): CaptchaState {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [typed, setTyped] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const renew = useCallback(() => {
    setTyped('');
    setPicture(null);
    void askForCaptcha().then((outcome) => {
      if (outcome.kind === 'done') setPicture(outcome.answer);
      setTrouble(
        outcome.kind === 'done'
          ? null
          : outcome.kind === 'refused'
            ? outcome.refused.message
            : phrase('access.unreachable'),
      );
    });
  }, []);
  useEffect(() => {
    if (isAsked) renew();
  }, [isAsked, renew]);
  const characters = typed.trim();
  const answer = picture === null || characters === '' ? null : { captchaId: picture.id, captcha: characters };
  return { picture, typed, answer, trouble, setTyped, renew };
}

/** Whether a sign-in refused with this code needs a captcha, or a new one. */
export function asksForCaptcha(code: ErrorCode | undefined): boolean {
  return code === 'login.captcha_needed' || code === 'captcha.wrong';
}

type CaptchaInputProps = {
  id: string;
  captcha: CaptchaState;
  fault: string | undefined;
  hint: string;
  ref?: Ref<HTMLInputElement>;
};

/** The captcha picture beside its input. */
export function CaptchaInput({ id, captcha, fault, hint, ref }: CaptchaInputProps) {
  const { picture, typed, trouble, setTyped, renew } = captcha;
  return (
    <LoginField label={phrase('access.captcha')} id={id} fault={fault ?? trouble ?? undefined} hint={hint}>
      <div className={styles.beside}>
        <input
          ref={ref}
          id={id}
          name="captcha"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={8}
          value={typed}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-fault`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="button" className={styles.picture} title={phrase('access.captchaRefresh')} onClick={renew}>
          {picture === null ? null : (
            <img src={picture.image} alt={phrase('access.captchaPicture')} width="132" height="44" />
          )}
          <span className={styles.hidden}>{phrase('access.captchaRefresh')}</span>
        </button>
      </div>
    </LoginField>
  );
}
