import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepPort } from './keep-port.ts';
import { type OperatorKeys, openAnswer, sealRequest } from './operator-envelope.ts';

const main = fileURLToPath(new URL('./operator-main.ts', import.meta.url));
const callLimitMs = 20_000;

/** An order as the operator heard it; `isNew` where its book did not have it. */
export type BookEntry = { sequence: string; isNew: boolean; message: Record<string, unknown> };

export type OperatorAnswer = { ret: number; message: Record<string, unknown> | null };

/** Another operator, whose customers charge at our stations. It ends and begins again at the same address. */
export type Operator = {
  readonly baseUrl: string;
  readonly operatorId: string;
  /** What its process wrote down, oldest first. */
  book(): Promise<BookEntry[]>;
  kill9(): Promise<void>;
  startAgain(): Promise<void>;
  /** A call to the platform by its customers' side, which outlives its process; null where no answer came. */
  call(platformUrl: string, name: string, message: object, how?: { times?: number }): Promise<OperatorAnswer | null>;
  stop(): Promise<void>;
};

export async function startOperator({
  operatorId,
  inbound,
  outbound,
  seed,
}: {
  operatorId: string;
  /** The keys with which it calls us, and we it. */
  inbound: OperatorKeys;
  outbound: OperatorKeys;
  seed: number;
}): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-operator-'));
  const bookPath = join(folder, 'book');
  const { port, giveBack } = await keepPort();
  let starts = 0;
  let token: string | null = null;
  const start = async (): Promise<ChildProcess> => {
    starts += 1;
    const settings = { port, bookPath, keys: outbound, seed: seed + starts };
    const started = spawn(process.execPath, [main, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const endWithTest = () => started.kill('SIGKILL');
    process.once('exit', endWithTest);
    started.once('exit', () => process.off('exit', endWithTest));
    const said = started.stdout;
    if (said === null) throw new Error('the operator has no output');
    await Promise.race([once(said, 'data'), once(started, 'exit').then(() => Promise.reject(new Error('it ended')))]);
    return started;
  };
  let running = await start();
  const kill9 = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  const send = async (platformUrl: string, name: string, body: string): Promise<OperatorAnswer | null> => {
    try {
      const response = await fetch(`${platformUrl}/evcs/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
        body,
        signal: AbortSignal.timeout(callLimitMs),
      });
      return openAnswer(await response.text(), inbound);
    } catch (error) {
      // A dead server is no answer; one that is not signed is a fault of ours.
      if (error instanceof Error && error.message.startsWith('not signed')) throw error;
      return null;
    }
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/evcs/v1`,
    operatorId,
    kill9,
    async startAgain() {
      running = await start();
    },
    async book() {
      if (!existsSync(bookPath)) return [];
      // The last line may be torn by a kill; its order was not confirmed then.
      const lines = (await readFile(bookPath, 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as BookEntry);
    },
    async call(platformUrl, name, message, { times = 1 } = {}) {
      if (token === null) {
        const asked = { OperatorID: operatorId, OperatorSecret: inbound.operatorSecret };
        const got = await send(platformUrl, 'query_token', sealRequest(operatorId, inbound, asked));
        if (typeof got?.message?.AccessToken !== 'string') return null;
        token = got.message.AccessToken;
      }
      const body = sealRequest(operatorId, inbound, message);
      const answers = await Promise.all(Array.from({ length: times }, () => send(platformUrl, name, body)));
      // Of an envelope that the network doubled, one is carried out and the others are refused as replays.
      return answers.find((answer) => answer !== null && answer.ret === 0) ?? answers.find((answer) => answer) ?? null;
    },
    async stop() {
      await kill9();
      await giveBack();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
