import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from './bench.ts';
import { livePage, pageContent, pagePolicy } from './bench-page.ts';
import { type BenchLanguage, benchLanguages } from './bench-settings.ts';

const loopback = '127.0.0.1';

export type ServedPage = { url: string; close(): Promise<void> };

/**
 * Serves the live checklist on loopback only. A check begins by POST from the page itself: another site that a browser
 * has open may neither read the exchanges nor start a charge (Host and Origin are examined).
 * @param port 0 for any that is free
 * @throws the error of the socket where the port is taken
 */
export async function servePage(
  bench: Bench,
  { port, language, signal }: { port: number; language: BenchLanguage; signal: AbortSignal },
): Promise<ServedPage> {
  let own = '';
  const server = createServer((request, response) => {
    if (!isOfPage(request, own)) return refuse(response, 403);
    const url = new URL(request.url ?? '/', own);
    const chosen = benchLanguages.find((each) => each === url.searchParams.get('language')) ?? language;
    if (request.method === 'POST') return start(bench, url.pathname, signal, response);
    if (request.method !== 'GET') return refuse(response, 405);
    if (url.pathname === '/') return send(response, livePage(bench, chosen));
    if (url.pathname === '/content') return send(response, pageContent(bench, chosen));
    return refuse(response, 404);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, resolve);
  });
  own = `http://${loopback}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${own}/`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether this is asked under our own name, and by our own page where it changes something. */
function isOfPage({ headers, method }: IncomingMessage, own: string): boolean {
  const names = [own, own.replace(loopback, 'localhost')];
  if (!names.includes(`http://${headers.host}`)) return false;
  return method === 'GET' ? true : names.includes(headers.origin ?? '');
}

function start({ checklist }: Bench, path: string, signal: AbortSignal, response: ServerResponse): void {
  const name = path.startsWith('/checks/') ? path.slice('/checks/'.length) : '';
  const ids = checklist.results
    .filter(({ id, isSlow }) => (name === 'all' ? !isSlow : id === name))
    .map(({ id }) => id);
  const isBusy = checklist.results.some(({ verdict }) => verdict.kind === 'running');
  if (ids.length === 0 || isBusy) {
    refuse(response, isBusy ? 409 : 404);
    return;
  }
  void checklist.run(ids, signal);
  // Without the script of the page, the browser shows the list again.
  response.writeHead(303, { location: '/' }).end();
}

function send(response: ServerResponse, html: string): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(html);
}

function refuse(response: ServerResponse, status: 403 | 404 | 405 | 409): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
}
