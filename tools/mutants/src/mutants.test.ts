import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readArguments, testedPackages } from './arguments.ts';
import { filesToChange } from './files-to-change.ts';
import { changedLine, changedText, type Fate, type Mutant } from './mutant.ts';
import { describeWeighing, isEnough, weighMutants } from './weigh-mutants.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A repository with one package `sample`: the smaller of two numbers, and a test of it. */
async function sampleRepository(test: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'voltdeck-mutants-'));
  folders.push(root);
  await mkdir(join(root, 'packages', 'sample', 'src'), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(root, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2024',
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
      },
      include: ['packages'],
    }),
  );
  await writeFile(join(root, 'packages', 'sample', 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(root, 'packages', 'sample', 'src', 'smaller.ts'),
    [
      "export const sides = ['left', 'right'] as const;",
      'export const limits = { spanMs: 60 * 1_000 } as const;',
      "export const ordered: readonly (typeof sides)[number][] = ['left', 'right'];",
      'export function smaller(a: number, b: number): number {',
      "  if (Number.isNaN(a)) throw new RangeError('a is no number');",
      '  return a < b ? a : b;',
      '}',
      '',
    ].join('\n'),
  );
  await writeFile(join(root, 'packages', 'sample', 'src', 'forgotten.ts'), 'export const waitMs = 60 * 1_000;\n');
  await writeFile(join(root, 'packages', 'sample', 'src', 'smaller.test.ts'), test);
  return root;
}

const goodTest = `
  import { expect, test } from 'vitest';
  import { limits, ordered, smaller } from './smaller.ts';
  test('the smaller one is found', () => {
    expect([smaller(1, 2), smaller(2, 1), ordered.length]).toEqual([1, 1, 2]);
    expect(limits.spanMs).toBeGreaterThan(0);
    expect(() => smaller(NaN, 1)).toThrow(RangeError);
  });
`;

