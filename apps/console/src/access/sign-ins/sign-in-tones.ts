import type { SessionState, SignInResult } from '@voltdeck/contract/audit';
import type { Tone } from '../../ui/state-colours.ts';

export const signInTones: Readonly<Record<SignInResult, Tone>> = {
  signed_in: 'free',
  wrong_password: 'occupied',
  unknown_name: 'occupied',
  wrong_captcha: 'occupied',
  locked: 'fault',
  disabled: 'offline',
};

export const sessionTones: Readonly<Record<SessionState, Tone>> = {
  open: 'free',
  expired: 'offline',
  logout: 'offline',
  password_changed: 'offline',
  ended_by_admin: 'occupied',
  disabled: 'offline',
};
