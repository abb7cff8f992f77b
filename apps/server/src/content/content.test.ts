import type { Advert } from '@voltdeck/contract/adverts';
import type { Article } from '@voltdeck/contract/articles';
import type { Feedback } from '@voltdeck/contract/feedbacks';
import type { ListAnswer } from '@voltdeck/contract/fields';
import type { StoredFile } from '@voltdeck/contract/files';
import type { Permission } from '@voltdeck/contract/permissions';
import type { FileId } from '@voltdeck/units/id';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { checkArticle } from './articles/check-article.ts';
import { drawJpeg, drawPng, uploadFile } from './files/test-upload.ts';

let api: TestApi;
let png: Buffer;
/** An agent's station, customer and card, and a user of the agent who handles feedback. */
let place: Place;
let handler: string;
const mayHandle: readonly Permission[] = ['feedback.read', 'feedback.create', 'feedback.handle'];

beforeAll(async () => {
  api = await openTestApi();
  png = await drawPng(40, 30);
  const agentId = await api.addAgent('Lakeside Charging');
  place = await makePlace(api.database, agentId, 'lakeside');
  handler = (await api.addUser({ name: 'handler', permissions: mayHandle, scope: 'agent', agentId })).token;
});
afterAll(() => api.close());
beforeEach(() => {
  // Every test has its own minute of the upload limit.
  api.clock.now = instant((api.clock.now ?? Date.now()) + minuteMs);
});

const report = (form: object, token?: string) =>
  api.post<Feedback>(
    '/feedbacks',
    { kind: 'cannot_start', description: 'It does not start', ...form },
    token === undefined ? {} : { token },
  );
const faultsOf = (answer: { envelope: { message: { fields?: readonly { path: string; code: string }[] } } }) =>
  answer.envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
