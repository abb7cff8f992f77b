import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bench } from './bench.ts';
import { type ServedPage, servePage } from './serve-page.ts';
import { openBothBenches } from './test-benches.ts';

let benches: { operator: Bench; demand: Bench; close(): Promise<void> };
let page: ServedPage;
const over = new AbortController();
beforeAll(async () => {
  benches = await openBothBenches();
  page = await servePage(benches.demand, { port: 0, language: 'en', signal: over.signal });
});
afterAll(async () => {
  over.abort();
  await page.close();
  await benches.close();
});

/** As any program may ask: `fetch` of a browser sets Host and Origin itself. */
function ask(method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string; policy: string }>((resolve, reject) => {
    const sent = request(new URL(path, page.url), { method, headers }, async (response) => {
      const policy = String(response.headers['content-security-policy'] ?? '');
      resolve({ status: response.statusCode ?? 0, body: await text(response), policy });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const origin = () => new URL(page.url).origin;
const verdictOf = (id: string) => benches.demand.checklist.results.find((each) => each.id === id)?.verdict.kind;

test('the page has every check in the chosen language, and may load nothing', async () => {
  const english = await ask('GET', '/');
  expect(english).toMatchObject({ status: 200, policy: expect.stringContaining("default-src 'none'") });
  expect(english.body).toContain('Wrong signature: Ret 4001');
  expect((await ask('GET', '/?language=zh-CN')).body).toContain('签名错误：Ret 4001');
  expect((await ask('GET', '/content')).body).not.toContain('<html');
  expect(await ask('GET', '/etc/passwd')).toMatchObject({ status: 404 });
});

test('a button of the page makes one check, whose exchanges then stand on the page', async () => {
  expect(verdictOf('token.given')).toBe('waiting');
  expect((await ask('POST', '/checks/token.given', { origin: origin() })).status).toBe(303);
  await expect.poll(() => verdictOf('token.given')).toBe('passed');
  expect(verdictOf('token.wrong-secret')).toBe('waiting');
  const { body } = await ask('GET', '/content');
  expect(body).toContain('<strong>query_token</strong>');
  expect(body).not.toContain(benches.demand.settings.theirKeys.operatorSecret);
});

test('another site that a browser has open can neither start a check nor read the page under a name of its own', async () => {
  const host = new URL(page.url).host;
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: origin(), host: 'elsewhere.example' },
    { origin: 'http://elsewhere.example', host },
  ];
  for (const headers of foreign) {
    expect((await ask('POST', '/checks/stations.all', headers)).status).toBe(403);
  }
  expect((await ask('GET', '/', { host: 'elsewhere.example' })).status).toBe(403);
  expect(verdictOf('stations.all')).toBe('waiting');
});

test('an unknown check is not found, and a second one is not begun while one is being made', async () => {
  expect((await ask('POST', '/checks/nothing', { origin: origin() })).status).toBe(404);
  const first = ask('POST', '/checks/link.slow-request', { origin: origin() });
  expect((await first).status).toBe(303);
  await expect.poll(() => verdictOf('link.slow-request')).toBe('running');
  expect((await ask('POST', '/checks/stations.all', { origin: origin() })).status).toBe(409);
  await expect.poll(() => verdictOf('link.slow-request')).toBe('passed');
});
