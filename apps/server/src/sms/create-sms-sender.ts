import type { Logger } from 'pino';
import { type AliyunSmsSettings, createAliyunSms } from './aliyun-sms.ts';
import { createEmbeddedSms } from './embedded-sms.ts';
import type { SmsSender } from './sms-sender.ts';

export type SmsSettings = { provider: 'embedded' } | ({ provider: 'aliyun' } & AliyunSmsSettings);

/** The sender chosen in the settings. */
export function createSmsSender(settings: SmsSettings, log: Logger): SmsSender {
  switch (settings.provider) {
    case 'embedded':
      return createEmbeddedSms(log);
    case 'aliyun':
      return createAliyunSms(settings, log);
  }
}
