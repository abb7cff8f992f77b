import { type Ref, useState } from 'react';
import { phrase } from '../phrases.ts';
import { LoginField } from './LoginField.tsx';
import styles from './login.module.css';

type PasswordInputProps = {
  id: string;
  name: string;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** A password field with a show button and a caps-lock warning. */
export function PasswordInput({ id, name, label, autoComplete, value, fault, onChange, ref }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const toggle = phrase(isShown ? 'access.hidePassword' : 'access.showPassword');
  return (
    <LoginField label={label} id={id} fault={fault ?? (hasCapsLock ? phrase('access.capsLock') : undefined)}>
      <input
        ref={ref}
        id={id}
        name={name}
        data-tail
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        maxLength={256}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
        onChange={(event) => onChange(event.target.value)}
      />
      <button
        type="button"
        className={styles.eye}
        aria-pressed={isShown}
        aria-label={toggle}
        title={toggle}
        onClick={() => setShown(!isShown)}
      >
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M1.5 9S4.2 4 9 4s7.5 5 7.5 5-2.7 5-7.5 5S1.5 9 1.5 9Z" strokeWidth="1.3" />
          <circle cx="9" cy="9" r="2.2" strokeWidth="1.3" />
          {isShown ? null : <path d="M3 15 15 3" strokeWidth="1.3" />}
        </svg>
      </button>
    </LoginField>
  );
}
