import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NuonuoSettings } from '../invoicing-settings.ts';
import { signOf } from './nuonuo-client.ts';

export const nuonuoKeys = { appKey: 'SD47110815', appSecret: 'SDA2DC3C4D2148BF' } as const;

export type NuonuoRequest = { method: string; taxNumber: string; content: Readonly<Record<string, unknown>> };

/** A stand-in for Nuonuo that refuses what is not signed as Nuonuo's documentation says. */
export type TestNuonuo = {
  settings: NuonuoSettings;
  url: string;
  requests: NuonuoRequest[];
  tokens: number;
  /** What it answers to each interface, in turn; the last one from then on. */
  answers: Record<string, unknown[]>;
  /** What it does instead of answering. */
  fault: 'none' | 'hang up' | 'gateway' | 'html';
  close(): Promise<void>;
};

export const interfaceOf = (method: string) => method.split('.').at(-1) ?? method;

export async function startTestNuonuo(): Promise<TestNuonuo> {
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '/', 'http://nuonuo.test');
    const json = (body: unknown) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (url.pathname === '/accessToken') {
      const form = new URLSearchParams(await text(request));
      const isKnown = form.get('client_id') === nuonuoKeys.appKey && form.get('client_secret') === nuonuoKeys.appSecret;
      if (!isKnown || form.get('grant_type') !== 'client_credentials') return json({ error: 'invalid_client' });
      nuonuo.tokens += 1;
      return json({ access_token: `token-${nuonuo.tokens}`, expires_in: 86_400 });
    }
    if (url.pathname === '/document.pdf') return reply.end('%PDF-1.7 of the bureau');
    if (url.pathname === '/page.html') return reply.end('<html>gone</html>');
    const body = await text(request);
    if (nuonuo.fault === 'hang up') return request.socket.destroy();
    if (nuonuo.fault === 'html') return reply.writeHead(502).end('<html>bad gateway</html>');
    if (nuonuo.fault === 'gateway') return json({ code: '070101', describe: 'accessToken' });
    const fault = faultOf(request, url, body);
    if (fault !== null) return json({ code: '070000', describe: fault });
    const method = String(request.headers.method);
    nuonuo.requests.push({ method, taxNumber: String(request.headers.usertax), content: JSON.parse(body) });
    const queue = nuonuo.answers[interfaceOf(method)] ?? [];
    return json(queue.length > 1 ? queue.shift() : (queue[0] ?? { code: 'E9999', describe: 'no answer was set' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nuonuo: TestNuonuo = {
    settings: { ...nuonuoKeys, baseUrl: `${url}/open/v1/services`, tokenUrl: `${url}/accessToken` },
    url,
    requests: [],
    tokens: 0,
    answers: {},
    fault: 'none',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return nuonuo;

  function faultOf(request: IncomingMessage, url: URL, body: string): string | null {
    const query = Object.fromEntries(url.searchParams) as Parameters<typeof signOf>[1];
    if (url.pathname !== '/open/v1/services') return `unknown path ${url.pathname}`;
    if (!/^[0-9a-f]{32}$/.test(query.senid)) return 'senid is not 32 characters';
    if (!/^[1-9]\d{7}$/.test(query.nonce)) return 'nonce is not eight digits';
    if (query.appkey !== nuonuoKeys.appKey) return 'unknown appkey';
    if (request.headers.accesstoken !== `token-${nuonuo.tokens}`) return 'unknown accessToken';
    const signed = signOf(nuonuoKeys.appSecret, query, body);
    return request.headers['x-nuonuo-sign'] === signed ? null : 'wrong signature';
  }
}
