import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endRunning, printCheck, runProgram, staticChecks } from './checks.ts';
import { buildConsole } from './console-build.mjs';
import { root } from './terminal.mjs';
import { countTests } from './test-count.ts';

/**
 * `npm test`: every check and every test, ending with `N passed, N failed`. `npm test -- <path>` runs only the tests
 * whose file name contains the path.
 */
const filters = process.argv.slice(2);
const report = join(root, '.cache', `test-report-${process.pid}.json`);
let passed = 0;
let failed = 0;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endRunning();
    process.exitCode = 130;
  });
}

if (filters.length === 0) {
  const built = buildConsole();
  const build = { name: 'the console builds', passed: built.ok, output: built.ok ? '' : built.output };
  for (const check of [build, ...(await staticChecks())]) {
    printCheck(check);
    if (check.passed) passed += 1;
    else failed += 1;
  }
} else if (await opensConsole(filters)) {
  const built = buildConsole();
  if (!built.ok) {
    console.log(built.output);
    failed += 1;
  }
}

const { code } = await runProgram(
  'vitest/vitest.mjs',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters],
  'live',
  // Colours are for terminals; a log keeps the last line plain.
  process.stdout.isTTY ? {} : { NO_COLOR: '1' },
);
const count = countTests(await readFile(report, 'utf8').catch(() => null), code);
await rm(report, { force: true });
passed += count.passed;
failed += count.failed;
if (count.skipped > 0) console.log(`${count.skipped} skipped`);

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : (process.exitCode ?? 0);

/** Whether the filters choose tests that need the built console. */
async function opensConsole(chosen: readonly string[]): Promise<boolean> {
  const folders = ['tests/browser', 'tests/journeys'];
  const paths = (await Promise.all(folders.map((folder) => readdir(join(root, folder)))))
    .flatMap((names, at) => names.map((name) => `${folders[at]}/${name}`))
    .filter((path) => path.endsWith('.test.ts'));
  paths.push('apps/console/src/budget.test.ts');
  return chosen.some((filter) => paths.some((path) => path.includes(filter)));
}
