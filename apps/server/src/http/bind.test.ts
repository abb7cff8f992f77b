import { gunzipSync } from 'node:zlib';
import { type ErrorCode, errorStatuses } from '@voltdeck/contract/errors';
import { languages } from '@voltdeck/contract/languages';
import type { Route } from '@voltdeck/contract/route';
import { routes } from '@voltdeck/contract/routes';
import { listSites } from '@voltdeck/contract/sites';
import { ok } from '@voltdeck/units/result';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomerSessions } from '../caller/customer-sessions.ts';
import { createSessions } from '../caller/sessions.ts';
import { createContextForAllLanes } from '../context.ts';
import { freshDatabase } from '../database/test-database.ts';
import { createBinder } from './bind.ts';
import { createCustomerTurns } from './customer-turns.ts';
import { say } from './say.ts';
import { openTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const site = {
  name: 'Lakeside',
  regionCode: '330106',
  address: '1 Lake Road',
  longitude: 120.1,
  latitude: 30.2,
};

describe('the envelope', () => {
  test('success is status 200, code 0, with the data beside it', async () => {
    const answer = await api.get('/sites');
    expect(answer.status).toBe(200);
    expect(answer.envelope).toEqual({
      message: { status: 200, code: 0, message: 'OK' },
      data: { items: [], total: 0 },
    });
  });

  test('no answer has status 201, which would sign the console out', async () => {
    const created = await api.post('/sites', site);
    expect([created.status, created.envelope.message.status, created.envelope.message.code]).toEqual([200, 200, 0]);
  });

  const refusals: [string, ErrorCode, () => Promise<{ status: number; envelope: unknown }>][] = languages.flatMap(
    (language) =>
      [
        ['malformed JSON', 'request.malformed', () => api.post('/sites', '{"name":', { language })],
        ['a list where an object belongs', 'request.malformed', () => api.post('/sites', '[1]', { language })],
        [
          'a form where JSON belongs',
          'request.malformed',
          () => api.ask('POST', '/sites', { form: { a: 'b' }, language }),
        ],
        [
          'another content type',
          'request.malformed',
          () => api.ask('POST', '/sites', { body: 'a,b', headers: { 'content-type': 'text/csv' }, language }),
        ],
        [
          'a prototype in JSON',
          'request.malformed',
          () => api.post('/sites', '{"__proto__":{"admin":true}}', { language }),
        ],
        ['a broken address', 'request.malformed', () => api.get('/sites/%zz', { language })],
        [
          'more than 1 MiB',
          'request.too_large',
          () => api.post('/sites', { ...site, name: 'x'.repeat(1_100_000) }, { language }),
        ],
        ['an unknown address', 'request.not_found', () => api.get('/nothing/here', { language })],
        ['a method that is not there', 'request.not_found', () => api.ask('DELETE', '/sites', { language })],
        ['no token', 'session.missing', () => api.get('/sites', { token: null, language })],
        ['an invented token', 'session.missing', () => api.get('/sites', { token: 'x'.repeat(43), language })],
        ['a record that is not there', 'record.not_found', () => api.get('/orders/999', { language })],
        ['too deep a page', 'list.too_deep', () => api.get('/orders?page=501&pageSize=20', { language })],
        ['a wrong field', 'request.invalid', () => api.post('/sites', {}, { language })],
      ].map(([what, code, ask]) => [`${what} (${language})`, code, ask]) as [string, ErrorCode, () => Promise<never>][],
  );

  test.each(refusals)('%s is refused with its own status and in the caller’s language', async (what, code, ask) => {
    const { status, envelope } = await ask();
    const language = what.includes('(en)') ? 'en' : 'zh-CN';
    expect(status).toBe(errorStatuses[code]);
    expect(envelope).toMatchObject({
      message: {
        status: code === 'session.missing' ? 50008 : status,
        code: status,
        error: code,
        message: say(language, `error.${code}`, { max: 10_000 }),
      },
      data: null,
    });
  });

  test('a caller without a known language is answered in Chinese', async () => {
    expect((await api.get('/nowhere')).envelope.message.message).toBe('接口不存在');
    const french = await api.get('/nowhere', { headers: { language: 'fr' } });
    expect(french.envelope.message.message).toBe('接口不存在');
  });

  test('no refusal leaves a placeholder unfilled in either language', async () => {
    const answers = await Promise.all(
      languages.flatMap((language) =>
        refusals.filter(([what]) => what.includes(`(${language})`)).map(([, , ask]) => ask()),
      ),
    );
    for (const { envelope } of answers) expect(JSON.stringify(envelope)).not.toMatch(/\{\w+\}/);
  });
});

describe('the fields of a form', () => {
  test('each faulty field is named with its fault, in the caller’s language', async () => {
    const wrong = {
      name: '',
      regionCode: '33',
      address: 7,
      longitude: '120',
      latitude: 91,
      parkingFee: 'some',
      invoiceAvailable: 'yes',
      facilities: ['wifi', 'Swimming pool'],
      agentId: 1.5,
      adress: 'x',
    };
    const fieldsIn = async (language: 'zh-CN' | 'en') =>
      (await api.post('/sites', wrong, { language })).envelope.message.fields?.map(({ path, code, message }) => [
        path,
        code,
        message,
      ]);
    expect(await fieldsIn('en')).toEqual([
      ['name', 'required', 'Required'],
      ['regionCode', 'not_region', 'Choose a region'],
      ['address', 'not_text', 'Must be text'],
      ['longitude', 'not_number', 'Must be a number'],
      ['latitude', 'too_big', 'Must be at most 90'],
      ['agentId', 'not_integer', 'Must be a whole number'],
      ['parkingFee', 'not_choice', 'Choose one of: free, charged, reduced, limited, other'],
      ['invoiceAvailable', 'invalid', 'Illegal input'],
      ['facilities.1', 'bad_format', 'The format is not right'],
      ['adress', 'unknown_field', 'Unknown field'],
    ]);
    expect((await fieldsIn('zh-CN'))?.map(([, , message]) => message)).toEqual([
      '必填',
      '请选择地区',
      '请输入文字',
      '请输入数字',
      '不能大于 90',
      '请输入整数',
      '请从可选项中选择：free, charged, reduced, limited, other',
      '输入不合法',
      '格式不正确',
      '未知字段',
    ]);
  });

  test('an empty body names every required field', async () => {
    const answer = await api.post('/sites');
    expect(answer.envelope.message.fields?.map(({ path }) => path)).toEqual([
      'name',
      'regionCode',
      'address',
      'longitude',
      'latitude',
    ]);
  });

  test('a misspelt filter is refused, and an empty one is ignored', async () => {
    const misspelt = await api.get('/orders?sitteId=3');
    expect(misspelt.status).toBe(422);
    expect(misspelt.envelope.message.fields).toMatchObject([{ path: 'sitteId', code: 'unknown_field' }]);
    expect((await api.get('/orders?siteId=&state=')).status).toBe(200);
  });

  test('a token in the query is accepted where the specification puts it and refused everywhere else', async () => {
    expect((await api.get('/user/info?token=abc')).status).toBe(200);
    const refused = await api.get('/sites?token=abc');
    expect([refused.status, refused.envelope.message.fields]).toMatchObject([
      422,
      [{ path: 'token', code: 'unknown_field' }],
    ]);
  });

  test('a fault in a list of choices is reported under the name of its parameter', async () => {
    const answer = await api.get('/orders?state=charging,flying');
    expect(answer.envelope.message.fields).toMatchObject([{ path: 'state', code: 'not_choice' }]);
  });
});

describe('who may call', () => {
  test('a caller without the permission is refused before the body is read', async () => {
    const { token } = await api.addUser({ name: 'reader', permissions: ['site.read'] });
    expect((await api.get('/sites', { token })).status).toBe(200);
    const refused = await api.post('/sites', {}, { token, language: 'en' });
    expect(refused.status).toBe(403);
    expect(refused.envelope.message).toMatchObject({
      error: 'access.denied',
      message: 'No operation permission, please contact the administrator',
    });
  });

  test('one of several permissions is enough', async () => {
    const { token } = await api.addUser({ name: 'order-reader', permissions: ['order.read'] });
    expect((await api.get('/sites', { token })).status).toBe(200);
    expect((await api.get('/stations', { token })).status).toBe(403);
  });
});

describe('what goes wrong on our side', () => {
  test('a bug is answered with 500 and a number to quote, and reveals nothing else', async () => {
    const app = Fastify();
    const { refuseRequests } = await import('./refuse-requests.ts');
    refuseRequests(app);
    app.get('/api/bug', () => {
      throw new Error('secret detail');
    });
    const answer = await app.inject({ url: '/api/bug', headers: { language: 'en' } });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret detail');
    const { message } = answer.json();
    expect(message.error).toBe('server.failed');
    expect(message.message).toContain(message.requestId);
    expect(answer.json().data).toBeNull();
    await app.close();
  });

  test('a database that is away is answered with 503, and service resumes when it is back', async () => {
    const away = await openTestApi();
    const { pool } = away.database;
    const connect = pool.connect.bind(pool);
    const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    pool.connect = refused as typeof pool.connect;
    const answer = await away.get('/sites', { language: 'en' });
    expect(answer.status).toBe(503);
    expect(answer.envelope.message).toMatchObject({
      error: 'server.unavailable',
      message: 'The system cannot store data right now. Try again shortly',
    });
    expect((await away.app.inject('/readyz')).statusCode).toBe(503);
    expect((await away.app.inject('/healthz')).statusCode).toBe(200);
    pool.connect = connect;
    expect((await away.get('/sites')).status).toBe(200);
    expect((await away.app.inject('/readyz')).statusCode).toBe(200);
    await away.close();
  });
});

describe('a long answer', () => {
  test('a long answer is compressed for clients that accept it, with the same content', async () => {
    await api.database.pool.query(`
      insert into sites (name, region_code, address, longitude, latitude)
      select 'Many ' || g, '330106', 'Road ' || g, 120, 30 from generate_series(1, 400) g`);
    const plain = await api.get('/overview/sites');
    const packed = await api.get('/overview/sites', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
  });
});

describe('the contract and the server', () => {
  const binder = async () => {
    const database = await freshDatabase();
    const context = createContextForAllLanes(database, api.context);
    return createBinder(Fastify(), context, createSessions(database.db), {
      sessions: createCustomerSessions(database.db),
      turns: createCustomerTurns(10),
    });
  };

  test('a route without a permission is not bound', async () => {
    const { permission: _, ...rest } = listSites;
    const { bind } = await binder();
    expect(() => bind(rest as typeof listSites, async () => ok({ items: [], total: 0 }))).toThrow('no permission');
  });

  test('a route that nothing answers keeps the server from starting', async () => {
    const { proveComplete } = await binder();
    const left: ReadonlyMap<string, Route> = new Map([...routes].slice(0, 2));
    expect(() => proveComplete(left)).toThrow([...left.keys()].join(', '));
  });

  test('the API description names every route, and every refusal has a text', async () => {
    const answer = await api.app.inject('/api/openapi.json');
    const { paths } = answer.json();
    for (const route of routes.values()) {
      expect(paths[`/api${route.path}`]?.[route.method.toLowerCase()]?.summary).toBe(route.summary);
    }
    expect(answer.body).not.toContain('undefined');
  });

  test('the API page shows every route in both languages and loads nothing from elsewhere', async () => {
    for (const language of languages) {
      const page = await api.app.inject({ url: '/api/docs', headers: { language } });
      expect(page.headers['content-type']).toContain('text/html');
      for (const route of routes.values()) expect(page.body).toContain(`/api${route.path}<`);
      expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(page.body).toContain(`<html lang="${language}">`);
    }
  });

  test('every answer forbids foreign and inline scripts and does not name the server', async () => {
    const { headers } = await api.app.inject('/api/docs');
    expect(headers['content-security-policy']).toMatch(/script-src 'self'(;|$)/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.server).toBeUndefined();
  });

  test('metrics are for the loopback: a forwarded stranger gets 404', async () => {
    expect((await api.app.inject('/metrics')).body).toContain('voltdeck_http_request_seconds');
    const stranger = await api.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(stranger.statusCode).toBe(404);
    const scraped = await openTestApi({ metricsToken: 'sixteen-or-more!' });
    const status = async (authorization: string) =>
      (await scraped.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9', authorization } }))
        .statusCode;
    expect([await status('Bearer sixteen-or-more!'), await status('Bearer sixteen-or-less!')]).toEqual([200, 404]);
    await scraped.close();
  });
});
