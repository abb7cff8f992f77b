import type { getCaptcha, register, sendRegistrationCode } from '@voltdeck/contract/registration';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { addressOf } from '../api/address.ts';
import { ask, type Outcome } from './ask.ts';

/** The routes' paths, written out so that the sign-in page bundles no schemas; the types keep them in step. */
const captchaPath: (typeof getCaptcha)['path'] = '/captcha';
const codePath: (typeof sendRegistrationCode)['path'] = '/registerUser/mobileCode';
const registerPath: (typeof register)['path'] = '/registerUser/register';

export function askForCaptcha(): Promise<Outcome<AnswerOf<typeof getCaptcha>>> {
  return ask({ method: 'GET', address: addressOf(captchaPath) });
}

export function askForCode(
  body: BodyOf<typeof sendRegistrationCode>,
): Promise<Outcome<AnswerOf<typeof sendRegistrationCode>>> {
  return ask({ method: 'POST', address: addressOf(codePath), json: body });
}

export function askToRegister(body: BodyOf<typeof register>): Promise<Outcome<null>> {
  return ask({ method: 'POST', address: addressOf(registerPath), json: body });
}
