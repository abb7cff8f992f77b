import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describeFinding, runTidy } from '@voltdeck/tidy/run-tidy';
import { root } from './terminal.mjs';

/** The result of one check; `output` says what is wrong, or what may be of interest. */
export interface CheckResult {
  name: string;
  passed: boolean;
  output: string;
}

const running = new Set<ChildProcess>();
const outputMax = 200_000;

/** Ends running programs when the user gives up. */
export function endRunning(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** Runs a program of node_modules in the repository and waits for it. `show` passes its output through. */
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

/** Compiler, linter and the rules of the house, each rule as its own check. */
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

/** One line per check, with what is wrong below. */
export function printCheck({ name, passed, output }: CheckResult): void {
  console.log(`${passed ? ' ✓ ' : ' ✗ '}${name}`);
  if (!passed) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
}
