import { type EquipmentType, equipmentTypes } from '@voltdeck/charging/states';
import {
  type getBigScreen,
  powerSampleMs,
  powerShownMs,
  type ScreenCharge,
  type ScreenFault,
  type ScreenRanking,
  type ScreenSite,
  screenHours,
  screenNowKeptMs,
  screenPastKeptMs,
  screenRankings,
  screenRows,
} from '@voltdeck/contract/big-screen';
import type { AnswerOf } from '@voltdeck/contract/route';
import { firstOfMonth } from '@voltdeck/units/day';
import type { SiteId } from '@voltdeck/units/id';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { scoped } from '../caller/scope.ts';
import { addTally, type PortTally, portCounts } from '../database/port-tally.ts';
import { isSale } from '../database/sales.ts';
import type { Tables } from '../database/tables.generated.ts';
import { atOneMoment, type Trx } from '../database/transact.ts';
import { salesRows } from '../statistics/read-sales.ts';
import { sumsOf } from '../statistics/sale-figures.ts';
import type { SalePeriod } from '../statistics/sale-period.ts';
import { addRows, type EndedRow, endedColumns, readEnded, toSums } from './ended-sums.ts';
import { keptByKey, scopeKey } from './kept-by-key.ts';
import { tallyStations } from './queries.ts';
import { powerDrawnW, sampleInstant } from './sample-power.ts';

type Screen = AnswerOf<typeof getBigScreen>;
type Now = Screen['now'];
type Past = Screen['past'];

/** Scopes whose figures are kept. */
const scopesMax = 500;

/** What the big screen shows. The screens of users who see the same share a reading. */
export function createScreenReader(
  db: Kysely<Tables>,
  now: () => Instant,
): (caller: Caller, at: Instant) => Promise<Screen> {
  const nows = keptByKey<Now>({ max: scopesMax, keptMs: screenNowKeptMs, now });
  const pasts = keptByKey<Past>({ max: scopesMax, keptMs: screenPastKeptMs, now });
  return async (caller, at) => {
    const seesOrders = may(caller, 'order.read');
    const scope = scopeKey(caller);
    const [moving, past] = await Promise.all([
      nows(`${scope} ${seesOrders}`, () => atOneMoment(db, (trx) => readNow(trx, caller, seesOrders, at))),
      pasts(scope, () => atOneMoment(db, (trx) => readPast(trx, caller, at))),
    ]);
    return { answeredAt: toIso(at), now: moving, past };
  };
}

async function readNow(trx: Trx, caller: Caller, seesOrders: boolean, at: Instant): Promise<Now> {
  const todayStart = shanghaiDayStart(at);
  const runningHour = at - (at % hourMs);
  const firstHour = instant(runningHour - (screenHours - 1) * hourMs);
  const hourly = await readHours(
    trx,
    caller,
    { from: instant(Math.min(firstHour, todayStart)), until: instant(at + 1) },
    at,
  );
  const yesterdayStart = instant(todayStart - dayMs);
  const yesterday = await readEnded(trx, caller, { from: yesterdayStart, until: instant(at - dayMs + 1) }, at, 'hour');
  const charging = await readCharging(trx, caller, at);
  const ports = await readPorts(trx, caller);
  const today = hourly.filter(({ moment }) => moment >= todayStart);
  const kinds = equipmentTypes.map((equipmentType) => {
    const running = charging.find((row) => row.equipmentType === equipmentType);
    const { free, occupied, fault, offline } = ports.get(equipmentType) ?? noPorts();
    return {
      equipmentType,
      charging: running?.count ?? 0,
      powerW: running?.powerW ?? 0,
      connectors: { free, occupied, fault, offline },
      today: toSums(addRows(today.filter((row) => row.equipment_type === equipmentType))),
    };
  });
  const connectors = noPorts();
  for (const kind of kinds) addTally(connectors, kind.connectors);
  return {
    at: toIso(at),
    today: toSums(addRows(today)),
    yesterday: toSums(yesterday),
    newCustomers: await countCustomers(trx, caller, todayStart),
    kinds,
    connectors,
    stations: await tallyStations(trx, caller),
    hours: Array.from({ length: screenHours }, (_, index) => {
      const start = instant(firstHour + index * hourMs);
      return { at: toIso(start), ...toSums(addRows(hourly.filter(({ moment }) => moment === start))) };
    }),
    faults: await readFaults(trx, caller),
    charges: seesOrders ? await readCharges(trx, caller) : null,
  };
}

const noPorts = (): PortTally => ({ free: 0, occupied: 0, fault: 0, offline: 0 });

