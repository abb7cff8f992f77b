import { randomUUID } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type { SignInEntry } from '@voltdeck/contract/audit';
import { routes } from '@voltdeck/contract/routes';
import { hourMs, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionIdleMs, sessionKeptMs } from '../caller/sessions.ts';
import { readPictureHeader } from '../files/picture-header.ts';
import { type Ask, adminPassword, openTestApi, type TestApi, userPassword } from '../http/test-api.ts';
import { captchaValidMs, hashAnswer } from './captcha.ts';
import { captchaHeight, captchaWidth } from './draw-captcha.ts';
import { captchaAskedMs, failuresBeforeCaptcha, failuresPerNetworkMax } from './login-lock.ts';
import { hashPassword } from './password.ts';
import { callsPerMinuteMax, passwordChangesPerMinuteMax } from './sign-in-routes.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = instant(Date.parse('2026-11-21T04:00:00Z'));
});
afterEach(() => api.close());

const wait = (ms: number) => {
  api.clock.now = instant((api.clock.now ?? 0) + ms);
};

/** A picture whose characters the test knows. */
async function picture(captcha = 'K7GM'): Promise<{ captchaId: string; captcha: string }> {
  const id = randomUUID();
  const expires_at = instant((api.clock.now ?? 0) + captchaValidMs);
  await api.database.db
    .insertInto('captchas')
    .values({ id, answer_hash: hashAnswer(id, captcha), expires_at })
    .execute();
  return { captchaId: id, captcha };
}

async function logInWithCaptcha(userName: string, password: string, ask: Ask = {}) {
  const form = { userName, password, platForm: '4', ...(await picture()) };
  return api.ask<{ token: string }>('POST', '/login', { ...ask, token: null, form });
}

describe('signing in', () => {
  test('signing in by a form with user name, password and platform 4 gives token and user (section 7)', async () => {
    const answer = await api.logIn('  admin ', adminPassword);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ userName: 'admin', userInfo: { id: 1, admin: true } });
    expect(answer.data.token).toMatch(/^[\w-]{43}$/);
    const me = await api.get('/user/info', { token: answer.data.token });
    expect(me.data).toMatchObject({ userName: 'admin', admin: true, dataScope: 'platform', avatar: null });
  });

  test('the phone opens the same account, and names ignore case', async () => {
    await api.database.db.updateTable('users').set({ phone: '13800000000' }).where('user_name', '=', 'admin').execute();
    expect((await api.logIn('13800000000', adminPassword)).data).toMatchObject({ userName: 'admin' });
    expect((await api.logIn('ADMIN', adminPassword)).status).toBe(200);
  });

  test('a script may send JSON', async () => {
    const body = { userName: 'admin', password: adminPassword, platForm: 4 };
    expect((await api.post('/login', body, { token: null })).status).toBe(200);
  });

  test('a wrong password and an unknown name get the same answer', async () => {
    const wrong = await api.logIn('admin', 'nonsense', { language: 'en' });
    const unknown = await api.logIn('nobody', 'nonsense', { language: 'en' });
    expect(wrong.status).toBe(401);
    expect(wrong.envelope.message).toMatchObject({ code: 401, message: 'Wrong user name or password' });
    expect({ ...unknown.envelope.message, requestId: '' }).toEqual({ ...wrong.envelope.message, requestId: '' });
  });

  test('another platform and missing fields are named faults', async () => {
    const form = { userName: ' ', password: '', platForm: '3' };
    const answer = await api.ask('POST', '/login', { token: null, form });
    expect(answer.envelope.message.fields?.map(({ path, code }) => [path, code])).toEqual([
      ['userName', 'required'],
      ['password', 'required'],
    ]);
    const other = await api.ask('POST', '/login', {
      token: null,
      form: { userName: 'admin', password: adminPassword, platForm: '3' },
    });
    expect(other.envelope.message.fields).toMatchObject([{ path: 'platForm', code: 'not_choice' }]);
  });

  test('a disabled account is reported only with the right password', async () => {
    await api.addUser({ name: 'gone', permissions: [] });
    await api.database.db.updateTable('users').set({ enabled: false }).where('user_name', '=', 'gone').execute();
    expect((await api.logIn('gone', userPassword)).envelope.message.error).toBe('login.disabled');
    expect((await api.logIn('gone', 'wrong')).envelope.message.error).toBe('login.failed');
  });

  test('the password is stored only as argon2id', async () => {
    const rows = await api.database.db.selectFrom('users').select('password_hash').execute();
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$/);
  });
});

