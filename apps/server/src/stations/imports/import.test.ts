import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StationImport } from '@voltdeck/contract/station-imports';
import type { Task } from '@voltdeck/contract/tasks';
import type { AgentId } from '@voltdeck/units/id';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formOf, formType } from '../../content/files/test-upload.ts';
import { type Answer, type Ask, openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace, type Place } from '../../http/test-records.ts';
import { sheetRows } from '../../http/test-sheets.ts';
import { testTasks } from '../../http/test-tasks.ts';
import { xlsxStream, zip } from '../../http/xlsx.ts';
import { createSecretBox, secretKeyBytes } from '../../secrets/secret-box.ts';
import { verifyStationPassword } from '../station-password.ts';

let api: TestApi;
let lake: Place;
let agentId: AgentId;
let shore: Place;
let agentToken: string;
const { work, rest, find: task, ended } = testTasks(() => api);
beforeAll(async () => {
  api = await openTestApi();
  lake = await makePlace(api.database, null, 'lake');
  agentId = await api.addAgent('Shore');
  shore = await makePlace(api.database, agentId, 'shore');
  ({ token: agentToken } = await api.addUser({
    name: 'shore',
    permissions: ['station.read', 'station.create'],
    scope: 'agent',
    agentId,
  }));
});
afterEach(rest);
afterAll(() => api.close());

type Row = Record<string, string>;
const row = (number: string, rest: Row = {}): Row => ({
  充电桩编号: number,
  充电桩名称: `Station ${number}`,
  通信协议: 'ocpp1.6',
  充电桩类型: '快充',
  设备类型: '四轮',
  站点: 'Site lake',
  枪口数: '2',
  '最大功率(kW)': '120',
  刷卡计费规则: 'Rule lake',
  ...rest,
});

async function workbook(rows: readonly Row[], heads = [...new Set(rows.flatMap((one) => Object.keys(one)))]) {
  async function* batches() {
    yield rows;
  }
  const columns = heads.map((head) => ({ head, widthCharacters: 10, cell: (one: Row) => ({ text: one[head] ?? '' }) }));
  return buffer(xlsxStream('Stations', columns, batches()));
}

async function check(content: Buffer, { token = api.adminToken, language = 'en' }: Ask = {}, fileName = 'new.xlsx') {
  const response = await api.app.inject({
    method: 'POST',
    url: '/api/station-imports',
    headers: { token: token ?? '', language, 'content-type': formType },
    payload: formOf([{ name: 'file', fileName, content }]),
  });
  const envelope = response.json() as Answer<StationImport>['envelope'];
  return { status: response.statusCode, envelope, data: envelope.data };
}

/** A workbook whose one sheet has these rows. */
function sheetOf(rows: string): Promise<Buffer> {
  async function* parts() {
    const texts = {
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    };
    for (const [name, text] of Object.entries(texts)) yield { name, content: Readable.from([text]) };
  }
  return buffer(Readable.from(zip(parts()), { objectMode: false }));
}

const checkRows = async (rows: readonly Row[], ask?: Ask) => (await check(await workbook(rows), ask)).data;
const start = (id: number, ask?: Ask) => api.post<StationImport>(`/station-imports/${id}/starts`, undefined, ask);
const count = async (where: string) => {
  const { rows } = await api.database.pool.query<{ count: number }>(`select count(*)::int as count from ${where}`);
  return rows[0]?.count;
};
const codes = (data: StationImport) =>
  data.faults.map(({ line, faults }) => [line, ...faults.map(({ column, code }) => `${column} ${code}`)]);

