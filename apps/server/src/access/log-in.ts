import type { login } from '@voltdeck/contract/access';
import type { SignInResult } from '@voltdeck/contract/audit';
import { loginPlatform } from '@voltdeck/contract/envelope';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Sessions } from '../caller/sessions.ts';
import { isEnabled } from '../caller/user-rights.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { transact } from '../database/transact.ts';
import type { Origin } from '../http/bind.ts';
import { takeCaptcha } from './captcha.ts';
import { beginAttempt, confirmFailure, forgiveAttempt, isKnownNetwork, loginState } from './login-lock.ts';
import { passwordMatches } from './password.ts';
import { noteSignIn } from './sign-ins.ts';

/**
 * Opens a session for a user name or phone with its password. An unknown name takes as long and reveals as little as a
 * wrong password. Repeated failures first require a captcha, then lock the name for the network they came from, and the
 * network, for a while.
 */
export async function logIn(
  context: Context,
  sessions: Sessions,
  form: BodyOf<typeof login>,
  origin: Origin,
  at: Instant,
): Promise<Result<AnswerOf<typeof login>, ApiError>> {
  const { db } = context.database;
  if (form.platForm !== loginPlatform) {
    return failed({
      code: 'request.invalid',
      fields: [{ path: 'platForm', code: 'not_choice', params: { choices: String(loginPlatform) } }],
    });
  }
  const { remoteAddress, userAgent } = origin;
  const attempt = { name: form.userName, remoteAddress };
  const user = await findByNameOrPhone(db, form.userName);
  const refuse = async (result: SignInResult, error: ApiError) => {
    await noteSignIn(db, { ...attempt, result, userId: user?.id ?? null, sessionId: null, userAgent }, at);
    return failed(error);
  };
  const locked = (seconds: number) => refuse('locked', { code: 'login.locked', params: { seconds } });

  const state = await loginState(db, attempt, at);
  if (state.secondsLocked > 0) return locked(state.secondsLocked);
  const needsCaptcha =
    state.captcha === 'for-all' ||
    (state.captcha === 'for-strangers' && !(await isKnownNetwork(db, user?.id ?? null, remoteAddress)));
  if (needsCaptcha) {
    const { captchaId = '', captcha = '' } = form;
    if (captchaId === '' || captcha === '') return refuse('wrong_captcha', { code: 'login.captcha_needed' });
    const isRight = await takeCaptcha(db, { id: captchaId, text: captcha }, at);
    if (!isRight) return refuse('wrong_captcha', { code: 'captcha.wrong' });
  }
  const seconds = await beginAttempt(db, attempt, at);
  if (seconds > 0) return locked(seconds);

  const matches = await passwordMatches(form.password, user?.password_hash ?? null);
  if (!matches || user === undefined) {
    await confirmFailure(db, attempt, at);
    return refuse(user === undefined ? 'unknown_name' : 'wrong_password', { code: 'login.failed' });
  }
  if (!user.enabled) {
    await forgiveAttempt(db, attempt);
    return refuse('disabled', { code: 'login.disabled' });
  }

  const opened = await transact(db, async (trx) => {
    // Waits for a concurrent password change or sign-out, after which this password is no longer valid.
    const found = await trx
      .updateTable('users')
      .set({ last_login_at: at })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .where(isEnabled)
      .returning('id')
      .executeTakeFirst();
    if (found === undefined) return failed({ code: 'login.failed' });
    await forgiveAttempt(trx, attempt);
    const { token, sessionId } = await sessions.open(trx, user.id, at, origin);
    const signIn = { ...attempt, result: 'signed_in' as const, userId: user.id, sessionId, userAgent };
    await noteSignIn(trx, signIn, at);
    const who = { userId: user.id, remoteAddress };
    await audit(trx, who, at, { action: 'session.open', recordKind: 'user', recordId: user.id });
    return ok({ token, userName: user.user_name, userInfo: { id: user.id, admin: user.admin } });
  });
  if (opened.ok) return opened;
  await confirmFailure(db, attempt, at);
  return refuse('wrong_password', opened.error);
}

function findByNameOrPhone(db: Kysely<Tables>, name: string) {
  return (
    db
      .selectFrom('users')
      .select(['id', 'user_name', 'admin', isEnabled.as('enabled'), 'password_hash'])
      .where((eb) => eb.or([eb(sql`lower(user_name)`, '=', name.toLowerCase()), eb('phone', '=', name)]))
      // A phone that is another user's name must not open that account.
      .orderBy((eb) => eb(sql`lower(user_name)`, '=', name.toLowerCase()), 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}