const from = (address: string): Ask => ({ headers: { 'x-forwarded-for': address } });
/** 203.0.113.9 as IPv4, and in both IPv6 spellings. */
const mappedAddresses = ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109'];

describe('guessing', () => {
  const fail = (userName = 'admin', ask: Ask = {}) => logInWithCaptcha(userName, 'guess', { language: 'en', ...ask });

  test('five failures lock the name for 30 s, and each further one for twice as long, up to 15 minutes', async () => {
    for (let failures = 0; failures < 5; failures += 1) expect((await fail()).status).toBe(401);
    const locked = await fail();
    expect(locked.status).toBe(429);
    expect(locked.headers['retry-after']).toBe('30');
    expect(locked.envelope.message.message).toBe('Too many failed attempts. Try again in 30 s');
    expect((await logInWithCaptcha('admin', adminPassword)).status).toBe(429);
    const waits: unknown[] = [];
    for (let locks = 0; locks < 7; locks += 1) {
      const { headers } = await fail();
      waits.push(Number(headers['retry-after']));
      wait(Number(headers['retry-after']) * secondMs);
      expect((await fail()).status).toBe(401);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('a success clears the name, and an hour without a failure clears it too', async () => {
    for (let failures = 0; failures < 4; failures += 1) await fail();
    expect((await logInWithCaptcha('admin', adminPassword)).status).toBe(200);
    for (let failures = 0; failures < 4; failures += 1) expect((await fail()).status).toBe(401);
    wait(hourMs + minuteMs);
    for (let failures = 0; failures < 4; failures += 1) expect((await fail()).status).toBe(401);
    expect((await logInWithCaptcha('admin', adminPassword)).status).toBe(200);
  });

  test('an address that tries many names is locked out whichever it tries next', async () => {
    for (let index = 0; index < failuresPerNetworkMax; index += 1) {
      expect((await fail(`name-${index}`)).status).toBe(401);
    }
    expect((await logInWithCaptcha('admin', adminPassword)).status).toBe(429);
    const elsewhere = await api.logIn('admin', adminPassword, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(elsewhere.status).toBe(200);
  });

  test.each([
    ['the addresses of one /64', (index: number) => `2001:db8:5:7::${index.toString(16)}:1`, '2001:db8:5:8::1'],
    ['ways to write one address', (index: number) => mappedAddresses[index % 3] ?? '', '203.0.113.10'],
  ])('guesses count %s as one network', async (_, address, elsewhere) => {
    for (let index = 0; index < failuresPerNetworkMax; index += 1) {
      expect((await fail(`name-${index}`, from(address(index)))).status).toBe(401);
    }
    expect((await logInWithCaptcha('admin', adminPassword, from(address(failuresPerNetworkMax)))).status).toBe(429);
    expect((await api.logIn('admin', adminPassword, from(elsewhere))).status).toBe(200);
  });

  test('strangers who guess a password lock out their own networks, never its owner', async () => {
    const owner = from('198.51.100.7');
    expect((await api.logIn('admin', adminPassword, owner)).status).toBe(200);
    for (let network = 1; network <= 4; network += 1) {
      for (let failures = 0; failures < 5; failures += 1) await fail('admin', from(`203.0.113.${network}`));
      expect((await fail('admin', from(`203.0.113.${network}`))).status).toBe(429);
    }
    expect((await api.logIn('admin', adminPassword, owner)).status).toBe(200);
    expect((await logInWithCaptcha('admin', adminPassword, from('203.0.113.99'))).status).toBe(200);
  });

  test('a name that contains another name and a network is counted separately', async () => {
    for (const name of ['203.0.113.50 admin', 'admin@203.0.113.50', 'anywhere:admin']) {
      for (let failures = 0; failures < 4; failures += 1) await fail(name, from('203.0.113.51'));
    }
    expect((await api.logIn('admin', adminPassword, from('203.0.113.50'))).status).toBe(200);
  });

  test('simultaneous guesses are counted one by one: no more than five are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.logIn('admin', 'guess')));
    const looked = answers.filter(({ envelope }) => envelope.message.error === 'login.failed').length;
    expect(looked).toBeGreaterThanOrEqual(3);
    expect(looked).toBeLessThanOrEqual(5);
    expect((await logInWithCaptcha('admin', adminPassword)).status).toBe(looked === 5 ? 429 : 200);
  });

  test('successful sign-ins of an office never count against its address', async () => {
    for (let index = 0; index < failuresPerNetworkMax + 5; index += 1) {
      expect((await api.logIn('admin', adminPassword)).status).toBe(200);
    }
    const rows = await api.database.db.selectFrom('login_failures').select('failures').execute();
    expect(rows.every(({ failures }) => failures === 0)).toBe(true);
  });

  test('a flood of sign-in attempts is refused before any password is checked', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.8' };
    const answers = await Promise.all(Array.from({ length: 70 }, () => api.logIn('', '', { headers, language: 'en' })));
    const refused = answers.filter(({ envelope }) => envelope.message.error === 'request.too_many');
    expect(refused).toHaveLength(10);
    expect(refused[0]?.headers['retry-after']).toBe('60');
    expect(refused[0]?.envelope.message.message).toBe('Too many requests. Try again in 60 s');
  });
});

describe('a captcha', () => {
  const error = async (form: Record<string, string>) =>
    (await api.ask('POST', '/login', { token: null, form: { userName: 'admin', platForm: '4', ...form } })).envelope
      .message.error;
  const failThrice = async (userName = 'admin') => {
    for (let failures = 0; failures < 3; failures += 1) await api.logIn(userName, 'guess');
  };

  test('a captcha is required after the third failure of a name, whether it exists or not', async () => {
    await failThrice();
    await failThrice('nobody');
    expect(await error({ password: adminPassword })).toBe('login.captcha_needed');
    expect(await error({ userName: 'nobody', password: 'guess' })).toBe('login.captcha_needed');
    expect(await error({ password: adminPassword, ...(await picture()) })).toBeUndefined();
  });

  test('a captcha is required after the tenth failure of an address, whatever the name', async () => {
    for (let index = 0; index < 9; index += 1) await api.logIn(`name-${index}`, 'guess');
    expect(await error({ userName: 'name-9', password: 'guess' })).toBe('login.failed');
    expect(await error({ password: adminPassword })).toBe('login.captcha_needed');
  });

  test('a captcha is required everywhere after the tenth failure of a name from many networks, except where its owner is known', async () => {
    await api.addUser({ name: 'li', permissions: [] });
    const atHome = from('198.51.100.7');
    expect((await api.logIn('li', userPassword, atHome)).status).toBe(200);
    const { userAnywhere } = failuresBeforeCaptcha;
    for (let index = 0; index < userAnywhere; index += 1) {
      expect((await api.logIn('li', 'guess', from(`203.0.113.${index}`))).envelope.message.error).toBe('login.failed');
      expect((await api.logIn('nobody', 'guess', from(`203.0.112.${index}`))).status).toBe(401);
    }
    const errorFrom = async (name: string, address: string) =>
      (await api.logIn(name, userPassword, from(address))).envelope.message.error;
    expect(await errorFrom('li', '203.0.113.98')).toBe('login.captcha_needed');
    expect(await errorFrom('nobody', '203.0.112.98')).toBe('login.captcha_needed');
    wait(captchaAskedMs);
    expect(await errorFrom('li', '203.0.113.98')).toBe('login.captcha_needed');
    expect((await logInWithCaptcha('li', userPassword, from('203.0.113.98'))).status).toBe(200);
    expect((await api.logIn('li', userPassword, atHome)).status).toBe(200);
    expect(await errorFrom('li', '203.0.113.97')).toBe('login.captcha_needed');
    wait(hourMs + minuteMs);
    expect(await errorFrom('li', '203.0.113.97')).toBeUndefined();
  });

  test('a captcha is accepted once, in either case, and wrong ones count as no failure', async () => {
    await failThrice();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await error({ password: adminPassword, ...(await picture()), captcha: 'ZZZZ' })).toBe('captcha.wrong');
    }
    const shown = await picture();
    expect(await error({ password: 'guess', ...shown, captcha: ' k7gm ' })).toBe('login.failed');
    expect(await error({ password: adminPassword, ...shown })).toBe('captcha.wrong');
    expect(await error({ password: adminPassword, ...(await picture()) })).toBeUndefined();
  });

  test('a captcha is valid for three minutes', async () => {
    await failThrice();
    const shown = await picture();
    wait(captchaValidMs);
    expect(await error({ password: adminPassword, ...shown })).toBe('captcha.wrong');
  });

  test('a captcha can be avoided by waiting five minutes after the last failure', async () => {
    await failThrice();
    wait(captchaAskedMs - secondMs);
    expect(await error({ password: adminPassword })).toBe('login.captcha_needed');
    wait(secondMs);
    expect(await error({ password: 'guess' })).toBe('login.failed');
    expect(await error({ password: adminPassword })).toBe('login.captcha_needed');
    wait(captchaAskedMs);
    expect(await error({ password: adminPassword })).toBeUndefined();
  });

  test('a captcha is a bitmap without its text, and the database has only a hash', async () => {
    const { data, text } = await api.get<{ id: string; image: string }>('/captcha', { token: null });
    const png = Buffer.from(data.image.replace('data:image/png;base64,', ''), 'base64');
    expect(readPictureHeader(png)).toEqual({ type: 'image/png', widthPx: captchaWidth, heightPx: captchaHeight });
    expect(png.toString('latin1')).not.toMatch(/tEXt|iTXt|zTXt|<svg/);
    expect(data.image).toMatch(/^data:image\/png;base64,[\w+/]+=*$/);
    // Base64 spells any short word sooner or later.
    expect(text.replace(data.image, '')).not.toMatch(/<|svg/);
    const rows = await api.database.db.selectFrom('captchas').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.answer_hash).toHaveLength(32);
  });

  test('unanswered captchas are swept away, and one address gets a limited number a minute', async () => {
    for (let index = 0; index < callsPerMinuteMax.captcha; index += 1) await api.get('/captcha', { token: null });
    const refused = await api.get('/captcha', { token: null });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    wait(captchaValidMs + minuteMs);
    await api.get('/captcha', { token: null });
    expect(await api.database.db.selectFrom('captchas').select('id').execute()).toHaveLength(1);
  });
});

