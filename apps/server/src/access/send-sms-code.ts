import type { ApiError } from '@voltdeck/contract/errors';
import type { sendRegistrationCode as route } from '@voltdeck/contract/registration';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { takeCaptcha } from './captcha.ts';
import { type CodePurpose, codeEveryMs, makeCode } from './sms-codes.ts';

/**
 * Sends a code to a phone; the answer is the same whether the phone is registered or not. A message that
 * could not be sent still counts towards the limits.
 */
export async function sendSmsCode(
  context: Context,
  sms: SmsSender,
  purpose: CodePurpose,
  { phone, captchaId = '', captcha = '' }: BodyOf<typeof route>,
  remoteAddress: string,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const { db } = context.database;
  const withCaptcha = captchaId !== '' && captcha !== '';
  if (withCaptcha && !(await takeCaptcha(db, { id: captchaId, text: captcha }, at))) {
    return failed({ code: 'captcha.wrong' });
  }
  const made = await makeCode(db, { purpose, phone, remoteAddress, withCaptcha }, at);
  if (!made.ok) {
    if (made.error.code === 'sms.used_up') context.log.warn({ purpose }, 'no codes are left for this hour or day');
    return made;
  }
  const sent = await sms.sendCode({ purpose, phone, code: made.value });
  if (sent.ok) return ok({ secondsToNext: codeEveryMs / secondMs });
  return failed(sent.error === 'too_many' ? { code: 'sms.too_many', params: { hours: 24 } } : { code: 'sms.not_sent' });
}
