import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/**
 * The key in a file that only the server's own user reads, made at the first start. The file appears with its whole
 * content, already on disk: a start that is killed leaves none, and of starts at once the first one's key counts.
 */
export async function openKeyFile(path: string, make: () => Buffer): Promise<Buffer> {
  const kept = await readIfThere(path);
  if (kept !== null) return kept;
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(make());
      await file.sync();
    } finally {
      await file.close();
    }
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
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
