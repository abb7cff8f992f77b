import { connectorGroupOf, connectorGroups, connectorStates } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { Connector } from '@voltdeck/contract/connectors';
import type { Station, StationDetail } from '@voltdeck/contract/stations';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { hashStationPassword, newStationPassword, verifyStationPassword } from './station-password.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'lake');
});
afterAll(() => api.close());

const form = (number: string, rest: object = {}) => ({
  number,
  name: 'By the gate',
  type: 'fast',
  equipmentType: 'four-wheel',
  siteId: place.siteId,
  connectorCount: 2,
  maxPowerKw: 7,
  cardTariffId: place.tariffId,
  ...rest,
});
const create = async (number: string, rest: object = {}) => {
  const answer = await api.post<Station & { password: string }>('/stations', form(number, rest));
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};
const setOnline = (id: number, online: boolean) =>
  api.database.db
    .updateTable('stations')
    .set({ online })
    .where('id', '=', id as never)
    .execute();

describe('a station password', () => {
  test('a station password verifies itself and no other, with a different salt each time', () => {
    const password = newStationPassword();
    expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
    expect(hashStationPassword(password)).not.toBe(hashStationPassword(password));
    expect(verifyStationPassword(password, hashStationPassword(password))).toBe(true);
    expect(verifyStationPassword(`${password} `, hashStationPassword(password))).toBe(false);
    for (const broken of ['', 'sha256$', 'sha256$$', 'md5$a$b', password]) {
      expect(verifyStationPassword(password, broken)).toBe(false);
    }
  });
});

