import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepPort } from './keep-port.ts';
import { readBook } from './operator-book.ts';
import { type CallPlatform, callerOf, type OperatorSettings } from './operator-link.ts';

/** An order as the operator heard it; `isNew` where its book did not have it. */
export type BookEntry = { sequence: string; isNew: boolean; message: Record<string, unknown> };

/** Another operator as a process of its own. It ends and begins again at the same address. */
export type OperatorProcess<Entry> = {
  readonly baseUrl: string;
  readonly operatorId: string;
  /** What its process wrote down, oldest first. */
  book(): Promise<Entry[]>;
  kill9(): Promise<void>;
  /** @param how.isSound whether its link fails no more */
  startAgain(how?: { isSound: boolean }): Promise<void>;
  stop(): Promise<void>;
};

/** Another operator, whose customers charge at our stations. */
export type Operator = OperatorProcess<BookEntry> & {
  /** A call to the platform by its customers' side, which outlives its process. */
  call: CallPlatform;
};

type Named = Pick<OperatorSettings, 'operatorId' | 'inbound' | 'outbound' | 'seed'>;

export async function startOperator(named: Named): Promise<Operator> {
  const started = await startOperatorProcess<BookEntry>('operator-main.ts', { ...named, platformUrl: '' });
  return { ...started, call: callerOf(named) };
}

/**
 * Starts an operator's process.
 * @param main the file beside this one that it runs
 */
export async function startOperatorProcess<Entry>(
  main: string,
  { seed, ...named }: Named & Pick<OperatorSettings, 'platformUrl'>,
): Promise<OperatorProcess<Entry>> {
  const path = fileURLToPath(new URL(main, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-operator-'));
  const bookPath = join(folder, 'book');
  const { port, giveBack } = await keepPort();
  let starts = 0;
  const start = async ({ isSound }: { isSound: boolean }): Promise<ChildProcess> => {
    starts += 1;
    const settings: OperatorSettings = { ...named, port, bookPath, seed: seed + starts, isSound };
    const started = spawn(process.execPath, [path, JSON.stringify(settings)], {
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
  let running = await start({ isSound: false });
  const kill9 = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/evcs/v1`,
    operatorId: named.operatorId,
    kill9,
    async startAgain(how = { isSound: false }) {
      running = await start(how);
    },
    book: () => readBook<Entry>(bookPath),
    async stop() {
      await kill9();
      await giveBack();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
