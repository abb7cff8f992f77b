import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'voltdeck-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta name="application-name" content="" /><title>Voltdeck</title><p>the console</p>',
  );
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets', 'app-D4x8Kq2Z.js'), 'plain');
  writeFileSync(join(folder, 'assets', 'app-D4x8Kq2Z.js.br'), 'brotli');
  writeFileSync(join(folder, 'assets', 'app-D4x8Kq2Z.js.gz'), 'gzip');
  api = await openTestApi({ consoleDir: folder });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

describe('the console’s files', () => {
  test.each(['/', '/home', '/orderListDetailReal?id=3', '/rules/list'])(
    "%s gets the console's page, which is never cached",
    async (url) => {
      const page = await api.app.inject(url);
      expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(page.body).toContain('the console');
    },
  );

  test('the page has the configured name from the first byte on, as text', async () => {
    const { db } = api.database;
    const named = (value: string) => db.updateTable('configs').set({ value }).where('key', '=', 'sys_title').execute();
    await named(`West "Lake" $& </title><script>alert('1')</script>`);
    const name = `West &#34;Lake&#34; $&#38; &#60;/title&#62;&#60;script&#62;alert('1')&#60;/script&#62;`;
    expect((await api.app.inject('/login')).body).toBe(
      `<!doctype html><meta name="application-name" content="${name}" /><title>${name}</title><p>the console</p>`,
    );
    await db.updateTable('configs').set({ public: false }).where('key', '=', 'sys_title').execute();
    expect((await api.app.inject('/login')).body).toContain('content="" /><title>Voltdeck<');
    await db.updateTable('configs').set({ public: true, value: 'Voltdeck' }).where('key', '=', 'sys_title').execute();
  });

  test('the page is served while the database does not answer', async () => {
    const { pool } = api.context.database;
    const away = vi.spyOn(pool, 'connect').mockRejectedValueOnce(new Error('away') as never);
    expect((await api.app.inject('/login')).body).toContain('content="" /><title>Voltdeck<');
    away.mockImplementation((() => new Promise(() => {})) as never);
    expect((await api.app.inject('/login')).body).toContain('content="" /><title>Voltdeck<');
    away.mockRestore();
  });

  test('a hashed file is cached forever and served in its smallest encoding', async () => {
    const get = (encoding: string) =>
      api.app.inject({ url: '/assets/app-D4x8Kq2Z.js', headers: { 'accept-encoding': encoding } });
    const brotli = await get('gzip, br');
    expect([brotli.body, brotli.headers['content-encoding']]).toEqual(['brotli', 'br']);
    expect(brotli.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(brotli.headers['content-type']).toContain('javascript');
    expect((await get('gzip')).headers['content-encoding']).toBe('gzip');
    expect([(await get('identity')).body, (await get('identity')).headers['content-encoding']]).toEqual([
      'plain',
      undefined,
    ]);
  });

  test('a file without a hash is revalidated', async () => {
    expect((await api.app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('a missing file is 404 and not the page', async () => {
    expect((await api.app.inject('/assets/old-ABCDEFGH.js')).statusCode).toBe(404);
    expect((await api.app.inject('/%2e%2e/package.json')).statusCode).toBe(404);
    expect((await api.app.inject({ method: 'POST', url: '/home' })).statusCode).toBe(404);
  });

  test('without a build a plain page says so in both languages', async () => {
    const bare = await openTestApi();
    const page = await bare.app.inject('/home');
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain('控制台尚未构建');
    expect(page.body).toContain('The console has not been built');
    await bare.close();
  });
});
