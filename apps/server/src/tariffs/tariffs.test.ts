import type { Tariff, TariffVersion } from '@voltdeck/contract/tariffs';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { dayTariff, makePlace, type Place } from '../http/test-records.ts';
import { applyDuePrices } from '../jobs/apply-due-prices.ts';
import { moveStationsLeft, stationsMovedAtOnce } from './move-stations.ts';
import { takeIntoForce } from './take-into-force.ts';

let api: TestApi;
let alphaId: AgentId;
let betaId: AgentId;
let alpha: { token: string };
let beta: { token: string };
const now = instant(Date.UTC(2026, 10, 21, 4));

beforeAll(async () => {
  api = await openTestApi();
  alphaId = await api.addAgent('Alpha');
  betaId = await api.addAgent('Beta');
  const permissions = ['tariff.edit', 'tariff.read', 'station.read', 'tariff.platform_default'] as const;
  alpha = await api.addUser({ name: 'alpha', permissions, scope: 'agent', agentId: alphaId });
  beta = await api.addUser({ name: 'beta', permissions, scope: 'agent', agentId: betaId });
});
afterAll(() => api.close());

let made = 0;
const newPlace = (agentId: AgentId | null = null) => {
  made += 1;
  return makePlace(api.database, agentId, `tariff-${made}`);
};

/** The day tariff with another price in the valley. */
function pricedAt(valley: number, more: object = {}) {
  const { prices } = dayTariff;
  return {
    ...dayTariff,
    name: 'Day and night',
    prices: { ...prices, valley: { electricity: valley, service: 30_000 } },
    ...more,
  };
}

async function createRule(more: object = {}, token?: string): Promise<Tariff> {
  const { data, status, text } = await api.post<Tariff>(
    '/tariffs',
    pricedAt(30_000, more),
    token === undefined ? {} : { token },
  );
  expect(text).toContain('"code":0');
  expect(status).toBe(200);
  return data;
}

const change = (id: TariffId, body: object, token?: string) =>
  api.ask<Tariff>('PUT', `/tariffs/${id}`, { body, ...(token === undefined ? {} : { token }) });

const versionsOf = async (id: TariffId) =>
  (await api.get<{ items: TariffVersion[] }>(`/tariffs/${id}/versions`)).data.items;

async function stationOf({ stationId }: Place) {
  return api.database.db
    .selectFrom('stations')
    .select(['card_tariff_id as card', 'wechat_tariff_id as wechat'])
    .where('id', '=', stationId)
    .executeTakeFirstOrThrow();
}

const takeDue = async () => (await applyDuePrices(api.context)).versions;

async function at<Done>(time: Instant, work: () => Promise<Done>): Promise<Done> {
  api.clock.now = time;
  try {
    return await work();
  } finally {
    api.clock.now = null;
  }
}

