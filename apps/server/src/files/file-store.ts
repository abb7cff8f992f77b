import type { Readable } from 'node:stream';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';

/** The unguessable name of what is kept: 32 hexadecimal digits, made by the store. */
export type FileKey = string;

export type KeptBytes = { key: FileKey; sizeBytes: number; sha256: Buffer };

/**
 * Where the bytes of uploads and exports lie. Who may see them, what they are called and what they are stands in the
 * table `files`; the store knows a key and bytes, and never runs, shows or names anything. `local-file-store.ts` keeps
 * them on disk; a store of objects (S3) would be a second file beside it, chosen in `main.ts` by the settings S3_*.
 */
export type FileStore = {
  /**
   * Keeps what arrives. It is there as a whole, durable, once this answers; nothing is left of what broke off.
   * @returns `too_large` as soon as more than `bytesMax` bytes came; the rest is not read.
   * @throws whatever the content throws, and what the disk says.
   */
  put(
    content: AsyncIterable<Uint8Array>,
    limit: { bytesMax: number },
  ): Promise<Result<KeptBytes, { code: 'too_large' }>>;
  /** Null when nothing is kept under the key. */
  open(key: FileKey): Promise<Readable | null>;
  /** Nothing happens when it is gone already. */
  delete(key: FileKey): Promise<void>;
  /** Everything that is kept, in no order. */
  list(): AsyncIterable<{ key: FileKey; keptAt: Instant }>;
  /** Removes what began to arrive before `before` and never came to its end. @returns how many. */
  deleteUnfinished(before: Instant): Promise<number>;
};

export function isFileKey(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