describe('a station', () => {
  test('a station is created with its ports and a password that is shown once', async () => {
    const rest = { voltageV: 400, currentA: 32, expiresOn: '2030-01-31', wechatTariffId: place.tariffId };
    const made = await create('MADE-1', rest);
    expect(made).toMatchObject({
      number: 'MADE-1',
      name: 'By the gate',
      type: 'fast',
      equipmentType: 'four-wheel',
      protocol: 'ocpp1.6',
      enabled: true,
      online: false,
      connectorCount: 2,
      connectors: { free: 0, occupied: 0, fault: 0, offline: 2 },
      maxPowerKw: 7,
      voltageV: 400,
      expiresOn: '2030-01-31',
      siteName: 'Site lake',
      cardTariffName: 'Rule lake',
      wechatTariffName: 'Rule lake',
      totalEnergyWh: 0,
      createdAt: expect.any(String),
    });
    expect(made.password).toHaveLength(20);
    const detail = await api.get<StationDetail>(`/stations/${made.id}`);
    expect(detail.text).not.toContain(made.password);
    expect(detail.data.ports.map(({ number, state }) => [number, state])).toEqual([
      [1, 'offline'],
      [2, 'offline'],
    ]);
  });

  test('a station shows its agent, its rated current and voltage, and its running state', async () => {
    const agentId = await api.addAgent('Shore');
    const shore = await makePlace(api.database, agentId, 'shore');
    const made = await create('AGENT-1', {
      siteId: shore.siteId,
      cardTariffId: shore.tariffId,
      voltageV: 380,
      currentA: 63,
    });
    const { data } = await api.get<StationDetail>(`/stations/${made.id}`);
    expect(data).toMatchObject({
      agentId,
      agentName: 'Shore',
      voltageV: 380,
      currentA: 63,
      online: false,
      connectors: { free: 0, occupied: 0, fault: 0, offline: 2 },
    });
  });

  test('a station accepts a given password of 16 to 20 bytes', async () => {
    const made = await create('GIVEN-1', { password: 'sixteen-bytes-ok' });
    const row = await api.database.db
      .selectFrom('stations')
      .select('password_hash')
      .where('number', '=', 'GIVEN-1')
      .executeTakeFirstOrThrow();
    expect(made.password).toBe('sixteen-bytes-ok');
    expect(verifyStationPassword('sixteen-bytes-ok', row.password_hash ?? '')).toBe(true);
    const fault = async (password: string) =>
      (await api.post('/stations', form('GIVEN-2', { password }))).envelope.message.fields?.[0]?.code;
    expect([await fault('short'), await fault('x'.repeat(21)), await fault('sixteen bytes no')]).toEqual([
      'too_short',
      'too_long',
      'bad_format',
    ]);
  });

  test('a station cannot use a number in use, nor a missing site or rule', async () => {
    await create('TWICE');
    const again = await api.post('/stations', form('TWICE'), { language: 'en' });
    expect(again.envelope.message).toMatchObject({ status: 409, message: 'Station number TWICE is taken' });
    const lost = await api.post('/stations', form('LOST', { siteId: 999, cardTariffId: 999, wechatTariffId: 998 }));
    expect(lost.envelope.message.fields?.map(({ path, code }) => [path, code])).toEqual([
      ['siteId', 'unknown_reference'],
      ['cardTariffId', 'unknown_reference'],
      ['wechatTariffId', 'unknown_reference'],
    ]);
    const zero = await api.post('/stations', form('ZERO', { connectorCount: 0, maxPowerKw: 0 }), { language: 'en' });
    expect(zero.envelope.message.fields?.map(({ path, message }) => [path, message])).toEqual([
      ['connectorCount', 'Must be at least 1'],
      ['maxPowerKw', 'Must be at least 1'],
    ]);
  });

  test('a station’s ports grow and shrink, but one that ever charged stays', async () => {
    const made = await create('PORTS-1');
    const change = (connectorCount: number) => {
      const { ...changed } = form('PORTS-1', { connectorCount });
      return api.ask<Station>('PUT', `/stations/${made.id}`, { body: changed });
    };
    expect((await change(4)).data.connectorCount).toBe(4);
    expect((await change(3)).data.connectorCount).toBe(3);
    const { ports } = (await api.get<StationDetail>(`/stations/${made.id}`)).data;
    const used = { connector_id: ports[2]?.id ?? place.connectorId, connector_number: 3 };
    await makeOrder(api.database, { ...place, stationId: made.id }, instant(Date.now()), used);
    const refused = await change(2);
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'connectorCount', code: 'in_use' }]);
    expect((await api.get<StationDetail>(`/stations/${made.id}`)).data.ports).toHaveLength(3);
  });

  test('a station keeps its number while it is connected', async () => {
    const made = await create('RENAME-1');
    await setOnline(made.id, true);
    const rename = () => api.ask<Station>('PUT', `/stations/${made.id}`, { body: form('RENAME-2') });
    expect((await rename()).envelope.message.fields).toMatchObject([{ path: 'number', code: 'in_use' }]);
    await setOnline(made.id, false);
    expect((await rename()).data.number).toBe('RENAME-2');
  });

  test('a station is disabled, enabled and, when unused, deleted, and each change is audited', async () => {
    const made = await create('DELETE-1');
    const patch = (enabled: boolean) => api.ask<Station>('PATCH', `/stations/${made.id}`, { body: { enabled } });
    expect((await patch(false)).data.enabled).toBe(false);
    expect((await patch(false)).data.enabled).toBe(false);
    expect((await patch(true)).data.enabled).toBe(true);
    expect((await api.ask('DELETE', `/stations/${made.id}`)).envelope).toMatchObject({
      message: { status: 200 },
      data: null,
    });
    expect((await api.get(`/stations/${made.id}`)).status).toBe(404);
    const trace = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'user_id'])
      .where('record_kind', '=', 'station')
      .where('record_id', '=', String(made.id))
      .orderBy('id')
      .execute();
    expect(trace.map(({ action }) => action)).toEqual([
      'station.create',
      'station.disable',
      'station.enable',
      'station.delete',
    ]);
    expect(new Set(trace.map(({ user_id }) => user_id))).toEqual(new Set([1]));
  });

  test('a station with orders or a connection is not deleted, and neither is its site', async () => {
    const connected = await create('BUSY-1');
    await setOnline(connected.id, true);
    expect((await api.ask('DELETE', `/stations/${connected.id}`)).envelope.message.error).toBe('station.in_use');
    await makeOrder(api.database, place, instant(Date.now()));
    expect((await api.ask('DELETE', `/stations/${place.stationId}`)).envelope.message.error).toBe('station.in_use');
    expect((await api.ask('DELETE', `/sites/${place.siteId}`)).envelope.message.error).toBe('site.has_stations');
  });

  test.each([
    ['zh-CN', '充电桩使用中，不能删除'],
    ['en', 'A station in use cannot be deleted'],
  ] as const)('8.2.4 a station in use cannot be deleted, in %s', async (language, text) => {
    const used = await makePlace(api.database, null, `used-${language}`);
    await makeOrder(api.database, used, instant(Date.now()));
    const refused = await api.ask('DELETE', `/stations/${used.stationId}`, { language });
    expect([refused.status, refused.envelope.message.message]).toEqual([409, text]);
    expect((await api.get(`/stations/${used.stationId}`)).status).toBe(200);
  });

  test.each([
    ['zh-CN', '不能小于 1', '请输入整数'],
    ['en', 'Must be at least 1', 'Must be a whole number'],
  ] as const)(
    '5.6.1 gun count, max power, voltage and current are positive integers, in %s',
    async (language, small, broken) => {
      for (const path of ['connectorCount', 'maxPowerKw', 'voltageV', 'currentA']) {
        for (const [value, message] of [
          [0, small],
          [-1, small],
          [1.5, broken],
        ]) {
          const refused = await api.post('/stations', form('WHOLE-1', { [path]: value }), { language });
          expect(refused.envelope.message).toMatchObject({ status: 422, fields: [{ path, message }] });
        }
      }
    },
  );

  test('a station’s connection help shows where to connect and what went wrong last', async () => {
    const made = await create('HELP 1'.replace(' ', '-'));
    await api.database.db
      .updateTable('stations')
      .set({
        refused_at: instant(Date.parse('2026-11-21T04:00:00Z')),
        refused_because: 'wrong_password',
        refused_address: '203.0.113.4',
      })
      .where('id', '=', made.id)
      .execute();
    const help = await api.get(`/stations/${made.id}/connection`, { headers: { host: 'charge.example:8080' } });
    expect(help.data).toMatchObject({
      url: 'ws://charge.example:8080/ocpp/HELP-1',
      identity: 'HELP-1',
      subprotocol: 'ocpp1.6',
      hasPassword: true,
      lastRefusal: { at: '2026-11-21T04:00:00.000Z', reason: 'wrong_password', remoteAddress: '203.0.113.4' },
    });
    const renewed = await api.post<{ password: string }>(`/stations/${made.id}/passwords`);
    expect(renewed.data.password).not.toBe(made.password);
  });

  test('an unregistered station is adopted under its number', async () => {
    const { id } = await api.database.db
      .insertInto('unknown_stations')
      .values({
        number: 'STRAY-7',
        protocol: 'ocpp1.6',
        remote_address: '203.0.113.5',
        first_seen_at: instant(1_000),
        last_seen_at: instant(2_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await api.get('/unknown-stations')).data).toMatchObject({
      total: 1,
      items: [{ number: 'STRAY-7', attempts: 1 }],
    });
    const { number: _, ...body } = form('');
    const adopted = await api.post<Station>(`/unknown-stations/${id}/adoptions`, body);
    expect(adopted.data).toMatchObject({ number: 'STRAY-7', protocol: 'ocpp1.6' });
    expect((await api.get('/unknown-stations')).data).toMatchObject({ total: 0 });
    expect((await api.post(`/unknown-stations/${id}/adoptions`, body)).status).toBe(404);
  });

  test('an unregistered station is removed from the list by the platform, and the audit log says so', async () => {
    const { id } = await api.database.db
      .insertInto('unknown_stations')
      .values({
        number: 'STRAY-8',
        protocol: 'ykc',
        remote_address: '203.0.113.5',
        first_seen_at: instant(1_000),
        last_seen_at: instant(2_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await api.ask('DELETE', `/unknown-stations/${id}`)).status).toBe(200);
    expect((await api.get('/unknown-stations')).data).toMatchObject({ total: 0 });
    expect((await api.ask('DELETE', `/unknown-stations/${id}`)).status).toBe(404);
    const entry = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'before'])
      .where('record_kind', '=', 'unknown_station')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: 'unknown_station.delete', before: { number: 'STRAY-8', protocol: 'ykc' } });
  });
});

