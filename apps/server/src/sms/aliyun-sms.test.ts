import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aliyunLimits, createAliyunSms } from './aliyun-sms.ts';
import type { SmsSender } from './sms-sender.ts';

type Answer = { status: number; body: string } | 'nothing';

/** A stand-in for Aliyun's RPC endpoint, as far as SendSms needs it. */
let server: Server;
let answer: Answer;
let asked: { method: string; url: URL; headers: IncomingMessage['headers'] }[] = [];
let sender: SmsSender;
let logged: unknown[] = [];

const json = (status: number, body: object): Answer => ({
  status,
  body: JSON.stringify({ RequestId: 'r-1', ...body }),
});

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://aliyun');
    asked.push({ method: request.method ?? '', url, headers: request.headers });
    if (answer === 'nothing') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked = [];
  logged = [];
  sender = createAliyunSms(
    {
      accessKeyId: 'LTAI-id',
      accessKeySecret: 'very-secret',
      signName: '伏特充电',
      templateRegister: 'SMS_154950909',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    { warn: (...given: unknown[]) => logged.push(given) },
  );
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = () => sender.sendCode({ purpose: 'register', phone: '13800000001', code: '240816' });

test('a code is sent by SendSms with signature, template and its variable', async () => {
  answer = json(200, { Code: 'OK', Message: 'OK', BizId: '9006@1' });
  expect(await send()).toEqual({ ok: true, value: null });
  expect(asked).toHaveLength(1);
  const request = asked[0];
  expect(request?.method).toBe('POST');
  expect(request?.headers).toMatchObject({ 'x-acs-action': 'SendSms', 'x-acs-version': '2017-05-25' });
  expect(request?.headers.authorization).toMatch(
    /^ACS3-HMAC-SHA256 Credential=LTAI-id,SignedHeaders=.+,Signature=[0-9a-f]{64}$/,
  );
  expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
    PhoneNumbers: '13800000001',
    SignName: '伏特充电',
    TemplateCode: 'SMS_154950909',
    TemplateParam: '{"code":"240816"}',
  });
});

test.each([
  ['isv.BUSINESS_LIMIT_CONTROL', 200, 'too_many'],
  ['isv.DAY_LIMIT_CONTROL', 400, 'too_many'],
  ['isv.SMS_SIGNATURE_ILLEGAL', 200, 'not_sent'],
  ['isv.AMOUNT_NOT_ENOUGH', 200, 'not_sent'],
  ['SignatureDoesNotMatch', 400, 'not_sent'],
  ['InternalError', 500, 'not_sent'],
])('%s with status %i means %s, and the log has the reason without the digits', async (code, status, fault) => {
  answer = json(status, { Code: code, Message: '触发号码天级流控Permits:10' });
  expect(await send()).toEqual({ ok: false, error: fault });
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(logged)).toContain(code);
  expect(JSON.stringify(logged)).not.toContain('240816');
});

test('a malformed answer is a failure, not a crash', async () => {
  answer = { status: 502, body: '<html>bad gateway</html>' };
  expect(await send()).toEqual({ ok: false, error: 'not_sent' });
});

test('a service that does not answer times out within ten seconds and is asked once', async () => {
  expect(aliyunLimits.connectMs + aliyunLimits.answerMs).toBeLessThan(10_000);
  answer = 'nothing';
  expect(await send()).toEqual({ ok: false, error: 'not_sent' });
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(logged)).not.toContain('240816');
});
