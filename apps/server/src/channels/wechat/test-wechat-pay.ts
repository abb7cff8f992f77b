import {
  createCipheriv,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import type { WechatSettings } from '../channel-settings.ts';

export const apiV3Key = 'a-key-of-exactly-32-characters!!';
export const wechatSettings: Omit<WechatSettings, 'baseUrl'> = {
  mchId: '1900000109',
  appId: 'wxd678efh567hg6787',
  apiV3Key,
  privateKeyFile: '',
  certSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  publicKey: { id: 'PUB_KEY_ID_0114232134912410000000000000', file: '' },
  transfer: { sceneId: '1000', reports: [{ type: 'activity', content: 'balance' }] },
};

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The merchant's pair, WeChat Pay's, and a stranger's. */
export const keyPairs = { merchant: pair(), platform: pair(), stranger: pair() };

export type Asked = { method: string; path: string; body: unknown; isSigned: boolean };
type Answer =
  | {
      status: number;
      body?: unknown;
      raw?: Buffer;
      tamper?: (signed: Record<string, string>) => Record<string, string>;
    }
  | 'nothing';

/** AES-256-GCM as WeChat Pay does it: the tag follows the ciphertext. */
export function encrypt(text: string, key = apiV3Key, associatedData = 'transaction') {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: associatedData };
}

export function signedHeaders(
  body: string,
  at: Instant,
  {
    key = keyPairs.platform.privateKey,
    serial = wechatSettings.publicKey?.id ?? '',
  }: { key?: KeyObject; serial?: string } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at / secondMs));
  const nonce = randomBytes(16).toString('hex');
  return {
    'Wechatpay-Timestamp': timestamp,
    'Wechatpay-Nonce': nonce,
    'Wechatpay-Serial': serial,
    'Wechatpay-Signature': sign('RSA-SHA256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key).toString('base64'),
  };
}

/** A notification as WeChat Pay sends it. */
export function notificationOf(type: string, content: object, key = apiV3Key): string {
  const resource = { ...encrypt(JSON.stringify(content), key), original_type: 'transaction' };
  return JSON.stringify({
    id: randomBytes(16).toString('hex'),
    create_time: '2026-11-21T12:00:00+08:00',
    resource_type: 'encrypt-resource',
    event_type: type,
    summary: 'done',
    resource,
  });
}

/** A stand-in for api.mch.weixin.qq.com: it checks our signatures and signs its answers. */
export class TestWechatPay {
  readonly asked: Asked[] = [];
  answer: (asked: Asked) => Answer = () => ({ status: 404, body: { code: 'NOT_FOUND', message: '' } });
  /** The instant of its clock. */
  now: () => Instant = () => Date.now() as Instant;
  signing: Parameters<typeof signedHeaders>[2] = {};
  readonly #server: Server = createServer((request, response) => {
    void this.#take(request).then((asked) => {
      const answer = this.answer(asked);
      if (answer === 'nothing') return;
      if (answer.raw !== undefined) return response.writeHead(answer.status).end(answer.raw);
      const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
      const headers = signedHeaders(body, this.now(), this.signing);
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(answer.tamper?.(headers) ?? headers),
      });
      response.end(body);
    });
  });

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage): Promise<Asked> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    const fields = Object.fromEntries(
      [...(request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const signed = `${request.method}\n${path}\n${fields.timestamp}\n${fields.nonce_str}\n${text}\n`;
    const asked = {
      method: request.method ?? '',
      path,
      body: text === '' ? null : (JSON.parse(text) as unknown),
      isSigned:
        fields.mchid === wechatSettings.mchId &&
        fields.serial_no === wechatSettings.certSerial &&
        verify(
          'RSA-SHA256',
          Buffer.from(signed),
          keyPairs.merchant.publicKey,
          Buffer.from(fields.signature ?? '', 'base64'),
        ),
    };
    this.asked.push(asked);
    return asked;
  }
}

export const sha1 = (raw: Buffer) => createHash('sha1').update(raw).digest('hex');
