import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { Transformer } from '@napi-rs/image';
import { type FilePurpose, filePurposes, fileRules } from '@voltdeck/contract/files';
import type { Permission } from '@voltdeck/contract/permissions';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPictureHeader } from '../../files/picture-header.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { claimPng, drawJpeg, drawPng, drawWebp, formOf, formType, noise, sendForm, uploadFile } from './test-upload.ts';

let api: TestApi;
let png: Buffer;
let jpeg: Buffer;
beforeAll(async () => {
  api = await openTestApi();
  [png, jpeg] = [await drawPng(120, 80), await drawJpeg(120, 80)];
});
afterAll(() => api.close());
beforeEach(() => {
  // Every test has its own minute of the upload limit.
  api.clock.now = instant((api.clock.now ?? Date.now()) + minuteMs);
});

/** Bytes in the store, of finished and of unfinished uploads. */
async function keptFiles(): Promise<number> {
  const entries = await readdir(api.filesDir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}
const countRows = async () => (await api.database.db.selectFrom('files').select('id').execute()).length;

/** Asserts that a refused upload left neither bytes nor a row. */
async function leavesNothing(
  send: () => Promise<{ status: number; envelope: { message: { error?: string; message: string } } }>,
) {
  const before = [await keptFiles(), await countRows()];
  const { status, envelope } = await send();
  expect([await keptFiles(), await countRows()]).toEqual(before);
  return { status, error: envelope.message.error, message: envelope.message };
}
const open = (url: string, headers: Record<string, string> = {}) => api.app.inject({ method: 'GET', url, headers });

describe('an upload that is as it should be', () => {
  test('an upload is answered with code 0 and data.url, where anyone sees the picture (specification 7)', async () => {
    const answer = await uploadFile(api, 'editor', png, 'Lake view.png');
    expect(answer.envelope.message).toMatchObject({ status: 200, code: 0 });
    expect(answer.data).toMatchObject({
      name: 'Lake view.png',
      contentType: 'image/png',
      purpose: 'editor',
      widthPx: 120,
      heightPx: 80,
      userName: expect.any(String),
    });
    expect(answer.data.url).toBe(`/files/${answer.data.key}/Lake%20view.png`);
    const shown = await open(answer.data.url);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': "inline; filename*=UTF-8''Lake%20view.png",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'content-length': String(answer.data.sizeBytes),
    });
    const colours = Buffer.from(noise(120, 80).filter((_byte, index) => index % 4 !== 3));
    expect((await new Transformer(shown.rawPayload).rawPixels()).equals(colours)).toBe(true);
    const again = await open(answer.data.url, { 'if-none-match': String(shown.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('an upload may carry a description, before or after the file', async () => {
    const file = { name: 'file', fileName: 'notes.txt', content: 'hello' };
    const description = { name: 'description', value: ' for the front desk ' };
    for (const parts of [
      [file, description],
      [description, file],
    ]) {
      const answer = await sendForm(api, 'document', formOf(parts));
      expect(answer.data).toMatchObject({ description: 'for the front desk', sizeBytes: 5 });
    }
  });

  test('a document of any type is downloaded byte for byte', async () => {
    const page = '<!doctype html><script>alert(1)</script>';
    const { data } = await uploadFile(api, 'document', page, '通知.html');
    expect(data).toMatchObject({ name: '通知.html', contentType: 'application/octet-stream' });
    expect(data.url).toBe(`/api/files/${data.id}/content`);
    const saved = await api.get(`/files/${data.id}/content`);
    expect(saved.text).toBe(page);
    expect(saved.headers).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''%E9%80%9A%E7%9F%A5.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await open(`/files/${data.key}/${encodeURIComponent(data.name)}`)).statusCode).toBe(404);
  });

  test.each([
    ['png', drawPng],
    ['jpg', drawJpeg],
    ['webp', drawWebp],
  ] as const)('a %s is re-encoded, without anything after its end or beside its pixels', async (ending, draw) => {
    const picture = await draw(64, 48);
    const { data } = await uploadFile(api, 'editor', Buffer.concat([picture, Buffer.from('<script>x()</script>')]));
    expect(data).toMatchObject({ name: ending === 'png' ? 'picture.png' : `picture.png.${ending}`, widthPx: 64 });
    const shown = await open(data.url);
    expect(shown.rawPayload.includes('<script>')).toBe(false);
    expect(readPictureHeader(shown.rawPayload)).toMatchObject({ widthPx: 64, heightPx: 48 });
  });

  test('a photo loses its location and is turned the way the camera was held', async () => {
    const { data } = await uploadFile(api, 'feedback', withOrientation(jpeg, 6), 'photo.jpg');
    expect(data).toMatchObject({ widthPx: 80, heightPx: 120 });
    const saved = await api.get(`/files/${data.id}/content`);
    expect(saved.bytes.includes('Exif')).toBe(false);
    expect(saved.headers['content-type']).toBe('image/jpeg');
  });

  test('a portrait is cropped to a small square around its centre, and a smaller one is not enlarged', async () => {
    // Red, green and blue stripes of equal width, so that the centre is green alone.
    const stripe = (x: number) => Math.floor(x / 400);
    const pixels = Buffer.from(
      Array.from({ length: 1_200 * 400 }, (_, index) => {
        const which = stripe(index % 1_200);
        return [which === 0 ? 255 : 0, which === 1 ? 255 : 0, which === 2 ? 255 : 0, 255];
      }).flat(),
    );
    const wide = await Transformer.fromRgbaPixels(pixels, 1_200, 400).png();
    const { data } = await uploadFile(api, 'avatar', wide);
    expect(data).toMatchObject({ widthPx: 256, heightPx: 256 });
    const shown = await new Transformer((await api.app.inject({ url: data.url })).rawPayload).rawPixels();
    const channels = shown.length / 256 / 256;
    const at = (x: number) => [...shown.subarray(128 * 256 * channels + x * channels).subarray(0, 3)];
    expect([at(8), at(247)]).toEqual([
      [0, 255, 0],
      [0, 255, 0],
    ]);
    const small = await Transformer.fromRgbaPixels(Buffer.alloc(60 * 40 * 4, 200), 60, 40).png();
    expect((await uploadFile(api, 'avatar', small)).data).toMatchObject({ widthPx: 40, heightPx: 40 });
  });

  test('a picture larger than any screen is scaled down', async () => {
    const wide = await Transformer.fromRgbaPixels(Buffer.alloc(5_000 * 100 * 4, 200), 5_000, 100).png();
    expect((await uploadFile(api, 'advert', wide)).data).toMatchObject({ widthPx: 2_560, heightPx: 51 });
  });

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.png', 'photo.png'],
    ['photo.php', 'photo.php.png'],
    ['a\u202egnp.exe', 'agnp.exe.png'],
    ['x%0d%0aSet-Cookie: a=b.png', 'x%0d%0aSet-Cookie_ a=b.png'],
    ['', 'file.png'],
    ['..', 'file.png'],
    ['CON.png', 'fileCON.png'],
    ['a<b>"c.png', 'a_b_'],
    ['充电桩'.repeat(100), '充电桩'.repeat(40).slice(0, 116)],
  ])('the file name %j is shown and never used as a path', async (given, kept) => {
    const { data, status } = await uploadFile(api, 'editor', png, given);
    expect(status).toBe(200);
    expect(data.name.startsWith(kept)).toBe(true);
    expect(data.name).toMatch(/\.png$/);
    expect([...data.name].length).toBeLessThanOrEqual(120);
    const shown = await open(data.url);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['set-cookie']).toBeUndefined();
  });
});

