import type { Caller } from '@voltdeck/server/caller/caller';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { KnownTotals } from '@voltdeck/server/http/known-totals';
import { readPage } from '@voltdeck/server/http/list-source';
import { orderList } from '@voltdeck/server/orders/queries';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillOrders, network } from './fill-orders.ts';
import { agentOf, bareRows, bareTotal, pageKinds, pageSize, seededRandom } from './order-pages.ts';

const count = 20_000;
let database: Database;

beforeAll(async () => {
  database = await freshDatabase();
  await fillOrders(database, count);
});

describe('orders filled in by the thousand', () => {
  test('orders filled in by the thousand have the requested count, in the states of a real network', async () => {
    const { rows } = await database.pool.query<{ state: string; orders: number }>(
      'select state, count(*) as orders from orders group by state',
    );
    const share = (state: string) => (rows.find((row) => row.state === state)?.orders ?? 0) / count;
    expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(count);
    expect(share('completed')).toBeGreaterThan(0.98);
    expect(share('cancelled')).toBeGreaterThan(0.005);
    expect(share('charging')).toBeGreaterThan(0);
    expect(share('charging')).toBeLessThan(0.005);
  });

  test('orders filled in by the thousand belong to matching gun ports, stations, sites and agents', async () => {
    const { rows } = await database.pool.query<{ strays: number; agents: number; stations: number }>(
      `select count(*) filter (where k.station_id <> o.station_id or k.number <> o.connector_number
                                  or s.site_id <> o.site_id or s.agent_id <> o.agent_id) as strays,
              count(distinct o.agent_id) as agents, count(distinct o.station_id) as stations
         from orders o join connectors k on k.id = o.connector_id join stations s on s.id = o.station_id`,
    );
    expect(rows[0]).toEqual({ strays: 0, agents: network.agents, stations: network.stations });
  });

  test('orders filled in by the thousand have the flags and the refunds that they speak of', async () => {
    const { rows } = await database.pool.query<{ abnormal: number; refunded: number; strays: number }>(
      `select count(*) filter (where o.abnormal) as abnormal, count(*) filter (where o.refunded_fen > 0) as refunded,
              count(*) filter (where o.abnormal <> (f.order_id is not null)
                                  or o.unhandled <> (f.order_id is not null and f.handled_at is null)
                                  or o.refunded_fen <> coalesce(r.amount_fen, 0)
                                  or r.amount_fen <> r.electricity_fee_fen + r.service_fee_fen) as strays
         from orders o left join order_flags f on f.order_id = o.id left join order_refunds r on r.order_id = o.id`,
    );
    expect(rows[0]?.strays).toBe(0);
    expect(rows[0]?.abnormal).toBeGreaterThan(count / 100);
    expect(rows[0]?.refunded).toBeGreaterThan(count / 200);
  });

  test('orders filled in by the thousand leave the next order number free', async () => {
    const { rows } = await database.pool.query<{ next: number }>("select nextval('order_numbers') as next");
    expect(rows[0]?.next).toBe(count + 1);
  });
});

describe('every kind of page', () => {
  test.each(pageKinds)('$name: the list has the rows and the total of its SQL', async (kind) => {
    const random = seededRandom(7);
    const { rows: found } = await database.pool.query<{ number: string }>('select number from orders limit 50');
    const known = { numbers: found.map(({ number }) => number), untilMs: Date.now() };
    let seen = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      const agents = agentOf(kind.asker, random);
      const asked = kind.draw(random, known);
      const { sort, ...parameters } = asked.parameters;
      const filter = {
        ...parameters,
        ...('siteId' in parameters ? { siteId: Number(parameters.siteId) } : {}),
        ...('abnormal' in parameters ? { abnormal: true } : {}),
        ...Object.fromEntries(
          ['state', 'paymentState']
            .filter((name) => name in parameters)
            .map((name) => [name, parameters[name]?.split(',')]),
        ),
      };
      const by = { caller: callerOf(agents), at: instant(Date.now()), sessionId: null, secrets: null };
      const span = { limit: pageSize, offset: (kind.page - 1) * pageSize };
      const wanted = { filter, sort, span, total: undefined };
      const listed = await readPage(orderList, database.db, by, wanted, new KnownTotals());
      const rows = await database.pool.query<{ id: number }>(bareRows(kind, asked, agents));
      const counted = await database.pool.query<{ total: number }>(bareTotal(asked, agents, 10_000));
      expect(listed.items.map((item) => (item as { id: number }).id)).toEqual(rows.rows.map(({ id }) => id));
      expect(listed.total).toBe(Math.min(counted.rows[0]?.total ?? -1, 10_000));
      seen += listed.items.length;
    }
    expect(seen).toBeGreaterThan(0);
  });
});

function callerOf(agents: readonly number[]): Caller {
  return {
    userId: 1 as UserId,
    userName: 'bench',
    admin: agents.length === 0,
    permissions: new Set(),
    menuCodes: new Set(),
    dataScope: agents.length === 0 ? 'platform' : 'agent',
    customerId: null,
    dividerId: null,
    agents: agents.length === 0 ? 'all' : (agents as readonly AgentId[]),
    language: 'en',
    remoteAddress: '127.0.0.1',
  };
}