describe('an import of ten thousand stations', { timeout: 180_000 }, () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => {
    const number = `IMP-${String(index + 1).padStart(5, '0')}`;
    if (index % 20 !== 7) return row(number);
    const bad: readonly Row[] = [
      { 站点: 'Nowhere' },
      { 枪口数: '0' },
      { 充电桩类型: '超快' },
      { 充电桩编号: 'IMP-00001' },
      { '最大功率(kW)': 'much' },
    ];
    return row(number, bad[((index - 7) / 20) % bad.length]);
  });
  let checked: StationImport;

  beforeAll(async () => {
    await api.database.pool.query(`
      create table kept_at_once (count integer);
      create function note_kept_at_once() returns trigger language plpgsql as $$
        begin insert into kept_at_once select count(*) from added; return null; end $$;
      create trigger note_kept_at_once after insert on station_import_rows
        referencing new table as added for each statement execute function note_kept_at_once()`);
  });

  test('each of 500 bad rows is named with line and reason, and nothing is written before consent', async () => {
    checked = await checkRows(rows);
    expect(checked).toMatchObject({ totalCount: 10_000, goodCount: 9_500, badCount: 500, taskId: null });
    expect(codes(checked).slice(0, 5)).toEqual([
      [9, 'siteId unknown_reference'],
      [29, 'connectorCount too_small'],
      [49, 'type not_choice'],
      [69, 'number repeated'],
      [89, 'maxPowerKw not_number'],
    ]);
    expect(checked.faults).toHaveLength(100);
    expect(await count(`stations where number like 'IMP-%'`)).toBe(0);
    for (const [language, reasons] of [
      [
        'en',
        [
          /^Site “Nowhere”: .*exist/,
          /^Gun ports: /,
          /^Station type “超快”: Choose one of: Fast/,
          /^Station number: The same as in line 2$/,
          /^Max power/,
        ],
      ],
      [
        'zh-CN',
        [
          /^站点“Nowhere”：所选记录不存在$/,
          /^枪口数：/,
          /^充电桩类型“超快”：请从可选项中选择：快充、/,
          /^充电桩编号：与第 2 行重复$/,
          /^最大功率/,
        ],
      ],
    ] as const) {
      const { bytes } = await api.get(`/station-imports/${checked.id}/report`, { language });
      const [, ...reported] = sheetRows(bytes);
      expect(reported).toHaveLength(500);
      expect(reported.map(([line]) => Number(line))).toEqual(Array.from({ length: 500 }, (_, index) => 9 + index * 20));
      for (const [index, cells] of reported.entries()) {
        expect(cells.at(-1)).toMatch(reasons[index % reasons.length] as RegExp);
      }
    }
  });

  test('the rows of a large file are kept a thousand at a time, so that no statement takes long', async () => {
    const { rows: statements } = await api.database.pool.query('select count from kept_at_once');
    expect(statements).toEqual(Array(10).fill({ count: 1_000 }));
  });

  test('a cancelled import leaves nothing, whichever stations it had written', async () => {
    const lock = 4_712;
    await api.database.pool.query(`
      create function wait_for_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(${lock}); return new; end $$;
      create trigger wait_for_test before insert on stations
        for each row when (new.number = 'IMP-06000') execute function wait_for_test()`);
    const holder = await api.database.pool.connect();
    await holder.query('select pg_advisory_lock($1)', [lock]);
    const { data } = await start(checked.id);
    await work();
    await expect.poll(async () => (await task(data.taskId)).doneCount, { timeout: 60_000 }).toBeGreaterThan(5_000);
    expect((await api.post<Task>(`/tasks/${data.taskId}/cancellations`)).data).toMatchObject({ state: 'cancelled' });
    await holder.query('select pg_advisory_unlock($1)', [lock]);
    holder.release();
    await rest();
    await api.database.pool.query('drop trigger wait_for_test on stations');
    expect(await count(`stations where number like 'IMP-%'`)).toBe(0);
    expect(await count(`audit_entries where action = 'station.create' and after->>'number' like 'IMP-%'`)).toBe(0);
    expect(await task(data.taskId)).toMatchObject({ state: 'cancelled', file: null });
  });

  test('after consent all good stations are added in one go, with their passwords in a file of their own', async () => {
    const { data } = await start(checked.id);
    expect((await start(checked.id, { language: 'en' })).envelope.message).toMatchObject({ error: 'import.started' });
    await work();
    await ended(data.taskId);
    expect(await task(data.taskId)).toMatchObject({ state: 'done', doneCount: 9_500 });
    expect(await count(`stations where number like 'IMP-%'`)).toBe(9_500);
    expect(await count(`connectors c join stations s on s.id = c.station_id where s.number like 'IMP-%'`)).toBe(19_000);
    expect(await count(`audit_entries where action = 'station.create' and after->>'number' like 'IMP-%'`)).toBe(9_500);
    expect((await start(checked.id)).envelope.message).toMatchObject({ error: 'import.started' });
    const { bytes, text } = await api.get(`/tasks/${data.taskId}/file`);
    const [heads, ...installers] = sheetRows(bytes);
    expect(heads).toEqual(['充电桩编号', '充电桩名称', '站点', '连接密码', '1 号枪二维码', '2 号枪二维码']);
    expect(installers).toHaveLength(9_500);
    const [number, , site, password = '', , secondQr] = installers[4_321] ?? [];
    expect([site, secondQr]).toEqual(['Site lake', `${number}-2`]);
    const { rows: hashes } = await api.database.pool.query('select password_hash from stations where number = $1', [
      number,
    ]);
    expect(verifyStationPassword(password, hashes[0].password_hash)).toBe(true);
    expect(text).not.toBe('');
    const others = await api.get(`/tasks/${data.taskId}/file`, { token: agentToken });
    expect(others.status).toBe(404);
  });
});