describe('an upload that is not', () => {
  test.each(['zh-CN', 'en'] as const)(
    'an upload that is too large says so as specified, and leaves nothing (%s)',
    async (language) => {
      const expected =
        language === 'zh-CN' ? (max: string) => `上传文件大小不能超过 ${max} MB!` : (max: string) => `${max} MB`;
      for (const [purpose, max] of [
        ['site', '0.5'],
        ['editor', '5'],
      ] as const) {
        const large = Buffer.concat([jpeg, Buffer.alloc(fileRules[purpose].bytesMax)]);
        const { status, error, message } = await leavesNothing(() =>
          uploadFile(api, purpose, large, 'a.jpg', { language }),
        );
        expect([status, error]).toEqual([413, 'file.too_large']);
        expect(message.message).toContain(expected(max));
      }
    },
  );

  test('a file of exactly the maximum size is accepted, and one byte more is refused', async () => {
    const { bytesMax } = fileRules.site;
    const padded = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
    expect((await uploadFile(api, 'site', padded(bytesMax), 'a.jpg')).status).toBe(200);
    expect((await uploadFile(api, 'site', padded(bytesMax + 1), 'a.jpg')).envelope.message.error).toBe(
      'file.too_large',
    );
  });

  const page = '<html><body><script>alert(document.domain)</script></body></html>';
  const polyglot = Buffer.from('GIF89a/*\x01\x00\x01\x00\x80\x00\x00*/=1;alert(1)//');
  const pdf =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
  const disguised: readonly [string, string | Buffer][] = [
    ['a program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)])],
    ['a page', page],
    ['a drawing with a script', svg],
    ['a PDF with a script', pdf],
    ['a GIF that is a script too', polyglot],
    ['an archive', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)])],
  ];
  test.each(disguised)('%s named .png is refused as a picture for any purpose', async (_what, content) => {
    for (const purpose of filePurposes.filter((each) => fileRules[each].types !== null)) {
      const { status, error } = await leavesNothing(() => uploadFile(api, purpose, content));
      expect([purpose, status, error]).toEqual([purpose, 422, 'file.wrong_type']);
    }
  });

  test.each(disguised)('%s as a document never runs as a page of ours', async (_what, content) => {
    const { data } = await uploadFile(api, 'document', content, 'page.html');
    for (const url of [`/files/${data.key}/page.html`, `/files/${data.key}/picture.png`, `/files/${data.id}/content`]) {
      expect((await open(url)).statusCode).toBe(404);
    }
    const saved = await api.get(`/files/${data.id}/content`);
    expect(saved.headers['content-disposition']).toMatch(/^attachment;/);
    expect(saved.headers['content-type']).not.toMatch(/html|svg|javascript|xml/);
    expect(saved.headers['x-content-type-options']).toBe('nosniff');
  });

  test('a row that claims to be a public page is not served', async () => {
    const { data } = await uploadFile(api, 'editor', png);
    await api.database.db.updateTable('files').set({ content_type: 'text/html' }).where('id', '=', data.id).execute();
    expect((await open(data.url)).statusCode).toBe(404);
  });

  test('a wrong type is refused with the allowed types', async () => {
    const webp = await drawWebp(10, 10);
    const english = await uploadFile(api, 'site', webp, 'a.webp');
    expect(english.envelope.message).toMatchObject({
      error: 'file.wrong_type',
      message: expect.stringContaining('JPG, PNG'),
    });
    const chinese = await uploadFile(api, 'site', webp, 'a.webp', { language: 'zh-CN' });
    expect(chinese.envelope.message.message).toContain('JPG、PNG');
    expect(chinese.envelope.message.message).not.toContain('WebP');
    const editor = await uploadFile(api, 'editor', 'text', 'a.txt', { language: 'zh-CN' });
    expect(editor.envelope.message.message).toContain('JPG、PNG、WebP');
  });

  test('a picture that is truncated, claims no size or is empty is unreadable', async () => {
    const webp = await drawWebp(64, 64);
    const claims = [claimPng(0, 10), claimPng(10, 0)];
    const halves = [png, jpeg, webp].map((picture) => picture.subarray(0, Math.floor(picture.length / 2)));
    for (const content of [...claims, ...halves, jpeg.subarray(0, jpeg.length - 2), Buffer.alloc(0)]) {
      const { status, error } = await leavesNothing(() => uploadFile(api, 'editor', content));
      expect([status, error]).toEqual([422, 'file.unreadable']);
    }
    expect((await leavesNothing(() => uploadFile(api, 'document', ''))).error).toBe('file.unreadable');
  });

  test('a picture that claims more pixels than fit into memory is refused before it is decoded', async () => {
    const memoryBefore = process.memoryUsage().rss;
    // The first one would take 7.5 GB when decoded.
    for (const content of [claimPng(50_000, 50_000), claimPng(5_000, 5_001), claimPng(2_147_483_648, 2)]) {
      const { status, error, message } = await leavesNothing(() => uploadFile(api, 'editor', content));
      expect([status, error]).toEqual([422, 'file.too_many_pixels']);
      expect(message.message).toContain('25 megapixels');
    }
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(60 * 1024 * 1024);
  });

  test('a faulty form is refused at its field', async () => {
    const file = { name: 'file', fileName: 'a.png', content: png };
    const faultsOf = async (parts: Parameters<typeof formOf>[0]) => {
      const { error, message } = await leavesNothing(() => sendForm(api, 'editor', formOf(parts)));
      expect(error).toBe('request.invalid');
      return (message as { fields?: { path: string; code: string }[] }).fields?.map(
        ({ path, code }) => `${path} ${code}`,
      );
    };
    expect(await faultsOf([])).toEqual(['file required']);
    expect(await faultsOf([{ ...file, name: 'upload' }])).toEqual(['upload unknown_field']);
    expect(await faultsOf([file, file])).toEqual(['file only_one']);
    expect(await faultsOf([file, { name: 'owner', value: '1' }])).toEqual(['owner unknown_field']);
    expect(await faultsOf([{ name: 'file', value: 'no file at all' }])).toEqual(['file invalid']);
    expect(await faultsOf([file, { name: 'description', value: 'x'.repeat(501) }])).toEqual(['description too_long']);
    expect(await faultsOf([{ name: 'description', value: 'x'.repeat(9_000) }, file])).toEqual(['description invalid']);
  });

  test('a broken form is malformed, and its file is deleted', async () => {
    const parts = [{ name: 'file', fileName: 'a.png', content: png }];
    const whole = formOf(parts);
    const broken = [
      formOf(parts, ''),
      whole.subarray(0, Math.floor(whole.length / 2)),
      Buffer.from('nothing like a form'),
      Buffer.from('--voltdeck-test-boundary\r\n\r\n'),
      formOf([...parts, { name: '__proto__', value: 'x' }]),
      formOf([...parts, ...Array.from({ length: 9 }, (_, index) => ({ name: `f${index}`, value: 'x' }))]),
    ];
    for (const form of broken) {
      for (const purpose of ['editor', 'document']) {
        const { status, error } = await leavesNothing(() => sendForm(api, purpose, form));
        expect([status, error]).toEqual([400, 'request.malformed']);
      }
    }
    const without = await leavesNothing(() =>
      sendForm(api, 'editor', whole, { headers: { 'content-type': 'multipart/form-data' } }),
    );
    expect([without.status, without.error]).toEqual([400, 'request.malformed']);
  });

  test('only an upload takes a form, and it takes no JSON', async () => {
    const form = formOf([{ name: 'name', value: 'Lakeside' }]);
    const sent = await api.app.inject({
      method: 'POST',
      url: '/api/sites',
      headers: { token: api.adminToken, 'content-type': formType },
      payload: form,
    });
    expect([sent.statusCode, sent.json().message.error]).toEqual([400, 'request.malformed']);
    const json = await api.post('/files?purpose=editor', { file: 'x' });
    expect([json.status, json.envelope.message.error]).toEqual([400, 'request.malformed']);
  });
});

