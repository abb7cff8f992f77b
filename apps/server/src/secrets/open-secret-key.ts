import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecretBox, type SecretBox, secretKeyBytes } from './secret-box.ts';

/** The key file exists but holds no key: the start fails rather than sealing with another one. */
export class UnusableSecretKey extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`${path} is not a key: it should hold ${secretKeyBytes} bytes`);
    this.path = path;
  }
}

/**
 * The key in DATA_DIR/secret-key, generated at the first start and readable by the server's own user alone.
 * @throws UnusableSecretKey when the file holds something else.
 */
export async function openSecretKey(dataDir: string): Promise<{ box: SecretBox; path: string }> {
  const path = join(dataDir, 'secret-key');
  const key = (await makeKeyFile(path)) ?? (await readFile(path));
  if (key.length !== secretKeyBytes) throw new UnusableSecretKey(path);
  return { box: createSecretBox(key), path };
}

/** Null when the file already exists. Written to disk before anything is sealed with it. */
async function makeKeyFile(path: string): Promise<Buffer | null> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const key = randomBytes(secretKeyBytes);
    await file.writeFile(key);
    await file.sync();
    return key;
  } finally {
    await file.close();
  }
}