describe('what a station signs in with', () => {
  const faultsOf = async (number: string, rest: object) => {
    const { envelope } = await api.post('/stations', form(number, rest));
    return (envelope.message as { fields?: { path: string; code: string }[] }).fields;
  };

  test.each([
    ['1111111111111111'],
    ['abcabcabcabcabcab'],
    ['0123456789abcdef'],
    ['fedcba9876543210'],
    ['12345678123456781'],
    ['GUESS-NUMBER-9-99'],
  ])('a station password like %s is refused', async (password) => {
    expect(await faultsOf('GUESS-NUMBER-9', { password })).toMatchObject([{ path: 'password', code: 'guessable' }]);
  });

  test('a station password may be chosen, if it is hard to guess', async () => {
    for (let each = 0; each < 20; each += 1) {
      expect((await create(`CHOSEN-${each}`, { password: newStationPassword() })).password).toHaveLength(20);
    }
    expect((await create('CHOSEN-HEX', { password: '7f3a9c04e1b85d26' })).password).toBe('7f3a9c04e1b85d26');
  });

  test('a station may sign in without a password from named addresses, and the audit log shows who allowed it', async () => {
    const made = await create('OPEN-1');
    expect(made).toMatchObject({ signIn: 'password', signInNetworks: [] });
    const body = form('OPEN-1', { signIn: 'open', signInNetworks: ['203.0.113.0/24', '2001:db8::7'] });
    const changed = await api.ask<Station>('PUT', `/stations/${made.id}`, { body });
    expect(changed.data).toMatchObject({ signIn: 'open', signInNetworks: ['203.0.113.0/24', '2001:db8::7'] });
    expect((await api.get(`/stations/${made.id}/connection`)).data).toMatchObject({ signIn: 'open' });
    // A change of other fields need not repeat it.
    const renamed = await api.ask<Station>('PUT', `/stations/${made.id}`, { body: form('OPEN-1', { name: 'Gate' }) });
    expect(renamed.data).toMatchObject({
      name: 'Gate',
      signIn: 'open',
      signInNetworks: ['203.0.113.0/24', '2001:db8::7'],
    });
    const entry = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'before', 'after'])
      .where('record_kind', '=', 'station')
      .where('record_id', '=', String(made.id))
      .where('action', '=', 'station.change')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ before: { signIn: 'password' }, after: { signIn: 'open' } });
  });

  test.each([['203.0.113.0/33'], ['203.0.113'], ['gate.example'], ['::1/129'], ['1.2.3.4/8/9']])(
    'a station cannot be bound to the address %s',
    async (range) => {
      const faults = await faultsOf('BOUND-1', { signIn: 'open', signInNetworks: ['203.0.113.1', range] });
      expect(faults).toMatchObject([{ path: 'signInNetworks', code: 'bad_format' }]);
    },
  );

  test('a station password cannot be chosen for a protocol without passwords', async () => {
    const faults = await faultsOf('32010600090001', { protocol: 'ykc', signIn: 'open' });
    expect(faults).toMatchObject([{ path: 'signIn', code: 'no_password' }]);
  });
});

