import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import './end-with-parent.ts';
import { root } from './terminal.mjs';

/**
 * `npm run dev`: the server, restarted when its code changes, and Vite's server for the console, which proxies /api to
 * the first. When one ends, so does the other.
 */
const children: ChildProcess[] = [];
let ending = false;

function start(args: readonly string[], directory: string): void {
  const child = spawn(process.execPath, args, { cwd: directory, stdio: 'inherit' });
  children.push(child);
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0;
    end();
  });
}

function end(): void {
  if (ending) return;
  ending = true;
  for (const child of children) child.kill('SIGTERM');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);

start(['--watch', '--watch-preserve-output', join('apps', 'server', 'src', 'main.ts')], root);
start([join(root, 'node_modules', 'vite', 'bin', 'vite.js')], join(root, 'apps', 'console'));
