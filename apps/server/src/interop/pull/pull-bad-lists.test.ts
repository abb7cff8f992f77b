import type { Message } from '@voltdeck/tcec102/messages/all';
import { hourMs, instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { openTestPartner, type TestPartner } from '../test-partner.ts';
import { pullSites } from './pull-sites.ts';
import { stationInfo } from './test-station-info.ts';

type StationsAnswer = Message<'query_stations_info', 'answer'>;

let api: TestApi;
let partner: TestPartner;
let caller: PartnerCaller;
/** How the operator answers for a page of its stations. */
let page: (pageNo: number) => StationsAnswer;

beforeAll(async () => {
  api = await openTestApi();
  partner = await openTestPartner(api, { depositFen: 0, role: 'infrastructure' });
  caller = new PartnerCaller(api.context);
  answerStations(partner, (pageNo) => page(pageNo));
});
beforeEach(async () => {
  await api.database.pool.query('delete from pulled_sites');
  await api.database.pool.query('delete from partner_pulls');
});
afterAll(async () => {
  await partner.close();
  await api.close();
});

function answerStations(of: TestPartner, pageOfIt: (pageNo: number) => StationsAnswer): void {
  const usual = of.answer;
  of.answer = (name, message) => {
    if (name === 'query_station_status') return { Total: 0, StationStatusInfos: [] };
    if (name !== 'query_stations_info') return usual(name, message);
    return pageOfIt((message as Message<'query_stations_info', 'request'>).PageNo ?? 1);
  };
}

const station = (id: string, piles: [string, string[]][] = [[`${id}-E`, [`${id}-1`]]]) =>
  stationInfo(partner.operatorId, id, piles);
const only = (...StationInfos: StationsAnswer['StationInfos']) => ({
  PageNo: 1,
  PageCount: 1,
  ItemSize: StationInfos.length,
  StationInfos,
});
/** An hour after the pull before. */
const pull = () => {
  api.clock.now = instant(api.context.now() + hourMs);
  return pullSites(api.context, caller, partner.id, { kind: 'full', userId: null });
};
const rows = async (text: string) => (await api.database.pool.query(text)).rows;

describe('what a page tells twice', () => {
  const ports = `
    select s.code as site, t.code as station, p.code as port
      from pulled_ports p join pulled_stations t on t.id = p.station_id join pulled_sites s on s.id = t.site_id
     order by s.code, t.code, p.code`;

  test.each([
    {
      what: 'a site',
      told: () => [station('S1', [['E1', ['C1']]]), station('S1', [['E2', ['C2']]])],
      kept: [{ site: 'S1', station: 'E2', port: 'C2' }],
      double: 'StationID S1',
    },
    {
      what: 'a station of a site',
      told: () => [
        station('S1', [
          ['E1', ['C1']],
          ['E1', ['C2']],
        ]),
      ],
      kept: [{ site: 'S1', station: 'E1', port: 'C2' }],
      double: 'EquipmentID E1',
    },
    {
      what: 'a gun port of a station',
      told: () => [station('S1', [['E1', ['C1', 'C1']]])],
      kept: [{ site: 'S1', station: 'E1', port: 'C1' }],
      double: 'ConnectorID C1',
    },
    {
      what: 'a gun port at two sites',
      told: () => [station('S1', [['E1', ['C1', 'C2']]]), station('S2', [['E2', ['C2']]])],
      kept: [
        { site: 'S1', station: 'E1', port: 'C1' },
        { site: 'S2', station: 'E2', port: 'C2' },
      ],
      double: 'ConnectorID C2',
    },
  ])(
    '$what that a page tells twice counts as it was told last, and the pull names it',
    async ({ told, kept, double }) => {
      page = () => only(...told());
      const sites = new Set(kept.map(({ site }) => site)).size;
      expect(await pull()).toEqual({ kind: 'done', sites, added: sites, changed: 0, missing: 0, left_out: 1 });
      expect(await rows(ports)).toEqual(kept);
      expect(await rows(`select code from partner_pull_changes where change = 'left_out'`)).toEqual([
        { code: `PageNo 1: ${double} told-twice` },
      ]);
      // The same again is nothing new.
      expect(await pull()).toMatchObject({ kind: 'done', changed: 0, left_out: 1 });
    },
  );
});