async function readHours(trx: Trx, caller: Caller, period: SalePeriod, at: Instant) {
  const rows = salesRows(
    caller,
    { period, at },
    { family: 'site', grain: 'hour', key: ['equipment_type'], columns: endedColumns },
  );
  const { rows: found } = await sql<EndedRow & { moment: number; equipment_type: EquipmentType }>`
    select (extract(epoch from r.at) * 1000)::bigint as moment, r.equipment_type, ${sumsOf(endedColumns)}
      from ${rows} r group by r.at, r.equipment_type`.execute(trx);
  return found;
}

/** Agents see the customers of their charges only, and nobody registers with an agent. */
async function countCustomers(trx: Trx, { agents }: Caller, from: Instant | null): Promise<number | null> {
  if (agents !== 'all') return null;
  let customers = trx.selectFrom('customers').select((eb) => eb.fn.countAll<number>().as('count'));
  if (from !== null) customers = customers.where('created_at', '>=', from);
  return (await customers.where('state', '<>', 'merged').executeTakeFirstOrThrow()).count;
}

function readCharging(trx: Trx, caller: Caller, at: Instant) {
  return scoped(
    trx.selectFrom('orders').innerJoin('stations', 'stations.id', 'orders.station_id'),
    caller,
    'orders.agent_id',
  )
    .where('orders.state', '=', sql.lit('charging'))
    .groupBy('stations.equipment_type')
    .select([
      'stations.equipment_type as equipmentType',
      sql<number>`count(*)`.as('count'),
      sql<number>`sum(${powerDrawnW(at)})::bigint`.as('powerW'),
    ])
    .execute();
}

