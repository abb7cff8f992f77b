import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import { hashStationPassword } from '@voltdeck/server/stations/station-password';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fillOrders } from './fill-orders.ts';
import { benchPassword, stationNumber } from './seed-stations.ts';

export type FloodStation = { id: number; number: string; card: string };

/** The participants: each group has OCPP stations and YKC piles. */
export type FloodNetwork = {
  neighbours: { ocpp: FloodStation[]; ykc: FloodStation[] };
  flooders: { ocpp: FloodStation[]; ykc: FloodStation[] };
  orderIds: number[];
};

const orders = 20_000;
const logRows = 300_000;
/** The running orders of `fillOrders` are at the last gun ports and at the first one; these stations have none. */
const firstStation = 11;

/** A network of 300 stations with some history: orders to list, and two days of log to search. */
export async function seedFloodNetwork(
  database: Database,
  { neighbours, flooders }: { neighbours: { ocpp: number; ykc: number }; flooders: { ocpp: number; ykc: number } },
): Promise<FloodNetwork> {
  const { pool } = database;
  await pool.query(
    "select make_partitions('interaction_logs', '1 day', now() - interval '3 days', now() + interval '2 days')",
  );
  await fillOrders(database, orders);
  await fillLog(database);
  let next = firstStation;
  const take = async (count: number, protocol: 'ocpp1.6' | 'ykc'): Promise<FloodStation[]> => {
    const from = next;
    next += count;
    const numbers = Array.from({ length: count }, (_, index) => stationNumber(from + index, protocol));
    await pool.query(
      `update stations set number = own.number, protocol = $2, password_hash = $3
         from unnest($1::text[]) with ordinality as own (number, at) where id = $4 + own.at - 1`,
      [numbers, protocol, protocol === 'ykc' ? null : hashStationPassword(benchPassword), from],
    );
    const { rows } = await pool.query<FloodStation>(
      `select stations.id::int as id, stations.number, cards.number as card from stations join cards on cards.id = stations.id
        where stations.id >= $1 and stations.id < $2 order by stations.id`,
      [from, next],
    );
    return rows;
  };
  const network: FloodNetwork = {
    neighbours: { ocpp: await take(neighbours.ocpp, 'ocpp1.6'), ykc: await take(neighbours.ykc, 'ykc') },
    flooders: { ocpp: await take(flooders.ocpp, 'ocpp1.6'), ykc: await take(flooders.ykc, 'ykc') },
    orderIds: (
      await pool.query<{ id: number }>('select id::int as id from orders order by id desc limit 500')
    ).rows.map(({ id }) => id),
  };
  await pool.query(
    `select post_transfer('recharge:' || id, 'recharge', null, now(), array['channel:back-office'],
                          array['card:' || id], array[10000000], array['channel:back-office'])
       from cards where id >= $1 and id < $2`,
    [firstStation, next],
  );
  await pool.query('vacuum (analyze)');
  return network;
}

async function fillLog({ pool }: Database): Promise<void> {
  await pool.query(
    `insert into interaction_logs (at, station_id, protocol, direction, action, message_id, request, answer, latency_ms)
     select now() - interval '2 days' * (n::float8 / $1::int), 1 + n % 300, 'ocpp1.6', 'from-station', 'MeterValues', 'm' || n,
            '[2,"m' || n || '","MeterValues",{"connectorId":1,"transactionId":' || n || ',"meterValue":[{"timestamp":"' ||
            now() || '","sampledValue":[{"value":"' || n || '","measurand":"Energy.Active.Import.Register","unit":"Wh"}]}]}]',
            '[3,"m' || n || '",{}]', 5
       from generate_series(1, $1::int) n`,
    [logRows],
  );
}

/** Signs in users of the platform; returns their tokens in the same order. */
export async function signInUsers({ db, pool }: Database, names: readonly string[]): Promise<string[]> {
  const sessions = createSessions(db);
  const { rows } = await pool.query<{ id: UserId }>(
    `insert into users (user_name, real_name, password_hash, position_id)
     select name, name, '-', (select min(id) from positions where data_scope = 'platform') from unnest($1::text[]) as name
     returning id`,
    [names],
  );
  const origin = { remoteAddress: '127.0.0.1', userAgent: 'bench' };
  const tokens: string[] = [];
  for (const { id } of rows) {
    const { token } = await db.transaction().execute((trx) => sessions.open(trx, id, instant(Date.now()), origin));
    tokens.push(token);
  }
  return tokens;
}
