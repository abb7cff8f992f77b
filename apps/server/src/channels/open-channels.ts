import { readFile } from 'node:fs/promises';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';
import { createAlipayChannel } from './alipay/alipay-channel.ts';
import { type AlipayClient, openAlipayClient } from './alipay/alipay-client.ts';
import { createCallLog } from './call-log.ts';
import {
  checkCertificate,
  checkOthers,
  checkPair,
  checkPrivateKey,
  checkPublicKey,
  UnusableChannelKey,
} from './channel-keys.ts';
import type { AlipaySettings, ChannelSettings, WechatSettings } from './channel-settings.ts';
import { createEmbeddedChannel, type EmbeddedParts } from './embedded/embedded-channel.ts';
import { openEmbeddedKeys } from './embedded/embedded-keys.ts';
import type { PaymentChannel, PaymentChannels } from './payment-channel.ts';
import { createWechatChannel } from './wechat/wechat-channel.ts';
import { openWechatKeys, type WechatKeys } from './wechat/wechat-keys.ts';

export type OpenChannels = {
  byName: PaymentChannels;
  /** The other side of the embedded channel, where that is on. */
  embedded: EmbeddedParts | null;
  /** Where the server is reached from outside; null: as the request says. */
  publicUrl: string | null;
};

/** For what works without: every channel is off. */
export const noChannels: OpenChannels = { byName: new Map(), embedded: null, publicUrl: null };

/** @throws UnusableChannelKey for a key or a certificate that cannot be read, is none, is too weak or has expired. */
export async function openChannels(
  settings: ChannelSettings,
  world: { db: Kysely<Tables>; log: Logger; dataDir: string; now(): Instant },
): Promise<OpenChannels> {
  const { db, log, dataDir, now } = world;
  const calls = createCallLog(db, log);
  const byName = new Map<PaymentChannelName, PaymentChannel>();
  let embedded: EmbeddedParts | null = null;
  for (const name of settings.on) {
    if (name === 'embedded') {
      embedded = { db, keys: await openEmbeddedKeys(dataDir), calls, now };
      byName.set(name, createEmbeddedChannel(embedded));
    } else if (name === 'wechat' && settings.wechat !== null) {
      const keys = await readWechatKeys(settings.wechat);
      byName.set(name, createWechatChannel({ settings: settings.wechat, keys, calls, now }));
    } else if (name === 'alipay' && settings.alipay !== null) {
      const client = await readAlipayKeys(settings.alipay, now());
      byName.set(name, createAlipayChannel({ settings: settings.alipay, client, calls, now }));
    }
  }
  return { byName, embedded, publicUrl: settings.publicUrl };
}

async function readWechatKeys(settings: WechatSettings): Promise<WechatKeys> {
  const privateKey = await readKey('WECHAT_PRIVATE_KEY', settings.privateKeyFile);
  const ownKey = checkPrivateKey('WECHAT_PRIVATE_KEY', privateKey);
  const publicKey = settings.publicKey === null ? null : await readKey('WECHAT_PUBLIC_KEY', settings.publicKey.file);
  if (publicKey !== null) checkOthers('WECHAT_PUBLIC_KEY', checkPublicKey('WECHAT_PUBLIC_KEY', publicKey), ownKey);
  return usable('WECHAT_PRIVATE_KEY or WECHAT_PUBLIC_KEY', () =>
    openWechatKeys({ privateKey, publicKey, publicKeyId: settings.publicKey?.id ?? null }),
  );
}

async function readAlipayKeys(settings: AlipaySettings, at: Instant): Promise<AlipayClient> {
  const privateKey = await readKey('ALIPAY_PRIVATE_KEY', settings.privateKeyFile);
  const { verification } = settings;
  const keys =
    verification.mode === 'key'
      ? { mode: 'key' as const, publicKey: await readKey('ALIPAY_PUBLIC_KEY', verification.publicKeyFile) }
      : {
          mode: 'certificates' as const,
          appCert: await readKey('ALIPAY_APP_CERT', verification.appCertFile),
          alipayCert: await readKey('ALIPAY_PUBLIC_CERT', verification.alipayCertFile),
          rootCert: await readKey('ALIPAY_ROOT_CERT', verification.rootCertFile),
        };
  const ownKey = checkPrivateKey('ALIPAY_PRIVATE_KEY', privateKey);
  if (keys.mode === 'key') {
    checkOthers('ALIPAY_PUBLIC_KEY', checkPublicKey('ALIPAY_PUBLIC_KEY', keys.publicKey), ownKey);
  } else {
    checkPair('ALIPAY_APP_CERT', checkCertificate('ALIPAY_APP_CERT', keys.appCert, at), ownKey);
    checkOthers('ALIPAY_PUBLIC_CERT', checkCertificate('ALIPAY_PUBLIC_CERT', keys.alipayCert, at), ownKey);
  }
  return usable('ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEY or a certificate of Alipay', () =>
    openAlipayClient({ appId: settings.appId, privateKey, keys }),
  );
}

async function readKey(setting: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableChannelKey(setting, error.message);
  });
}

function usable<Keys>(settings: string, open: () => Keys): Keys {
  try {
    return open();
  } catch (error) {
    throw new UnusableChannelKey(settings, error instanceof Error ? error.message : String(error));
  }
}
