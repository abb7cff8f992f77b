import { spawn } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedText, type Span } from './mutant.ts';

const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin', 'tsc');

/** Whether a package and its tests still compile after one change in one file. */
export async function compiles(
  name: string,
  file: string,
  text: string,
  span: Span,
  replacement: string,
): Promise<boolean> {
  const folder = join('.cache', 'mutants', 'compiled');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await cp(join('packages', name), join(folder, 'packages', name), { recursive: true });
    await cp('tsconfig.json', join(folder, 'tsconfig.json'));
    await writeFile(join(folder, file), changedText(text, span, replacement));
    return await new Promise<boolean>((done, fail) => {
      const child = spawn(process.execPath, [compiler, '-p', '.'], { cwd: folder, stdio: 'ignore' });
      child.once('error', fail);
      child.once('close', (code) => done(code === 0));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
