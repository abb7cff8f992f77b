import { pageOf } from '@voltdeck/tcec102/conversation';
import type { Message } from '@voltdeck/tcec102/messages/all';
import { hourMs, instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { openTestPartner, type TestPartner } from '../test-partner.ts';
import { pullSites } from './pull-sites.ts';
import { stationInfo } from './test-station-info.ts';

let api: TestApi;
let partner: TestPartner;
let caller: PartnerCaller;
/** What the other operator has: by station, its gun ports. */
const theirs = new Map<string, string[]>();
let asked: Message<'query_stations_info', 'request'>[] = [];

beforeAll(async () => {
  api = await openTestApi();
  partner = await openTestPartner(api, { depositFen: 0 });
  await api.database.db.updateTable('partners').set({ role: 'infrastructure' }).where('id', '=', partner.id).execute();
  caller = new PartnerCaller(api.context);
  const usual = partner.answer;
  partner.answer = (name, message) => {
    if (name === 'query_stations_info') {
      const request = message as Message<'query_stations_info', 'request'>;
      asked.push(request);
      const page = pageOf(request, theirs.size);
      return {
        PageNo: page.pageNo,
        PageCount: page.pageCount,
        ItemSize: theirs.size,
        StationInfos: [...theirs]
          .slice(page.offset, page.offset + page.pageSize)
          .map(([id, ports]) => station(id, ports)),
      };
    }
    if (name !== 'query_station_status') return usual(name, message);
    const { StationIDs } = message as Message<'query_station_status', 'request'>;
    return {
      Total: StationIDs.length,
      StationStatusInfos: StationIDs.map((id) => ({
        StationID: id,
        ConnectorStatusInfos: (theirs.get(id) ?? []).map((port) => ({ ConnectorID: port, Status: 1 })),
      })),
    };
  };
});
afterAll(async () => {
  await partner.close();
  await api.close();
});

const station = (id: string, ports: readonly string[]) => stationInfo(partner.operatorId, id, [[`${id}-E`, ports]]);
const pull = (kind: 'full' | 'incremental') => pullSites(api.context, caller, partner.id, { kind, userId: null });
const rows = async (text: string) => (await api.database.pool.query(text)).rows;

describe('the stations of a partner', () => {
  test('a full pull reads all pages with their gun ports and states', async () => {
    for (let number = 1; number <= 120; number += 1) theirs.set(`S${number}`, [`S${number}-1`, `S${number}-2`]);
    expect(await pull('full')).toEqual({ kind: 'done', sites: 120, added: 120, changed: 0, missing: 0, left_out: 0 });
    expect(asked.map(({ PageNo }) => PageNo)).toEqual([1, 2, 3]);
    expect(
      await rows(`select count(*)::int as n, count(*) filter (where state = 'free')::int as free from pulled_ports`),
    ).toEqual([{ n: 240, free: 240 }]);
    const [site] = await rows(`select longitude, latitude, kind, place, state from pulled_sites where code = 'S1'`);
    expect(site).toMatchObject({ kind: 'public', place: 'car_park', state: 'normal' });
    // GCJ-02 there, WGS-84 here: some hundred metres apart.
    expect(Math.abs(site.longitude - 120.13)).toBeGreaterThan(0.001);
  });

  test('an incremental pull asks for what changed since the one before, and the same again changes nothing', async () => {
    asked = [];
    expect(await pull('incremental')).toEqual({
      kind: 'done',
      sites: 120,
      added: 0,
      changed: 0,
      missing: 0,
      left_out: 0,
    });
    expect(asked[0]?.LastQueryTime).toEqual(expect.any(Number));
  });

  test('a full pull notes what is gone, takes back what returns, and removes ports that are no longer told', async () => {
    theirs.delete('S120');
    theirs.set('S1', ['S1-1']);
    api.clock.now = instant(Date.now() + hourMs);
    expect(await pull('full')).toEqual({ kind: 'done', sites: 119, added: 0, changed: 1, missing: 1, left_out: 0 });
    expect(await rows(`select code from pulled_sites where missing_at is not null`)).toEqual([{ code: 'S120' }]);
    const changes = `select change, code from partner_pull_changes
                      where pull_id = (select max(id) from partner_pulls) order by id`;
    expect(await rows(changes)).toEqual([
      { change: 'changed', code: 'S1' },
      { change: 'missing', code: 'S120' },
    ]);
    expect(await rows(`select code from pulled_ports where code like 'S1-%'`)).toEqual([{ code: 'S1-1' }]);
    theirs.set('S120', ['S120-1']);
    api.clock.now = instant(Date.now() + 2 * hourMs);
    expect(await pull('full')).toMatchObject({ kind: 'done', changed: 1, missing: 0 });
    expect(await rows(`select code from pulled_sites where missing_at is not null`)).toEqual([]);
    api.clock.now = null;
  });

  test('a pull that fails keeps what it read, says why, and removes nothing', async () => {
    const usual = partner.answer;
    partner.answer = (name, message) => (name === 'query_stations_info' ? { ret: -1 } : usual(name, message));
    expect(await pull('full')).toEqual({ kind: 'failed', fault: 'refused_busy', because: '(Ret -1)' });
    partner.answer = usual;
    expect(await rows(`select count(*)::int as n from pulled_sites where missing_at is null`)).toEqual([{ n: 120 }]);
    expect(await rows(`select state, fault, failure from partner_pulls order by id desc limit 1`)).toEqual([
      { state: 'failed', fault: 'refused_busy', failure: '(Ret -1)' },
    ]);
  });

  test('its notification of a state is taken, and one of a port it never showed is not to be repeated', async () => {
    api.clock.now = instant(Date.now() + 3 * hourMs);
    const told = (ConnectorID: string) =>
      partner.call('notification_stationStatus', { ConnectorStatusInfo: { ConnectorID, Status: 3 } });
    expect((await told('S2-1')).answer).toEqual({ Status: 0 });
    expect(await rows(`select state from pulled_ports where code = 'S2-1'`)).toEqual([{ state: 'charging' }]);
    expect((await told('unknown')).answer).toEqual({ Status: 1 });
    // It is no demand side: our stations are none of its interfaces.
    expect((await partner.call('query_stations_info', {})).ret).toBe(4003);
  });
});
