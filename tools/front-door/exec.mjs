#!/usr/bin/env node
// A shell's own `exec` puts the program in the shell's place, so that signals and waiting reach it directly: without it
// npm gives the prompt back while the server is still stopping. Windows has no such word, and finds this one.
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
