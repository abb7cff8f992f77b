import * as access from '@voltdeck/contract/access';
import { endSession as endSessionRoute } from '@voltdeck/contract/audit';
import type { ApiError } from '@voltdeck/contract/errors';
import * as registration from '@voltdeck/contract/registration';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { networkOf } from '../limits/remote-networks.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { makeCaptcha } from './captcha.ts';
import { changePassword } from './change-password.ts';
import { endSession } from './end-session.ts';
import { logIn } from './log-in.ts';
import { register } from './register.ts';
import { sendSmsCode } from './send-sms-code.ts';

/** Calls per network and minute: enough for people, too few to guess or to flood before other limits apply. */
export const callsPerMinuteMax = { login: 60, captcha: 30, code: 10, register: 20 } as const;
/** Per signed-in user, so that an open console cannot be used to guess the password behind it. */
export const passwordChangesPerMinuteMax = 5;

/** The calls that need no session, and those that manage sessions. */
export function bindSignIn(
  { bind, bindPublic }: Binder,
  context: Context<'console'>,
  sessions: Sessions,
  sms: SmsSender,
): void {
  const { db } = context.database;
  const logins = admission(callsPerMinuteMax.login);
  const captchas = admission(callsPerMinuteMax.captcha);
  const codes = admission(callsPerMinuteMax.code);
  const registrations = admission(callsPerMinuteMax.register);
  const passwordChanges = new RateLimit({ max: passwordChangesPerMinuteMax, windowMs: minuteMs });

  bindPublic(access.login, ({ body, origin, at }) => logIn(context, sessions, body, origin, at), logins);

  bind(access.logout, async ({ token, at }) => {
    if (token !== null) await sessions.endOne(token, at, 'logout');
    return ok(null);
  });

  bind(access.changePassword, async ({ caller, body, at, transact }) => {
    const seconds = passwordChanges.secondsToWait(String(caller.userId), at);
    if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
    const result = await transact((trx) => changePassword(trx, sessions, caller, body, at));
    if (result.ok) sessions.forgetCached(caller.userId);
    return result;
  });

  bindPublic(registration.getCaptcha, async ({ at }) => ok(await makeCaptcha(db, at)), captchas);

  bindPublic(
    registration.sendRegistrationCode,
    ({ body, origin, at }) => sendSmsCode(context, sms, 'register', body, origin.remoteAddress, at),
    codes,
  );

  bindPublic(
    registration.register,
    ({ body, origin, at }) => register(db, body, origin.remoteAddress, at),
    registrations,
  );

  bind(endSessionRoute, async ({ caller, params, at, transact }) => {
    const ended = await transact((trx) => endSession(trx, caller, params.id, at));
    if (!ended.ok) return ended;
    sessions.forgetCached(ended.value);
    return ok(null);
  });
}

type Admission = (call: { origin: { remoteAddress: string }; at: Instant }) => Result<null, ApiError>;

/** Rate limit per network and minute, applied before anything is validated or hashed. */
export function admission(max: number): Admission {
  const limit = new RateLimit({ max, windowMs: minuteMs });
  return ({ origin, at }) => {
    const seconds = limit.secondsToWait(networkOf(origin.remoteAddress), at);
    return seconds === 0 ? ok(null) : failed({ code: 'request.too_many', params: { seconds } });
  };
}
