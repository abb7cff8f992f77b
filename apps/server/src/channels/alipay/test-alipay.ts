import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { AlipaySettings } from '../channel-settings.ts';

export const alipaySettings: Omit<AlipaySettings, 'baseUrl'> = {
  appId: '2021000122671080',
  privateKeyFile: '',
  verification: { mode: 'key', publicKeyFile: '' },
  sellerId: '2088123412341234',
};

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The merchant's pair, Alipay's, and a stranger's. */
export const keyPairs = { merchant: pair(), alipay: pair(), stranger: pair() };

export type Asked = {
  method: string;
  content: Record<string, unknown>;
  fields: Record<string, string>;
  isSigned: boolean;
};
type Answer = { fields: object; by?: KeyObject | null; status?: number } | { raw: Buffer } | 'nothing';

/** Fields as Alipay signs them: sorted, joined, without the signature, and in notifications without its kind. */
export function signedText(fields: Readonly<Record<string, string>>, without: readonly string[]): string {
  return Object.keys(fields)
    .filter((name) => !without.includes(name) && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/** A notification as Alipay sends it. */
export function notificationOf(
  fields: Readonly<Record<string, string>>,
  by: KeyObject = keyPairs.alipay.privateKey,
): string {
  const signature = sign('RSA-SHA256', Buffer.from(signedText(fields, ['sign', 'sign_type'])), by).toString('base64');
  return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signature }).toString();
}

/** A stand-in for openapi.alipay.com: it checks our signatures and signs its answers. */
export class TestAlipay {
  readonly asked: Asked[] = [];
  answer: (asked: Asked) => Answer = () => 'nothing';
  readonly #server: Server = createServer((request, response) => {
    void this.#take(request).then((asked) => {
      const answer = this.answer(asked);
      if (answer === 'nothing') return;
      if ('raw' in answer) return response.writeHead(200).end(answer.raw);
      const { fields, by = keyPairs.alipay.privateKey, status = 200 } = answer;
      const text = JSON.stringify(fields);
      const name = `${asked.method.replaceAll('.', '_')}_response`;
      const signature = by === null ? '' : `,"sign":"${sign('RSA-SHA256', Buffer.from(text), by).toString('base64')}"`;
      response.writeHead(status, { 'content-type': 'text/html;charset=utf-8' }).end(`{"${name}":${text}${signature}}`);
    });
  });

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/gateway.do`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage): Promise<Asked> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
    const asked = {
      method: fields.method ?? '',
      content: JSON.parse(fields.biz_content ?? '{}') as Record<string, unknown>,
      fields,
      isSigned:
        fields.app_id === alipaySettings.appId &&
        fields.sign_type === 'RSA2' &&
        verify(
          'RSA-SHA256',
          Buffer.from(signedText(fields, ['sign'])),
          keyPairs.merchant.publicKey,
          Buffer.from(fields.sign ?? '', 'base64'),
        ),
    };
    this.asked.push(asked);
    return asked;
  }
}

/** The two-byte part of GB 18030, which Node can read and not write. */
function pairsOfGb(): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder('gb18030');
  const pairs = new Map<string, Buffer>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const pair = Buffer.from([lead, trail]);
      if (trail !== 0x7f) pairs.set(decoder.decode(pair), pair);
    }
  }
  return pairs;
}

const gbPairs = pairsOfGb();

/** A Chinese text as Alipay writes it. */
export function gb(text: string): Buffer {
  return Buffer.concat([...text].map((sign) => gbPairs.get(sign) ?? Buffer.from(sign)));
}

/** A ZIP whose files are stored as they are, with names in any bytes. */
export function zipOf(files: readonly (readonly [name: Buffer, content: Buffer])[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}
