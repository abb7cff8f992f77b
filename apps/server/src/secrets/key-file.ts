import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../sync-folder.ts';

/** What file systems without hard links answer. */
const linkless: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** What the disk is asked for beside plain files. */
export type Disk = { link(from: string, to: string): Promise<void>; syncFolder(path: string): Promise<void> };

/**
 * The key in a file that only the server's own user reads, made at the first start. The file appears with its whole
 * content, and nobody gets its key before it would survive a power cut, as far as the file system can promise that. Of
 * starts at once the first one's key counts; on a file system without hard links they must not be at once.
 */
export async function openKeyFile(
  path: string,
  make: () => Buffer,
  disk: Disk = { link, syncFolder },
): Promise<Buffer> {
  const kept = await readIfThere(path);
  if (kept !== null) {
    // Who made it may have been killed before the folder was on disk, or is not there yet.
    await disk.syncFolder(dirname(path));
    return kept;
  }
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(make());
      await file.sync();
    } finally {
      await file.close();
    }
    await disk.link(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
      if (linkless.has(error.code)) await rename(unfinished, path);
      else if (error.code !== 'EEXIST') throw error;
    });
    await disk.syncFolder(dirname(path));
  } finally {
    await rm(unfinished, { force: true });
  }
  return readFile(path);
}

function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