describe('ports', () => {
  test('gun ports are offline while their station is, whatever they reported last', async () => {
    const made = await create('STATES-1');
    await api.database.db
      .updateTable('connectors')
      .set({ state: 'charging' })
      .where('station_id', '=', made.id)
      .where('number', '=', 1)
      .execute();
    const states = async (query = '') =>
      (await api.get<{ items: Connector[] }>(`/connectors?stationId=${made.id}${query}`)).data.items.map(
        ({ state }) => state,
      );
    expect(await states()).toEqual(['offline', 'offline']);
    expect(await states('&state=occupied')).toEqual([]);
    await setOnline(made.id, true);
    expect(await states()).toEqual(['charging', 'offline']);
    expect(await states('&state=occupied')).toEqual(['charging']);
    expect(await states('&state=free')).toEqual([]);
    const stations = await api.get<{ items: Station[] }>('/stations?state=occupied&number=STATES');
    expect(stations.data.items).toMatchObject([{ connectors: { free: 0, occupied: 1, fault: 0, offline: 1 } }]);
    await setOnline(made.id, false);
  });

  test.each(connectorStates)(
    'a gun port of an online station that is %s is shown, found and counted so',
    async (state) => {
      const { id } = await create(`PORT-${state}`, { connectorCount: 1 });
      await setOnline(id, true);
      await api.database.db.updateTable('connectors').set({ state }).where('station_id', '=', id).execute();
      const group = connectorGroupOf[state];
      for (const asked of connectorGroups) {
        const found = await api.get<{ items: Connector[] }>(`/connectors?stationId=${id}&state=${asked}`);
        const states = found.data.items.map((port) => port.state);
        expect(states, asked).toEqual(asked === group ? [state] : []);
      }
      const { data } = await api.get<StationDetail>(`/stations/${id}`);
      const none = { free: 0, occupied: 0, fault: 0, offline: 0 };
      expect(data).toMatchObject({ online: true, connectors: { ...none, [group]: 1 }, ports: [{ state }] });
      await setOnline(id, false);
    },
  );

  test('gun ports show name, number, station type and agent, state, whether they are open, and their QR code', async () => {
    const agentId = await api.addAgent('Quay');
    const quay = await makePlace(api.database, agentId, 'quay');
    const { items } = (await api.get<{ items: Connector[] }>(`/connectors?stationId=${quay.stationId}`)).data;
    expect(items[0]).toMatchObject({
      number: 1,
      name: expect.stringMatching(/./),
      stationType: 'fast',
      agentId,
      agentName: 'Quay',
      state: 'offline',
      open: true,
      qrText: `${quay.stationNumber}-1`,
    });
  });

  test('gun ports are found by gun number, station number and equipment type', async () => {
    await create('FOUND-BIKE', { equipmentType: 'two-wheel', connectorCount: 3 });
    await create('FOUND-CAR', { connectorCount: 1 });
    const found = async (query: string) =>
      (await api.get<{ items: Connector[] }>(`/connectors?stationNumber=found-${query}`)).data.items.map(
        ({ stationNumber, number }) => `${stationNumber} ${number}`,
      );
    expect(await found('&number=1')).toEqual(['FOUND-BIKE 1', 'FOUND-CAR 1']);
    expect(await found('&number=3')).toEqual(['FOUND-BIKE 3']);
    expect(await found('&equipmentType=four-wheel')).toEqual(['FOUND-CAR 1']);
    expect(await found('bike&equipmentType=two-wheel,four-wheel&number=2')).toEqual(['FOUND-BIKE 2']);
  });

  test('gun ports are renamed and closed', async () => {
    await api.ask('PUT', `/connectors/${place.connectorId}`, { body: { name: 'Left' } });
    const changed = await api.ask<Connector>('PATCH', `/connectors/${place.connectorId}`, { body: { open: false } });
    expect(changed.data).toMatchObject({ name: 'Left', open: false, qrText: `${place.stationNumber}-1` });
    await api.ask('PATCH', `/connectors/${place.connectorId}`, { body: { open: true } });
  });
});

