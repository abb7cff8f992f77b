#!/usr/bin/env node
// A shell's own `exec` replaces the shell, so that signals and waiting reach the program directly: otherwise npm
// returns to the prompt while the server is still stopping. Windows has no such command and finds this one.
import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
