import type { ConnectorGroup } from '@voltdeck/charging/states';
import type { getSummary } from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { dayMs, type Instant, instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { portCounts } from '../database/port-tally.ts';
import { isSale } from '../database/sales.ts';
import type { Tables } from '../database/tables.generated.ts';

export type Summary = AnswerOf<typeof getSummary>;
type Tally = Record<ConnectorGroup, number>;

/**
 * Live figures. Money and energy are those of charges that ended in the span; sums use the time index. Test runs are no
 * sales and are left out, except of what charges now.
 */
export async function summarise(db: Kysely<Tables>, caller: Caller, now: Instant): Promise<Summary> {
  const todayStart = shanghaiDayStart(now);
  const [today, yesterday, charging, connectors, stations, sites, abnormal, waiting] = await Promise.all([
    sumEnded(db, caller, todayStart, now),
    sumEnded(db, caller, instant(todayStart - dayMs), instant(now - dayMs)),
    sumCharging(db, caller),
    tallyConnectors(db, caller),
    tallyStations(db, caller),
    scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    // Like the list it links to: those that nobody has dealt with.
    scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(sql<boolean>`orders.unhandled`)
      .executeTakeFirstOrThrow(),
    // Literals that name every live state, so that the index of live orders serves the query.
    scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(sql<boolean>`orders.state in ('placed', 'charging', 'settling')`)
      .where('waits_for', '=', sql.lit('person'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    todayIncomeFen: fen(today.incomeFen),
    todayEnergyWh: today.energyWh,
    todayOrders: today.orders,
    yesterdayIncomeFen: fen(yesterday.incomeFen),
    yesterdayEnergyWh: yesterday.energyWh,
    yesterdayOrders: yesterday.orders,
    chargingNow: charging.count,
    chargingPowerW: charging.powerW,
    connectors,
    stations,
    sites: sites.count,
    abnormalOrders: abnormal.count,
    waitingOrders: waiting.count,
  };
}

function sumEnded(db: Kysely<Tables>, caller: Caller, from: Instant, to: Instant) {
  return scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select([
      sql<number>`count(*)`.as('orders'),
      sql<number>`coalesce(sum(amount_fen), 0)::bigint`.as('incomeFen'),
      sql<number>`coalesce(sum(energy_wh), 0)::bigint`.as('energyWh'),
    ])
    .where('ended_at', '>=', from)
    .where('ended_at', '<=', to)
    .where(isSale)
    .executeTakeFirstOrThrow();
}

function sumCharging(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`coalesce(sum(greatest(power_w, 0)), 0)::bigint`.as('powerW'),
    ])
    .where('state', '=', sql.lit('charging'))
    .executeTakeFirstOrThrow();
}

async function tallyConnectors(db: Kysely<Tables>, caller: Caller): Promise<Tally> {
  const query = db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id');
  return (await scoped(query, caller, 'stations.agent_id').select(portCounts).executeTakeFirstOrThrow()) as Tally;
}

export function tallyStations(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select([
      sql<number>`count(*) filter (where online)`.as('online'),
      sql<number>`count(*) filter (where not online)`.as('offline'),
    ])
    .executeTakeFirstOrThrow();
}
