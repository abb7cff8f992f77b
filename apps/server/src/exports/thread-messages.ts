import type { WantedExport } from './exports.ts';

/** How far the thread writes ahead of the reader of a file, in chunks. */
export const chunksAhead = 4;
/** A chunk is sent when it has grown to this. */
export const chunkBytes = 64 * 1024;

/** What the thread is given at its start. */
export type ThreadSettings = { databaseUrl: string; connections: number };

/** What the thread is told; `id` names an export. */
export type ToThread =
  | { kind: 'write'; id: number; wanted: WantedExport }
  /** The reader has taken so many chunks more. */
  | { kind: 'taken'; id: number; chunks: number }
  /** Nobody reads it any more. */
  | { kind: 'drop'; id: number }
  | { kind: 'close' };

/** What the thread tells. */
export type FromThread =
  | { kind: 'rows'; id: number; rows: number }
  | { kind: 'chunk'; id: number; bytes: ArrayBuffer }
  | { kind: 'end'; id: number }
  | { kind: 'broken'; id: number; fault: ThreadFault };

/** An error as it passes between threads, which would take its code away. */
export type ThreadFault = { message: string; code: string | null; stack: string | null };

export function faultOf(error: unknown): ThreadFault {
  if (!(error instanceof Error)) return { message: String(error), code: null, stack: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { message: error.message, code, stack: error.stack ?? null };
}

export function errorOf({ message, code, stack }: ThreadFault): Error {
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return code === null ? error : Object.assign(error, { code });
}
