import { randomUUID } from 'node:crypto';
import type { CustomerId } from '@voltdeck/units/id';
import { dayMs, hourMs, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, openTestApi, type TestApi } from '../http/test-api.ts';
import type { CodeMessage, SmsFault } from '../sms/sms-sender.ts';
import { captchaValidMs, hashAnswer } from './captcha.ts';
import {
  codesBeforeCaptcha as beforeCaptcha,
  codeAttemptsElsewhereMax,
  codeAttemptsMax,
  codeLimits,
  codesPerPhoneMax,
  codeValidMs,
} from './sms-codes.ts';

const { perNetwork: codesPerNetwork, perHour: codesPerHour, perDay: codesPerDay } = codeLimits.register;
const codesBeforeCaptcha = beforeCaptcha.register;

let api: TestApi;
let messages: CodeMessage[];
let outcome: Result<null, SmsFault>;
const phone = '13812345678';
const password = 'lamps by the lake';

beforeEach(async () => {
  messages = [];
  outcome = ok(null);
  const sms = {
    async sendCode(message: CodeMessage) {
      messages.push(message);
      return outcome;
    },
  };
  api = await openTestApi({ sms });
  api.clock.now = instant(Date.parse('2026-11-21T04:00:00Z'));
});
afterEach(() => api.close());

const wait = (ms: number) => {
  api.clock.now = instant((api.clock.now ?? 0) + ms);
};
const from = (address: string): Ask => ({ headers: { 'x-forwarded-for': address } });

async function askForCode(of = phone, ask: Ask = {}, typed = 'K7GM') {
  const id = randomUUID();
  const expires_at = instant((api.clock.now ?? 0) + captchaValidMs);
  await api.database.db
    .insertInto('captchas')
    .values({ id, answer_hash: hashAnswer(id, 'K7GM'), expires_at })
    .execute();
  const body = { phone: of, captchaId: id, captcha: typed };
  return api.post<{ secondsToNext: number }>('/registerUser/mobileCode', body, { token: null, language: 'en', ...ask });
}

const sendMany = async (count: number, msAgo: number) => {
  const at = instant((api.clock.now ?? 0) - msAgo);
  const rows = Array.from({ length: count }, (_, index) => ({
    phone: String(13_700_000_000 + index),
    purpose: 'register' as const,
    code_hash: Buffer.from(''),
    remote_address: `203.0.${index >> 8}.${index & 255}`,
    sent_at: at,
    expires_at: at,
  }));
  await api.database.db.insertInto('sms_codes').values(rows).execute();
};

const register = (given: object = {}, ask: Ask = {}) =>
  api.post(
    '/registerUser/register',
    { phone, code: messages.at(-1)?.code ?? '', password, confirmPassword: password, ...given },
    { token: null, language: 'en', ...ask },
  );
const errorOf = async (answer: Promise<{ envelope: { message: { error?: string } } }>) =>
  (await answer).envelope.message.error;

