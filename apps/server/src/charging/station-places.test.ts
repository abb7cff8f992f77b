import { freeTariff } from '@voltdeck/tariffs/free-tariff';
import type { SiteId, StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../caller/caller.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { changeStations } from '../stations/change-stations.ts';
import { connectStation, type Floor, openFloor, testTariff } from './test-charging-floor.ts';
import { billOf, chargeFrom, openNamedStation } from './test-named-charge.ts';

let database: Database;
let floor: Floor;
let caller: Caller;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  const { id: userId } = await database.db
    .insertInto('users')
    .values({ user_name: 'mover', real_name: 'Mover', password_hash: '-', admin: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  caller = platformCaller({ userId, userName: 'mover' });
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

/** A site of an agent of its own. */
async function addPlace(name: string) {
  const agent = await database.db.insertInto('agents').values({ name }).returning('id').executeTakeFirstOrThrow();
  const site = await database.db
    .insertInto('sites')
    .values({ name, region_code: '330106', address: name, longitude: 120.1, latitude: 30.2, agent_id: agent.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { siteId: site.id, agentId: agent.id };
}

/** A station that has been at its site since long ago. */
async function settle(id: StationId, place: Awaited<ReturnType<typeof addPlace>>): Promise<void> {
  await database.db
    .updateTable('stations')
    .set({ site_id: place.siteId, agent_id: place.agentId })
    .where('id', '=', id)
    .execute();
  await database.pool.query(
    `delete from station_places where station_id = $1
        and from_at < (select max(from_at) from station_places where station_id = $1)`,
    [id],
  );
  await database.pool.query("update station_places set from_at = '2026-01-01' where station_id = $1", [id]);
}

async function move(id: StationId, siteId: SiteId): Promise<void> {
  const moved = await database.db
    .transaction()
    .execute((trx) =>
      changeStations(trx, caller, { kind: 'move-to-site', stationIds: [id], siteId }, instant(Date.now())),
    );
  expect(moved).toMatchObject({ ok: true, value: { changed: 1 } });
}

/** The station's orders, oldest first, with the site that the money of each was booked to. */
async function ordersOf(id: StationId) {
  const { rows } = await database.pool.query<{ siteId: number; agentId: number; state: string; booked: string[] }>(
    `select o.site_id::int as "siteId", o.agent_id::int as "agentId", o.state,
            array(select distinct a.key from ledger_transfers t
                    join ledger_postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.to_account_id
                   where t.order_id = o.id and a.key like 'electricity-income:site:%') as booked
       from orders o where o.station_id = $1 order by o.id`,
    [id],
  );
  return rows;
}

/** An OCPP station tells the end of a charge that nobody has heard of. */
async function tellStrayStop(number: string, endedAt: Instant): Promise<void> {
  const socket = await connectStation(floor, number);
  await socket.call('StopTransaction', {
    transactionId: 2_000_000_000 + made,
    meterStop: 77,
    timestamp: toIso(endedAt),
  });
  await socket.end();
}

async function newCard(): Promise<string> {
  const card = `P${String(made).padStart(15, '0')}`;
  await floor.addCard(card, 900_000);
  return card;
}

describe.each(['ocpp1.6', 'ykc'] as const)('a station of %s that moved to the site of another agent', (protocol) => {
  async function open() {
    made += 1;
    const number = protocol === 'ykc' ? `3201070000${String(made).padStart(4, '0')}` : `MOVED${made}`;
    const station = protocol === 'ykc' ? await openNamedStation(floor, number) : null;
    const { id } = station ?? (await floor.addStation(number));
    const before = await addPlace(`Before ${made}`);
    const after = await addPlace(`After ${made}`);
    await settle(id, before);
    return { id, number, before, after, station };
  }

  /** A charge that began at `from`, reported now. */
  async function tell({ id, number, station }: Awaited<ReturnType<typeof open>>, from: Instant): Promise<void> {
    const cardNumber = await newCard();
    // A station that keeps records takes cards offline that it was given.
    await database.pool.query("insert into station_cards values ($1, $2, '2026-01-01')", [id, cardNumber]);
    const to = instant(from + 5 * minuteMs);
    if (station !== null) {
      const transaction = `${number}01261120063000${String(made).padStart(4, '0')}`;
      const nothing = { bill: billOf({}), at: to };
      await station.record(
        transaction,
        { cardNumber, from, ...(from === chargeFrom ? {} : nothing) },
        instant(Date.now()),
      );
      return;
    }
    const socket = await connectStation(floor, number);
    const begun = { connectorId: 1, idTag: cardNumber, meterStart: 0, timestamp: toIso(from) };
    const { transactionId } = await socket.call('StartTransaction', begun);
    await socket.call('StopTransaction', { transactionId, meterStop: 10_000, timestamp: toIso(to), reason: 'Local' });
    await socket.end();
  }

  test('a charge from before is booked to the site and the agent of that time', async () => {
    const opened = await open();
    await move(opened.id, opened.after.siteId);
    await tell(opened, chargeFrom);
    const { siteId, agentId } = opened.before;
    expect(await ordersOf(opened.id)).toEqual([
      { siteId, agentId, state: 'completed', booked: [`electricity-income:site:${siteId}`] },
    ]);
  });

  test('a charge reported minutes after the station moved belongs to where it began', async () => {
    const opened = await open();
    await move(opened.id, opened.after.siteId);
    await tell(opened, instant(Date.now() - 9 * minuteMs));
    expect(await ordersOf(opened.id)).toMatchObject([opened.before]);
  });
});

test('a charge begun offline before its station moved belongs to the place before, also if first heard of live', async () => {
  made += 1;
  const number = `3201070001${String(made).padStart(4, '0')}`;
  const station = await openNamedStation(floor, number);
  const before = await addPlace(`Before ${made}`);
  const after = await addPlace(`After ${made}`);
  await settle(station.id, before);
  await move(station.id, after.siteId);
  const cardNumber = await newCard();
  await database.pool.query("insert into station_cards values ($1, $2, '2026-01-01')", [station.id, cardNumber]);
  const transaction = `${number}01261120063000${String(made).padStart(4, '0')}`;
  const heardAt = instant(Date.now());
  await station.begin(transaction, heardAt);
  expect(await ordersOf(station.id)).toMatchObject([{ ...after, state: 'charging' }]);
  const from = instant(heardAt - 30 * minuteMs);
  await station.record(transaction, { cardNumber, from, at: heardAt, bill: billOf({ flat: 10_000 }) }, heardAt);
  const booked = [`electricity-income:site:${before.siteId}`];
  expect(await ordersOf(station.id)).toEqual([{ ...before, state: 'completed', booked }]);
});

test('the end of an unknown charge is parked at the site, the agent and the rule that the station had then', async () => {
  made += 1;
  const number = `STRAY${made}`;
  const { id } = await floor.addStation(number);
  const before = await addPlace(`Before ${made}`);
  const after = await addPlace(`After ${made}`);
  await settle(id, before);
  await database.pool.query("update station_tariffs set from_at = '2026-01-01' where station_id = $1", [id]);
  await move(id, after.siteId);
  const rule = { name: number, kind: 'energy', detail: JSON.stringify(freeTariff), agent_id: after.agentId } as const;
  const { id: ruleId } = await database.db.insertInto('tariffs').values(rule).returning('id').executeTakeFirstOrThrow();
  await database.db.updateTable('stations').set({ card_tariff_id: ruleId }).where('id', '=', id).execute();
  await tellStrayStop(number, instant(Date.now() - 3 * hourMs));
  expect(await ordersOf(id)).toMatchObject([{ ...before, state: 'settling' }]);
  const parked = await database.db
    .selectFrom('orders')
    .select(['tariff_id', 'tariff'])
    .where('station_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(parked).toEqual({ tariff_id: floor.tariffId, tariff: testTariff });
});
