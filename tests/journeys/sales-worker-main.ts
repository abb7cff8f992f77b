import { type Database, openDatabase } from '@voltdeck/server/database/database';
import type { Place } from '@voltdeck/server/http/test-records';
import { logTo } from '@voltdeck/server/open-log';
import { keepSales } from '@voltdeck/server/statistics/keep-sales';
import { rebuildSales } from '@voltdeck/server/statistics/rebuild-sales';
import { dayMs, instant } from '@voltdeck/units/instant';
import { type Random, randomFrom } from '@voltdeck/units/random';

/**
 * A process that settles, refunds and keeps sums without end, four of each at once, until it is killed. The database,
 * the seed and the place of the charges are its arguments.
 */
const [url = '', seed = '0', place = '{}'] = process.argv.slice(2);
const workers = 4;

async function settle({ pool }: Database, at: Place, number: string, draw: Random): Promise<number> {
  const client = await pool.connect();
  const [electricity, service] = [1 + draw(900), draw(500)];
  const endedAt = new Date(Date.now() - draw(5) * dayMs);
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: number }>(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
         connector_id, connector_number, agent_id, card_id, placed_at, started_at, ended_at, settled_at, energy_wh,
         amount_fen, electricity_fee_fen, service_fee_fen, paid_fen)
       values ($1, 'completed', 'paid', 'card', 'card', 'energy', $2, $3, $4, 1, $5, $6, $7, $7, $7, $7, 9000, $8, $9, $10, $8)
       returning id`,
      [
        number,
        at.siteId,
        at.stationId,
        at.connectorId,
        at.agentId,
        at.cardId,
        endedAt,
        electricity + service,
        electricity,
        service,
      ],
    );
    const id = rows[0]?.id ?? 0;
    await client.query(
      `insert into order_lines (order_id, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5,
         service_price_e5, electricity_fee_fen, service_fee_fen)
       values ($1, 1, 'energy', $2::timestamptz - interval '1 hour', $2, 'peak', 9000, 1, 1, $3, $4)`,
      [id, endedAt, electricity, service],
    );
    const share = {
      party: 'platform',
      reason: 'remainder',
      electricity_fen: electricity,
      service_fen: service,
      occupancy_fen: 0,
    };
    await client.query('select write_order_shares($1, $2, 1, now(), $3)', [id, at.siteId, JSON.stringify([share])]);
    await client.query('commit');
    return id;
  } finally {
    client.release();
  }
}

async function work(database: Database, worker: number): Promise<never> {
  const draw = randomFrom(Number(seed) + worker);
  const at = JSON.parse(place) as Place;
  for (let turn = 0; ; turn += 1) {
    const id = await settle(database, at, `K${process.pid}-${seed}-${worker}-${turn}`, draw);
    process.send?.('settled');
    if (draw(2) === 0) {
      await database.pool.query('update orders set refunded_fen = refunded_fen + 1 where id = $1', [id]);
    }
    await keepSales(database.db, { rowsAtOnce: 5, batchesMax: 3 });
    if (draw(4) === 0)
      await rebuildSales({ db: database.db, log: logTo(process.stderr), now: () => instant(Date.now()) });
  }
}

const database = openDatabase(url);
await Promise.all(Array.from({ length: workers }, (_, worker) => work(database, worker)));
