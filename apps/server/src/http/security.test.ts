import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { routes } from '@voltdeck/contract/routes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../build.ts';
import { adminPassword, openTestApi, type TestApi, userPassword } from './test-api.ts';

let api: TestApi;
/** Everything that the server logged. */
let logged = '';
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const elsewhere = { origin: 'https://elsewhere.example' };

describe('headers', () => {
  test.each(['/', '/login', '/api/captcha', '/api/user/info', '/api/no-such-route', '/api/docs', '/healthz'])(
    'of %s forbid framing, sniffing, foreign scripts and telling where one came from',
    async (url) => {
      const { headers } = await api.app.inject(url);
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
      );
      expect(policy).toMatchObject({
        'default-src': "'self'",
        'script-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'frame-ancestors': "'none'",
      });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  test('say that answers of the API are not to be kept, and in which characters they are written', async () => {
    for (const url of ['/api/captcha', '/api/user/info', '/api/sites', '/%61pi/user/info', '/api/%73ites']) {
      const { headers } = await api.app.inject(url);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

describe('other sites', () => {
  test('are given no access by CORS, asked for or not', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await api.app.inject({
        method,
        url: '/api/login',
        headers: { ...elsewhere, 'access-control-request-method': 'POST', 'access-control-request-headers': 'token' },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('cannot act with the cookie that the browser sends along: it opens nothing but files to save', async () => {
    const cookie = `zhny_token=${api.adminToken}`;
    const opened: string[] = [];
    for (const [name, route] of routes) {
      if (route.permission === 'public') continue;
      const url = `/api${route.path.replaceAll(/\{\w+\}/g, '1')}`;
      const answer = await api.app.inject({ method: route.method, url, headers: { ...elsewhere, cookie } });
      if (answer.statusCode === 401) continue;
      opened.push(name);
      expect([name, route.method, route.answerKind]).toEqual([name, 'GET', 'file']);
    }
    expect(opened).toContain('exportOrders');
  });

  test('cannot post a form to anything but sign-in', async () => {
    const headers = { token: api.adminToken, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/customers',
      headers,
      payload: 'phone=13800000000',
    });
    expect(answer.statusCode).toBe(400);
  });

  test('methods that no route has are refused', async () => {
    for (const method of ['TRACE', 'PUT', 'DELETE'] as const) {
      const answer = await api.app.inject({ method, url: '/api/login' });
      expect(answer.statusCode).toBe(404);
    }
  });
});

describe('what a client says of itself', () => {
  const signInFrom = async (forwarded: string, remoteAddress = '127.0.0.1') => {
    await api.app.inject({
      method: 'POST',
      url: '/api/login',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
      payload: { userName: 'nobody', password: 'x', platForm: 4 },
    });
    const row = await api.database.db
      .selectFrom('sign_ins')
      .select('remote_address')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return row.remote_address;
  };

  test('is its address only where a proxy of this machine passes on one', async () => {
    expect(await signInFrom('203.0.113.7')).toBe('203.0.113.7');
    expect(await signInFrom('2001:db8::7')).toBe('2001:db8::7');
    expect(await signInFrom('::ffff:203.0.113.8')).toBe('203.0.113.8');
    for (const junk of ['x'.repeat(4_000), '203.0.113.7:443', '<b>', '1.2.3.4.5', "'; drop table users"]) {
      expect(await signInFrom(junk), junk.slice(0, 20)).toBe('127.0.0.1');
    }
    expect(await signInFrom('203.0.113.7', '198.51.100.1')).toBe('198.51.100.1');
  });

  test('in a cookie that cannot be decoded is no session and no fault', async () => {
    for (const cookie of ['zhny_token=%', 'zhny_token=', 'zhny_token=%ff%fe; a=b']) {
      const answer = await api.app.inject({ url: '/api/orders/export', headers: { cookie } });
      expect([cookie, answer.statusCode]).toEqual([cookie, 401]);
    }
  });

  test('about two hosts is refused: a proxy in front may have believed the other one', async () => {
    const own = await build({ context: api.context, consoleDir: '/nowhere' });
    await own.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = own.server.address() as AddressInfo;
    const statusOf = async (head: string) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(`GET /api/captcha HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
      await once(socket, 'close');
      return text.slice(0, 12);
    };
    expect(await statusOf('Host: one.example\r\n')).toBe('HTTP/1.1 200');
    expect(await statusOf('Host: one.example\r\nhost: two.example\r\n')).toBe('HTTP/1.1 400');
    await own.close();
  });
});

describe('the log', () => {
  test('has refused calls with who and what, and neither passwords nor tokens', async () => {
    const log = pino(
      { level: 'trace' },
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          logged += chunk.toString();
          done();
        },
      }),
    );
    const own = await build({ context: { ...api.context, log }, consoleDir: '/nowhere' });
    const { id, token } = await api.addUser({ name: 'curious', permissions: [] });
    const ask = (method: 'GET' | 'POST', path: string, payload?: object) =>
      own.app.inject({ method, url: `/api${path}`, headers: { token }, ...(payload === undefined ? {} : { payload }) });
    await ask('POST', '/login', { userName: 'admin', password: adminPassword, platForm: 4 });
    await ask('POST', '/login', { userName: 'admin', password: 'nearly-it', platForm: 4 });
    await ask('POST', '/changePwd', { password: userPassword, newPassword: 'brand new words' });
    const next = (await api.logIn('curious', 'brand new words')).data.token;
    const refused = await own.app.inject({ url: '/api/users', headers: { token: next } });
    expect(refused.statusCode).toBe(403);
    await own.close();
    const entry = logged
      .split('\n')
      .filter((line) => line.includes('access denied'))
      .map((line) => JSON.parse(line) as object)[0];
    expect(entry).toMatchObject({ userId: id, method: 'GET', route: '/users', remoteAddress: '127.0.0.1' });
    for (const secret of [adminPassword, 'nearly-it', userPassword, 'brand new words', token, next]) {
      expect(logged).not.toContain(secret);
    }
  });
});
