import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogLevel, MutantStatus } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { compiles } from './compiles.ts';
import { changedLine, type Fate, type Mutant } from './mutant.ts';

const workersMax = 2;
/** Grace period for a mutant beyond one and a half times what its tests take unchanged. */
const timeoutMs = 10_000;

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const cacheFolder = '.cache/mutants';

const fateOf: Readonly<Record<MutantStatus, Fate | null>> = {
  Killed: 'noticed',
  Timeout: 'timed-out',
  Survived: 'survived',
  NoCoverage: 'survived',
  CompileError: 'not-compiling',
  // The tests could not even be loaded.
  RuntimeError: 'noticed',
  Ignored: null,
  Pending: null,
};

/**
 * Runs a package's own tests against each change of `files`. The working directory has to be the repository's root.
 * @throws Error when the tests fail without any change.
 */
export async function mutatePackage(name: string, files: readonly string[], fresh: boolean): Promise<Mutant[]> {
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    vitest: { configFile: here('./vitest.config.ts'), related: false },
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')), here('./thrown-text.ts')],
    ignorers: ['thrown-text'],
    coverageAnalysis: 'perTest',
    concurrency: workersMax,
    timeoutMS: timeoutMs,
    ignorePatterns: ['/*', '!/packages', '/packages/*', `!/packages/${name}`, '!/package.json'],
    // It is rewritten with the compiler's JavaScript interface, which TypeScript 7 does not have. Nothing here reads it.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    tempDirName: `${cacheFolder}/sandbox`,
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: await resultsPath(name),
    force: fresh,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    // An ambient const enum, which has no values when the program runs.
    logLevel: 'warn' as LogLevel,
    allowConsoleColors: process.stdout.isTTY,
  }).runMutationTest();

  const texts = new Map<string, string>();
  const mutants: Mutant[] = [];
  for (const { fileName, location, replacement, status } of results) {
    const fate = fateOf[status];
    if (fate === null || replacement === undefined) continue;
    const file = fileName.replaceAll('\\', '/').replace(`${process.cwd().replaceAll('\\', '/')}/`, '');
    const text = texts.get(file) ?? (await readFile(file, 'utf8'));
    texts.set(file, text);
    const refused = fate === 'survived' && !(await compiles(name, file, text, location, replacement));
    mutants.push({
      file,
      line: location.start.line,
      ...changedLine(text, location, replacement),
      fate: refused ? 'not-compiling' : fate,
    });
  }
  return mutants.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.becomes.localeCompare(b.becomes));
}

/** Where results are kept, named for what they rest on beside the package itself: the packages below it and the tool. */
async function resultsPath(name: string): Promise<string> {
  const hash = createHash('sha256');
  const add = async (folder: string) => {
    for (const entry of (await readdir(folder, { withFileTypes: true, recursive: true })).sort((a, b) =>
      join(a.parentPath, a.name).localeCompare(join(b.parentPath, b.name)),
    )) {
      if (entry.isFile()) hash.update(await readFile(join(entry.parentPath, entry.name)));
    }
  };
  const { dependencies = {} } = JSON.parse(await readFile(`packages/${name}/package.json`, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies).sort()) {
    if (dependency.startsWith('@voltdeck/')) await add(`packages/${dependency.slice('@voltdeck/'.length)}/src`);
  }
  hash.update(await readFile('package-lock.json').catch(() => ''));
  for (const file of ['./mutate-package.ts', './thrown-text.ts', './vitest.config.ts', './fixed-seed.ts']) {
    hash.update(await readFile(here(file)));
  }
  const kept = `${name}-${hash.digest('hex').slice(0, 16)}.json`;
  for (const file of await readdir(cacheFolder).catch(() => [])) {
    if (file.startsWith(`${name}-`) && file !== kept) await rm(join(cacheFolder, file), { recursive: true });
  }
  return `${cacheFolder}/${kept}`;
}
