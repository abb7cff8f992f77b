import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alipaySettings } from './alipay/test-alipay.ts';
import type { AlipaySettings, WechatSettings } from './channel-settings.ts';
import { openChannels } from './open-channels.ts';
import { wechatSettings } from './wechat/test-wechat-pay.ts';

const yearMs = 366 * 86_400_000;
const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits });
const [own, theirs, short] = [rsa(2_048), rsa(2_048), rsa(1_024)];
const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const privatePem = ({ privateKey }: { privateKey: KeyObject }) =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicPem = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'pem' }) as string;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'voltdeck-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(text: string): string {
  files += 1;
  const file = join(folder, String(files));
  writeFileSync(file, text);
  return file;
}
/** A certificate of the key that is valid for the next year. */
function certificateOf(pair: { privateKey: KeyObject }): string {
  const key = fileOf(privatePem(pair));
  return execFileSync('openssl', ['req', '-x509', '-key', key, '-days', '365', '-subj', '/CN=test'], {
    encoding: 'utf8',
  });
}

async function said(settings: { wechat: WechatSettings | null; alipay: AlipaySettings | null }, at = Date.now()) {
  const on = settings.wechat === null ? (['alipay'] as const) : (['wechat'] as const);
  const world = { db: {} as never, log: pino({ level: 'silent' }), dataDir: folder, now: () => instant(at) };
  try {
    return (await openChannels({ ...settings, on, publicUrl: null }, world)).byName.size;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

describe('keys of channels are checked at the start', () => {
  const wechat = (privateKey: string, publicKey: string) =>
    said({
      wechat: {
        ...wechatSettings,
        baseUrl: null,
        privateKeyFile: fileOf(privateKey),
        publicKey: { id: 'PUB_KEY_ID_01', file: fileOf(publicKey) },
      },
      alipay: null,
    });
  const alipay = (privateKey: string, verification: AlipaySettings['verification'], at?: number) =>
    said(
      {
        wechat: null,
        alipay: { ...alipaySettings, baseUrl: null, privateKeyFile: fileOf(privateKey), verification },
      },
      at,
    );
  const byKey = (publicKey: string) => ({ mode: 'key', publicKeyFile: fileOf(publicKey) }) as const;
  const tooShort = 'it is an RSA key of 1024 bits, where RSA of at least 2048 bits is needed';

  test('keys that fit are taken', async () => {
    expect(await wechat(privatePem(own), publicPem(theirs))).toBe(1);
    expect(await alipay(privatePem(own), byKey(publicPem(theirs)))).toBe(1);
    const bare = (pem: string) => pem.replaceAll(/-----.*-----|\s/g, '');
    expect(await alipay(bare(privatePem(own)), byKey(bare(publicPem(theirs))))).toBe(1);
  });

  test('a key of another kind, too short, of the wrong side or none is refused by the name of its setting', async () => {
    expect(await wechat(privatePem(short), publicPem(theirs))).toBe(`WECHAT_PRIVATE_KEY cannot be used: ${tooShort}`);
    expect(await wechat(privatePem(elliptic), publicPem(theirs))).toContain(
      'WECHAT_PRIVATE_KEY cannot be used: it is a key of the kind ec',
    );
    expect(await wechat('no key', publicPem(theirs))).toContain(
      'WECHAT_PRIVATE_KEY cannot be used: its file does not hold a private key',
    );
    expect(await wechat(privatePem(own), publicPem(short))).toBe(`WECHAT_PUBLIC_KEY cannot be used: ${tooShort}`);
    expect(await wechat(privatePem(own), privatePem(theirs))).toContain(
      'WECHAT_PUBLIC_KEY cannot be used: its file holds a private key',
    );
    expect(await wechat(privatePem(own), certificateOf(theirs))).toContain(
      'WECHAT_PUBLIC_KEY cannot be used: its file holds a certificate',
    );
    expect(await alipay(privatePem(own), byKey(publicPem(own)))).toContain(
      'ALIPAY_PUBLIC_KEY cannot be used: it belongs to the private key of this side',
    );
    expect(await alipay(privatePem(short), byKey(publicPem(theirs)))).toBe(
      `ALIPAY_PRIVATE_KEY cannot be used: ${tooShort}`,
    );
  });

  test('a certificate of another key, one that has expired and one that is none are refused', async () => {
    const [app, channel] = [certificateOf(own), certificateOf(theirs)];
    const certificates = (appCert: string, alipayCert: string, at?: number) =>
      alipay(
        privatePem(own),
        {
          mode: 'certificates',
          appCertFile: fileOf(appCert),
          alipayCertFile: fileOf(alipayCert),
          rootCertFile: fileOf(channel),
        },
        at,
      );
    expect(await certificates(app, channel)).toBe(1);
    expect(await certificates(channel, channel)).toBe(
      'ALIPAY_APP_CERT cannot be used: it does not belong to the private key',
    );
    expect(await certificates(app, app)).toContain(
      'ALIPAY_PUBLIC_CERT cannot be used: it belongs to the private key of this side',
    );
    expect(await certificates(app, 'none')).toContain(
      'ALIPAY_PUBLIC_CERT cannot be used: its file does not hold a certificate',
    );
    expect(await certificates(app, channel, Date.now() + yearMs)).toContain(
      'ALIPAY_APP_CERT cannot be used: it expired on 20',
    );
    expect(await certificates(app, channel, Date.now() - yearMs)).toContain(
      'ALIPAY_APP_CERT cannot be used: it is valid from 20',
    );
  });
});
