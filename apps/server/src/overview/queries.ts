import type { ConnectorGroup } from '@voltdeck/charging/states';
import type { getSummary } from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { dayMs, type Instant, instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { portCounts } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { SalePeriod } from '../statistics/sale-period.ts';
import { readEnded, toSums } from './ended-sums.ts';

export type Summary = AnswerOf<typeof getSummary>;
type Tally = Record<ConnectorGroup, number>;

/**
 * Live figures. Money and energy are those of charges that ended in the span, as in all statistics. Test runs are no
 * sales and are left out, except of what charges now.
 */
export async function summarise(db: Kysely<Tables>, caller: Caller, now: Instant): Promise<Summary> {
  const todayStart = shanghaiDayStart(now);
  const ended = async (period: SalePeriod) => toSums(await readEnded(db, caller, period, now, 'hour'));
  const today = await ended({ from: todayStart, until: instant(now + 1) });
  const yesterday = await ended({ from: instant(todayStart - dayMs), until: instant(now - dayMs + 1) });
  const charging = await sumCharging(db, caller);
  const connectors = await tallyConnectors(db, caller);
  const stations = await tallyStations(db, caller);
  const sites = await scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // Like the list it links to: those that nobody has dealt with.
  const abnormal = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`orders.unhandled`)
    .executeTakeFirstOrThrow();
  // Literals that name every live state, so that the index of live orders serves the query.
  const waiting = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`orders.state in ('placed', 'charging', 'settling')`)
    .where('waits_for', '=', sql.lit('person'))
    .executeTakeFirstOrThrow();
  return {
    todayReceivableFen: today.receivableFen,
    todayEnergyWh: today.energyWh,
    todayOrders: today.orders,
    yesterdayReceivableFen: yesterday.receivableFen,
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