describe('who may upload what', () => {
  const needed: Readonly<Record<FilePurpose, Permission | null>> = {
    editor: 'article.edit',
    advert: 'advert.edit',
    site: 'site.edit',
    avatar: null,
    feedback: 'feedback.create',
    document: 'file.edit',
    licence: 'agent.edit',
    grid_bill: 'finance.grid_bill',
  };

  test.each(filePurposes)('uploading for the purpose %s needs its permission', async (purpose) => {
    const permission = needed[purpose];
    const others = Object.values(needed).filter((each): each is Permission => each !== null && each !== permission);
    const without = await api.addUser({ name: `without-${purpose}`, permissions: others });
    const withIt = await api.addUser({ name: `with-${purpose}`, permissions: permission === null ? [] : [permission] });
    expect((await uploadFile(api, purpose, png, 'a.png', { token: withIt.token })).status).toBe(200);
    const refused = await uploadFile(api, purpose, png, 'a.png', { token: without.token });
    expect(refused.envelope.message.error).toBe(permission === null ? undefined : 'access.denied');
    expect((await uploadFile(api, purpose, png, 'a.png', { token: null })).status).toBe(401);
  });

  test('a user waits after sixty uploads in a minute', async () => {
    const { token } = await api.addUser({ name: 'flooding', permissions: [] });
    for (let sent = 0; sent < 60; sent += 1) {
      expect((await sendForm(api, 'avatar', formOf([]), { token })).status).toBe(422);
    }
    const refused = await sendForm(api, 'avatar', formOf([]), { token });
    expect([refused.status, refused.envelope.message.error]).toEqual([429, 'request.too_many']);
  });
});

