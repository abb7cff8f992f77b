import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announcedIn } from '@voltdeck/server/announcement';
import { WebSocket } from 'ws';
import { type Api, signIn } from './api.ts';
import { keepPort } from './keep-port.ts';
import { until } from './until.ts';

/** As in `npm start`: the compile cache is shared between starts. */
export const compiledDir: string = fileURLToPath(new URL('../../.cache/compiled', import.meta.url));
const serverMain = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** The flag of `npm start` (package.json), and a free port for the inspector if a test needs it. */
const nodeFlags = ['--max-semi-space-size=4', '--inspect-port=0'];
const readyLimitMs = 150_000;
const endLimitMs = 30_000;
/** How many lines of a server's output are kept for failures. */
const linesMax = 400;

export const adminPassword = 'first-light-4711';

/** The server as its own process, seen from outside: an address, a pid and its output. */
export type Product = {
  readonly url: string;
  /** `ws://…/ocpp`, the address configured in stations. */
  readonly ocppUrl: string;
  /** The port for YKC piles on the same host. */
  readonly ykcPort: number;
  readonly pid: number;
  /** Log lines that report a fault of the server itself (pino's level 50 and above). */
  readonly errors: readonly string[];
  readonly output: readonly string[];
  signIn(): Promise<Api>;
  /** Forces garbage collection, through Node's inspector. */
  collectGarbage(): Promise<void>;
  stop(): Promise<void>;
};

/** A product whose process can end and restart at the same address. */
export type MortalProduct = Product & {
  /** Kills the process like a power cut. */
  kill9(): Promise<void>;
  /** Starts a new process with the same database, port and folder; resolves when it is ready. */
  startAgain(): Promise<void>;
  /** Starts the process and kills it after `ms`, ready or not. */
  startBriefly(ms: number): Promise<void>;
};

/**
 * Starts the server on the test's own database, on free ports.
 * @throws Error with the server's last output when it does not become ready.
 */
export function startProduct(databaseUrl: string): Promise<Product> {
  return startServer(databaseUrl, { PORT: '0', YKC_PORT: 'any' }, async () => undefined);
}

/** As `startProduct`, on ports that stay reserved while its process is down. */
export async function startMortalProduct(databaseUrl: string): Promise<MortalProduct> {
  const [http, ykc] = [await keepPort(), await keepPort()];
  return startServer(databaseUrl, { PORT: String(http.port), YKC_PORT: String(ykc.port) }, async () => {
    await http.giveBack();
    await ykc.giveBack();
  });
}

async function startServer(
  databaseUrl: string,
  ports: { PORT: string; YKC_PORT: string },
  onStopped: () => Promise<void>,
): Promise<MortalProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-journey-'));
  const output: string[] = [];
  const errors: string[] = [];
  const settings = {
    ...ports,
    HOST: '127.0.0.1',
    DEMO: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
  };
  const hear = (line: string): void => {
    output.push(line);
    if (output.length > linesMax) output.shift();
    if (/^\{"level":(?:[5-9]\d|\d{3})/.test(line)) errors.push(line);
  };
  const start = async (): Promise<{ server: ChildProcess; url: string; ykcPort: number }> => {
    let said = '';
    let listening: ReturnType<typeof announcedIn> = null;
    const started = spawnServer(settings, (line) => {
      hear(line);
      if (listening !== null) return;
      said += `${line}\n`;
      listening = announcedIn(said);
    });
    try {
      const told = await until('the server says where it is', () => listening ?? hasEnded(started), readyLimitMs);
      if (told === true) throw new Error('the server ended before it was ready');
      const { url, ykcPort } = told;
      if (ykcPort === null) throw new Error('the server named no YKC port');
      await until('the server is ready', () => isReady(url, started), readyLimitMs);
      if (hasEnded(started)) throw new Error('the server ended before it was ready');
      return { server: started, url, ykcPort };
    } catch (error) {
      started.kill('SIGKILL');
      throw new Error(`${error instanceof Error ? error.message : error}\n${output.slice(-20).join('\n')}`);
    }
  };
  const first = await start();
  const { url, ykcPort } = first;
  let { server } = first;
  return {
    url,
    ocppUrl: `${url.replace('http:', 'ws:')}/ocpp`,
    ykcPort,
    errors,
    output,
    get pid() {
      return pidOf(server);
    },
    signIn: () => signIn(url, { userName: 'admin', password: adminPassword }),
    async collectGarbage() {
      const inspector = /^Debugger listening on (ws:\S+)/;
      const isInspected = output.some((line) => inspector.test(line));
      if (!isInspected) process.kill(pidOf(server), 'SIGUSR1');
      const address = await until('the inspector listens', () => {
        const told = output.findLast((line) => inspector.test(line));
        return told === undefined ? null : inspector.exec(told)?.[1];
      });
      await inspect(address, 'HeapProfiler.collectGarbage');
    },
    kill9: () => end(server, 'SIGKILL'),
    async startAgain() {
      ({ server } = await start());
    },
    async startBriefly(ms) {
      const started = spawnServer(settings, hear);
      const timer = setTimeout(() => started.kill('SIGKILL'), ms);
      await once(started, 'exit');
      clearTimeout(timer);
    },
    async stop() {
      await end(server, 'SIGTERM');
      await onStopped();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs the server with only these settings in its environment, and passes on every line of output. */
export function spawnServer(settings: Readonly<Record<string, string>>, tell: (line: string) => void): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const server = spawn(process.execPath, [...nodeFlags, serverMain], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compiledDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) tell(line);
    });
    stream.on('end', () => {
      if (rest !== '') tell(rest);
    });
  }
  const endWithTest = () => server.kill('SIGKILL');
  process.once('exit', endWithTest);
  server.once('exit', () => process.off('exit', endWithTest));
  return server;
}

async function isReady(url: string, server: ChildProcess): Promise<boolean> {
  if (hasEnded(server)) return true;
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
  await answer.arrayBuffer();
  return answer.ok;
}

async function inspect(address: string, method: string): Promise<void> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method }));
  await answered;
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

function pidOf(server: ChildProcess): number {
  if (server.pid === undefined || hasEnded(server)) throw new Error('the server does not run');
  return server.pid;
}

async function end(server: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (hasEnded(server)) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  const limit = setTimeout(() => server.kill('SIGKILL'), endLimitMs);
  await ended;
  clearTimeout(limit);
}