const errorOf = (answer: { envelope: { message: { error?: string } } }) => answer.envelope.message.error;
const auditOf = async (recordKind: string, recordId: number) =>
  (
    await api.database.db
      .selectFrom('audit_entries')
      .select('action')
      .where('record_kind', '=', recordKind)
      .where('record_id', '=', String(recordId))
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('feedback', () => {
  test('feedback goes to the agent of the station it names', async () => {
    const { data } = await report({ stationNumber: place.stationNumber, phone: '13700000000' });
    expect(data).toMatchObject({
      state: 'waiting',
      agentId: place.agentId,
      agentName: 'Lakeside Charging',
      stationId: place.stationId,
      stationNumber: place.stationNumber,
      customerId: null,
      phone: '13700000000',
    });
    expect((await api.get(`/feedbacks/${data.id}`, { token: handler })).status).toBe(200);
    expect(await auditOf('feedback', data.id)).toEqual(['feedback.create']);
  });

  test('feedback without a known station goes to the agent whose card the customer holds, otherwise to the platform', async () => {
    const byCustomer = await report({ stationNumber: 'on the sticker: 42', phone: place.phone });
    expect(byCustomer.data).toMatchObject({
      agentId: place.agentId,
      customerId: place.customerId,
      nickname: 'Customer lakeside',
      stationId: null,
      stationNumber: 'on the sticker: 42',
    });
    const byNobody = await report({});
    expect(byNobody.data).toMatchObject({ agentId: null, customerId: null, stationId: null });
    expect((await api.get(`/feedbacks/${byNobody.data.id}`, { token: handler })).status).toBe(404);
  });

  test('an agent’s hotline learns nothing about stations and customers of others', async () => {
    const other = await makePlace(api.database, null, 'elsewhere');
    const { data } = await report({ stationNumber: other.stationNumber, phone: other.phone }, handler);
    expect(data).toMatchObject({ agentId: place.agentId, stationId: null, customerId: null, nickname: null });
  });

  test('pictures of a feedback are visible to those who see the feedback, and not by their address alone', async () => {
    const photo = await uploadFile(api, 'feedback', await drawJpeg(40, 30), 'broken.jpg', { token: handler });
    const { data } = await report({ pictureKeys: [photo.data.key], stationNumber: place.stationNumber }, handler);
    const url = `/files/${photo.data.id}/content`;
    expect(data.pictureUrls).toEqual([`/api${url}`]);
    expect((await api.get(url, { token: handler })).headers['content-type']).toBe('image/jpeg');
    expect((await api.get(url)).status).toBe(200);
    const public_ = await api.app.inject({ url: `/files/${photo.data.key}/broken.jpg` });
    expect(public_.statusCode).toBe(404);
    const agentId = await api.addAgent('Another agent');
    const stranger = await api.addUser({ name: 'stranger', permissions: mayHandle, scope: 'agent', agentId });
    expect((await api.get(url, { token: stranger.token })).status).toBe(404);
    // Not even with the files' own permission: the file belongs to the other agent.
    const reader = await api.addUser({ name: 'reader', permissions: ['file.read'], scope: 'agent', agentId });
    expect((await api.get(url, { token: reader.token })).status).toBe(404);
    // Conversely, the platform's picture of the agent's feedback is visible to its handler, without access to all
    // files.
    const platforms = await uploadFile(api, 'feedback', png);
    await report({ pictureKeys: [platforms.data.key], stationNumber: place.stationNumber });
    const given = { permissions: ['file.read'], scope: 'agent', agentId: place.agentId ?? agentId } as const;
    const filer = await api.addUser({ name: 'filer', ...given });
    const platformsUrl = `/files/${platforms.data.id}/content`;
    expect((await api.get(platformsUrl, { token: handler })).status).toBe(200);
    expect((await api.get(platformsUrl, { token: filer.token })).status).toBe(404);
    const document = await uploadFile(api, 'document', 'contract', 'contract.txt');
    expect((await api.get(`/files/${document.data.id}/content`, { token: handler })).status).toBe(404);
    expect(faultsOf(await report({ pictureKeys: [photo.data.key, document.data.key, 'x'] }))).toEqual([
      'pictureKeys.1 unknown_reference',
      'pictureKeys.2 unknown_reference',
    ]);
  });

  test('many feedbacks are handled together or not at all, and a conflict says so', async () => {
    const [first, second, third] = await Promise.all([report({}), report({}), report({})]);
    const ids = [first.data.id, second.data.id];
    const handled = await api.post<{ handled: number }>('/feedbacks/handlings', {
      ids: [...ids, first.data.id],
      outcome: 'handled',
      annotation: 'Contactor replaced',
      reply: 'Thank you, it works again',
    });
    expect(handled.data).toEqual({ handled: 2 });
    const after = await api.get<Feedback>(`/feedbacks/${first.data.id}`);
    expect(after.data).toMatchObject({
      state: 'handled',
      annotation: 'Contactor replaced',
      reply: 'Thank you, it works again',
      handledAt: expect.any(String),
    });
    expect(after.data.handledByName).not.toBeNull();
    const again = { ids: [third.data.id, second.data.id], outcome: 'ignored', annotation: 'x' };
    const english = await api.post('/feedbacks/handlings', again, { language: 'en' });
    expect(english.status).toBe(409);
    expect(english.envelope.message.message).toBe(
      'The issue you selected has been processed. Please choose another issue!',
    );
    const chinese = await api.post('/feedbacks/handlings', again, { language: 'zh-CN' });
    expect(chinese.envelope.message.message).toBe('您选择的问题已处理，请选择其他问题！');
    expect((await api.get<Feedback>(`/feedbacks/${third.data.id}`)).data.state).toBe('waiting');
    expect(await auditOf('feedback', second.data.id)).toEqual(['feedback.create', 'feedback.handle']);
  });

  test('when two users handle the same feedback at once, one succeeds and the other is refused', async () => {
    const made = await Promise.all([report({}), report({}), report({})]);
    const ids = made.map(({ data }) => data.id);
    const form = { outcome: 'handled', annotation: 'done' };
    const answers = await Promise.all(
      [ids, [...ids].reverse(), ids, [...ids].reverse()].map((order) =>
        api.post('/feedbacks/handlings', { ...form, ids: order }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('an agent cannot handle another’s feedback, not even together with its own', async () => {
    const [mine, theirs] = [await report({ stationNumber: place.stationNumber }), await report({})];
    const form = { ids: [mine.data.id, theirs.data.id], outcome: 'handled', annotation: 'x' };
    expect((await api.post('/feedbacks/handlings', form, { token: handler })).status).toBe(404);
    expect((await api.get<Feedback>(`/feedbacks/${mine.data.id}`)).data.state).toBe('waiting');
  });

  test('feedback is found by kind, state, phone, station, agent and time', async () => {
    const { data } = await report({ kind: 'billing', phone: '13612345678', stationNumber: place.stationNumber });
    const found = async (query: string) =>
      (await api.get<ListAnswer<Feedback>>(`/feedbacks?${query}`)).data.items.map(({ id }) => id);
    for (const query of ['kind=billing', 'phone=1234567', `kind=billing&agentId=${place.agentId}&state=waiting`]) {
      expect(await found(query)).toEqual([data.id]);
    }
    expect(await found(`stationNumber=${place.stationNumber.toLowerCase()}&sort=-createdAt`)).toContain(data.id);
    expect(await found('kind=billing&state=handled,ignored')).toEqual([]);
    expect(await found(`kind=billing&from=${data.createdAt}`)).toEqual([data.id]);
    expect(await found(`kind=billing&to=${toIso(instant(Date.parse(data.createdAt) - 1))}`)).toEqual([]);
  });
});

describe('adverts', () => {
  const picture = async (purpose: 'advert' | 'editor' = 'advert') => (await uploadFile(api, purpose, png)).data;

  test('adverts are added, changed, hidden and deleted, and each change is audited', async () => {
    const { id: pictureFileId, url } = await picture();
    const form = { title: 'Half price at night', pictureFileId, page: 'home', link: 'https://example.com/night' };
    const { data } = await api.post<Advert>('/adverts', form);
    expect(data).toMatchObject({ ...form, pictureUrl: url, sort: 0, enabled: true });
    const changed = await api.ask<Advert>('PUT', `/adverts/${data.id}`, { body: { ...form, page: 'splash', sort: 7 } });
    expect(changed.data).toMatchObject({ page: 'splash', sort: 7 });
    const hidden = await api.ask<Advert>('PUT', `/adverts/${data.id}/enabled`, { body: { enabled: false } });
    expect(hidden.data).toMatchObject({ enabled: false, sort: 7 });
    const listed = await api.get<ListAnswer<Advert>>('/adverts?displayPage=splash&enabled=false&title=half');
    expect(listed.data.items).toEqual([hidden.data]);
    expect((await api.get<ListAnswer<Advert>>('/adverts?enabled=true')).data.total).toBe(0);
    expect((await api.ask('DELETE', `/adverts/${data.id}`)).status).toBe(200);
    expect((await api.get<ListAnswer<Advert>>('/adverts')).data.total).toBe(0);
    expect(await auditOf('advert', data.id)).toEqual([
      'advert.create',
      'advert.change',
      'advert.change',
      'advert.delete',
    ]);
  });

  test('adverts accept only pictures uploaded for them, and only valid links', async () => {
    const editors = await picture('editor');
    for (const pictureFileId of [editors.id, 999_999]) {
      const refused = await api.post('/adverts', { title: 'x', pictureFileId, page: 'home' });
      expect(faultsOf(refused)).toEqual(['pictureFileId unknown_reference']);
    }
    const { id: pictureFileId } = await picture();
    const refused = await api.post('/adverts', {
      title: 'x',
      pictureFileId,
      page: 'home',
      link: 'javascript:alert(1)',
    });
    expect(refused.status).toBe(422);
  });

  test('adverts belong to the platform: an agent’s people may not create one, whatever their position says', async () => {
    const permissions = ['advert.read', 'advert.edit', 'article.read', 'article.edit'] as const;
    const agentId = place.agentId ?? undefined;
    const given = { permissions, scope: 'agent', ...(agentId === undefined ? {} : { agentId }) } as const;
    const { token } = await api.addUser({ name: 'marketing', ...given });
    const { data } = await uploadFile(api, 'advert', png, 'a.png', { token });
    const advert = await api.post('/adverts', { title: 'x', pictureFileId: data.id, page: 'home' }, { token });
    const article = await api.post('/articles', { title: 'x', category: 'other', content: '<p>x</p>' }, { token });
    expect([errorOf(advert), errorOf(article)]).toEqual(['access.denied', 'access.denied']);
  });
});

describe('articles', () => {
  const form = { title: 'User guide', key: 'user-guide', category: 'guide', content: '<p>Plug in.</p>' };

  test('articles are written, changed, unpublished and deleted, and a list carries no contents', async () => {
    const { data } = await api.post<Article>('/articles', { ...form, sort: 3, remark: 'for the app' });
    expect(data).toMatchObject({ ...form, sort: 3, remark: 'for the app', enabled: true });
    const whole = { ...form, title: 'Guide', content: '<p>Plug in and scan.</p>' };
    const changed = await api.ask<Article>('PUT', `/articles/${data.id}`, { body: whole });
    // Omitted fields stay.
    expect(changed.data).toMatchObject({ title: 'Guide', key: 'user-guide', sort: 3, remark: 'for the app' });
    const back = await api.ask<Article>('PUT', `/articles/${data.id}/enabled`, { body: { enabled: false } });
    expect(back.data).toMatchObject({ enabled: false, content: '<p>Plug in and scan.</p>' });
    const listed = await api.get<ListAnswer<Record<string, unknown>>>('/articles?key=user&enabled=false&sort=sort');
    expect(listed.data.items.map(({ id }) => id)).toEqual([data.id]);
    expect(listed.data.items[0]).not.toHaveProperty('content');
    expect((await api.ask('DELETE', `/articles/${data.id}`)).status).toBe(200);
    expect((await api.get(`/articles/${data.id}`)).status).toBe(404);
    expect(await auditOf('article', data.id)).toEqual([
      'article.create',
      'article.change',
      'article.change',
      'article.delete',
    ]);
  });

  test('articles are sanitised before they are stored, and one that ends up empty is refused', async () => {
    const { data } = await api.post<Article>('/articles', {
      ...form,
      key: null,
      content: '<p onclick="x()">Hello<script>alert(1)</script></p><img src=x onerror=alert(1)>',
    });
    expect(data.content).toBe('<p>Hello</p>');
    const stored = await api.database.db.selectFrom('articles').select('content').where('id', '=', data.id).execute();
    expect(stored).toEqual([{ content: '<p>Hello</p>' }]);
    const deep = await api.post('/articles', { ...form, content: '<b>'.repeat(60_000) });
    expect(deep.envelope.message.fields).toMatchObject([{ path: 'content', code: 'too_deep' }]);
    const nothing = await api.post('/articles', { ...form, content: '<script>alert(1)</script>' });
    expect(faultsOf(nothing)).toEqual(['content required']);
  });

  test('articles have unique keys, even when they are saved at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post<Article>('/articles', { ...form, key: 'privacy' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const other = await api.post<Article>('/articles', { ...form, key: 'agreement' });
    const refused = await api.ask('PUT', `/articles/${other.data.id}`, {
      body: { ...form, key: 'privacy' },
      language: 'en',
    });
    expect([refused.status, errorOf(refused)]).toEqual([409, 'article.key_taken']);
    expect(refused.envelope.message.message).toContain('privacy');
    const same = await api.ask('PUT', `/articles/${other.data.id}`, { body: { ...form, key: 'agreement' } });
    expect(same.status).toBe(200);
  });
});

describe('files', () => {
  test('files are listed, renamed and described, and their published address keeps working', async () => {
    const { data } = await uploadFile(api, 'editor', png, 'before.png');
    const body = { name: 'After hours', description: 'Night at the lake' };
    const changed = await api.ask<StoredFile>('PUT', `/files/${data.id}`, { body });
    expect(changed.data).toMatchObject({ name: 'After hours.png', description: 'Night at the lake', key: data.key });
    expect((await api.app.inject({ url: data.url })).statusCode).toBe(200);
    const listed = await api.get<ListAnswer<StoredFile>>('/files?name=after&purpose=editor,advert&sort=name');
    expect(listed.data.items).toEqual([changed.data]);
    expect(await auditOf('file', data.id)).toEqual(['file.upload', 'file.change']);
  });

  test('files in use cannot be deleted, and unused ones are deleted with their bytes', async () => {
    const uploaded = async (purpose: 'advert' | 'editor' | 'feedback' | 'avatar' | 'document') =>
      (await uploadFile(api, purpose, png)).data;
    const used: [string, FileId, () => Promise<unknown>][] = [];
    const advertPicture = await uploaded('advert');
    const advert = await api.post<Advert>('/adverts', { title: 'x', pictureFileId: advertPicture.id, page: 'home' });
    used.push(['advert', advertPicture.id, () => api.ask('DELETE', `/adverts/${advert.data.id}`)]);
    const articlePicture = await uploaded('editor');
    const content = `<p><img src="${articlePicture.url}" alt="" /></p>`;
    const article = await api.post<Article>('/articles', { title: 'x', category: 'other', content });
    expect(article.data.content).toBe(content);
    used.push(['article', articlePicture.id, () => api.ask('DELETE', `/articles/${article.data.id}`)]);
    for (const [shownBy, id, stopShowing] of used) {
      const refused = await api.ask('DELETE', `/files/${id}`);
      expect([shownBy, refused.status, errorOf(refused)]).toEqual([shownBy, 409, 'file.in_use']);
      await stopShowing();
      expect((await api.ask('DELETE', `/files/${id}`)).status).toBe(200);
    }
    const feedbackPicture = await uploaded('feedback');
    await report({ pictureKeys: [feedbackPicture.key] });
    expect(errorOf(await api.ask('DELETE', `/files/${feedbackPicture.id}`))).toBe('file.in_use');
    const document = await uploaded('document');
    expect(await api.context.files.open(document.key)).not.toBeNull();
    expect((await api.ask('DELETE', `/files/${document.id}`)).status).toBe(200);
    expect(await api.context.files.open(document.key)).toBeNull();
    expect((await api.get(`/files/${document.id}/content`)).status).toBe(404);
    expect((await api.ask('DELETE', `/files/${document.id}`)).status).toBe(404);
  });

  test('files cannot be deleted while an article that shows them is being saved', async () => {
    const { data } = await uploadFile(api, 'editor', png);
    const form = { title: 'x', category: 'other', content: `<p><img src="${data.url}" alt="" /></p>` } as const;
    const { db } = api.database;
    const deleting = await db.transaction().execute(async (trx) => {
      const checked = await checkArticle(trx, form, null);
      if (!checked.ok) throw new Error(checked.error.code);
      const answer = api.ask('DELETE', `/files/${data.id}`);
      const waiting = async () => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*) as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.waiting;
      };
      await expect.poll(waiting).toBe(1);
      const { title, category } = form;
      const at = api.context.now();
      await trx
        .insertInto('articles')
        .values({ title, category, ...checked.value, created_at: at, changed_at: at })
        .execute();
      return { answer };
    });
    expect((await deleting.answer).status).toBe(409);
  });

  test('files whose bytes are lost are answered with 404, and the list still works', async () => {
    const { data } = await uploadFile(api, 'document', 'soon lost', 'lost.txt');
    await api.context.files.delete(data.key);
    expect((await api.get(`/files/${data.id}/content`)).status).toBe(404);
    expect((await api.get('/files')).status).toBe(200);
  });
});

describe('a portrait', () => {
  test('a portrait is set, shown by getUserInfo, replaced with the old one deleted, and removed', async () => {
    const { token } = await api.addUser({ name: 'portrayed', permissions: [] });
    const avatar = async () => (await api.get<{ avatar: string | null }>('/user/info', { token })).data.avatar;
    const choose = (fileId: number | null) => api.ask('PUT', '/user/avatar', { token, body: { fileId } });
    const uploaded = async (given: string) => (await uploadFile(api, 'avatar', png, 'me.png', { token: given })).data;
    expect(await avatar()).toBeNull();
    const first = await uploaded(token);
    expect((await choose(first.id)).data).toEqual({ avatar: first.url });
    expect(await avatar()).toBe(first.url);
    expect(errorOf(await api.ask('DELETE', `/files/${first.id}`))).toBe('file.in_use');
    const second = await uploaded(token);
    await choose(second.id);
    expect(await avatar()).toBe(second.url);
    expect(await api.context.files.open(first.key)).toBeNull();
    expect((await api.app.inject({ url: first.url })).statusCode).toBe(404);
    const somebodys = await uploaded(api.adminToken);
    expect(faultsOf(await choose(somebodys.id))).toEqual(['fileId unknown_reference']);
    expect(await avatar()).toBe(second.url);
    expect((await choose(null)).data).toEqual({ avatar: null });
    expect(await avatar()).toBeNull();
    expect(await api.context.files.open(second.key)).toBeNull();
  });
});