describe('over a real connection', () => {
  let port = 0;
  beforeAll(async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    port = (api.server.address() as AddressInfo).port;
  });

  const requestHead = (headers: string) =>
    `POST /api/files?purpose=document HTTP/1.1\r\nHost: x\r\ntoken: ${api.adminToken}\r\nContent-Type: ${formType}\r\n${headers}\r\n\r\n`;

  test('an endless file is cut off at the limit, with the answer sent first and little memory used', async () => {
    const before = await keptFiles();
    const socket = connect(port, '127.0.0.1');
    const head = formOf([{ name: 'file', fileName: 'a.bin', content: '' }], '');
    const piece = Buffer.alloc(256 * 1024, 7);
    const framed = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
    const memoryBefore = process.memoryUsage().rss;
    let memoryMost = 0;
    let sentBytes = 0;
    let answer = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      socket.write(`${requestHead('Transfer-Encoding: chunked')}${head.length.toString(16)}\r\n`);
      socket.write(head);
      socket.write('\r\n');
      const more = () => {
        memoryMost = Math.max(memoryMost, process.memoryUsage().rss - memoryBefore);
        while (!socket.destroyed) {
          sentBytes += piece.length;
          if (!socket.write(framed)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const { bytesMax } = fileRules.document;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('file.too_large');
    expect(sentBytes).toBeGreaterThan(bytesMax);
    // The limit, what is discarded so that the answer arrives, and what the sockets buffer.
    expect(sentBytes).toBeLessThan(bytesMax + 32 * 1024 * 1024);
    expect(memoryMost).toBeLessThan(120 * 1024 * 1024);
    expect(await keptFiles()).toBe(before);
  }, 60_000);

  test('a content length that is too large is refused before anything is read', async () => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        answer += chunk.toString();
        if (answer.includes('file.too_large')) socket.destroy();
      });
      socket.on('close', () => resolve());
      socket.write(requestHead('Content-Length: 9000000000'));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('an upload that the sender abandons leaves nothing behind', async () => {
    const before = await keptFiles();
    const form = formOf([{ name: 'file', fileName: 'a.bin', content: Buffer.alloc(1024 * 1024) }]);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(requestHead(`Content-Length: ${form.length}`));
    socket.write(form.subarray(0, 600_000));
    await expect.poll(keptFiles).toBe(before + 1);
    socket.destroy();
    await expect.poll(keptFiles).toBe(before);
  });

  test('a seventh simultaneous upload of the same user is refused', async () => {
    const form = formOf([{ name: 'file', fileName: 'a.bin', content: 'content' }]);
    const before = await keptFiles();
    const slow = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const socket = connect(port, '127.0.0.1');
        socket.write(requestHead(`Content-Length: ${form.length}`));
        socket.write(form.subarray(0, form.length - 5));
        return socket;
      }),
    );
    await expect.poll(keptFiles).toBe(before + 6);
    const seventh = await sendForm(api, 'document', form);
    expect([seventh.status, seventh.envelope.message.error]).toEqual([429, 'request.too_many']);
    for (const socket of slow) socket.destroy();
    await expect.poll(keptFiles).toBe(before);
    expect((await sendForm(api, 'document', form)).status).toBe(200);
  });
});

/** A JPEG with an EXIF block that says how the camera was held. */
function withOrientation(picture: Buffer, orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, block.length + 2]);
  return Buffer.concat([picture.subarray(0, 2), head, block, picture.subarray(2)]);
}
