import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogLevel, MutantStatus, schema } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { compiles } from './compiles.ts';
import { changedLine, type Fate, type Mutant } from './mutant.ts';

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
 * Runs a package's own tests against each change of `files`, one file after the other, so that an interrupted run can
 * be resumed. The working directory must be the repository's root.
 * @throws Error when the tests fail without any change.
 */
export async function mutatePackage(
  name: string,
  files: readonly string[],
  { quick, workers }: { quick: boolean; workers: number },
): Promise<Mutant[]> {
  const last = `${cacheFolder}/${name}-last`;
  const state = `${cacheFolder}/${name}-${await stateOf(name)}`;
  if (!quick) await forgetOthers(name, [last, state]);
  const mutants: Mutant[] = [];
  for (const [index, file] of files.entries()) {
    const results = `${file.slice(`packages/${name}/src/`.length).replaceAll('/', '.')}.json`;
    if (quick || !existsSync(join(state, results))) {
      console.log(`${file} (${index + 1} of ${files.length})`);
      await changeFile(name, file, join(quick ? last : state, results), workers);
    }
    if (!quick) {
      await mkdir(last, { recursive: true });
      await cp(join(state, results), join(last, results));
    }
    mutants.push(...(await fatesOf(name, file, join(quick ? last : state, results))));
  }
  return mutants;
}

/** Tries every change of one file and writes the results to `results`, unless they are there already. */
async function changeFile(name: string, file: string, results: string, workers: number): Promise<void> {
  // The tool writes partial results when interrupted: only a complete run gets the final name.
  const part = `${results}.part`;
  await rm(part, { force: true });
  if (existsSync(results)) await cp(results, part);
  // Without a test that imports the file there are no results; then run every test.
  await tryChanges({ name, file, part, workers, related: true });
  if (!existsSync(part)) await tryChanges({ name, file, part, workers, related: false });
  if (existsSync(part)) await rename(part, results);
}

async function tryChanges(of: {
  name: string;
  file: string;
  part: string;
  workers: number;
  /** Whether to run only tests that import the file. */
  related: boolean;
}): Promise<void> {
  const { name, file, part, workers, related } = of;
  await new Stryker({
    mutate: [file],
    testRunner: 'vitest',
    vitest: { configFile: here('./vitest.config.ts'), related },
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')), here('./left-alone.ts')],
    ignorers: ['left-alone'],
    coverageAnalysis: 'perTest',
    concurrency: workers,
    timeoutMS: timeoutMs,
    ignorePatterns: ['/*', '!/packages', '/packages/*', `!/packages/${name}`, '!/package.json'],
    // Would be rewritten through the compiler's JavaScript interface, which TypeScript 7 does not have. Nothing here
    // reads it.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    tempDirName: `${cacheFolder}/sandbox`,
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: part,
    allowEmpty: true,
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    // An ambient const enum, which has no values at run time.
    logLevel: 'warn' as LogLevel,
    allowConsoleColors: process.stdout.isTTY,
  }).runMutationTest();
}

async function fatesOf(name: string, file: string, results: string): Promise<Mutant[]> {
  // A file without anything to change has no results.
  if (!existsSync(results)) return [];
  const report = JSON.parse(await readFile(results, 'utf8')) as schema.MutationTestResult;
  const text = await readFile(file, 'utf8');
  const mutants: Mutant[] = [];
  for (const { location, replacement, status } of report.files[file]?.mutants ?? []) {
    const fate = fateOf[status];
    if (fate === null || replacement === undefined) continue;
    const refused = fate === 'survived' && !(await compiles(name, file, text, location, replacement));
    const { line } = location.start;
    mutants.push({ file, line, ...changedLine(text, location, replacement), fate: refused ? 'not-compiling' : fate });
  }
  return mutants.sort((a, b) => a.line - b.line || a.becomes.localeCompare(b.becomes));
}

/** Deletes results of earlier states of the package. */
async function forgetOthers(name: string, kept: readonly string[]): Promise<void> {
  for (const entry of await readdir(cacheFolder).catch(() => [])) {
    const path = `${cacheFolder}/${entry}`;
    if (entry.startsWith(`${name}-`) && !kept.includes(path)) await rm(path, { recursive: true });
  }
}

/**
 * A digest of everything that a result depends on: the package, the packages below it, installed packages and this
 * tool.
 */
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
  for (const file of [
    './mutate-package.ts',
    './left-alone.ts',
    './vitest.config.ts',
    './stories-last.ts',
    './fixed-seed.ts',
  ]) {
    hash.update(await readFile(here(file)));
  }
  return hash.digest('hex').slice(0, 16);
}
