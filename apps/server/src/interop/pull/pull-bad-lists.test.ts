import type { Message } from '@voltdeck/tcec102/messages/all';
import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { openTestPartner, type TestPartner } from '../test-partner.ts';
import { pullDue } from './pull-due.ts';
import { pullSites, runPull } from './pull-sites.ts';
import { stationInfo } from './test-station-info.ts';

/** An identifier with a control character, which no reader takes. */
const unreadable = '\u0001';

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

describe('what cannot be read', () => {
  const nameless = () => station(unreadable);
  const ownerless = (id: string) => ({ ...station(id), EquipmentOwnerID: unreadable });
  const sites = () => rows('select code, name, missing_at is not null as missing from pulled_sites order by code');

  test('a known site of which a field cannot be read keeps what was known, and only one that is not listed is gone', async () => {
    page = () => only(station('K1'), station('K2'), station('K3'));
    await pull();
    page = () => only(station('K1'), ownerless('K2'), ownerless('K4'));
    expect(await pull()).toEqual({ kind: 'done', sites: 1, added: 0, changed: 0, missing: 1, left_out: 2 });
    expect(await sites()).toEqual([
      { code: 'K1', name: 'Station K1', missing: false },
      { code: 'K2', name: 'Station K2', missing: false },
      { code: 'K3', name: 'Station K3', missing: true },
    ]);
    const told = `select code from partner_pull_changes where change = 'left_out' order by id`;
    expect(await rows(told)).toEqual([
      { code: 'PageNo 1: StationInfos[1].EquipmentOwnerID not-readable (K2)' },
      { code: 'PageNo 1: StationInfos[2].EquipmentOwnerID not-readable (K4)' },
    ]);
    // Gone for good is gone as before.
    page = () => only(station('K1'));
    expect(await pull()).toMatchObject({ kind: 'done', missing: 1 });
  });

  test('a site that was gone is not back while it cannot be read', async () => {
    page = () => only(station('K1'), station('K2'));
    await pull();
    page = () => only(station('K1'));
    await pull();
    page = () => only(station('K1'), ownerless('K2'));
    await pull();
    expect(await sites()).toMatchObject([{ missing: false }, { missing: true }]);
    page = () => only(station('K1'), station('K2'));
    expect(await pull()).toMatchObject({ kind: 'done', changed: 1 });
    expect(await sites()).toMatchObject([{ missing: false }, { missing: false }]);
  });

  test('nothing is gone while a listed site cannot even be named', async () => {
    page = () => only(station('K1'), station('K2'));
    await pull();
    page = () => only(station('K1'), nameless());
    expect(await pull()).toEqual({ kind: 'done', sites: 1, added: 0, changed: 0, missing: 0, left_out: 1 });
    expect(await sites()).toMatchObject([{ missing: false }, { missing: false }]);
  });
});

describe('pages that do not keep what they promise', () => {
  const codes = ['M1', 'M2', 'M3'];
  const whole = (pageNo: number) => ({
    PageNo: pageNo,
    PageCount: 3,
    ItemSize: 3,
    StationInfos: [station(`M${pageNo}`)],
  });
  const gone = () => rows('select code from pulled_sites where missing_at is not null');
  const last = () => rows('select state, fault, failure from partner_pulls order by id desc limit 1');
  beforeEach(async () => {
    page = whole;
    expect(await pull()).toMatchObject({ kind: 'done', sites: codes.length });
  });

  test.each([
    {
      what: 'an empty page in the middle',
      told: (pageNo: number) => (pageNo === 2 ? { ...whole(2), StationInfos: [] } : whole(pageNo)),
      because: 'PageNo 2, PageCount 3: StationInfos []',
    },
    {
      what: 'an empty page that takes back what an earlier one promised',
      told: (pageNo: number) =>
        pageNo === 1 ? whole(1) : { PageNo: pageNo, PageCount: 1, ItemSize: 1, StationInfos: [] },
      because: 'PageNo 2, PageCount 3: StationInfos []',
    },
    {
      what: 'an empty first page of several',
      told: (pageNo: number) => ({ ...whole(pageNo), StationInfos: [] }),
      because: 'PageNo 1, PageCount 3: StationInfos []',
    },
    {
      what: 'nothing where ItemSize names sites',
      told: () => ({ PageNo: 1, PageCount: 0, ItemSize: 3, StationInfos: [] }),
      because: 'ItemSize 3: 0 StationInfos',
    },
    {
      what: 'fewer sites than ItemSize names',
      told: () => ({ PageNo: 1, PageCount: 1, ItemSize: 3, StationInfos: [station('M1'), station('M3')] }),
      because: 'ItemSize 3: 2 StationInfos',
    },
    {
      what: 'the first page again instead of the next',
      told: (pageNo: number) => ({ ...whole(1), PageNo: pageNo }),
      because: 'ItemSize 3: 1 StationInfos',
    },
  ])('$what fails a full pull with what was told, and no site is gone', async ({ told, because }) => {
    page = told;
    expect(await pull()).toEqual({ kind: 'failed', fault: 'list_incomplete', because });
    expect(await last()).toEqual([{ state: 'failed', fault: 'list_incomplete', failure: because }]);
    expect(await gone()).toEqual([]);
  });

  test.each([
    { what: 'no page', none: { PageNo: 1, PageCount: 0, ItemSize: 0, StationInfos: [] } },
    { what: 'one empty page', none: { PageNo: 1, PageCount: 1, ItemSize: 0, StationInfos: [] } },
  ])('an operator that closed all its sites to us tells $what, and all are gone', async ({ none }) => {
    page = () => none;
    expect(await pull()).toMatchObject({ kind: 'done', sites: 0, missing: codes.length });
  });
});

