import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { connectStation, type Floor, openFloor } from './charging/test-charging-floor.ts';
import { type Context, createContext, createContextForAllLanes, type World } from './context.ts';
import { closeDatabases, type Database, type Databases, openDatabases } from './database/database.ts';
import { freshDatabase } from './database/test-database.ts';

let database: Database;
let databases: Databases;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  databases = openDatabases(database.url, { stations: 2, money: 2, search: 2, console: 3, jobs: 2, exports: 2 });
  floor = await openFloor(database, (world) => createContext('stations', databases, world));
});
afterAll(async () => {
  await floor.close();
  await closeDatabases(databases);
});

/** Takes every connection of the console with a query that runs until the test releases it. */
async function fillConsole(): Promise<{ release(): Promise<void> }> {
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock(4711)');
  const slow = Array.from({ length: 3 }, () =>
    databases.console.pool.query('select pg_advisory_lock_shared(4711), pg_advisory_unlock_shared(4711)'),
  );
  await expect.poll(() => databases.console.pool.totalCount - databases.console.pool.idleCount).toBe(3);
  return {
    async release() {
      await holder.query('select pg_advisory_unlock(4711)');
      holder.release();
      await Promise.all(slow);
    },
  };
}

describe('lanes of the database', () => {
  test("with every console connection busy, a station's message is stored and its charge is decided and paid", async () => {
    await floor.addStation('LANE-1');
    const cardId = await floor.addCard('A0000000000000A1', 20_000);
    const console = await fillConsole();
    try {
      const station = await connectStation(floor, 'LANE-1');
      await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
      await station.call('Heartbeat', {});
      const begun = await station.call('StartTransaction', {
        connectorId: 1,
        idTag: 'A0000000000000A1',
        meterStart: 0,
        timestamp: '2026-11-20T06:30:00+08:00',
      });
      expect(begun.idTagInfo).toMatchObject({ status: 'Accepted' });
      await station.call('StopTransaction', {
        transactionId: begun.transactionId,
        meterStop: 10_000,
        timestamp: '2026-11-20T06:50:00+08:00',
      });
      expect(databases.console.pool.totalCount - databases.console.pool.idleCount).toBe(3);
      expect(await floor.balanceOf(`card:${cardId}`)).toBe(20_000 - 600);
      const { rows } = await database.pool.query(
        "select count(*)::int as count from interaction_logs where action in ('Heartbeat', 'StopTransaction')",
      );
      expect(rows).toEqual([{ count: 2 }]);
    } finally {
      await console.release();
    }
  });

  test('another lane of a context changes only its connections', () => {
    const { money, stations } = databases;
    expect(floor.context.database).toBe(stations);
    expect(floor.context.on('money').database).toBe(money);
    expectTypeOf<Context<'stations'>>().not.toExtend<Context<'money'>>();
    expectTypeOf<Context<'money'>>().toExtend<Context>();
    expect(floor.context.on('money').bus).toBe(floor.context.bus);
    expect(floor.context.on('money').on('stations').database).toBe(stations);
  });

  test("a tool's single pool serves every lane", () => {
    const world: World = floor.context;
    const context: Context<'money'> = createContextForAllLanes(database, world);
    expect(context.on('console').database.pool).toBe(database.pool);
  });
});
