import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openKeyFile } from './key-file.ts';
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
  const key = await openKeyFile(path, () => randomBytes(secretKeyBytes));
  if (key.length !== secretKeyBytes) throw new UnusableSecretKey(path);
  return { box: createSecretBox(key), path };
}