describe('versions', () => {
  test('other prices are a new version, and every station of the rule moves to it with its history', async () => {
    const place = await newPlace();
    const other = await newPlace();
    const before = await api.get<Tariff>(`/tariffs/${place.tariffId}`);
    const changed = await change(place.tariffId, { ...pricedAt(25_000), name: 'Nights' });
    expect(changed.data).toMatchObject({ ruleId: place.tariffId, version: 2, state: 'in_force', stationCount: 1 });
    expect(changed.data.id).not.toBe(place.tariffId);
    expect(await stationOf(place)).toEqual({ card: changed.data.id, wechat: null });
    expect(await stationOf(other)).toEqual({ card: other.tariffId, wechat: null });
    const old = await api.get<Tariff>(`/tariffs/${place.tariffId}`);
    expect(old.data).toMatchObject({ state: 'past', version: 1, detail: before.data.detail, name: 'Nights' });
    const history = await api.get<{ items: object[] }>(`/station-tariffs?ruleId=${place.tariffId}`);
    expect(history.data.items).toMatchObject([
      { stationNumber: place.stationNumber, version: 2, kind: 'card', untilAt: null },
      { stationNumber: place.stationNumber, version: 1, kind: 'card', untilAt: expect.any(String) },
    ]);
    const current = await api.get<{ items: object[] }>(`/station-tariffs?ruleId=${changed.data.id}&isCurrent=true`);
    expect(current.data.items).toMatchObject([{ version: 2 }]);
  });

  test('the list shows each rule once, by its version in force', async () => {
    const rule = await createRule({ name: 'Listed once' });
    await change(rule.id, pricedAt(20_000, { name: 'Listed once' }));
    const list = await api.get<{ items: Tariff[] }>('/tariffs?name=Listed%20once');
    expect(list.data.items).toMatchObject([{ ruleId: rule.id, version: 2 }]);
  });

  test('a change of the name alone makes no version', async () => {
    const rule = await createRule();
    const renamed = await change(rule.id, pricedAt(30_000, { name: 'Renamed', note: 'Cheap at night' }));
    expect(renamed.data).toMatchObject({ id: rule.id, version: 1, name: 'Renamed', note: 'Cheap at night' });
  });

  test('a later version waits, takes effect at its time and not before, and only once', async () => {
    const place = await newPlace();
    const effectiveAt = instant(now + dayMs);
    const waiting = await at(now, () =>
      change(place.tariffId, pricedAt(20_000, { takesEffectAt: toIso(effectiveAt) })),
    );
    expect(waiting.data).toMatchObject({ version: 2, state: 'waiting', effectiveAt: toIso(effectiveAt) });
    const shown = await api.get<Tariff>(`/tariffs/${place.tariffId}`);
    expect(shown.data).toMatchObject({ state: 'in_force', next: { id: waiting.data.id, version: 2 } });
    await at(instant(effectiveAt - 1), () => takeDue());
    expect(await stationOf(place)).toMatchObject({ card: place.tariffId });
    expect(await at(effectiveAt, () => takeDue())).toBe(1);
    expect(await stationOf(place)).toMatchObject({ card: waiting.data.id });
    expect(await at(effectiveAt, () => takeDue())).toBe(0);
    expect((await versionsOf(place.tariffId)).map(({ version, state }) => [version, state])).toEqual([
      [2, 'in_force'],
      [1, 'past'],
    ]);
  });

  test('versions that fell due while nothing ran take effect in the order of their times', async () => {
    const place = await newPlace();
    const later = (hours: number, valley: number) =>
      at(now, () => change(place.tariffId, pricedAt(valley, { takesEffectAt: toIso(instant(now + hours * hourMs)) })));
    const second = await later(2, 12_000);
    await later(1, 11_000);
    expect(await at(instant(now + dayMs), () => takeDue())).toBe(2);
    expect(await stationOf(place)).toMatchObject({ card: second.data.id });
  });

  test('a version that fell due while nothing ran does not replace the newer price that somebody set', async () => {
    const place = await newPlace();
    const overdue = await at(now, () =>
      change(place.tariffId, pricedAt(15_000, { takesEffectAt: toIso(instant(now + hourMs)) })),
    );
    const newer = await at(instant(now + 2 * hourMs), () => change(place.tariffId, pricedAt(12_000)));
    const states = async () => (await versionsOf(place.tariffId)).map(({ version, state }) => [version, state]);
    const expected = [
      [3, 'in_force'],
      [2, 'cancelled'],
      [1, 'past'],
    ];
    expect(await states()).toEqual(expected);
    expect(await at(instant(now + 3 * hourMs), takeDue)).toBe(0);
    expect(await stationOf(place)).toMatchObject({ card: newer.data.id });

    const { db } = api.database;
    const withdrawals = await db
      .selectFrom('audit_entries')
      .select(['user_id', 'before'])
      .where('action', '=', 'tariff.version_cancel')
      .where('record_id', '=', String(place.tariffId))
      .execute();
    const withdrawn = { version: 2, takesEffectAt: toIso(instant(now + hourMs)) };
    expect(withdrawals).toEqual([{ user_id: expect.any(Number), before: withdrawn }]);
    await db.updateTable('tariffs').set({ state: 'waiting' }).where('id', '=', overdue.data.id).execute();
    expect(await at(instant(now + 3 * hourMs), takeDue)).toBe(0);
    expect(await states()).toEqual(expected);
    expect(await stationOf(place)).toMatchObject({ card: newer.data.id });
  });

  test('a version that takes effect late is in the history of its stations from its own time', async () => {
    const place = await newPlace();
    await api.database.pool.query("update station_tariffs set from_at = from_at - interval '400 days'");
    const later = await at(now, () =>
      change(place.tariffId, pricedAt(15_000, { takesEffectAt: toIso(instant(now + hourMs)) })),
    );
    expect(await at(instant(now + 9 * hourMs), takeDue)).toBe(1);
    const { rows } = await api.database.pool.query(
      'select kind, from_at as at from station_tariffs where station_id = $1 and tariff_id = $2',
      [place.stationId, later.data.id],
    );
    expect(rows).toEqual([{ kind: 'card', at: instant(now + hourMs) }]);
  });

  test('a version that fails is tried again and delays no other', async () => {
    const [broken, sound] = [await newPlace(), await newPlace()];
    const { pool } = api.database;
    for (const [hours, { tariffId }] of [broken, sound].entries()) {
      const takesEffectAt = toIso(instant(now + (hours + 1) * hourMs));
      await at(now, () => change(tariffId, pricedAt(15_000, { takesEffectAt })));
    }
    await pool.query(`
      create function refuse_moving() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse_moving before update on stations for each row when (old.id = ${broken.stationId})
        execute function refuse_moving()`);
    expect(await at(instant(now + dayMs), takeDue)).toBe(1);
    expect((await stationOf(sound)).card).not.toBe(sound.tariffId);
    expect((await stationOf(broken)).card).toBe(broken.tariffId);
    await pool.query('drop function refuse_moving cascade');
    expect(await at(instant(now + dayMs), takeDue)).toBe(1);
    expect((await stationOf(broken)).card).not.toBe(broken.tariffId);
  });

  test('the stations of a large rule follow in short transactions, with one instant in their history', async () => {
    const place = await newPlace();
    const { pool } = api.database;
    const added = 2 * stationsMovedAtOnce;
    await pool.query(
      `insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w, card_tariff_id, wechat_tariff_id)
       select 'MANY-' || n, 'Many', 'fast', 'four-wheel', 'ocpp1.6', $1, 60000, $2, $2 from generate_series(1, $3::int) n`,
      [place.siteId, place.tariffId, added],
    );
    const changed = await change(place.tariffId, pricedAt(17_000));
    const stationsWith = async (id: TariffId) =>
      (
        await pool.query<{ count: number }>(
          'select count(*)::int as count from stations where card_tariff_id = $1 or wechat_tariff_id = $1',
          [id],
        )
      ).rows[0]?.count;
    expect(await stationsWith(changed.data.id)).toBe(stationsMovedAtOnce);
    const entry = await pool.query(
      "select after->>'stationCount' as stations from audit_entries where action = 'tariff.change' and record_id = $1",
      [String(place.tariffId)],
    );
    expect(entry.rows).toEqual([{ stations: String(added + 1) }]);
    const jobs = await pool.query('select payload from graphile_worker._private_jobs where key = $1', [
      `move-stations:${place.tariffId}`,
    ]);
    expect(jobs.rows).toEqual([{ payload: { ruleId: place.tariffId } }]);

    await moveStationsLeft(api.context, place.tariffId);
    expect(await stationsWith(changed.data.id)).toBe(added + 1);
    expect(await stationsWith(place.tariffId)).toBe(0);
    const history = await pool.query(
      `select kind, count(*)::int as stations, count(distinct from_at)::int as instants
         from station_tariffs where tariff_id = $1 group by kind order by kind`,
      [changed.data.id],
    );
    expect(history.rows).toEqual([
      { kind: 'card', stations: added + 1, instants: 1 },
      { kind: 'wechat', stations: added, instants: 1 },
    ]);
  });

  test('a waiting version can be cancelled and then never takes effect', async () => {
    const place = await newPlace();
    const waiting = await at(now, () =>
      change(place.tariffId, pricedAt(20_000, { takesEffectAt: toIso(instant(now + dayMs)) })),
    );
    const cancelled = await api.post<Tariff>(`/tariffs/${waiting.data.id}/cancellation`);
    expect(cancelled.data).toMatchObject({ id: place.tariffId, next: null });
    const again = await api.post(`/tariffs/${waiting.data.id}/cancellation`);
    expect([again.status, again.envelope.message.error]).toEqual([409, 'tariff.not_waiting']);
    expect(await at(instant(now + 2 * dayMs), () => takeDue())).toBe(0);
    expect(await stationOf(place)).toMatchObject({ card: place.tariffId });
  });

  test('two versions cannot take effect at the same instant', async () => {
    const rule = await createRule();
    const takesEffectAt = toIso(instant(Date.now() + dayMs));
    await change(rule.id, pricedAt(20_000, { takesEffectAt }));
    const second = await change(rule.id, pricedAt(10_000, { takesEffectAt }));
    expect([second.status, second.envelope.message.error]).toEqual([409, 'tariff.effective_at_taken']);
  });

  test('a change based on prices that somebody else changed is refused', async () => {
    const rule = await createRule();
    await change(rule.id, pricedAt(20_000, { basedOnId: rule.id }));
    const stale = await change(rule.id, pricedAt(10_000, { basedOnId: rule.id }));
    expect([stale.status, stale.envelope.message.error]).toEqual([409, 'record.changed']);
  });

  test('kind and owner of a rule cannot be changed', async () => {
    const rule = await createRule();
    const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 100 }];
    const changed = await change(rule.id, { kind: 'hour', name: 'Bikes', tiers, agentId: alphaId });
    expect(changed.status).toBe(422);
    expect(changed.envelope.message.fields).toMatchObject([
      { path: 'kind', code: 'not_changeable' },
      { path: 'agentId', code: 'not_changeable' },
    ]);
  });

  test('simultaneous changes each get a version of their own, and the stations end with the one in force', async () => {
    const place = await newPlace();
    const answers = await Promise.all(
      [11_000, 12_000, 13_000, 14_000].map((valley) => change(place.tariffId, pricedAt(valley))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const versions = await versionsOf(place.tariffId);
    expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(versions.filter(({ state }) => state === 'in_force').map(({ id, version }) => [id, version])).toEqual([
      [(await stationOf(place)).card, 5],
    ]);
  });

  test('a job that runs twice at once takes the version into force once', async () => {
    const place = await newPlace();
    const effectiveAt = instant(now + hourMs);
    const waiting = await at(now, () =>
      change(place.tariffId, pricedAt(21_000, { takesEffectAt: toIso(effectiveAt) })),
    );
    const { db } = api.database;
    const taken = await Promise.all(
      [1, 2].map(() => db.transaction().execute((trx) => takeIntoForce(trx, waiting.data.id, effectiveAt))),
    );
    expect(taken.filter((outcome) => outcome !== null)).toEqual([{ stations: 1 }]);
  });
});

