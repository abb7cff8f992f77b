import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { signIn } from '@voltdeck/journeys/api';
import { adminPassword, type Product } from '@voltdeck/journeys/product';
import { until } from '@voltdeck/journeys/until';
import { inject } from 'vitest';
import { serverOn } from './product-setup.ts';

/** What the host sends, one line each. */
export type HostSaid =
  | { kind: 'listening'; url: string; ykcPort: number | null }
  /** Jobs run as well. */
  | { kind: 'ready' }
  | { kind: 'log'; line: string }
  | { kind: 'failed'; because: string };

/** The product of one test file. Its process serves others too, so it cannot be killed. */
export type HostedProduct = Omit<Product, 'pid' | 'collectGarbage'>;

const readyLimitMs = 150_000;
const endLimitMs = 60_000;
/** How many lines of a server's log are kept for failures. */
const linesMax = 400;

/**
 * Starts a server on the test's own database, in the process that the run's browser tests share, its clock `aheadMs`
 * ahead.
 * @throws Error with the server's last output when it does not become ready.
 */
export async function hostedProduct(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  aheadMs = 0,
): Promise<HostedProduct> {
  const output: string[] = [];
  const errors: string[] = [];
  let listening: { url: string; ykcPort: number } | null = null;
  let isReady = false;
  let fault: string | null = null;
  const socket = connect({ port: inject('productHostPort'), host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', ({ message }) => {
    fault ??= message;
  });
  const hear = (said: HostSaid): void => {
    if (said.kind === 'ready') isReady = true;
    else if (said.kind === 'failed') fault = said.because;
    else if (said.kind === 'log') {
      output.push(said.line);
      if (output.length > linesMax) output.shift();
      if (/^\{"level":(?:[5-9]\d|\d{3})/.test(said.line)) errors.push(said.line);
    } else if (said.ykcPort === null) fault = 'the server named no YKC port';
    else listening = { url: said.url, ykcPort: said.ykcPort };
  };
  const lines = createInterface({ input: socket });
  lines.on('line', (line) => hear(JSON.parse(line) as HostSaid));
  const heardAll = once(lines, 'close');
  socket.write(`${JSON.stringify(serverOn(databaseUrl, settings, aheadMs))}\n`);
  const told = await until('the server is ready', () => (isReady ? listening : fault), readyLimitMs);
  if (typeof told === 'string') throw new Error(`${told}\n${output.slice(-20).join('\n')}`);
  const { url, ykcPort } = told as { url: string; ykcPort: number };
  return {
    url,
    ocppUrl: `${url.replace('http:', 'ws:')}/ocpp`,
    ykcPort,
    errors,
    output,
    signIn: () => signIn(url, { userName: 'admin', password: adminPassword }),
    async stop() {
      socket.end();
      const limit = setTimeout(() => socket.destroy(), endLimitMs);
      await heardAll;
      await closed;
      clearTimeout(limit);
    },
  };
}