function runMutants(root: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, 'tools', 'mutants', 'src', 'main.ts'), 'sample', '--root', root],
    { encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

describe('npm run mutants', () => {
  test('an unnoticed change is reported, also in limits `as const` and files without a test; lists of words, messages of bugs and what does not compile are left out', async () => {
    const { status, output } = runMutants(await sampleRepository(goodTest));
    expect(output).toContain('sample: 9 of 12 changes noticed, 75.0 % (0 by running too long; 2 more do not compile)');
    expect(output).toContain(
      'not noticed: packages/sample/src/smaller.ts:6\n    - return a < b ? a : b;\n    + return a <= b ? a : b;',
    );
    expect(output).toContain('    + export const limits = { spanMs: 60 / 1_000 } as const;');
    expect(output).toContain('    + export const waitMs = 60 / 1_000;');
    expect(output).not.toMatch(/smaller\.ts:[15]/);
    expect(status).toBe(1);
  }, 120_000);
});

describe('the arguments', () => {
  test('without a package all tested packages are checked', () => {
    expect(readArguments([])).toEqual({ packages: testedPackages, since: null, quick: false, workers: 2, root: null });
  });

  test('a package may be named by its folder', () => {
    expect(readArguments(['packages/units/', 'ledger', '--since', 'main', '--quick'])).toEqual({
      packages: ['units', 'ledger'],
      since: 'main',
      quick: true,
      workers: 2,
      root: null,
    });
  });

  test('a file may be named by its path, with the package or from the root', () => {
    const packages = ['charging/charge/decide-end'];
    expect(readArguments(packages)).toMatchObject({ packages });
    expect(readArguments(['packages/charging/src/charge/decide-end.ts'])).toMatchObject({ packages });
  });

  test('one change is tried at a time on request, and never more than two', () => {
    expect(readArguments(['--workers', '1'])).toMatchObject({ workers: 1 });
    expect(readArguments(['--workers', '8'])).toMatchObject({ workers: 2 });
    expect(readArguments(['--workers', '0'])).toMatchObject({ workers: 1 });
  });

  test('an unknown option, or one without its value, is refused', () => {
    for (const given of [['--since'], ['--since', '--quick'], ['--sinse', 'main'], ['--workers', 'two']]) {
      expect(readArguments(given)).toEqual({ fault: expect.stringContaining(given[0] ?? '') });
    }
  });
});

describe('a change', () => {
  const text = 'const a = 1;\n  if (a > 0) {\n    go();\n  }\nend();\n';

  test('a change is put in place exactly', () => {
    const span = { start: { line: 2, column: 7 }, end: { line: 2, column: 12 } };
    expect(changedText(text, span, 'true')).toBe('const a = 1;\n  if (true) {\n    go();\n  }\nend();\n');
    expect(changedLine(text, span, 'true')).toEqual({ was: 'if (a > 0) {', becomes: 'if (true) {' });
  });

  test('a change of several lines is shown on one', () => {
    const span = { start: { line: 2, column: 14 }, end: { line: 4, column: 4 } };
    expect(changedText(text, span, '{}')).toBe('const a = 1;\n  if (a > 0) {}\nend();\n');
    expect(changedLine(text, span, '{}')).toEqual({ was: 'if (a > 0) {', becomes: 'if (a > 0) {}' });
  });
});

describe('the weighing', () => {
  const file = 'packages/sample/src/smaller.ts';
  const mutant = (becomes: string, fate: Fate): Mutant => ({ file, line: 4, was: 'a < b', becomes, fate });
  const known = { file, was: 'a < b', becomes: 'a <= b', because: 'equal numbers are the same number' };

  test('a change that does not compile does not count, and one that runs too long is noticed', () => {
    const fates: Fate[] = ['noticed', 'noticed', 'timed-out', 'survived', 'not-compiling'];
    const weighing = weighMutants(
      fates.map((fate, index) => mutant(`${index}`, fate)),
      [],
      [file],
    );
    expect(weighing).toMatchObject({ mutants: 4, noticed: 3, timedOut: 1, notCompiling: 1, share: 0.75 });
    expect(isEnough(weighing)).toBe(false);
  });

  test('nine changes of ten are enough', () => {
    const mutants = Array.from({ length: 10 }, (_, index) => mutant(`${index}`, index === 0 ? 'survived' : 'noticed'));
    expect(isEnough(weighMutants(mutants, [], [file]))).toBe(true);
    expect(isEnough(weighMutants(mutants.slice(0, 9), [], [file]))).toBe(false);
  });

  test('a known survivor still counts as unnoticed, and is listed with its reason', () => {
    const weighing = weighMutants([mutant('a <= b', 'survived'), mutant('a > b', 'survived')], [known], [file]);
    expect(weighing).toMatchObject({ mutants: 2, noticed: 0, faults: [] });
    expect(weighing.explained.map(({ because }) => because)).toEqual([known.because]);
    expect(weighing.unexplained.map(({ becomes }) => becomes)).toEqual(['a > b']);
    expect(describeWeighing('sample', weighing, 1)).toContain(known.because);
  });

  test('an entry for a change that does not exist, or that is noticed by now, is a fault', () => {
    for (const mutants of [[], [mutant('a <= b', 'noticed')], [mutant('a <= c', 'survived')]]) {
      const weighing = weighMutants(mutants, [known], [file]);
      expect(weighing.faults).toHaveLength(1);
      expect(isEnough({ ...weighing, share: 1 })).toBe(false);
    }
    expect(weighMutants([], [known], ['packages/sample/src/other.ts']).faults).toEqual([]);
  });
});

test('a file is changed alone, and a folder with everything in it', async () => {
  const root = await sampleRepository(goodTest);
  const source = join(root, 'packages', 'sample', 'src');
  await mkdir(join(source, 'small'));
  for (const name of ['small/one.ts', 'small/two.ts', 'smallest.ts'])
    await writeFile(join(source, name), 'export {};\n');
  const named = async (name: string) =>
    (await filesToChange(name, null, root)).map((file) => file.slice('packages/sample/src/'.length));
  expect(await named('sample')).toEqual(['forgotten.ts', 'small/one.ts', 'small/two.ts', 'smaller.ts', 'smallest.ts']);
  expect(await named('sample/small')).toEqual(['small/one.ts', 'small/two.ts']);
  expect(await named('sample/small/one')).toEqual(['small/one.ts']);
  expect(await named('sample/smaller')).toEqual(['smaller.ts']);
});

test('with a commit, only source files that changed since are checked', async () => {
  const root = await sampleRepository(goodTest);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  const write = (name: string) => writeFile(join(root, 'packages', 'sample', 'src', name), 'export {};\n');
  git('init');
  git('add', 'packages');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'first');
  await Promise.all(['new.ts', 'new.test.ts', 'table.generated.ts'].map(write));
  expect(await filesToChange('sample', null, root)).toEqual(
    ['forgotten.ts', 'new.ts', 'smaller.ts'].map((name) => `packages/sample/src/${name}`),
  );
  expect(await filesToChange('sample', 'HEAD', root)).toEqual(['packages/sample/src/new.ts']);
  await write('smaller.ts');
  expect(await filesToChange('sample', 'HEAD', root)).toHaveLength(2);
});