async function readPorts(trx: Trx, caller: Caller): Promise<Map<EquipmentType, PortTally>> {
  const rows = await scoped(
    trx.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .groupBy('stations.equipment_type')
    .select(['stations.equipment_type as equipmentType', ...portCounts])
    .execute();
  return new Map(rows.map(({ equipmentType, ...tally }) => [equipmentType, tally as PortTally]));
}

/** Ports that report a fault, and stations that were connected and are not. */
async function readFaults(trx: Trx, caller: Caller): Promise<ScreenFault[]> {
  const faulty = await scoped(
    trx
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id'),
    caller,
    'stations.agent_id',
  )
    .where('stations.online', '=', true)
    .where('connectors.state', '=', 'fault')
    .where('connectors.state_at', 'is not', null)
    .orderBy('connectors.state_at', 'desc')
    .orderBy('connectors.id', 'desc')
    .limit(screenRows.faults)
    .select([
      'stations.id as stationId',
      'sites.name as siteName',
      'stations.name as stationName',
      'connectors.number as connectorNumber',
      'connectors.fault_code as faultCode',
      'connectors.state_at as since',
    ])
    .execute();
  const gone = await scoped(
    trx.selectFrom('stations').innerJoin('sites', 'sites.id', 'stations.site_id'),
    caller,
    'stations.agent_id',
  )
    .where('stations.online', '=', false)
    .where('stations.offline_at', 'is not', null)
    .orderBy('stations.offline_at', 'desc')
    .orderBy('stations.id', 'desc')
    .limit(screenRows.faults)
    .select([
      'stations.id as stationId',
      'sites.name as siteName',
      'stations.name as stationName',
      'stations.offline_at as since',
    ])
    .execute();
  return [
    ...faulty.map((row) => ({ kind: 'fault' as const, ...row })),
    ...gone.map((row) => ({ kind: 'offline' as const, connectorNumber: null, faultCode: null, ...row })),
  ]
    .flatMap(({ since, ...row }) => (since === null ? [] : [{ ...row, since }]))
    .toSorted((a, b) => b.since - a.since)
    .slice(0, screenRows.faults)
    .map(({ since, ...row }) => ({ ...row, since: toIso(since) }));
}

async function readCharges(trx: Trx, caller: Caller): Promise<ScreenCharge[]> {
  const charges = scoped(
    trx
      .selectFrom('orders')
      .innerJoin('stations', 'stations.id', 'orders.station_id')
      .innerJoin('sites', 'sites.id', 'orders.site_id'),
    caller,
    'orders.agent_id',
  )
    .limit(screenRows.charges)
    .select([
      'orders.id as orderId',
      'orders.connector_number as connectorNumber',
      'orders.energy_wh as energyWh',
      'orders.amount_fen as amountFen',
      'orders.discount_fen as discountFen',
      'orders.started_at as startedAt',
      'orders.ended_at as endedAt',
      'sites.name as siteName',
      'stations.name as stationName',
      'stations.equipment_type as equipmentType',
    ]);
  const begun = await charges
    .where('orders.state', '=', sql.lit('charging'))
    .where('orders.started_at', 'is not', null)
    .orderBy('orders.started_at', 'desc')
    .execute();
  const ended = await charges
    .where(isSale)
    .where('orders.ended_at', 'is not', null)
    .orderBy('orders.ended_at', 'desc')
    .execute();
  const told = (
    rows: typeof begun,
    kind: ScreenCharge['kind'],
    atOf: (row: (typeof begun)[number]) => Instant | null,
  ) =>
    rows.flatMap((row) => {
      const { startedAt: _, endedAt: __, amountFen, discountFen, ...charge } = row;
      const moment = atOf(row);
      return moment === null ? [] : [{ ...charge, kind, moment, receivableFen: fen(amountFen - discountFen) }];
    });
  return [...told(begun, 'began', (row) => row.startedAt), ...told(ended, 'ended', (row) => row.endedAt)]
    .toSorted((a, b) => b.moment - a.moment || b.orderId - a.orderId)
    .slice(0, screenRows.charges)
    .map(({ moment, ...charge }) => ({ ...charge, at: toIso(moment) }));
}

async function readPast(trx: Trx, caller: Caller, at: Instant): Promise<Past> {
  const monthStart = parseShanghaiDate(firstOfMonth(shanghaiDate(at))) as Instant;
  const until = instant(at + 1);
  return {
    at: toIso(at),
    month: toSums(await readEnded(trx, caller, { from: monthStart, until }, at, 'period')),
    total: toSums(await readEnded(trx, caller, { from: instant(0), until }, at, 'period')),
    customers: await countCustomers(trx, caller, null),
    rankings: await readRankings(trx, caller, at),
    power: await readPower(trx, caller, at),
  };
}

const rankedBy: Readonly<Record<ScreenRanking, RawBuilder<unknown>>> = {
  receivable: sql`g.amount_fen - g.discount_fen`,
  energy: sql`g.energy_wh`,
  orders: sql`g.orders`,
};

async function readRankings(trx: Trx, caller: Caller, at: Instant): Promise<Past['rankings']> {
  const period = { from: shanghaiDayStart(at), until: instant(at + 1) };
  const rows = salesRows(
    caller,
    { period, at },
    { family: 'site', grain: 'hour', key: ['site_id'], columns: endedColumns },
  );
  const placeOf = (by: ScreenRanking) => sql.ref(`by_${by}`);
  const { rows: found } = await sql<
    EndedRow & { site_id: SiteId; name: string } & Record<`by_${ScreenRanking}`, number>
  >`
    select sites.name, ranked.* from (
      select g.*, ${sql.join(
        screenRankings.map(
          (by) => sql`row_number() over (order by ${rankedBy[by]} desc, g.site_id)::int as ${placeOf(by)}`,
        ),
      )}
        from (select r.site_id, ${sumsOf(endedColumns)} from ${rows} r group by r.site_id having sum(r.orders) <> 0) g) ranked
      join sites on sites.id = ranked.site_id
     where ${sql.join(
       screenRankings.map((by) => sql`${placeOf(by)} <= ${screenRows.ranking}`),
       sql` or `,
     )}`.execute(trx);
  const ranking = (by: ScreenRanking): ScreenSite[] =>
    found
      .filter((row) => row[`by_${by}`] <= screenRows.ranking)
      .toSorted((a, b) => a[`by_${by}`] - b[`by_${by}`])
      .map((row) => ({ siteId: row.site_id, siteName: row.name, ...toSums(row) }));
  return { receivable: ranking('receivable'), energy: ranking('energy'), orders: ranking('orders') };
}

async function readPower(trx: Trx, { agents }: Caller, at: Instant): Promise<Past['power']> {
  const last = sampleInstant(at);
  const first = instant(last - powerShownMs);
  const isSeen = agents === 'all' ? sql`true` : sql`agent_id = any(${[...agents]}::bigint[])`;
  const { rows } = await sql<{ moment: number; twoWheelW: number; fourWheelW: number }>`
    select (extract(epoch from at) * 1000)::bigint as moment,
           coalesce(sum(power_w) filter (where equipment_type = 'two-wheel' and ${isSeen}), 0)::bigint as "twoWheelW",
           coalesce(sum(power_w) filter (where equipment_type = 'four-wheel' and ${isSeen}), 0)::bigint as "fourWheelW"
      from power_samples
     where at >= to_timestamp(${first} / 1000.0) and at <= to_timestamp(${last} / 1000.0)
     group by at`.execute(trx);
  const found = new Map(rows.map((row) => [row.moment, row]));
  const moments = Array.from({ length: powerShownMs / powerSampleMs + 1 }, (_, index) => first + index * powerSampleMs);
  return {
    from: toIso(first),
    twoWheelW: moments.map((moment) => found.get(moment)?.twoWheelW ?? null),
    fourWheelW: moments.map((moment) => found.get(moment)?.fourWheelW ?? null),
  };
}
