import type { Exchange } from './conversation.ts';

/** A field of an answer that differs from the recording. */
export type Difference = {
  path: string;
  recorded: string;
  now: string;
  /** False for what may differ on another server, another day or with another balance. */
  matters: boolean;
};

/** The station's end of a replay in one protocol. */
export type ReplaySide = {
  readonly isOpen: boolean;
  /** Resolves to false when the connection is refused. */
  open(): Promise<boolean>;
  /** Signs the station in if the recording starts later. */
  signIn(): Promise<void>;
  /** Whether this message opens a connection that its sender did not have before. */
  opensConnection(exchange: Exchange): boolean;
  introduces(exchange: Exchange): boolean;
  /** Sends the recorded message with the necessary changes; resolves to the answer, or null when none came in time. */
  tell(exchange: Exchange): Promise<string | null>;
  differences(recorded: string, now: string): Difference[];
  /** Keeps the connection alive where the recording omits heartbeats. */
  keepAlive(): void;
  close(): Promise<void>;
};

export type CallListener = {
  /** The server calls: returns the recorded exchange to answer with, or null when none is left. */
  called(action: string, request: string): Exchange | null;
};

/** Compares two values deeply; `matters` judges a path such as `idTagInfo.status`. */
export function compare(
  recorded: unknown,
  now: unknown,
  judge: (path: string) => 'matters' | 'printed' | 'ignored',
  path = '',
): Difference[] {
  if (isObject(recorded) && isObject(now)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
    return keys.flatMap((key) => compare(recorded[key], now[key], judge, path === '' ? key : `${path}.${key}`));
  }
  const verdict = judge(path);
  const texts = [JSON.stringify(recorded) ?? 'nothing', JSON.stringify(now) ?? 'nothing'] as const;
  if (verdict === 'ignored' || texts[0] === texts[1]) return [];
  return [{ path, recorded: texts[0], now: texts[1], matters: verdict === 'matters' }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
