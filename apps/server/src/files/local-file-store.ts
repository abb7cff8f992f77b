import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instant, instant } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import { syncFolder } from '../sync-folder.ts';
import { type FileKey, type FileStore, isFileKey } from './file-store.ts';

const folderMode = 0o700;
const fileMode = 0o600;
const unfinishedFolder = 'incoming';

/**
 * Stores files below a folder as `ab/cd/<key>`, by the first four digits of the key, so that no folder grows without
 * bound. The folder is created with the first file.
 */
export function createLocalFileStore(folder: string): FileStore {
  const incoming = join(folder, unfinishedFolder);
  const placeOf = (key: FileKey) => {
    if (!isFileKey(key)) throw new Error(`not a key of the file store: ${JSON.stringify(key)}`);
    const inFolder = join(folder, key.slice(0, 2), key.slice(2, 4));
    return { inFolder, path: join(inFolder, key) };
  };

  return {
    async put(content, { bytesMax }) {
      const key = randomBytes(16).toString('hex');
      const { inFolder, path } = placeOf(key);
      await mkdir(incoming, { recursive: true, mode: folderMode });
      const unfinished = join(incoming, key);
      const handle = await open(unfinished, 'wx', fileMode);
      try {
        const written = await writeAll(handle, content, bytesMax);
        if (written === null) {
          await handle.close();
          await rm(unfinished, { force: true });
          return failed({ code: 'too_large' });
        }
        await handle.sync();
        await handle.close();
        await mkdir(inFolder, { recursive: true, mode: folderMode });
        await rename(unfinished, path);
        await syncFolder(inFolder);
        return ok({ key, ...written });
      } catch (error) {
        await handle.close();
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async open(key) {
      if (!isFileKey(key)) return null;
      const handle = await unlessAbsent(open(placeOf(key).path, 'r'));
      return handle?.createReadStream() ?? null;
    },
    async delete(key) {
      await rm(placeOf(key).path, { force: true });
    },
    async *list() {
      for (const first of await namesIn(folder, /^[0-9a-f]{2}$/)) {
        for (const second of await namesIn(join(folder, first), /^[0-9a-f]{2}$/)) {
          for (const key of await namesIn(join(folder, first, second), /^[0-9a-f]{32}$/)) {
            const keptAt = await changedAt(placeOf(key).path);
            if (keptAt !== null) yield { key, keptAt };
          }
        }
      }
    },
    async deleteUnfinished(before) {
      let deleted = 0;
      for (const name of await namesIn(incoming, /^[0-9a-f]{32}$/)) {
        const path = join(incoming, name);
        const at = await changedAt(path);
        if (at === null || at >= before) continue;
        await rm(path, { force: true });
        deleted += 1;
      }
      return deleted;
    },
  };
}

/** Null once more than `bytesMax` bytes arrived. */
async function writeAll(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<{ sizeBytes: number; sha256: Buffer } | null> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > bytesMax) return null;
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  return { sizeBytes, sha256: hash.digest() };
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await unlessAbsent(readdir(folder));
  return names?.filter((name) => pattern.test(name)) ?? [];
}

async function changedAt(path: string): Promise<Instant | null> {
  const found = await unlessAbsent(stat(path));
  return found === null ? null : instant(Math.floor(found.mtimeMs));
}

/** Null for a file that does not exist or no longer does. */
async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
