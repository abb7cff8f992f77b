import type { Exchange } from './conversation.ts';

/** A field of an answer that is not what was recorded. */
export type Difference = {
  path: string;
  recorded: string;
  now: string;
  /** False for what another server, another day or another balance may say differently. */
  matters: boolean;
};

/** The station's end of a replay in one protocol. */
export type ReplaySide = {
  readonly isOpen: boolean;
  /** False when nobody takes the connection. */
  open(): Promise<boolean>;
  /** Introduces the station where the recording begins after it did so. */
  signIn(): Promise<void>;
  /** This message opens a connection, and its sender had none before. */
  opensConnection(exchange: Exchange): boolean;
  introduces(exchange: Exchange): boolean;
  /** Sends what was recorded, with what must be rewritten; gives the answer, null when none came in time. */
  tell(exchange: Exchange): Promise<string | null>;
  differences(recorded: string, now: string): Difference[];
  /** Keeps the connection in use where the recording leaves heartbeats out. */
  keepAlive(): void;
  close(): Promise<void>;
};

export type CallListener = {
  /** The server calls: gives the recorded exchange that is to be answered as it was, or null when none is left. */
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
