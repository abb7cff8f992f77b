import { open } from 'node:fs/promises';

/** What systems answer that sync no folders: they keep their entries by themselves, or cannot be asked to. */
const syncless: ReadonlySet<string | undefined> = new Set(['EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

type Folder = { sync(): Promise<void>; close(): Promise<void> };

/**
 * Brings the names in a folder to disk, where the system can be asked to: a new name is durable only then. Windows opens
 * no folders, and keeps their entries by itself; nor is one opened that its user may not list.
 */
export async function syncFolder(path: string, openFolder: (path: string) => Promise<Folder> = open): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await openFolder(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return null;
    throw error;
  });
  if (folder === null) return;
  try {
    await folder.sync().catch((error: NodeJS.ErrnoException) => {
      if (!syncless.has(error.code)) throw error;
    });
  } finally {
    await folder.close();
  }
}