describe('a registration code', () => {
  test('a registration code is six digits that only the message contains', async () => {
    const answer = await askForCode();
    expect(answer.data).toEqual({ secondsToNext: 60 });
    expect(messages).toEqual([{ purpose: 'register', phone, code: expect.stringMatching(/^\d{6}$/) }]);
    const code = messages[0]?.code ?? '';
    expect(answer.text).not.toContain(code);
    const rows = await api.database.db.selectFrom('sms_codes').selectAll().execute();
    expect(rows[0]?.code_hash.toString()).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('a registration code is not sent when a given captcha is wrong', async () => {
    expect(await errorOf(askForCode(phone, {}, 'ZZZZ'))).toBe('captcha.wrong');
    const body = { phone, captchaId: 'made-up', captcha: 'K7GM' };
    expect(await errorOf(api.post('/registerUser/mobileCode', body, { token: null }))).toBe('captcha.wrong');
    expect(messages).toEqual([]);
  });

  test('phones are eleven digits (section 5)', async () => {
    const fault = async (of: string) => (await askForCode(of)).envelope.message.fields?.[0];
    expect(await fault('1381234567x')).toMatchObject({ path: 'phone', code: 'phone_digits' });
    expect(await fault('138123456789')).toMatchObject({ path: 'phone', code: 'phone_length' });
  });

  test('a phone gets one registration code a minute', async () => {
    await askForCode();
    wait(20 * secondMs);
    const soon = await askForCode();
    expect([soon.status, soon.headers['retry-after']]).toEqual([429, '40']);
    expect(soon.envelope.message.message).toBe('A code has been sent. Ask for another in 40 s');
    wait(40 * secondMs);
    expect((await askForCode()).status).toBe(200);
  });

  test('a phone gets ten registration codes a day, whoever asks', async () => {
    for (let sent = 0; sent < codesPerPhoneMax; sent += 1) {
      expect((await askForCode(phone, from(`203.0.113.${sent}`))).status).toBe(200);
      wait(minuteMs);
    }
    const refused = await askForCode(phone, from('203.0.113.99'));
    expect(refused.envelope.message).toMatchObject({
      error: 'sms.too_many',
      message: 'Too many codes were asked for. Try again in 24 h',
    });
    expect(Number(refused.headers['retry-after'])).toBe((dayMs - 10 * minuteMs) / secondMs);
    wait(dayMs - 10 * minuteMs);
    expect((await askForCode(phone, from('203.0.113.99'))).status).toBe(200);
  });

  test('an address gets thirty registration codes a day, whatever the phones', async () => {
    const address = from('203.0.113.7');
    for (let sent = 0; sent < codesPerNetwork; sent += 1) {
      expect((await askForCode(`138000000${10 + sent}`, address)).status).toBe(200);
      wait(minuteMs);
    }
    expect(await errorOf(askForCode('13900000000', address))).toBe('sms.too_many');
    expect((await askForCode('13900000000', from('203.0.113.8'))).status).toBe(200);
  });

  test.each([
    ['the addresses of one /64', (index: number) => `2001:db8:5:7::${index.toString(16)}`],
    ['ways to write one address', (index: number) => (index % 2 === 0 ? '203.0.113.9' : '::ffff:cb00:7109')],
  ])('registration codes count %s as one network', async (_, address) => {
    for (let sent = 0; sent < codesPerNetwork; sent += 1) {
      expect((await askForCode(`138000000${10 + sent}`, from(address(sent)))).status).toBe(200);
      wait(minuteMs);
    }
    expect(await errorOf(askForCode('13900000000', from(address(codesPerNetwork))))).toBe('sms.too_many');
  });

  test('a registration code is refused when the installation has used up its hour or day', async () => {
    await sendMany(codesPerHour - 1, 20 * minuteMs);
    expect((await askForCode(phone, from('198.51.100.1'))).status).toBe(200);
    const refused = await askForCode('13900000000', from('198.51.100.2'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(40 * 60)]);
    expect(refused.envelope.message).toMatchObject({
      error: 'sms.used_up',
      message:
        'This system has sent as many codes as it may. Try again in 1 h, or ask an administrator to add your account',
    });
    expect(messages).toHaveLength(1);
    wait(40 * minuteMs);
    expect((await askForCode('13900000000', from('198.51.100.2'))).status).toBe(200);

    await sendMany(codesPerDay - codesPerHour - 1, 2 * hourMs);
    const ofDay = await askForCode('13900000001', from('198.51.100.3'));
    expect(ofDay.envelope.message).toMatchObject({ error: 'sms.used_up' });
    expect(Number(ofDay.headers['retry-after'])).toBe((dayMs - 2 * hourMs) / secondMs);
  });

  test('a registration code requested from many addresses at once is sent once', async () => {
    const addresses = Array.from({ length: 24 }, (_, index) => `203.0.113.${index}`);
    const answers = await Promise.all(addresses.map((address) => askForCode(phone, from(address))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(messages).toHaveLength(1);
  });

  test('a registration code that could not be sent is reported, and counts', async () => {
    outcome = failed('not_sent');
    const answer = await askForCode();
    expect([answer.status, answer.envelope.message.error]).toEqual([503, 'sms.not_sent']);
    expect(await errorOf(askForCode())).toBe('sms.too_soon');
    wait(minuteMs);
    outcome = failed('too_many');
    expect(await errorOf(askForCode())).toBe('sms.too_many');
  });

  test('a flood of requests for registration codes is refused before the captcha is checked', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => askForCode('x')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe('a code is sent for the phone alone (section 7)', () => {
  const bare = (of = phone, ask: Ask = {}) =>
    api.post<{ secondsToNext: number }>(
      '/registerUser/mobileCode',
      { phone: of },
      { token: null, language: 'en', ...ask },
    );
  const { perPhone, perNetwork, perHour, perDay } = codesBeforeCaptcha;

  test('the first registration codes of a phone need no captcha, from any network; later ones do', async () => {
    for (let sent = 0; sent < perPhone; sent += 1) {
      expect((await bare(phone, from(`203.0.113.${sent}`))).data).toEqual({ secondsToNext: 60 });
      wait(minuteMs);
    }
    const asked = await bare(phone, from('203.0.113.99'));
    expect([asked.status, asked.envelope.message]).toMatchObject([
      422,
      {
        error: 'captcha.needed',
        message: 'Several codes have been asked for. Type the characters in the picture to get another',
      },
    ]);
    expect(messages).toHaveLength(perPhone);
    expect((await bare('13900000000', from('203.0.113.99'))).status).toBe(200);
    expect((await askForCode(phone, from('203.0.113.99'))).status).toBe(200);
    wait(dayMs);
    expect((await bare()).status).toBe(200);
  });

  test('the first registration codes of a network need no captcha, whatever the phones', async () => {
    const address = from('203.0.113.7');
    for (let sent = 0; sent < perNetwork; sent += 1) {
      expect((await bare(`1380000001${sent}`, address)).status).toBe(200);
    }
    expect(await errorOf(bare('13900000000', address))).toBe('captcha.needed');
    expect((await bare('13900000000', from('203.0.113.8'))).status).toBe(200);
  });

  test.each([
    ['an hour', perHour, 20 * minuteMs, hourMs],
    ['a day', perDay, 2 * hourMs, dayMs],
  ] as const)(
    'no captcha is needed until the installation has sent its share of %s',
    async (_, count, msAgo, periodMs) => {
      await sendMany(count - 1, msAgo);
      expect((await bare('13900000000', from('198.51.100.1'))).status).toBe(200);
      expect(await errorOf(bare('13900000001', from('198.51.100.2')))).toBe('captcha.needed');
      wait(periodMs - msAgo);
      expect((await bare('13900000001', from('198.51.100.2'))).status).toBe(200);
    },
  );

  test('a flood from many networks with many phones gets no more codes than that without a captcha', async () => {
    const flood = Array.from({ length: 3 * perHour }, (_, index) =>
      bare(String(13_900_000_000 + index), from(`198.51.100.${index}`)),
    );
    const errors = (await Promise.all(flood)).map(({ envelope }) => envelope.message.error);
    expect(messages).toHaveLength(perHour);
    expect(new Set(errors)).toEqual(new Set([undefined, 'captcha.needed']));
  });

  test('a phone that asks too soon is refused as such, and not asked for a captcha', async () => {
    for (let sent = 0; sent < perPhone; sent += 1) {
      expect((await bare()).status).toBe(200);
      expect(await errorOf(bare())).toBe('sms.too_soon');
      wait(minuteMs);
    }
    for (const half of [{ captchaId: 'made-up' }, { captcha: 'K7GM' }, { captchaId: '', captcha: '' }]) {
      const answer = api.post('/registerUser/mobileCode', { phone, ...half }, { token: null });
      expect(await errorOf(answer)).toBe('captcha.needed');
    }
  });
});

describe('registering', () => {
  test('registering creates a user named by the phone and a customer, and the user waits for a position', async () => {
    await askForCode();
    expect((await register()).status).toBe(200);
    const { db } = api.database;
    const user = await db.selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirstOrThrow();
    expect(user).toMatchObject({ user_name: phone, kind: 'registered', real_name: '138****5678', position_id: null });
    const customer = await db.selectFrom('customers').selectAll().where('phone', '=', phone).executeTakeFirstOrThrow();
    expect(user.customer_id).toBe(customer.id);
    const { token } = (await api.logIn(phone, password)).data;
    expect((await api.get('/user/info', { token })).data).toMatchObject({
      dataScope: 'self',
      permissions: [],
      mustChangePassword: false,
    });
    expect((await api.get('/menu/getUserMenu', { token })).data).toEqual([]);
    const audits = await db.selectFrom('audit_entries').select(['action', 'user_id', 'after']).execute();
    expect(audits.find(({ action }) => action === 'user.register')).toMatchObject({ user_id: user.id });
    expect(JSON.stringify(audits)).not.toContain(password);
  });

  test('registering links the customer who already has that phone', async () => {
    const { id } = await api.database.db
      .insertInto('customers')
      .values({ phone, nickname: 'Old friend' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await askForCode();
    await register();
    const customers = await api.database.db.selectFrom('customers').select(['id', 'nickname']).execute();
    expect(customers).toEqual([{ id, nickname: 'Old friend' }]);
    const user = await api.database.db
      .selectFrom('users')
      .select('customer_id')
      .where('phone', '=', phone)
      .executeTakeFirstOrThrow();
    expect(user.customer_id).toBe(id);
  });

  test('the phone of a merged customer registers nobody', async () => {
    const { db } = api.database;
    const add = (values: { phone: string; state?: 'merged'; merged_into_id?: CustomerId }) =>
      db
        .insertInto('customers')
        .values({ nickname: 'A friend', ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
    const into = await add({ phone: '13700000055' });
    await add({ phone, state: 'merged', merged_into_id: into.id });
    await askForCode();
    expect(await errorOf(register())).toBe('customer.phone_merged');
    expect(await db.selectFrom('users').select('id').where('phone', '=', phone).execute()).toEqual([]);
  });

  test('a password that differs, is too short or too common is a named fault and uses up no try of the code', async () => {
    await askForCode();
    const differs = await register({ confirmPassword: 'something else' });
    expect(differs.envelope.message.fields).toMatchObject([
      { path: 'confirmPassword', code: 'passwords_differ', message: 'The password entered twice is inconsistent' },
    ]);
    const short = await register({ password: '12345', confirmPassword: '12345' });
    expect(short.envelope.message.fields?.[0]).toMatchObject({ path: 'password', code: 'password_short' });
    for (let tries = 0; tries < codeAttemptsMax; tries += 1) {
      expect(await errorOf(register({ password: '345678', confirmPassword: '345678' }))).toBe('password.too_common');
    }
    expect((await register()).status).toBe(200);
  });

  test('only the latest code registers, for five minutes, five tries and once', async () => {
    await askForCode();
    const first = messages[0]?.code;
    wait(codeValidMs);
    expect(await errorOf(register({ code: first }))).toBe('sms.code_wrong');

    await askForCode();
    const wrong = messages.at(-1)?.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < codeAttemptsMax; tries += 1) {
      expect(await errorOf(register({ code: wrong }))).toBe('sms.code_wrong');
    }
    expect(await errorOf(register())).toBe('sms.code_wrong');

    wait(minuteMs);
    await askForCode();
    const earlier = messages.at(-1)?.code ?? '';
    wait(minuteMs);
    await askForCode();
    if (earlier !== messages.at(-1)?.code) expect(await errorOf(register({ code: earlier }))).toBe('sms.code_wrong');
    expect((await register()).status).toBe(200);
    expect(await errorOf(register())).toBe('sms.code_wrong');
  });

  test('simultaneous tries are counted: guesses beyond the fifth are not checked', async () => {
    await askForCode();
    const right = messages[0]?.code ?? '';
    const guesses = Array.from({ length: 12 }, (_, index) => String((Number(right) + 1 + index) % 1_000_000));
    await Promise.all(guesses.map((code) => register({ code: code.padStart(6, '0') })));
    expect(await errorOf(register())).toBe('sms.code_wrong');
    const row = await api.database.db.selectFrom('sms_codes').select('attempts').executeTakeFirstOrThrow();
    expect(row.attempts).toBe(codeAttemptsMax);
  });

  test('guesses of strangers from many networks are bounded, and do not use up the tries of who asked for the code', async () => {
    await askForCode();
    const right = messages[0]?.code ?? '';
    const guesses = Array.from({ length: 12 }, (_, index) => String((Number(right) + 1 + index) % 1_000_000));
    await Promise.all(
      guesses.map((code, index) => register({ code: code.padStart(6, '0') }, from(`203.0.113.${index}`))),
    );
    const tries = ['attempts', 'attempts_elsewhere'] as const;
    const row = await api.database.db.selectFrom('sms_codes').select(tries).executeTakeFirstOrThrow();
    expect(row).toEqual({ attempts: 0, attempts_elsewhere: codeAttemptsElsewhereMax });
    expect(await errorOf(register({}, from('203.0.113.99')))).toBe('sms.code_wrong');
    expect((await register()).status).toBe(200);
    // A phone's codes of a day, and all tries of each, against a million codes.
    expect((codesPerPhoneMax * (codeAttemptsMax + codeAttemptsElsewhereMax)) / 1_000_000).toBeLessThan(1e-4);
  });

  test('a code that a stranger asked for and guessed at does not void the one that its owner asked for before', async () => {
    await askForCode();
    const own = messages[0]?.code ?? '';
    wait(minuteMs);
    await askForCode(phone, from('203.0.113.1'));
    const wrong = ['000000', '000001', '000002'].find((code) => code !== own && code !== messages.at(-1)?.code);
    for (const [network, tries] of [
      ['203.0.113.1', codeAttemptsMax],
      ['203.0.113.2', codeAttemptsElsewhereMax],
    ] as const) {
      for (let tried = 0; tried < tries; tried += 1) await register({ code: wrong }, from(network));
    }
    expect((await register({ code: own })).status).toBe(200);
  });

  test('who asked for a code may type it in another network', async () => {
    await askForCode();
    expect((await register({}, from('203.0.113.1'))).status).toBe(200);
  });

  test('the same code used twice at once makes one user', async () => {
    await askForCode();
    const answers = await Promise.all([register(), register(), register()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const users = await api.database.db.selectFrom('users').select('id').where('phone', '=', phone).execute();
    expect(users).toHaveLength(1);
  });

  test('a flood of registrations from one address is refused', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => register({ code: 'x' })));
    expect(answers.filter(({ envelope }) => envelope.message.error === 'request.too_many')).toHaveLength(5);
  });
});

describe('whether a phone is registered', () => {
  test('whether a phone is registered shows in no answer without its code', async () => {
    await askForCode();
    await register();
    const told = async (of: string, address: string) => {
      const ask = from(address);
      const bare = ({ status, headers, envelope, data }: Awaited<ReturnType<typeof askForCode>>) => {
        const { 'x-request-id': _, date: __, ...rest } = headers;
        return [status, rest, { ...envelope.message, requestId: '' }, data];
      };
      const story = [bare(await askForCode(of, ask)), bare(await askForCode(of, ask))];
      for (const code of ['000000', '999999']) {
        const body = { phone: of, code, password, confirmPassword: password };
        const answer = await api.post<{ secondsToNext: number }>('/registerUser/register', body, {
          token: null,
          ...ask,
        });
        story.push(bare(answer));
      }
      return story;
    };
    wait(hourMs);
    expect(await told(phone, '203.0.113.31')).toEqual(await told('13700000000', '203.0.113.32'));
  });

  test('whether a phone is registered shows with the right code', async () => {
    await askForCode();
    await register();
    wait(hourMs);
    await askForCode();
    const answer = await register();
    expect([answer.status, answer.envelope.message.error]).toEqual([409, 'register.phone_taken']);
  });

  test('a phone that is another user’s name counts as registered', async () => {
    await api.addUser({ name: phone, permissions: [] });
    await askForCode();
    expect(await errorOf(register())).toBe('register.phone_taken');
    const customers = await api.database.db.selectFrom('customers').select('id').execute();
    expect(customers).toEqual([]);
  });
});
