import type { login } from '@voltdeck/contract/access';
import { loginPlatform } from '@voltdeck/contract/envelope';
import type { AnswerOf } from '@voltdeck/contract/route';
import { addressOf } from '../api/address.ts';
import type { Refused } from '../api/refused.ts';
import { ask } from './ask.ts';

const path: (typeof login)['path'] = '/login';

/** The characters read from a captcha, and which captcha it was. */
export type TypedCaptcha = { captchaId: string; captcha: string };

export type SignInOutcome =
  | { kind: 'signed-in'; answer: AnswerOf<typeof login> }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'unreachable' };

/** Specification section 7: a form body with userName, password and platForm 4. The user name is trimmed. */
export async function signIn(
  userName: string,
  password: string,
  captcha: TypedCaptcha | null = null,
): Promise<SignInOutcome> {
  const outcome = await ask<AnswerOf<typeof login>>({
    method: 'POST',
    address: addressOf(path),
    // A lost answer leaves an unused session, which expires.
    isHarmless: true,
    form: { userName: userName.trim(), password, platForm: String(loginPlatform), ...captcha },
  });
  return outcome.kind === 'done' ? { kind: 'signed-in', answer: outcome.answer } : outcome;
}
