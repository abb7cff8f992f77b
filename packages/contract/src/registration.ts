import * as z from 'zod/mini';
import { newPasswordField, nothing, phoneField } from './fields.ts';
import { route } from './route.ts';

/** A picture with characters to type in, as a `data:` URL of a PNG. Valid once, for a few minutes. */
export const getCaptcha = route({
  method: 'GET',
  path: '/captcha',
  summary: 'A captcha for sign-in and registration',
  permission: 'public',
  answer: z.object({ id: z.string(), image: z.string() }),
  errors: [],
});

/** Digits of a code sent by short message. */
export const smsCodeDigits = 6;

/**
 * Specification section 7: POST /registerUser/mobileCode. The first codes for a phone and for a network need only the
 * phone; after that `captcha.needed` asks for the answer to getCaptcha as well. The answer does not reveal whether the
 * phone is registered. `secondsToNext` is the wait before another code.
 */
export const sendRegistrationCode = route({
  method: 'POST',
  path: '/registerUser/mobileCode',
  summary: 'Send a registration code by short message',
  permission: 'public',
  body: z.object({
    phone: phoneField,
    captchaId: z.optional(z.string().check(z.maxLength(64))),
    captcha: z.optional(z.string().check(z.trim(), z.maxLength(16))),
  }),
  answer: z.object({ secondsToNext: z.int() }),
  errors: ['captcha.needed', 'captcha.wrong', 'sms.too_soon', 'sms.too_many', 'sms.used_up', 'sms.not_sent'],
});

/** Specification section 7: POST /registerUser/register. */
export const register = route({
  method: 'POST',
  path: '/registerUser/register',
  summary: 'Register with a phone and the code sent to it',
  permission: 'public',
  body: z.object({
    phone: phoneField,
    code: z.string().check(z.trim(), z.regex(/^\d{6}$/, 'bad_format')),
    password: newPasswordField,
    confirmPassword: newPasswordField,
  }),
  answer: nothing,
  errors: ['sms.code_wrong', 'register.phone_taken', 'customer.phone_merged', 'password.too_common'],
});