describe('names', () => {
  test('existing, disabled and unknown names answer byte for byte the same', async () => {
    await api.addUser({ name: 'gone', permissions: [] });
    await api.database.db.updateTable('users').set({ enabled: false }).where('user_name', '=', 'gone').execute();
    const story = async (userName: string, address: string) => {
      const told: unknown[] = [];
      for (let tries = 0; tries < 7; tries += 1) {
        const given = tries < 3 ? {} : await picture();
        const form = { userName, password: 'guess', platForm: '4', ...given };
        const answer = await api.ask('POST', '/login', { token: null, form, headers: { 'x-forwarded-for': address } });
        const { 'x-request-id': _, date: __, ...headers } = answer.headers;
        told.push([answer.status, headers, { ...answer.envelope.message, requestId: '' }, answer.data]);
      }
      return told;
    };
    const unknown = await story('nobody', '203.0.113.21');
    expect(await story('admin', '203.0.113.22')).toEqual(unknown);
    expect(await story('gone', '203.0.113.23')).toEqual(unknown);
  });

  test('every sign-in costs one hash of the same cost, also for unknown names', async () => {
    const hashes = vi.mocked(verify).mock.calls;
    const costs = () => hashes.map(([stored]) => String(stored).split('$').slice(1, 4).join(' '));
    hashes.length = 0;
    const guess = (userName: string, index: number) =>
      api.logIn(userName, 'guess', { headers: { 'x-forwarded-for': `203.0.113.${index}` } });
    await guess('admin', 1);
    const [known] = costs();
    expect(known).toMatch(/^argon2id v=19 m=\d+,t=\d+,p=\d+$/);
    for (let index = 2; index < 9; index += 1) await guess(`nobody-${index}`, index);
    expect(costs()).toEqual(Array.from({ length: 8 }, () => known));
  });
});

