import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { routes } from '@voltdeck/contract/routes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { build } from '../build.ts';
import { adminPassword, openTestApi, type TestApi, userPassword } from './test-api.ts';

let api: TestApi;
/** Everything the server logged. */
let logged = '';
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const elsewhere = { origin: 'https://elsewhere.example' };

describe('headers', () => {
  test.each(['/', '/login', '/api/captcha', '/api/user/info', '/api/no-such-route', '/api/docs', '/healthz'])(
    'answers of %s forbid framing, sniffing, foreign scripts and referrers',
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

  test('API answers are marked not to be cached and name their character set', async () => {
    for (const url of ['/api/captcha', '/api/user/info', '/api/sites', '/%61pi/user/info', '/api/%73ites']) {
      const { headers } = await api.app.inject(url);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

describe('other sites', () => {
  test('other sites get no access by CORS', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await api.app.inject({
        method,
        url: '/api/login',
        headers: { ...elsewhere, 'access-control-request-method': 'POST', 'access-control-request-headers': 'token' },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('the cookie alone permits nothing but downloading files', async () => {
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

  test('forms of other sites can be posted to nothing but sign-in', async () => {
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

  test('X-Forwarded-For is trusted only from a proxy on this machine', async () => {
    expect(await signInFrom('203.0.113.7')).toBe('203.0.113.7');
    expect(await signInFrom('2001:db8::7')).toBe('2001:db8::7');
    expect(await signInFrom('::ffff:203.0.113.8')).toBe('203.0.113.8');
    for (const junk of ['x'.repeat(4_000), '203.0.113.7:443', '<b>', '1.2.3.4.5', "'; drop table users"]) {
      expect(await signInFrom(junk), junk.slice(0, 20)).toBe('127.0.0.1');
    }
    expect(await signInFrom('203.0.113.7', '198.51.100.1')).toBe('198.51.100.1');
  });

  test('a cookie that cannot be decoded is no session and no error', async () => {
    for (const cookie of ['zhny_token=%', 'zhny_token=', 'zhny_token=%ff%fe; a=b']) {
      const answer = await api.app.inject({ url: '/api/orders/export', headers: { cookie } });
      expect([cookie, answer.statusCode]).toEqual([cookie, 401]);
    }
  });

  test('a request with two hosts is refused, since a proxy in front may have used the other one', async () => {
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

describe('the token (specification section 7)', () => {
  const bare = { token: null };

  test('the token is read from the query by GET /user/info and GET /menu/getUserMenu', async () => {
    const { token } = await api.addUser({ name: 'by-query', permissions: ['site.read'] });
    const info = await api.get<{ userName: string }>(`/user/info?token=${token}`, bare);
    expect([info.status, info.data.userName]).toEqual([200, 'by-query']);
    const menus = await api.get<{ code: string }[]>(`/menu/getUserMenu?token=${token}`, bare);
    expect([menus.status, menus.data.map(({ code }) => code)]).toEqual([200, ['plot']]);
    for (const wrong of ['', '?token=', '?token=made-up', `?token=${token}&token=${token}`]) {
      expect((await api.get(`/user/info${wrong}`, bare)).status).toBe(401);
    }
  });

  test('the token is read from the body by POST /changePwd', async () => {
    const { token } = await api.addUser({ name: 'by-body', permissions: [] });
    const body = { password: userPassword, newPassword: 'words by the body' };
    expect((await api.post('/changePwd', body, bare)).status).toBe(401);
    expect((await api.post('/changePwd', { ...body, token: 'made-up' }, bare)).status).toBe(401);
    expect((await api.post('/changePwd', { ...body, token: [token] }, bare)).status).toBe(401);
    expect((await api.post('/changePwd', { ...body, token }, bare)).status).toBe(200);
    expect((await api.logIn('by-body', 'words by the body')).status).toBe(200);
  });

  test("the header's token takes precedence", async () => {
    const { token } = await api.addUser({ name: 'beside', permissions: [] });
    expect((await api.get<{ userName: string }>(`/user/info?token=${token}`)).data.userName).toBe('admin');
    expect((await api.get(`/user/info?token=${token}`, { token: 'made-up' })).status).toBe(401);
  });

  test('the token is read from the header alone by every other call', async () => {
    const written = new Set(['GET /user/info', 'GET /menu/getUserMenu']);
    const took: string[] = [];
    for (const { method, path, permission } of routes.values()) {
      const address = path.replaceAll(/\{\w+\}/g, '1');
      if (permission === 'public' || written.has(`${method} ${path}`)) continue;
      const inQuery = await api.ask(method, `${address}?token=${api.adminToken}`, bare);
      const inBody =
        method === 'GET' || path === '/changePwd'
          ? inQuery
          : await api.ask(method, address, { ...bare, body: { token: api.adminToken } });
      if (inQuery.status !== 401 || inBody.status !== 401) took.push(`${method} ${path}`);
    }
    expect(took).toEqual([]);
  });
});

describe('the log', () => {
  test('the log names refused calls with user and route, and neither passwords nor tokens', async () => {
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
    // Tokens in queries and bodies: answered, refused, of an ended session, where none belongs, and truncated.
    const statusOf = async (url: string, payload?: object) =>
      (
        await own.app.inject({
          method: payload === undefined ? 'GET' : 'POST',
          url: `/api${url}`,
          ...(payload && { payload }),
        })
      ).statusCode;
    expect(await statusOf(`/user/info?token=${next}`)).toBe(200);
    expect(await statusOf(`/user/info?token=${token}`)).toBe(401);
    expect(await statusOf(`/user/info?token=${next}&other=1`)).toBe(422);
    expect(await statusOf(`/users?token=${next}`)).toBe(401);
    expect(await statusOf(`/no-such-route?token=${next}`)).toBe(404);
    expect(await statusOf(`/user/%ff?token=${next}`)).toBe(400);
    const changed = { password: 'brand new words', newPassword: 'newer words', token: next };
    expect(await statusOf('/changePwd', { ...changed, newPassword: 'brand new words' })).toBe(422);
    const failing = vi.spyOn(api.context.database.pool, 'connect').mockRejectedValue(new Error('made to fail'));
    expect(await statusOf(`/menu/getUserMenu?token=${next}`)).toBe(500);
    expect(await statusOf('/changePwd', changed)).toBe(500);
    failing.mockRestore();
    expect(await statusOf('/changePwd', changed)).toBe(200);
    const audited = await api.database.db.selectFrom('audit_entries').selectAll().where('user_id', '=', id).execute();
    for (const secret of [token, next, 'brand new words', 'newer words']) {
      expect(JSON.stringify(audited)).not.toContain(secret);
    }
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