describe('a row of an import', () => {
  test('a row is checked like the form, and its columns may have any order and either language', async () => {
    const heads = [
      'Station name',
      'Station number*',
      'Site',
      'Station type',
      'Equipment type',
      'Gun ports',
      'Max power (kW)',
      'Protocol',
      'Something',
    ];
    const given = (number: string, rest: Row = {}): Row => ({
      'Station name': 'Two',
      'Station number*': number,
      Site: `#${lake.siteId}`,
      'Station type': 'slow',
      'Equipment type': 'Two-wheel',
      'Gun ports': '10',
      'Max power (kW)': '7 kW',
      Protocol: 'YKC',
      Something: 'else',
      ...rest,
    });
    const file = await workbook(
      [given('32010600000001'), given('3201060000000'), given('bad number!', { Protocol: '' })],
      heads,
    );
    const { data, envelope } = await check(file);
    expect(envelope.message).toMatchObject({ status: 200 });
    expect(data).toMatchObject({ goodCount: 1, ignoredColumns: ['Something'] });
    expect(codes(data)).toEqual([
      [3, 'number station_number_ykc'],
      [4, 'number station_number'],
    ]);
  });

  test('what stations, factories and other rows already have is named', async () => {
    const site = { 站点: 'Site lake' };
    const data = await checkRows([
      row(lake.stationNumber, site),
      row('TWICE-1'),
      row('TWICE-1'),
      row('DATE-1', { 到期时间: '31.12.2027' }),
      row('DATE-2', { 到期时间: '2027年3月1日', 收费方式: '免费' }),
      row('DATE-3', { 到期时间: '0000-01-01' }),
      row('PW-1', { 连接密码: 'short' }),
      row('PW-2', { 连接密码: 'sixteen-bytes-ok', 通信协议: 'ykc', 充电桩编号: '32010600000009' }),
    ]);
    expect(codes(data)).toEqual([
      [2, 'number taken'],
      [4, 'number repeated'],
      [5, 'expiresOn not_day'],
      [7, 'expiresOn not_day'],
      [8, 'password too_short'],
      [9, 'password no_password'],
    ]);
  });

  test('several sites with one name are told apart by their numbers', async () => {
    const twin = await makePlace(api.database, null, 'twin');
    const other = await makePlace(api.database, null, 'other');
    await api.database.db.updateTable('sites').set({ name: 'Site twin' }).where('id', '=', other.siteId).execute();
    const data = await checkRows([row('TWIN-1', { 站点: 'Site twin' }), row('TWIN-2', { 站点: `#${twin.siteId}` })]);
    expect(codes(data)).toEqual([[2, 'siteId ambiguous']]);
  });

  test('a rule of an agent is refused for a station of the platform', async () => {
    const data = await checkRows([row('FOREIGN-1', { 刷卡计费规则: 'Rule shore' }), row('FOREIGN-2')]);
    expect(codes(data)).toEqual([[2, 'cardTariffId rule_of_other_agent']]);
  });

  test('an agent imports to its own sites only, and an import is nobody else’s', async () => {
    const own = { 站点: 'Site shore', 刷卡计费规则: 'Rule shore' };
    const data = await checkRows([row('SHORE-1', own), row('SHORE-2')], { token: agentToken });
    expect(codes(data)).toEqual([[3, 'siteId unknown_reference']]);
    const { token: colleague } = await api.addUser({
      name: 'colleague',
      permissions: ['station.create'],
      scope: 'agent',
      agentId,
    });
    expect((await api.get(`/station-imports/${data.id}`, { token: colleague })).status).toBe(404);
    expect((await start(data.id)).status).toBe(404);
    const { data: started } = await start(data.id, { token: agentToken });
    await work();
    await ended(started.taskId);
    const station = await api.database.db
      .selectFrom('stations')
      .select(['agent_id', 'site_id', 'card_tariff_id'])
      .where('number', '=', 'SHORE-1')
      .executeTakeFirstOrThrow();
    expect(station).toEqual({ agent_id: agentId, site_id: shore.siteId, card_tariff_id: shore.tariffId });
    const file = () => api.get(`/tasks/${started.taskId}/file`, { token: agentToken });
    expect((await file()).status).toBe(200);
    await api.database.pool.query(`update stations set agent_id = null where number = 'SHORE-1'`);
    expect((await file()).envelope.message).toMatchObject({ status: 403, error: 'task.file_of_others' });
  });

  test('a station that went to another agent keeps its password out of the file under a new number too', async () => {
    const own = { 站点: 'Site shore', 刷卡计费规则: 'Rule shore' };
    const data = await checkRows([row('RENAMED-1', own), row('RENAMED-2', own)], { token: agentToken });
    const { data: started } = await start(data.id, { token: agentToken });
    await work();
    await ended(started.taskId);
    const file = () => api.get(`/tasks/${started.taskId}/file`, { token: agentToken });
    const query = (text: string) => api.database.pool.query(text);
    await query(`update stations set agent_id = null, number = 'RENAMED-3' where number = 'RENAMED-1'`);
    expect((await file()).envelope.message).toMatchObject({ status: 403, error: 'task.file_of_others' });
    const others = await makePlace(api.database, null, 'others');
    await query(`delete from stations where number = 'RENAMED-3'`);
    await query(`update stations set number = 'RENAMED-1' where id = ${others.stationId}`);
    expect((await file()).status).toBe(200);
  });

  test('what has changed between check and consent is named instead of imported', async () => {
    const data = await checkRows([row('LATE-1'), row('LATE-2')]);
    await api.post('/stations', {
      number: 'LATE-2',
      name: 'Sooner',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: lake.siteId,
      connectorCount: 1,
      maxPowerKw: 7,
    });
    const again = await start(data.id);
    expect(again.data).toMatchObject({ taskId: null, goodCount: 1, badCount: 1 });
    expect(codes(again.data)).toEqual([[3, 'number taken']]);
    expect(await count(`stations where number = 'LATE-1'`)).toBe(0);
    const { data: started } = await start(data.id);
    await work();
    await ended(started.taskId);
    expect(await count(`stations where number = 'LATE-1'`)).toBe(1);
  });

  test('passwords of a file are sealed until their stations exist, and no report tells them', async () => {
    const [good, bad] = ['Harbour-lamp-4712', 'Harbour-lamp-4713'] as const;
    const data = await checkRows([
      row('SECRET-1', { 连接密码: good }),
      row('SECRET-2', { 连接密码: bad, 枪口数: '0' }),
    ]);
    expect(codes(data)).toEqual([[3, 'connectorCount too_small']]);
    const kept = async () => {
      const { rows } = await api.database.pool.query<{ text: string; sealed: string | null }>(
        `select station_import_rows::text as text, encode(sealed_password, 'escape') as sealed
           from station_import_rows where import_id = $1 order by line`,
        [data.id],
      );
      return rows;
    };
    const waiting = await kept();
    expect(waiting.map(({ sealed }) => sealed !== null)).toEqual([true, true]);
    for (const { text, sealed } of waiting) expect(`${text} ${sealed}`).not.toContain('Harbour');

    const reports: Buffer[] = [];
    for (const [language, head, again] of [
      ['en', 'Password', 'Enter again'],
      ['zh-CN', '连接密码', '请重新填写'],
    ] as const) {
      const { bytes } = await api.get(`/station-imports/${data.id}/report`, { language });
      const [heads = [], reported = []] = sheetRows(bytes);
      expect(reported[heads.indexOf(head)]).toBe(again);
      expect(reported.join()).not.toContain('Harbour');
      reports.push(bytes);
    }
    // Uploaded as it is, the row waits for its password instead of getting another one.
    for (const report of reports) {
      expect((await check(report)).data.faults[0]?.faults).toContainEqual({
        column: 'password',
        code: 'too_short',
        params: { min: 16 },
      });
    }

    const again = await checkRows([row('SECRET-1', { 连接密码: good })]);
    const { data: started } = await start(again.id);
    await work();
    await ended(started.taskId);
    const { rows: made } = await api.database.pool.query('select password_hash from stations where number = $1', [
      'SECRET-1',
    ]);
    expect(verifyStationPassword(good, made[0].password_hash)).toBe(true);
    expect(await count(`station_import_rows where import_id = ${again.id} and sealed_password is not null`)).toBe(0);
  });

  test('a password that the key of the installation no longer opens is asked for again', async () => {
    const data = await checkRows([row('LOCKED-1', { 连接密码: 'Harbour-lamp-4714' })]);
    const other = createSecretBox(randomBytes(secretKeyBytes)).seal('station-import-password', 'Harbour-lamp-4714');
    await api.database.pool.query('update station_import_rows set sealed_password = $2 where import_id = $1', [
      data.id,
      other,
    ]);
    expect(codes((await start(data.id)).data)).toEqual([[2, 'password too_short']]);
    expect(await count(`stations where number = 'LOCKED-1'`)).toBe(0);
  });

  test('the template is read as it is, and its example is no station', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const template = await api.get('/station-imports/template', { language });
      const refused = await check(template.bytes, { language: 'en' });
      expect(refused.envelope.message).toMatchObject({ error: 'import.no_rows' });
      const [heads = []] = sheetRows(template.bytes);
      expect(heads[0]).toBe(language === 'en' ? 'Station number*' : '充电桩编号*');
    }
  });
});

