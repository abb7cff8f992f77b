import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of this node of the installation, generated at its first start and stored in its data folder. */
export async function openNodeName(dataDir: string): Promise<string> {
  const path = join(dataDir, 'node-name');
  try {
    const name = (await readFile(path, 'utf8')).trim();
    if (name !== '') return name;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const name = randomUUID();
  await writeFile(path, `${name}\n`, { mode: 0o600 });
  return name;
}
