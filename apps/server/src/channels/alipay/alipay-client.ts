import { createRequire } from 'node:module';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { privateKeyOf, publicKeyOf } from '../channel-keys.ts';

export type AlipayKeys =
  | { mode: 'key'; publicKey: string }
  | { mode: 'certificates'; appCert: string; alipayCert: string; rootCert: string };

/** The rules of signing and verifying of Alipay's open platform, by Alipay's own client. */
export type AlipayClient = {
  /** The form of a call, signed (RSA2). */
  sign(method: string, content: object, options: { at: Instant; notifyUrl?: string }): string;
  isAnswerSigned(text: string, method: string, sign: string): boolean;
  isNotificationSigned(fields: Readonly<Record<string, string>>): boolean;
};

const require = createRequire(import.meta.url);

/**
 * The client is loaded on demand: it takes its time, and most installations use another channel.
 * @throws Error for a text that is no key or no certificate.
 */
export function openAlipayClient(given: { appId: string; privateKey: string; keys: AlipayKeys }): AlipayClient {
  const { AlipaySdk } = require('alipay-sdk') as typeof import('alipay-sdk');
  const { appId, privateKey, keys } = given;
  const sdk = new AlipaySdk({
    appId,
    privateKey: pkcs1(privateKey),
    signType: 'RSA2',
    ...(keys.mode === 'key'
      ? { alipayPublicKey: spki(keys.publicKey) }
      : {
          appCertContent: keys.appCert,
          alipayPublicCertContent: keys.alipayCert,
          alipayRootCertContent: keys.rootCert,
        }),
  });
  return {
    sign: (method, content, { at, notifyUrl }) =>
      sdk.sdkExecute(
        method,
        // The client would take the time of this machine's zone, where Alipay reads that of China.
        {
          bizContent: { ...content },
          timestamp: shanghaiDateTime(at),
          ...(notifyUrl === undefined ? {} : { notifyUrl }),
        },
        { bizContentAutoSnakeCase: false },
      ),
    isAnswerSigned(text, method, sign) {
      try {
        sdk.checkResponseSign(text, answerName(method), sign, '');
        return true;
      } catch {
        return false;
      }
    },
    // The client would also believe RSA with SHA-1 where a notification asks for it.
    isNotificationSigned: (fields) => fields.sign_type === 'RSA2' && sdk.checkNotifySignV2({ ...fields }),
  };
}

export function answerName(method: string): string {
  return `${method.replaceAll('.', '_')}_response`;
}

/** The client wants PKCS #1. */
function pkcs1(text: string): string {
  return privateKeyOf(text).export({ type: 'pkcs1', format: 'pem' }) as string;
}

function spki(text: string): string {
  return publicKeyOf(text).export({ type: 'spki', format: 'pem' }) as string;
}