describe('a file that is no list of stations', () => {
  test.each([
    ['text with the name of a workbook', Buffer.from('number,name\nA,B\n'), 'file.wrong_type'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file.wrong_type'],
    ['an empty file', Buffer.alloc(0), 'file.wrong_type'],
    ['half an archive', Buffer.from('504b0304140000', 'hex'), 'file.unreadable'],
  ])('%s is refused with the reason', async (_what, content, error) => {
    expect((await check(content)).envelope.message).toMatchObject({ error });
  });

  test('a file beyond the limit of bytes or rows is refused with the limit', async () => {
    const large = await check(Buffer.alloc(5 * 1024 * 1024 + 1, 'PK'));
    expect(large.envelope.message).toMatchObject({ status: 413, error: 'file.too_large' });
    const many = await workbook(Array.from({ length: 10_001 }, (_, index) => row(`MANY-${index}`)));
    expect((await check(many)).envelope.message).toMatchObject({
      error: 'import.too_many_rows',
      message: 'A file may have 10000 rows; split it and import the parts',
    });
  });

  test('whatever its sheet says, a workbook is answered, and never by a failure of ours', async () => {
    const heads = Object.keys(row(''))
      .map((head, index) => `<c r="${'ABCDEFGHI'[index]}1" t="inlineStr"><is><t>${head}</t></is></c>`)
      .join('');
    const cell = (text: string) => `<c r="A2" t="inlineStr"><is><t>${text}</t></is></c>`;
    const stranger = `<c r="Z1" t="inlineStr"><is><t>${'x'.repeat(59)}\u{1f50c}</t></is></c>`;
    const bad = ['2', '2', 'abc', '2.5', '99999999999', '-7', '1e9'].map((r) => `<row r="${r}">${cell('A')}</row>`);
    for (const rows of [
      bad.join(''),
      `<row>${cell(`${'a'.repeat(499)}\u{1f50c}`)}</row>`,
      `<row>${cell('\ufdfa'.repeat(501))}</row>`,
      `<row>${cell('A\u0001\u202eB')}</row>`,
      `<row>${cell('__proto__')}</row>`,
    ]) {
      const file = await sheetOf(`<row r="1">${heads}${stranger}</row>${rows}`);
      const { envelope } = await check(file, {}, `\u202e${'\u{1f50c}'.repeat(300)}.xlsx`);
      expect(envelope.message, rows.slice(0, 80)).toMatchObject({ status: 200 });
      expect(envelope.data.faults.length).toBeGreaterThan(0);
      expect(envelope.data.fileName).toMatch(/^\p{Extended_Pictographic}{115}\.xlsx$/u);
    }
    const crowded = await sheetOf(`<row r="1">${heads}</row>${`<row>${cell('a'.repeat(500))}</row>`.repeat(10_000)}`);
    expect((await check(crowded)).status).toBe(200);
    const full = `<row>${`<c t="inlineStr"><is><t>${'a'.repeat(500)}</t></is></c>`.repeat(3)}</row>`.repeat(10_000);
    expect((await check(await sheetOf(`<row r="1">${heads}</row>${full}`))).envelope.message).toMatchObject({
      status: 422,
      error: 'import.too_large_inside',
    });
  });

  test('missing and repeated columns are named in the language of the caller', async () => {
    const without = await workbook([row('A-1')], ['充电桩编号', '站点', '枪口数']);
    expect((await check(without, { language: 'zh-CN' })).envelope.message.message).toBe(
      '第一行缺少必填列“充电桩名称”等 4 列，请使用导入模板',
    );
    const twice = await workbook([row('A-1')], ['充电桩编号', 'Station number', '站点']);
    expect((await check(twice)).envelope.message.message).toBe(
      'The first row has several columns “Station number”; keep one of them',
    );
  });
});
