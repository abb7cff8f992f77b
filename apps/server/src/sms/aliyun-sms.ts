import { createRequire } from 'node:module';
import { failed, ok } from '@voltdeck/units/result';
import type { Logger } from 'pino';
import type { SmsSender } from './sms-sender.ts';

export type AliyunSmsSettings = {
  accessKeyId: string;
  accessKeySecret: string;
  signName: string;
  /** The template of a registration code; its variable is `code`. */
  templateRegister: string;
  /** Null for Aliyun's own. A host, prefixed with `http://` where a test plays it. */
  endpoint: string | null;
};

const aliyunEndpoint = 'dysmsapi.aliyuncs.com';
/** The client adds both up and waits no longer, because a person is waiting. */
export const aliyunLimits = { connectMs: 3_000, answerMs: 5_000 } as const;

/** Aliyun's codes for "no more messages to this phone": by its own rules, by the day, and by the account's limit. */
const tooManyCodes: ReadonlySet<string> = new Set([
  'isv.BUSINESS_LIMIT_CONTROL',
  'isv.DAY_LIMIT_CONTROL',
  'isv.MONTH_LIMIT_CONTROL',
  'isv.SMS_SEND_LIMIT',
]);

/** Aliyun's short message service (SendSms, API version 2017-05-25), by Aliyun's own client. */
export function createAliyunSms(settings: AliyunSmsSettings, log: Pick<Logger, 'warn'>): SmsSender {
  const send = openClient(settings);
  return {
    async sendCode({ phone, code }) {
      const answer = await send(phone, code);
      if (answer === 'OK') return ok(null);
      // Logs only the code, because the client's messages contain the whole request with the digits.
      log.warn({ provider: 'aliyun', answer }, 'a short message was not sent');
      return failed(tooManyCodes.has(answer) ? 'too_many' : 'not_sent');
    },
  };
}

/** Sends one code. @returns Aliyun's answer: "OK", an error code, or the kind of failure where none came. */
type Send = (phone: string, code: string) => Promise<string>;

const require = createRequire(import.meta.url);

/** Loaded on demand, because it takes most of a second and other providers do not need it. */
function openClient(settings: AliyunSmsSettings): Send {
  // CommonJS modules, whose default exports Node's `import` wraps a second time.
  const { default: Client, SendSmsRequest } =
    require('@alicloud/dysmsapi20170525') as typeof import('@alicloud/dysmsapi20170525');
  const { $OpenApiUtil } = require('@alicloud/openapi-core') as typeof import('@alicloud/openapi-core');
  const aliyun = new Client(
    new $OpenApiUtil.Config({
      accessKeyId: settings.accessKeyId,
      accessKeySecret: settings.accessKeySecret,
      endpoint: settings.endpoint?.replace(/^https?:\/\//, '') ?? aliyunEndpoint,
      protocol: settings.endpoint?.startsWith('http://') ? 'http' : 'https',
      connectTimeout: aliyunLimits.connectMs,
      readTimeout: aliyunLimits.answerMs,
    }),
  );
  return async (phone, code) => {
    const request = new SendSmsRequest({
      phoneNumbers: phone,
      signName: settings.signName,
      templateCode: settings.templateRegister,
      templateParam: JSON.stringify({ code }),
    });
    // No automatic retry: the service would send, and charge for, a second message.
    return aliyun.sendSms(request).then(({ body }) => body?.code ?? 'no answer', answerOf);
  };
}

/** Refusals are errors with Aliyun's code; an error without one is a network fault. */
function answerOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