describe('a station’s form', () => {
  const formOf = (place: Place, more: object) => ({
    number: place.stationNumber,
    name: 'Saved',
    type: 'fast',
    equipmentType: 'four-wheel',
    siteId: place.siteId,
    connectorCount: 2,
    maxPowerKw: 120,
    ...more,
  });

  test('a form that was opened before a change of prices does not bring the old ones back', async () => {
    const place = await newPlace();
    const changed = await change(place.tariffId, pricedAt(25_000));
    const saved = await api.ask('PUT', `/stations/${place.stationId}`, {
      body: formOf(place, { cardTariffId: place.tariffId }),
    });
    expect(saved.status).toBe(200);
    expect(await stationOf(place)).toEqual({ card: changed.data.id, wechat: null });
  });

  test('forms saved while prices change leave every station with the version in force', async () => {
    const place = await newPlace();
    const form = formOf(place, { cardTariffId: place.tariffId, wechatTariffId: place.tariffId });
    const answers = await Promise.all(
      [15_000, 16_000, 17_000].flatMap((valley) => [
        change(place.tariffId, pricedAt(valley)),
        api.ask('PUT', `/stations/${place.stationId}`, { body: form }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const [inForce] = await versionsOf(place.tariffId);
    expect(await stationOf(place)).toEqual({ card: inForce?.id, wechat: inForce?.id });
  });
});

describe('defaults', () => {
  const equipmentType = 'four-wheel';
  const setDefault = (id: TariffId, body: object, token?: string) =>
    api.ask<{ stationsGiven: number; tariff: Tariff }>('PUT', `/tariffs/${id}/default`, {
      body,
      ...(token === undefined ? {} : { token }),
    });

  async function newStation(agentId: AgentId | null, more: object = {}) {
    const place = await newPlace(agentId);
    const { data } = await api.post<{ id: number; cardTariffId: TariffId | null }>('/stations', {
      number: `NEW-${made}`,
      name: 'New',
      type: 'fast',
      equipmentType: 'four-wheel',
      protocol: 'ocpp1.6',
      siteId: place.siteId,
      connectorCount: 1,
      maxPowerKw: 60,
      ...more,
    });
    return data;
  }

  test('a new station without a rule gets its agent’s default, otherwise the platform’s, each by kind of station', async () => {
    const forCars = await createRule({ name: 'Default for cars' });
    const forAlpha = await createRule({ name: 'Default of Alpha', agentId: alphaId });
    const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 100 }];
    const forBikes = (await api.post<Tariff>('/tariffs', { kind: 'hour', name: 'Default for bikes', tiers })).data;
    expect((await setDefault(forCars.id, { for: 'platform', equipmentType })).data.tariff.platformDefaultFor).toEqual([
      'four-wheel',
    ]);
    expect(
      (await setDefault(forBikes.id, { for: 'platform', equipmentType: 'two-wheel' })).data.tariff.platformDefaultFor,
    ).toEqual(['two-wheel']);
    const own = await setDefault(forAlpha.id, { for: 'agent', equipmentType }, alpha.token);
    expect(own.data.tariff.agentDefaultFor).toEqual(['four-wheel']);
    expect(await newStation(null)).toMatchObject({ cardTariffId: forCars.id });
    expect(await newStation(null, { equipmentType: 'two-wheel' })).toMatchObject({ cardTariffId: forBikes.id });
    expect(await newStation(alphaId)).toMatchObject({ cardTariffId: forAlpha.id });
    expect(await newStation(betaId)).toMatchObject({ cardTariffId: forCars.id });
    const chosen = await newPlace();
    expect(await newStation(alphaId, { cardTariffId: chosen.tariffId })).toMatchObject({
      cardTariffId: chosen.tariffId,
    });
    const changed = await change(forCars.id, pricedAt(22_000));
    expect(await newStation(null)).toMatchObject({ cardTariffId: changed.data.id });
  });

  test('a default can be given to the stations without a rule, and to no others', async () => {
    const { db } = api.database;
    const withRule = await newPlace(betaId);
    const without = await newPlace(betaId);
    await db.updateTable('stations').set({ card_tariff_id: null }).where('id', '=', without.stationId).execute();
    const rule = await createRule({ name: 'For Beta', agentId: betaId });
    const asked = `/default-tariff?for=agent&agentId=${betaId}&equipmentType=four-wheel`;
    expect((await api.get(asked)).data).toEqual({ tariff: null, stationsWithout: 1 });
    expect((await api.get(asked, { token: alpha.token })).status).toBe(404);
    const set = await setDefault(rule.id, { for: 'agent', equipmentType, givesToStations: true }, beta.token);
    expect(set.data.stationsGiven).toBe(1);
    expect(await stationOf(without)).toEqual({ card: rule.id, wechat: null });
    expect(await stationOf(withRule)).toEqual({ card: withRule.tariffId, wechat: null });
    expect((await api.get(asked)).data).toEqual({ tariff: { id: rule.id, name: 'For Beta' }, stationsWithout: 0 });
  });

  test('an agent sets neither the platform’s default nor another agent’s', async () => {
    const rule = await createRule();
    const own = await createRule({ agentId: alphaId });
    expect((await setDefault(rule.id, { for: 'platform', equipmentType }, alpha.token)).status).toBe(403);
    expect((await setDefault(rule.id, { for: 'agent', equipmentType, agentId: betaId }, alpha.token)).status).toBe(422);
    expect((await setDefault(own.id, { for: 'agent', equipmentType }, beta.token)).status).toBe(404);
    const notAll = await setDefault(own.id, { for: 'platform', equipmentType });
    expect([notAll.status, notAll.envelope.message.error]).toEqual([409, 'tariff.not_platforms']);
  });

  test('the platform’s default needs a right of its own', async () => {
    const rule = await createRule();
    const { token } = await api.addUser({ name: 'prices', permissions: ['tariff.read', 'tariff.edit'] });
    expect((await setDefault(rule.id, { for: 'platform', equipmentType }, token)).status).toBe(403);
    expect((await change(rule.id, pricedAt(20_000), token)).status).toBe(200);
  });

  test('a rule by energy becomes the default of the kind of station that is named, and of no other', async () => {
    const rule = await createRule({ name: 'For either kind', agentId: alphaId });
    const unnamed = await setDefault(rule.id, { for: 'agent' });
    expect(unnamed.envelope.message.fields).toEqual([expect.objectContaining({ path: 'equipmentType' })]);
    const set = await setDefault(rule.id, { for: 'agent', equipmentType: 'two-wheel' });
    expect(set.data.tariff.agentDefaultFor).toEqual(['two-wheel']);
    await setDefault(rule.id, { for: 'agent', equipmentType: 'two-wheel', isDefault: false });
  });

  test('a default can be taken away', async () => {
    const rule = await createRule({ agentId: alphaId });
    await setDefault(rule.id, { for: 'agent', equipmentType: 'two-wheel' });
    const taken = await setDefault(rule.id, { for: 'agent', equipmentType: 'two-wheel', isDefault: false });
    expect(taken.data.tariff.agentDefaultFor).toEqual([]);
  });

  test.each(['platform', 'agent', 'none'])('the list can be filtered by default: %s', async (way) => {
    const rule = await createRule({ name: `Filtered ${way}`, ...(way === 'agent' ? { agentId: alphaId } : {}) });
    if (way !== 'none') await setDefault(rule.id, { for: way, equipmentType: 'two-wheel' });
    for (const asked of ['platform', 'agent', 'none']) {
      const list = await api.get<{ items: Tariff[] }>(`/tariffs?name=Filtered%20${way}&default=${asked}`);
      expect(list.data.items).toHaveLength(asked === way ? 1 : 0);
    }
    await setDefault(rule.id, { for: way, equipmentType: 'two-wheel', isDefault: false });
  });
});

describe('deleting', () => {
  const remove = (id: TariffId, language: 'zh-CN' | 'en' = 'en') => api.ask('DELETE', `/tariffs/${id}`, { language });

  test.each([
    ['zh-CN', '计费规则使用中，不能删除'],
    ['en', 'A rule in use cannot be deleted'],
  ] as const)(
    '8.2.15 a rule in use cannot be deleted, whichever version a station has, in %s',
    async (language, text) => {
      const place = await newPlace();
      await change(place.tariffId, pricedAt(20_000));
      const refused = await remove(place.tariffId, language);
      expect([refused.status, refused.envelope.message.error, refused.envelope.message.message]).toEqual([
        409,
        'tariff.in_use',
        text,
      ]);
      expect((await versionsOf(place.tariffId)).length).toBe(2);
    },
  );

  test.each([
    ['zh-CN', '系统默认计费规则不能删除'],
    ['en', 'The system default rule cannot be deleted'],
  ] as const)('8.2.16 the system default rule cannot be deleted, in %s', async (language, text) => {
    const rule = await createRule();
    await api.ask('PUT', `/tariffs/${rule.id}/default`, { body: { for: 'platform', equipmentType: 'two-wheel' } });
    const refused = await remove(rule.id, language);
    expect([refused.status, refused.envelope.message.error, refused.envelope.message.message]).toEqual([
      409,
      'tariff.platform_default',
      text,
    ]);
  });

  test('an agent’s default cannot be deleted', async () => {
    const rule = await createRule({ agentId: betaId });
    await api.ask('PUT', `/tariffs/${rule.id}/default`, { body: { for: 'agent', equipmentType: 'two-wheel' } });
    expect((await remove(rule.id)).envelope.message.error).toBe('tariff.agent_default');
  });

  test('a deleted rule leaves the lists and stays readable for the orders that it priced', async () => {
    const rule = await createRule({ name: 'Deleted soon' });
    const place = await newPlace();
    await change(rule.id, pricedAt(20_000, { takesEffectAt: toIso(instant(Date.now() + dayMs)) }));
    expect((await remove(rule.id)).status).toBe(200);
    expect((await api.get<{ items: Tariff[] }>('/tariffs?name=Deleted%20soon')).data.items).toEqual([]);
    expect((await api.get<Tariff>(`/tariffs/${rule.id}`)).data).toMatchObject({ id: rule.id, next: null });
    expect((await remove(rule.id)).status).toBe(404);
    const used = await api.ask('PUT', `/stations/${place.stationId}`, {
      body: {
        number: place.stationNumber,
        name: 'Station',
        type: 'fast',
        equipmentType: 'four-wheel',
        siteId: place.siteId,
        connectorCount: 2,
        maxPowerKw: 120,
        cardTariffId: rule.id,
      },
    });
    expect(used.envelope.message.fields).toMatchObject([{ path: 'cardTariffId', code: 'unknown_reference' }]);
  });
});

describe('whose rules', () => {
  test('an agent changes and deletes its own rules and nobody else’s', async () => {
    const platforms = await createRule();
    const betas = await createRule({}, beta.token);
    const own = await createRule({}, alpha.token);
    expect(own.agentId).toBe(alphaId);
    expect((await change(platforms.id, pricedAt(20_000), alpha.token)).status).toBe(403);
    expect((await change(betas.id, pricedAt(20_000), alpha.token)).status).toBe(404);
    expect((await change(own.id, pricedAt(20_000), alpha.token)).status).toBe(200);
    expect((await api.ask('DELETE', `/tariffs/${platforms.id}`, { token: alpha.token })).status).toBe(403);
    expect((await api.ask('DELETE', `/tariffs/${betas.id}`, { token: alpha.token })).status).toBe(404);
    expect((await api.ask('DELETE', `/tariffs/${own.id}`, { token: alpha.token })).status).toBe(200);
  });

  test('every change of a rule is in the audit log under the rule', async () => {
    const rule = await createRule();
    const changed = await change(rule.id, pricedAt(20_000));
    const waiting = await change(rule.id, pricedAt(10_000, { takesEffectAt: toIso(instant(Date.now() + dayMs)) }));
    await api.post(`/tariffs/${waiting.data.id}/cancellation`);
    await api.ask('DELETE', `/tariffs/${changed.data.id}`);
    const audit = await api.get<{ items: { action: string }[] }>(
      `/audit-entries?recordKind=tariff&recordId=${rule.id}&pageSize=10`,
    );
    expect(audit.data.items.map(({ action }) => action)).toEqual([
      'tariff.delete',
      'tariff.version_cancel',
      'tariff.change',
      'tariff.change',
      'tariff.create',
    ]);
  });
});
