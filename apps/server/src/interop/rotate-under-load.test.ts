import type { KeyDirection, rotatePartnerKeys } from '@voltdeck/contract/partners';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';
import { deliverOnce } from './deliver/deliver-to-partners.ts';
import { inboundKeys, openTestPartner, outboundKeys, type TestPartner } from './test-partner.ts';

let api: TestApi;
let partner: TestPartner;
let portId: number;
const callers = 6;
const rotations = 2;
const callsBetween = 100;

beforeAll(async () => {
  api = await openTestApi();
  const { siteId } = await makePlace(api.database, null, 'rotated');
  partner = await openTestPartner(api, { siteIds: [siteId] });
  const { rows } = await api.database.pool.query(
    'select c.id from connectors c join stations s on s.id = c.station_id',
  );
  portId = rows[0].id;
  await api.database.pool.query('update partners set rate_per_second = 50 where id = $1', [partner.id]);
});
afterAll(async () => {
  await partner.close();
  await api.close();
});

const rotate = async (direction: KeyDirection, keys: PartnerKeys) => {
  const path = `/partners/${partner.id}/key-rotations`;
  const rotated = await api.post<AnswerOf<typeof rotatePartnerKeys>>(path, { direction, keys, overlapHours: 1 });
  expect(rotated.status).toBe(200);
};

/** New keys of a rotation, of the lengths that the standard wants. */
const keysOf = (rotation: number, of: string): PartnerKeys => ({
  operatorSecret: `${of}-operator-secret-${rotation}`,
  sigSecret: `${of}-sig-secret-${rotation}`,
  dataSecret: `${of}-data-${rotation}`.padEnd(16, '0'),
  dataSecretIv: `${of}-iv-${rotation}`.padEnd(16, '0'),
});

test('a partner that calls without a pause is refused no call while its keys are rotated, whichever set it has got to', async () => {
  const sets = [inboundKeys];
  const usedSets = new Set<PartnerKeys>();
  let token = await partner.token();
  let calls = 0;
  let isOver = false;
  const call = async (caller: number) => {
    // Machines of the partner change one after another: each is up to two sets behind. One renews the token for all.
    for (let own = 0; !isOver; own += 1) {
      const keys = sets[Math.max(0, sets.length - 1 - ((own + caller) % 3))] ?? inboundKeys;
      usedSets.add(keys);
      if (caller === 0) {
        const asked = { OperatorID: partner.operatorId, OperatorSecret: keys.operatorSecret };
        const given = await partner.call('query_token', asked, { token: null, keys });
        expect(given).toMatchObject({ ret: 0, answer: { SuccStat: 0 } });
        token = given.answer?.AccessToken ?? '';
      }
      expect(await partner.call('query_stations_info', {}, { keys, token })).toMatchObject({ ret: 0 });
      calls += 1;
    }
  };
  const calling = Array.from({ length: callers }, (_, caller) => call(caller));
  for (let rotation = 1; rotation <= rotations; rotation += 1) {
    const enough = calls + callsBetween;
    await Promise.race([expect.poll(() => calls).toBeGreaterThan(enough), ...calling]);
    const keys = keysOf(rotation, 'in');
    await rotate('inbound', keys);
    // The answer of the rotation is what the partner learns them from.
    sets.push(keys);
  }
  const enough = calls + callsBetween;
  await Promise.race([expect.poll(() => calls).toBeGreaterThan(enough), ...calling]);
  isOver = true;
  await Promise.all(calling);
  expect(usedSets.size).toBe(rotations + 1);
  // The loop would have noticed: keys of nobody are refused.
  expect((await partner.call('query_stations_info', {}, { keys: keysOf(9, 'in'), token: 'x' })).ret).toBe(4001);
});

test('a partner that is told without a pause refuses no call while the keys that it issued are rotated', async () => {
  const { pool } = api.database;
  const told = () => partner.of('notification_stationStatus').length;
  let isOver = false;
  let made = 0;
  const make = () =>
    pool.query(
      `insert into partner_deliveries (partner_id, kind, subject, connector_id, next_at, created_at)
       select $1, 'status', 'r' || n, $2, 'epoch', now() from generate_series($3::int, $3::int + 19) n`,
      [partner.id, portId, made],
    );
  const telling = (async () => {
    while (!isOver) {
      await make();
      made += 20;
      await deliverOnce(api.context);
    }
    while ((await deliverOnce(api.context)) > 0);
  })();
  for (let rotation = 1; rotation <= rotations; rotation += 1) {
    const enough = told() + callsBetween;
    await Promise.race([expect.poll(told).toBeGreaterThan(enough), telling]);
    // The partner takes the new keys before it gives them to us, and the old ones until the overlap ends.
    partner.outbound = [keysOf(rotation, 'out'), ...partner.outbound];
    await rotate('outbound', partner.outbound[0] ?? outboundKeys);
  }
  const enough = told() + callsBetween;
  await Promise.race([expect.poll(told).toBeGreaterThan(enough), telling]);
  isOver = true;
  await telling;
  expect(partner.refused).toBe(0);
  const { rows } = await pool.query<{ state: string; tries: number; count: number }>(
    "select state, tries, count(*)::int from partner_deliveries where partner_id = $1 and subject like 'r%' group by 1, 2",
    [partner.id],
  );
  expect(rows).toEqual([{ state: 'delivered', tries: 1, count: made }]);
  // It calls with the newest set alone, so that the others can end.
  partner.outbound = partner.outbound.slice(0, 1);
  await make();
  await deliverOnce(api.context);
  expect(partner.refused).toBe(0);
});
