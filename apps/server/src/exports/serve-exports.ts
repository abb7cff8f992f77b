import { addAbortSignal, type Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { minuteMs } from '@voltdeck/units/instant';
import { Kysely, PostgresDialect } from 'kysely';
import { InstantParameters } from '../database/instant-parameters.ts';
import { statementTimeoutsMs } from '../database/lanes.ts';
import { createPool } from '../database/pool.ts';
import type { Tables } from '../database/tables.generated.ts';
import { FairGate } from '../limits/fair-gate.ts';
import { Allowance } from './allowance.ts';
import type { Wanted } from './exports.ts';
import { poolInTurns } from './pool-in-turns.ts';
import {
  chunkBytes,
  chunksAhead,
  type FromThread,
  faultOf,
  type ThreadSettings,
  type ToThread,
} from './thread-messages.ts';

/** How a list is opened and written; passed in because lists live on a floor above. */
type Open = (db: Kysely<Tables>, wanted: Wanted, onRows: (rows: number) => void) => Readable;

/** More than can be requested at once: downloads, and background tasks. */
const waitingMax = 100;
/** A turn takes one statement, and each of the others goes first once. */
const turnWaitMsMax = 10 * minuteMs;

type Running = { stop: AbortController; allowance: Allowance; ended: Promise<void> };

/** Serves the main thread's requests on `port` until it sends close. */
export function serveExports(port: MessagePort, { databaseUrl, connections }: ThreadSettings, open: Open): void {
  const pool = createPool(databaseUrl, {
    connectionsMax: connections,
    applicationName: 'voltdeck exports',
    statementTimeoutMs: statementTimeoutsMs.console,
    yieldsCores: true,
  });
  const turns = new FairGate({
    // One connection is reserved for cancelling statements.
    atOnce: connections - 1,
    atOncePerKey: connections - 1,
    waiting: waitingMax,
    waitingPerKey: waitingMax,
    waitMsMax: turnWaitMsMax,
  });
  const running = new Map<number, Running>();
  const send = (message: FromThread, passed: ArrayBuffer[] = []) => port.postMessage(message, passed);

  const write = async (id: number, wanted: Wanted, { allowance, stop: { signal } }: Omit<Running, 'ended'>) => {
    const key = String(wanted.caller.userId);
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: poolInTurns(pool, turns, key, signal) }),
      plugins: [new InstantParameters()],
    });
    try {
      const content = open(db, wanted, (rows) => send({ kind: 'rows', id, rows }));
      for await (const bytes of gathered(addAbortSignal(signal, content))) {
        await allowance.take(signal);
        send({ kind: 'chunk', id, bytes }, [bytes]);
      }
      send({ kind: 'end', id });
    } catch (error) {
      if (!signal.aborted) send({ kind: 'broken', id, fault: faultOf(error) });
    } finally {
      running.delete(id);
    }
  };

  const close = async () => {
    const left = [...running.values()];
    for (const { stop } of left) stop.abort();
    await Promise.all(left.map(({ ended }) => ended));
    await pool.end();
    port.close();
  };

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'write': {
        const begun = { stop: new AbortController(), allowance: new Allowance(chunksAhead) };
        running.set(message.id, { ...begun, ended: write(message.id, message.wanted, begun) });
        return;
      }
      case 'taken':
        running.get(message.id)?.allowance.grant(message.chunks);
        return;
      case 'drop':
        running.get(message.id)?.stop.abort();
        return;
      case 'close':
        void close();
    }
  });
}

/** A stream's bytes in chunks. The first is sent at once, so that the download visibly starts. */
async function* gathered(content: AsyncIterable<Buffer>): AsyncGenerator<ArrayBuffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  let enough = 1;
  for await (const piece of content) {
    pieces.push(piece);
    size += piece.length;
    if (size < enough) continue;
    yield joined(pieces, size);
    pieces = [];
    size = 0;
    enough = chunkBytes;
  }
  if (size > 0) yield joined(pieces, size);
}

/** In a buffer of its own, which can be transferred. */
function joined(pieces: readonly Buffer[], size: number): ArrayBuffer {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes.buffer;
}
