import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openKeyFile } from '../../secrets/key-file.ts';

/** The key pair with which the embedded channel signs as a real one does, and its serial number. */
export type EmbeddedKeys = { privateKey: KeyObject; publicKey: KeyObject; serial: string };

const keyBits = 2048;

/** The key in DATA_DIR/secrets, generated at the first start and readable by the server's own user alone. */
export async function openEmbeddedKeys(dataDir: string): Promise<EmbeddedKeys> {
  const folder = join(dataDir, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'embedded-channel.pem');
  return embeddedKeysOf((await openKeyFile(path, () => Buffer.from(newEmbeddedKey()))).toString('utf8'));
}

export function embeddedKeysOf(pem: string): EmbeddedKeys {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, serial: createHash('sha256').update(der).digest('hex').slice(0, 16).toUpperCase() };
}

export function newEmbeddedKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: keyBits });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
