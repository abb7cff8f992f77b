import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

/** The merchant's key, and WeChat Pay's own where the settings name it. */
export type WechatKeys = { privateKey: KeyObject; publicKey: { id: string; key: KeyObject } | null };

/** @throws Error for a text that is no key. */
export function openWechatKeys(given: {
  privateKey: string;
  publicKey: string | null;
  publicKeyId: string | null;
}): WechatKeys {
  const { privateKey, publicKey, publicKeyId } = given;
  return {
    privateKey: createPrivateKey(privateKey),
    publicKey: publicKey === null || publicKeyId === null ? null : { id: publicKeyId, key: createPublicKey(publicKey) },
  };
}

const require = createRequire(import.meta.url);

/**
 * The rules of signing, verifying and decrypting of WeChat Pay's API v3, by its community client. Loaded on demand,
 * because most installations use another channel.
 */
export function wechatRules() {
  const { Rsa, Aes, Formatter } = require('wechatpay-axios-plugin') as typeof import('wechatpay-axios-plugin');
  return { Rsa, AesGcm: Aes.AesGcm, Formatter };
}