describe('a command', () => {
  const held = async (outcome: CommandOutcome, body: object, ask = {}) => {
    const asked: StationCommand[] = [];
    const end = playHolder(api.context.bus, place.stationNumber, async (command) => {
      asked.push(command);
      return outcome;
    });
    const answer = await api.post(`/stations/${place.stationId}/commands`, body, ask);
    end();
    return { answer, asked };
  };

  test('a command reaches the station as sent and returns its answer, whether yes or no', async () => {
    const reset = await held({ kind: 'accepted' }, { kind: 'reset' });
    expect(reset.asked).toEqual([{ kind: 'reset', mode: 'soft' }]);
    expect(reset.answer.data).toEqual({ kind: 'accepted' });
    const refused = await held({ kind: 'rejected' }, { kind: 'unlock-connector', connectorNumber: 2 });
    expect([refused.answer.status, refused.answer.data]).toEqual([200, { kind: 'rejected' }]);
    const raw = { kind: 'raw', action: 'GetDiagnostics', payload: { location: 'ftp://x' } };
    const answered = await held({ kind: 'raw', payload: { any: ['thing', 1, null] } }, raw);
    expect(answered.asked).toEqual([raw]);
    expect(answered.answer.data).toEqual({ kind: 'raw', payload: { any: ['thing', 1, null] } });
  });

  test.each([
    [{ kind: 'offline' }, 409, 'The station is offline and cannot be reached'],
    [{ kind: 'busy' }, 409, 'Too many commands are waiting for this station. Try again shortly'],
    [{ kind: 'timed-out' }, 504, 'The station did not answer within 30 s'],
  ] as const)('a command that does not get through is refused: %o', async (outcome, status, message) => {
    const { answer } = await held(outcome, { kind: 'clear-cache' }, { language: 'en' });
    expect([answer.status, answer.envelope.message.message]).toEqual([status, message]);
  });

  test('a command to a station without a connection is refused as offline', async () => {
    const answer = await api.post(`/stations/${place.stationId}/commands`, { kind: 'reset' });
    expect(answer.envelope.message.error).toBe('station.offline');
  });

  test.each([
    { kind: 'write-configuration', key: 'AuthorizationKey', value: 'top-secret-20-bytes!' },
    { kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'authorizationKey', value: 'top-secret-20-bytes!' } },
  ])(
    'a command that changes the station’s password reaches it and leaves the password out of the audit log: $kind',
    async (body) => {
      const { asked } = await held({ kind: 'accepted' }, body);
      expect(asked).toEqual([body]);
      const audited = await api.database.db
        .selectFrom('audit_entries')
        .select('after')
        .where('action', '=', `station.command.${body.kind}`)
        .execute();
      expect(JSON.stringify(audited)).toMatch(/authorizationkey/i);
      expect(JSON.stringify(audited)).not.toContain('top-secret');
    },
  );

  test.each([
    ['short', 'too_short'],
    ['a-password-of-many-characters', 'too_long'],
    ['1111111111111111', 'guessable'],
    [Buffer.from('abcdefghijklmnop').toString('hex'), 'guessable'],
    ['pass word pass word', 'bad_format'],
    ['', 'bad_format'],
  ])('a command with a weak station password is refused like the form’s and not sent: %s', async (value, code) => {
    const plain = { kind: 'write-configuration', key: 'authorizationkey', value };
    const raw = { kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value } };
    for (const [body, path] of [
      [plain, 'value'],
      [raw, 'payload.value'],
    ] as const) {
      const { answer, asked } = await held({ kind: 'accepted' }, body);
      expect(answer.envelope.message.fields).toMatchObject([{ path, code }]);
      expect(asked).toEqual([]);
    }
  });

  test('a protocol’s raw command needs a permission of its own, besides that of commands', async () => {
    const raw = { kind: 'raw', action: 'Reset', payload: {} };
    const plain = await api.addUser({ name: 'operator', permissions: ['station.command'] });
    const odd = await api.addUser({ name: 'odd', permissions: ['station.command_raw'] });
    const expert = await api.addUser({
      name: 'expert',
      permissions: ['station.command', 'station.command_raw'],
    });
    const status = async (body: object, token: string) =>
      (await held({ kind: 'accepted' }, body, { token })).answer.status;
    expect(await status({ kind: 'reset' }, plain.token)).toBe(200);
    expect(await status(raw, plain.token)).toBe(403);
    expect(await status({ kind: 'reset' }, odd.token)).toBe(403);
    expect(await status(raw, expert.token)).toBe(200);
  });
});