describe('the record of sign-ins', () => {
  test('the record of sign-ins has every attempt with its result, name, address and browser', async () => {
    await api.addUser({ name: 'gone', permissions: [] });
    await api.database.db.updateTable('users').set({ enabled: false }).where('user_name', '=', 'gone').execute();
    await api.database.db.deleteFrom('sign_ins').execute();
    const ask = { headers: { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Mozilla/5.0 (X11) Firefox/145.0' } };
    await api.logIn('gone', userPassword, ask);
    for (let tries = 0; tries < 4; tries += 1) await api.logIn('Nobody', 'guess', ask);
    for (let tries = 0; tries < 5; tries += 1) await logInWithCaptcha('admin', 'guess', ask);
    await logInWithCaptcha('admin', 'guess', ask);
    await api.logIn('gone', userPassword);
    const rows = await api.database.db.selectFrom('sign_ins').selectAll().orderBy('id').execute();
    expect(rows.map(({ name, result, user_id }) => [name, result, user_id !== null])).toEqual([
      ['gone', 'disabled', true],
      ...Array.from({ length: 3 }, () => ['Nobody', 'unknown_name', false]),
      ['Nobody', 'wrong_captcha', false],
      ...Array.from({ length: 5 }, () => ['admin', 'wrong_password', true]),
      ['admin', 'locked', true],
      ['gone', 'disabled', true],
    ]);
    expect(rows[0]).toMatchObject({ remote_address: '203.0.113.9', user_agent: 'Mozilla/5.0 (X11) Firefox/145.0' });
  });

  type Entry = SignInEntry;
  const list = (query: string, ask: Ask = {}) => api.get<{ items: Entry[]; total: number }>(`/sign-ins?${query}`, ask);

  test('the record of sign-ins shows the state of each session', async () => {
    const signIn = async () => (await api.logIn('admin', adminPassword)).data.token;
    const left = await signIn();
    await api.post('/logout', undefined, { token: left });
    const [open, ended] = [await signIn(), await signIn()];
    const running = await list('open=true', { token: open });
    const shown = running.data.items.find(({ isThis }) => isThis);
    expect(shown).toMatchObject({ userName: 'admin', result: 'signed_in', sessionState: 'open' });
    const at = toIso(api.clock.now ?? instant(0));
    const newest = running.data.items.find((item) => item.at === at && !item.isThis);
    expect(newest).toMatchObject({ isThis: false, sessionState: 'open' });
    expect((await api.ask('DELETE', `/sessions/${newest?.sessionId}`, { token: open })).status).toBe(200);
    expect((await api.get('/user/info', { token: ended })).envelope.message).toMatchObject({ status: 50012 });
    const states = async () =>
      (await list('result=signed_in', { token: open })).data.items.map(({ sessionState }) => sessionState);
    expect(await states()).toEqual(['open', 'ended_by_admin', 'open', 'logout']);
    const audits = await api.database.db.selectFrom('audit_entries').select(['action', 'record_id']).execute();
    expect(audits).toContainEqual({ action: 'session.end', record_id: String(newest?.sessionId) });
  });

  test('the record of sign-ins is filtered by name, result, address and time', async () => {
    await api.logIn('Percy%', 'guess', { headers: { 'x-forwarded-for': '203.0.113.44' } });
    wait(hourMs);
    await api.logIn('percival', 'guess');
    const names = async (query: string) => (await list(query)).data.items.map(({ name }) => name);
    expect(await names('name=percy%25')).toEqual(['Percy%']);
    expect(await names('name=perc&sort=at')).toEqual(['Percy%', 'percival']);
    expect(await names('result=unknown_name&remoteAddress=113.44')).toEqual(['Percy%']);
    expect(await names('name=perc&from=2026-11-21T04:30:00Z')).toEqual(['percival']);
    expect(await names('name=perc&to=2026-11-21T04:30:00Z')).toEqual(['Percy%']);
    expect(await names('name=perc&open=true')).toEqual([]);
    expect(await names('name=perc&open=false')).toHaveLength(2);
  });

  test('the record of sign-ins shows an agent only its own people, and only their sessions can be ended', async () => {
    const agentId = await api.addAgent('North');
    const everything = ['sign_in.read', 'session.end'] as const;
    const boss = await api.addUser({ name: 'boss', permissions: everything, scope: 'agent', agentId });
    await api.addUser({ name: 'clerk', permissions: [], scope: 'agent', agentId });
    const seen = (await list('sort=at', { token: boss.token })).data.items;
    expect(seen.map(({ name }) => name)).toEqual(['boss', 'clerk']);
    const all = (await list('')).data.items;
    const admins = all.find(({ name }) => name === 'admin');
    const end = (id: unknown, token: string) => api.ask('DELETE', `/sessions/${id}`, { token });
    expect((await end(admins?.sessionId, boss.token)).status).toBe(404);
    expect((await end(seen[1]?.sessionId, boss.token)).status).toBe(200);
    const staff = await api.addUser({ name: 'staff', permissions: everything });
    expect((await end(admins?.sessionId, staff.token)).envelope.message.error).toBe('position.beyond_own');
    expect((await api.get('/user/info')).status).toBe(200);
  });
});

describe('a session', () => {
  const seen = async (token: string) => (await api.get('/user/info', { token })).envelope.message;

  test('a session slides while it is used and ends after twelve idle hours', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    for (let hours = 0; hours < 30; hours += 10) {
      wait(10 * hourMs);
      expect((await seen(token)).status).toBe(200);
    }
    wait(sessionIdleMs + secondMs);
    expect(await seen(token)).toMatchObject({ status: 50014, code: 401, error: 'session.expired' });
  });

  test('signing out ends the current session at once and no other', async () => {
    const first = (await api.logIn('admin', adminPassword)).data.token;
    const second = (await api.logIn('admin', adminPassword)).data.token;
    await seen(first);
    expect((await api.post('/logout', undefined, { token: first })).status).toBe(200);
    expect(await seen(first)).toMatchObject({ status: 50008, error: 'session.missing' });
    expect((await seen(second)).status).toBe(200);
  });

  test('a new password ends every session of the user and replaces the old one', async () => {
    const first = (await api.logIn('admin', adminPassword)).data.token;
    const second = (await api.logIn('admin', adminPassword)).data.token;
    await Promise.all([seen(first), seen(second)]);
    const body = { password: adminPassword, newPassword: 'another one', token: first };
    expect((await api.post('/changePwd', body, { token: first })).status).toBe(200);
    expect(await seen(first)).toMatchObject({ status: 50012, error: 'session.replaced' });
    expect(await seen(second)).toMatchObject({ status: 50012 });
    expect((await api.logIn('admin', adminPassword)).status).toBe(401);
    expect((await api.logIn('admin', 'another one')).status).toBe(200);
  });

  test('a password that changes while it is being checked opens no session', async () => {
    const { id, token } = await api.addUser({ name: 'changing', permissions: [] });
    const { db } = api.database;
    const begun = await db.transaction().execute(async (trx) => {
      const password_hash = await hashPassword('gravel and thunder');
      await trx.updateTable('users').set({ password_hash }).where('id', '=', id).execute();
      const signingIn = api.logIn('changing', userPassword);
      // The password has been checked, and the sign-in waits for the row that is being changed.
      await vi.waitFor(async () => {
        const { rows } = await api.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      }, 30_000);
      await trx.updateTable('sessions').set({ ended_at: api.clock.now }).where('user_id', '=', id).execute();
      return { signingIn };
    });
    const refused = await begun.signingIn;
    expect(refused.envelope.message.error).toBe('login.failed');
    const open = await db.selectFrom('sessions').select('id').where('user_id', '=', id).where('ended_at', 'is', null);
    expect(await open.execute()).toEqual([]);
    wait(sessionKeptMs);
    expect((await api.get('/user/info', { token })).status).toBe(401);
    expect((await api.logIn('changing', 'gravel and thunder')).status).toBe(200);
  });

  test('a wrong original password changes nothing, and data gives the reason (section 7)', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    const body = { password: 'wrong', newPassword: 'another one' };
    const refused = await api.post('/changePwd', body, { token, language: 'en' });
    expect(refused.status).toBe(422);
    expect(refused.data).toBe('The original password is wrong');
    const short = await api.post('/changePwd', { password: adminPassword, newPassword: '12345' }, { token });
    expect(short.envelope.message.fields).toMatchObject([{ path: 'newPassword', code: 'password_short' }]);
    expect((await seen(token)).status).toBe(200);
  });

  test('a disabled user is signed out within seconds, whichever node disabled them', async () => {
    const { token } = await api.addUser({ name: 'leaver', permissions: ['site.read'] });
    expect((await seen(token)).status).toBe(200);
    await api.database.db.updateTable('users').set({ enabled: false }).where('user_name', '=', 'leaver').execute();
    wait(6 * secondMs);
    expect(await seen(token)).toMatchObject({ status: 50012 });
  });

  test('the database holds no token', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    const rows = await api.database.db.selectFrom('sessions').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.token_hash.toString('latin1')).join()).not.toContain(token);
  });

  test('a session ends thirty days after it began, however much it is used', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    for (let hours = 0; hours < 30 * 24 - 8; hours += 8) {
      wait(8 * hourMs);
      expect((await seen(token)).status).toBe(200);
    }
    wait(8 * hourMs);
    expect(await seen(token)).toMatchObject({ status: 50014, error: 'session.expired' });
  });

  test('a new password must differ and must not be among the first guesses', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    const change = async (newPassword: string) =>
      (await api.post('/changePwd', { password: adminPassword, newPassword }, { token })).envelope.message.error;
    expect(await change(adminPassword)).toBe('password.same');
    expect(await change('admin123')).toBe('password.too_common');
    expect(await change('888888')).toBe('password.too_common');
    expect((await seen(token)).status).toBe(200);
  });

  test('an open console cannot be used to guess the password', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    const body = { password: 'wrong', newPassword: 'another one' };
    const answers: number[] = [];
    for (let tries = 0; tries <= passwordChangesPerMinuteMax; tries += 1) {
      answers.push((await api.post('/changePwd', body, { token })).status);
    }
    expect(answers).toEqual([...Array.from({ length: passwordChangesPerMinuteMax }, () => 422), 429]);
  });

  test('a session with an initial password answers only its change, what that needs, and signing out', async () => {
    const { id } = await api.addUser({ name: 'fresh', permissions: ['site.read', 'user.read'] });
    await api.database.db.updateTable('users').set({ password_is_initial: true }).where('id', '=', id).execute();
    const { token } = (await api.logIn('fresh', userPassword)).data;
    const refused: string[] = [];
    for (const [name, route] of routes) {
      if (route.permission === 'public' || route.method !== 'GET') continue;
      const answer = await api.get(route.path.replace(/\{\w+\}/g, '1'), { token });
      if (answer.envelope.message.error === 'password.must_change') refused.push(name);
    }
    const reading = [...routes].filter(([, { method, permission }]) => method === 'GET' && permission !== 'public');
    const open = reading.filter(([name]) => !refused.includes(name)).map(([name]) => name);
    expect(open.filter((name) => name !== 'getDataScopeList')).toEqual(['getUserInfo', 'getUserMenu']);
    expect((await api.get('/user/info', { token })).data).toMatchObject({ mustChangePassword: true });
    expect(
      (await api.post('/changePwd', { password: userPassword, newPassword: 'my own words' }, { token })).status,
    ).toBe(200);
    const again = (await api.logIn('fresh', 'my own words')).data.token;
    expect((await api.get('/sites', { token: again })).status).toBe(200);
    expect((await api.get('/user/info', { token: again })).data).toMatchObject({ mustChangePassword: false });
  });
});