describe('a list that has no end', () => {
  const endless = (pageNo: number) => ({
    PageNo: pageNo,
    PageCount: 3,
    ItemSize: 0,
    StationInfos: [station(`N${pageNo}`)],
  });

  test.each([
    { told: { PageCount: 10_001 }, because: 'PageCount 10001 > 10000' },
    { told: { ItemSize: 100_001 }, because: 'ItemSize 100001 > 100000' },
  ])('a list that says $told is not begun', async ({ told, because }) => {
    page = (pageNo) => ({ ...endless(pageNo), ...told });
    expect(await pull()).toEqual({ kind: 'failed', fault: 'list_too_long', because });
    expect(await rows('select code from pulled_sites')).toEqual([]);
  });

  test('sites beyond a hundred thousand of an operator are not taken, while those that are known still are', async () => {
    page = () => only(station('N0'));
    await pull();
    await api.database.pool.query(`
      insert into pulled_sites (partner_id, code, operator_code, owner_code, name, region_code, address, longitude,
                                latitude, kind, place, state, service_phone, told, added_at, changed_at, seen_at, missing_at)
      select partner_id, 'N' || number, operator_code, owner_code, '', region_code, '', longitude, latitude, kind, place,
             state, '', '{}', added_at, changed_at, seen_at, seen_at
        from pulled_sites, generate_series(1, 99998) number`);
    const count = () => rows('select count(*)::int as count from pulled_sites');
    page = () => only(station('N0'), station('N1'), station('N100000'));
    expect(await pull()).toMatchObject({ kind: 'done', sites: 3, added: 1, changed: 1 });
    expect(await count()).toEqual([{ count: 100_000 }]);
    page = () => only(station('N0'), station('N100001'));
    const because = 'PageNo 1: 100001 > 100000 StationID';
    expect(await pull()).toEqual({ kind: 'failed', fault: 'list_too_long', because });
    expect(await count()).toEqual([{ count: 100_000 }]);
    page = () => only(station('N0'));
    expect(await pull()).toMatchObject({ kind: 'done', sites: 1 });
  });

  test('a pull ends after half an hour of pages that come slowly, and keeps what it read', async () => {
    page = (pageNo) => {
      api.clock.now = instant(api.context.now() + 20 * minuteMs);
      return endless(pageNo);
    };
    expect(await pull()).toEqual({ kind: 'failed', fault: 'list_too_slow', because: 'PageNo 3' });
    expect(await rows('select code from pulled_sites order by code')).toEqual([{ code: 'N1' }, { code: 'N2' }]);
  });
});

describe('a pull that breaks', () => {
  let other: TestPartner;
  beforeAll(async () => {
    // A later one, which the round comes to afterwards.
    other = await openTestPartner(api, { depositFen: 0, role: 'infrastructure' });
    const theirs = stationInfo(other.operatorId, 'T1', [['T1-E', ['T1-1']]]);
    answerStations(other, () => only(theirs));
  });
  afterAll(() => other.close());

  /** Whatever `act` writes to the table for the first operator fails with this SQLSTATE. */
  async function withBrokenWrites<Answer>(
    table: string,
    sqlState: string,
    act: () => Promise<Answer>,
  ): Promise<Answer> {
    await api.database.pool.query(`
      create function refuse_write() returns trigger language plpgsql as $$
      begin
        if new.partner_id = ${partner.id} then raise exception 'broken' using errcode = '${sqlState}'; end if;
        return new;
      end $$;
      create trigger refuse_write before insert on ${table} for each row execute function refuse_write();`);
    try {
      return await act();
    } finally {
      await api.database.pool.query(`drop trigger refuse_write on ${table}; drop function refuse_write`);
    }
  }
  const round = () => {
    page = () => only(station('S1'));
    api.clock.now = instant(api.context.now() + 2 * hourMs);
    return pullDue(api.context);
  };
  const pulls = () => rows('select partner_id as "partnerId", state, fault from partner_pulls order by partner_id');

  test('a pull that a bug of ours ends has failed with a fault that says so, and the round goes on to the others', async () => {
    expect(await withBrokenWrites('pulled_sites', 'P0001', round)).toBe(1);
    expect(await pulls()).toEqual([
      { partnerId: partner.id, state: 'failed', fault: 'own_fault' },
      { partnerId: other.id, state: 'done', fault: null },
    ]);
    expect(await rows('select code from pulled_sites')).toEqual([{ code: 'T1' }]);
    // The next round begins anew.
    expect(await round()).toBe(0);
    expect(await rows('select code from pulled_sites order by code')).toEqual([{ code: 'S1' }, { code: 'T1' }]);
  });

  test('a pull that cannot even begin does not hold up the others', async () => {
    expect(await withBrokenWrites('partner_pulls', 'P0001', round)).toBe(1);
    expect(await pulls()).toEqual([{ partnerId: other.id, state: 'done', fault: null }]);
  });

  test('a database that is away ends the round, and the pull can be carried out again', async () => {
    await expect(withBrokenWrites('pulled_sites', '57P01', round)).rejects.toThrow('broken');
    const [left, ...others] = await rows('select id, state, fault from partner_pulls');
    expect([left, others]).toEqual([{ id: left.id, state: 'running', fault: null }, []]);
    expect(await runPull(api.context, caller, left.id)).toMatchObject({ kind: 'done', sites: 1, added: 1 });
  });
});
