import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announcedIn } from './announcement.ts';
import { emptyDatabaseUrl } from './database/test-database.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
/** As `npm start` does it: what was compiled for one start serves the next. */
const compiledDir = fileURLToPath(new URL('../../../.cache/compiled', import.meta.url));
let dataDir: string;
let child: ChildProcess | null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'voltdeck-main-'));
  child = null;
});
afterEach(async () => {
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

function run(settings: Record<string, string>) {
  const started = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiledDir,
      DATA_DIR: dataDir,
      PORT: '0',
      YKC_PORT: '0',
      DEMO: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let said = '';
  let firstLine = '';
  started.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (!firstLine.includes('\n')) firstLine += chunk.toString();
  });
  started.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return {
    started,
    said: () => said,
    firstLine: () => firstLine.split('\n', 1)[0] ?? '',
    exited: once(started, 'exit') as Promise<[number | null, string | null]>,
  };
}

const addressIn = (said: string) => announcedIn(said)?.url ?? null;

describe('the server as a process', () => {
  test("the server reports its address, its sign-in name and the password's file, and ends cleanly", async () => {
    const databaseUrl = await emptyDatabaseUrl();
    const first = run({ DATABASE_URL: databaseUrl });
    await expect.poll(() => addressIn(first.said()), { timeout: 60_000 }).not.toBeNull();
    const address = addressIn(first.said());
    const path = join(dataDir, 'admin-password');
    await expect.poll(() => first.said()).toContain('Sign in as        admin');
    await expect.poll(() => first.said()).toContain(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const password = readFileSync(path, 'utf8').trim();
    expect(first.said()).not.toContain(password);
    const answer = await fetch(`${address}/api/login`, {
      method: 'POST',
      body: new URLSearchParams({ userName: 'admin', password, platForm: '4' }),
    });
    expect(await answer.json()).toMatchObject({ message: { status: 200, code: 0 }, data: { userName: 'admin' } });
    first.started.kill('SIGINT');
    expect(await first.exited).toEqual([0, null]);

    const second = run({ DATABASE_URL: databaseUrl, ADMIN_PASSWORD: 'does not change it' });
    await expect.poll(() => addressIn(second.said()), { timeout: 60_000 }).not.toBeNull();
    await expect.poll(() => second.said()).toContain('unless it was changed');
    second.started.kill('SIGTERM');
    expect(await second.exited).toEqual([0, null]);
  }, 150_000);

  test('the first line of the log names the port that PORT=0 took, and a line of its own the one of YKC_PORT=any', async () => {
    // The embedded database logs before there is an address.
    const only = run({ PORT: '0', YKC_PORT: 'any' });
    await expect.poll(() => only.said(), { timeout: 60_000 }).toContain('The password is');
    expect(only.said()).toContain('database created');
    expect(only.firstLine()).toMatch(/^Voltdeck is at {4}http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    const pile = connect(announcedIn(only.said())?.ykcPort ?? 0, '127.0.0.1');
    await once(pile, 'connect');
    pile.destroy();
    // Stopped by itself, so that its database ends with it.
    only.started.kill('SIGTERM');
    expect(await only.exited, only.said()).toEqual([0, null]);
  }, 150_000);

  test('YKC_PORT=0 opens no port for YKC stations and logs none', async () => {
    const only = run({ DATABASE_URL: await emptyDatabaseUrl(), YKC_PORT: '0' });
    await expect.poll(() => only.said(), { timeout: 60_000 }).toContain('The password is');
    expect(only.said()).not.toContain('YKC stations at');
  }, 150_000);

  test('a given password is used and written nowhere', async () => {
    const only = run({ DATABASE_URL: await emptyDatabaseUrl(), ADMIN_PASSWORD: 'chosen by me' });
    await expect.poll(() => addressIn(only.said()), { timeout: 60_000 }).not.toBeNull();
    expect(existsSync(join(dataDir, 'admin-password'))).toBe(false);
    const form = { userName: 'admin', password: 'chosen by me', platForm: '4' };
    const body = new URLSearchParams(form);
    const answer = await fetch(`${addressIn(only.said())}/api/login`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }, 150_000);

  test('a wrong setting is one clear line and exit code 78', async () => {
    const wrong = run({ PORT: 'eighty' });
    expect(await wrong.exited).toEqual([78, null]);
    expect(wrong.said().trim()).toBe('PORT is "eighty"; it must be a whole number from 0 to 65535');
  });

  test('a certificate that cannot be read is a wrong setting', async () => {
    const wrong = run({ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' });
    expect(await wrong.exited).toEqual([78, null]);
    expect(wrong.said()).toContain('/nowhere/cert.pem');
  });

  test('a port that is already in use is reported in one line', async () => {
    const databaseUrl = await emptyDatabaseUrl();
    const first = run({ DATABASE_URL: databaseUrl });
    await expect.poll(() => addressIn(first.said()), { timeout: 60_000 }).not.toBeNull();
    const port = new URL(addressIn(first.said()) ?? '').port;
    const firstChild = first.started;
    const second = run({ DATABASE_URL: databaseUrl, PORT: port });
    expect(await second.exited).toEqual([1, null]);
    expect(second.said()).toContain(`PORT ${port} on 127.0.0.1 is taken by another program`);
    firstChild.kill('SIGTERM');
    await first.exited;
  }, 150_000);

  test('a YKC port that is already in use is reported under its own name', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const only = run({ DATABASE_URL: await emptyDatabaseUrl(), YKC_PORT: String(port) });
    expect(await only.exited).toEqual([1, null]);
    expect(only.said()).toContain(`YKC_PORT ${port} on 127.0.0.1 is taken by another program`);
    taken.close();
  }, 150_000);
});
