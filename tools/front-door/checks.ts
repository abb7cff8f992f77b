import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describeFinding, runTidy } from '@voltdeck/tidy/run-tidy';
import { root } from './terminal.mjs';

/** One thing that was checked; `output` says what is wrong, or what a person may want to see. */
export interface CheckResult {
  name: string;
  passed: boolean;
  output: string;
}

const running = new Set<ChildProcess>();
const outputMax = 200_000;

/** Ends what is still running, when the person gives up. */
export function endRunning(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** Runs a program of node_modules in the repository and waits for it. `show` lets its output through as it comes. */
export function runProgram(
  program: string,
  args: readonly string[],
  show: 'live' | 'kept' = 'kept',
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', show === 'live' ? 'inherit' : 'pipe', show === 'live' ? 'inherit' : 'pipe'],
    });
    running.add(child);
    let output = '';
    const keep = (chunk: Buffer) => {
      if (output.length < outputMax) output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error) => {
      output += error.message;
    });
    child.once('close', (code) => {
      running.delete(child);
      done({ code: code ?? 1, output });
    });
  });
}

async function program(name: string, path: string, args: readonly string[]): Promise<CheckResult> {
  const { code, output } = await runProgram(path, args);
  return { name, passed: code === 0, output };
}

/** Compiler, linter and the rules of the house; each rule counts as a check of its own. */
export async function staticChecks(): Promise<CheckResult[]> {
  const [tidy, ...programs] = await Promise.all([
    tidyChecks(),
    program('types of packages, server, tools and tests', 'typescript/bin/tsc', ['-p', '.']),
    program('types of the console', 'typescript/bin/tsc', ['-p', 'apps/console']),
    program('types of the browser tests', 'typescript/bin/tsc', ['-p', 'tests/browser']),
    program('lint and format', '@biomejs/biome/bin/biome', [
      'ci',
      '--error-on-warnings',
      '--diagnostic-level=warn',
      '--colors=off',
    ]),
  ]);
  return [...programs, ...tidy];
}

async function tidyChecks(): Promise<CheckResult[]> {
  try {
    return (await runTidy(root)).map(({ rule, findings }) => ({
      name: rule,
      passed: findings.length === 0,
      output: findings.map(describeFinding).join('\n'),
    }));
  } catch (error) {
    return [
      { name: 'rules of the house', passed: false, output: error instanceof Error ? error.message : String(error) },
    ];
  }
}

/** One line a check, and what is wrong beneath it. */
export function printCheck({ name, passed, output }: CheckResult): void {
  console.log(`${passed ? ' ✓ ' : ' ✗ '}${name}`);
  if (!passed) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
}
