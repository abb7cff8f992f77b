import type { Wanted } from './exports.ts';

/** How far the thread writes ahead of a file's reader, in chunks. */
export const chunksAhead = 4;
/** A chunk is sent at this size. */
export const chunkBytes = 64 * 1024;

/** The thread's start-up data. */
export type ThreadSettings = { databaseUrl: string; connections: number };

/** Messages to the thread; `id` names an export. */
export type ToThread =
  | { kind: 'write'; id: number; wanted: Wanted }
  /** The reader has taken this many more chunks. */
  | { kind: 'taken'; id: number; chunks: number }
  /** It has no reader any more. */
  | { kind: 'drop'; id: number }
  | { kind: 'close' };

/** Messages from the thread. */
export type FromThread =
  | { kind: 'rows'; id: number; rows: number }
  | { kind: 'chunk'; id: number; bytes: ArrayBuffer }
  | { kind: 'end'; id: number }
  | { kind: 'broken'; id: number; fault: ThreadFault };

/** An error as passed between threads, which would lose its code. */
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
