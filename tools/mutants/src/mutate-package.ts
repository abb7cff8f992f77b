import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
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
export async function mutatePackage(name: string, files: readonly string[], quick: boolean): Promise<Mutant[]> {
  const last = `${cacheFolder}/${name}-last.json`;
  const kept = `${cacheFolder}/${name}-${await stateOf(name)}.json`;
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    vitest: { configFile: here('./vitest.config.ts'), related: false },
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')), here('./left-alone.ts')],
    ignorers: ['left-alone'],
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
    incrementalFile: quick ? last : kept,
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    // An ambient const enum, which has no values when the program runs.
    logLevel: 'warn' as LogLevel,
    allowConsoleColors: process.stdout.isTTY,
  }).runMutationTest();
  if (!quick) await keepOnly(name, kept, last);

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

/** Results of an earlier state are of no use to anybody; those of this one are where a quick run begins. */
async function keepOnly(name: string, kept: string, last: string): Promise<void> {
  for (const file of await readdir(cacheFolder)) {
    const path = `${cacheFolder}/${file}`;
    if (file.startsWith(`${name}-`) && path !== kept) await rm(path);
  }
  await copyFile(kept, last);
}

/** The state of everything that a result rests on: the package, the packages below it, what is installed and this tool. */
async function stateOf(name: string): Promise<string> {
  const hash = createHash('sha256');
  const add = async (folder: string) => {
    const paths = (await readdir(folder, { withFileTypes: true, recursive: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const path of paths) hash.update(`${path}\n`).update(await readFile(path));
  };
  const { dependencies = {} } = JSON.parse(await readFile(`packages/${name}/package.json`, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  await add(`packages/${name}/src`);
  for (const dependency of Object.keys(dependencies).sort()) {
    if (dependency.startsWith('@voltdeck/')) await add(`packages/${dependency.slice('@voltdeck/'.length)}/src`);
  }
  hash.update(await readFile('package-lock.json').catch(() => ''));
  for (const file of ['./mutate-package.ts', './left-alone.ts', './vitest.config.ts', './fixed-seed.ts']) {
    hash.update(await readFile(here(file)));
  }
  return hash.digest('hex').slice(0, 16);
}
