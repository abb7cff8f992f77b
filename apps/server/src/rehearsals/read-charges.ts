import type { ChargeEnd } from '@voltdeck/charging/charge/charge';
import type { ReadRegister } from '@voltdeck/charging/charge/decide-settlement';
import { plausibilityLimits } from '@voltdeck/charging/charge/plausibility';
import type { BillingType } from '@voltdeck/charging/states';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { RehearsalFilter } from '@voltdeck/contract/rehearsals';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import type { AgentId, OrderId, SiteId, TariffId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import { type Reach, scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { readingMarginMs } from '../orders/order-readings.ts';
import type { SettledCharge } from './rehearse-charge.ts';
import { spanOf } from './start-rehearsal.ts';

/** Orders per statement. */
const chargesRead = 500;
/** Charging time whose readings are read together: some ten thousand of them, or one charge however long it is. */
const readHoursMax = 200;
/** Parsed tariffs cached at once; the cache is cleared when full. */
const tariffsKept = 1_000;

export type StoredCharge = {
  id: OrderId;
  number: string;
  siteId: SiteId;
  agentId: AgentId | null;
  amountFen: Fen;
  endedAt: Instant;
  energyWh: WattHours;
  /** Null when the order lacks something a bill needs. */
  settled: SettledCharge | null;
  readings: readonly ReadRegister[];
};

/** Where the reading has got to: an end as PostgreSQL writes it, with the microseconds that an Instant lacks. */
type Place = { endedAt: string; id: OrderId };

/**
 * The settled charges of one kind of rule that match the filter, within the caller's scope and before `place` if it is
 * given. Two upper bounds would make PostgreSQL begin at the first and read all that lies between.
 */
function matching(
  db: Kysely<Tables>,
  reach: Reach,
  kind: BillingType,
  filter: RehearsalFilter,
  place: Place | null = null,
) {
  const { agentId, siteId, usedRuleId } = filter;
  const { from, to } = spanOf(filter);
  let query = scoped(db.selectFrom('orders'), reach, 'orders.agent_id')
    .where('orders.state', '=', sql.lit('completed'))
    // No rule prices a test run.
    .where('orders.start_mode', '<>', sql.lit('test'))
    .where('orders.billing_type', '=', kind)
    .where('orders.ended_at', '>=', from)
    .where(
      place === null
        ? sql<boolean>`orders.ended_at < ${toIso(to)}::timestamptz`
        : sql<boolean>`(orders.ended_at, orders.id) < (${place.endedAt}::timestamptz, ${place.id}::bigint)`,
    );
  if (agentId !== undefined) query = query.where('orders.agent_id', '=', agentId);
  if (siteId !== undefined) query = query.where('orders.site_id', '=', siteId);
  if (usedRuleId !== undefined) {
    query = query.where('orders.tariff_id', 'in', (versions) =>
      versions
        .selectFrom('tariffs as version')
        .innerJoin('tariffs as named', 'named.rule_id', 'version.rule_id')
        .select('version.id')
        .where('named.id', '=', usedRuleId),
    );
  }
  return query;
}

/** How many charges match, counted up to `max` + 1. */
export async function countCharges(
  db: Kysely<Tables>,
  reach: Reach,
  kind: BillingType,
  filter: RehearsalFilter,
  max: number,
): Promise<number> {
  const matched = matching(db, reach, kind, filter)
    .select(sql`1`.as('one'))
    .limit(sql.lit(max + 1));
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${matched} as matched`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The charges from the last to the first that ended, batch by batch, as they are when their batch is read. */
export async function* readCharges(
  db: Kysely<Tables>,
  reach: Reach,
  kind: BillingType,
  filter: RehearsalFilter,
): AsyncGenerator<readonly StoredCharge[]> {
  const tariffs = new KeptTariffs(db);
  let place: Place | null = null;
  for (;;) {
    const rows: Row[] = await withFacts(matching(db, reach, kind, filter, place))
      // As the index orders_ended has them.
      .orderBy('orders.ended_at', (order) => order.desc().nullsLast())
      .orderBy('orders.id', 'desc')
      .limit(sql.lit(chargesRead))
      .execute();
    for (const batch of inTurns(rows)) {
      const readings = await readingsOfAll(db, batch);
      const running = await tariffs.byId(batch.flatMap(({ runningTariffId: id }) => (id === null ? [] : [id])));
      yield batch.map((row) => toCharge(row, readings.get(row.id) ?? [], tariffs.read(row.tariff), running));
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < chargesRead) return;
    place = { endedAt: end.place, id: end.id };
  }
}

function withFacts(query: ReturnType<typeof matching>) {
  return query.innerJoin('stations', 'stations.id', 'orders.station_id').select([
    'orders.id',
    'orders.number',
    'orders.site_id as siteId',
    'orders.agent_id as agentId',
    'orders.tariff_id as tariffId',
    // As text: few rules price many charges, and each is parsed once.
    sql<string | null>`orders.tariff::text`.as('tariff'),
    'orders.placed_at as placedAt',
    'orders.begun_at as begunAt',
    'orders.started_at as startedAt',
    'orders.ended_at as endedAt',
    sql<string>`orders.ended_at::text`.as('place'),
    'orders.settled_at as settledAt',
    'orders.was_placed as wasPlaced',
    'orders.meter_start_wh as meterStartWh',
    'orders.meter_stop_wh as meterStopWh',
    'orders.energy_wh as energyWh',
    'orders.amount_fen as amountFen',
    'orders.electricity_fee_fen as electricityFeeFen',
    'orders.service_fee_fen as serviceFeeFen',
    'orders.stop_reason as stopReason',
    'orders.station_bill as bill',
    'stations.max_power_w as ratedPowerW',
    sql<TariffId | null>`case when orders.station_bill is not null then (
      select tariff_id from station_tariffs
       where station_id = orders.station_id and kind = 'running'
         and from_at <= coalesce(orders.started_at, orders.placed_at)
       order by from_at desc limit 1) end`.as('runningTariffId'),
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof withFacts>['execute']>>[number];

function toCharge(
  row: Row,
  readings: readonly ReadRegister[],
  tariff: Tariff | null,
  running: ReadonlyMap<TariffId, Tariff>,
): StoredCharge {
  const { id, number, siteId, agentId, amountFen, energyWh, startedAt, meterStartWh, meterStopWh } = row;
  const endedAt = row.endedAt as Instant;
  const settled: SettledCharge | null =
    startedAt === null || meterStartWh === null || meterStopWh === null
      ? null
      : {
          tariffId: row.tariffId,
          tariff,
          placedAt: row.placedAt,
          begunAt: row.begunAt,
          startedAt,
          endedAt,
          settledAt: row.settledAt ?? endedAt,
          wasPlaced: row.wasPlaced,
          meterStartWh: wattHours(meterStartWh),
          meterStopWh: wattHours(meterStopWh),
          energyWh,
          electricityFeeFen: row.electricityFeeFen,
          serviceFeeFen: row.serviceFeeFen,
          stopReason: (row.stopReason ?? 'other') as ChargeEnd['reason'],
          bill: row.bill as StationBill | null,
          ratedPowerW: row.ratedPowerW,
          runningTariff: row.runningTariffId === null ? null : (running.get(row.runningTariffId) ?? null),
        };
  return { id, number, siteId, agentId, amountFen, endedAt, energyWh, settled, readings };
}

/** Divides charges so that the readings of each part fit into memory. */
function* inTurns(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let hours = 0;
  for (const row of rows) {
    const own = ((row.endedAt ?? row.placedAt) - beginningOf(row)) / hourMs;
    if (part.length > 0 && hours + own > readHoursMax) {
      yield part;
      part = [];
      hours = 0;
    }
    part.push(row);
    hours += own;
  }
  if (part.length > 0) yield part;
}

function beginningOf({ startedAt, placedAt }: Row): Instant {
  return startedAt ?? placedAt;
}

/**
 * The readings of several orders. Millions are read, and PostgreSQL's own binary form of an array, which comes as one
 * value, takes a fraction of the time that rows or numbers as text would.
 */
async function readingsOfAll(db: Kysely<Tables>, rows: readonly Row[]): Promise<Map<OrderId, ReadRegister[]>> {
  const from = Math.min(...rows.map(beginningOf)) - readingMarginMs;
  const to = Math.max(...rows.map(({ endedAt, placedAt }) => endedAt ?? placedAt)) + plausibilityLimits.clockSlackMs;
  const { rows: found } = await sql<{ orderId: OrderId; at: Buffer; energyWh: Buffer; powerW: Buffer }>`
    select order_id as "orderId", array_send(array_agg(at order by at)) as at,
           array_send(array_agg(energy_wh order by at)) as "energyWh",
           array_send(array_agg(power_w order by at)) as "powerW"
      from readings
     where order_id = any(${rows.map(({ id }) => id)}) and at >= to_timestamp(${from} / 1000.0)
       and at <= to_timestamp(${to} / 1000.0)
     group by order_id`.execute(db);
  return new Map(
    found.map(({ orderId, at, energyWh, powerW }) => {
      const energies = numbersIn(energyWh);
      const powers = numbersIn(powerW);
      return [
        orderId,
        numbersIn(at).map((micros, index) => ({
          at: instant(Math.floor((micros ?? 0) / 1_000) + epochMs),
          energyWh: energies[index] ?? null,
          powerW: powers[index] ?? null,
        })),
      ];
    }),
  );
}

/** PostgreSQL counts microseconds from 2000 on. */
const epochMs = Date.UTC(2000, 0, 1);

/**
 * The elements of a one-dimensional array of integers or instants in binary form: a header of five words, then each
 * element with its length, -1 for null (array_send in PostgreSQL's arrayfuncs.c).
 */
function numbersIn(bytes: Buffer): (number | null)[] {
  const count = bytes.readInt32BE(12);
  const numbers: (number | null)[] = new Array(count);
  let place = 20;
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readInt32BE(place);
    place += 4;
    if (length === 8) numbers[index] = bytes.readInt32BE(place) * 2 ** 32 + bytes.readUInt32BE(place + 4);
    else numbers[index] = length === 4 ? bytes.readInt32BE(place) : null;
    if (length > 0) place += length;
  }
  return numbers;
}

/** Contents of rules, each parsed once. */
class KeptTariffs {
  readonly #db: Kysely<Tables>;
  readonly #byText = new Map<string, Tariff>();
  readonly #byId = new Map<TariffId, Tariff>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  read(text: string | null): Tariff | null {
    if (text === null) return null;
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (this.#byText.size >= tariffsKept) this.#byText.clear();
    const tariff = JSON.parse(text) as Tariff;
    this.#byText.set(text, tariff);
    return tariff;
  }

  async byId(ids: readonly TariffId[]): Promise<ReadonlyMap<TariffId, Tariff>> {
    const missing = [...new Set(ids)].filter((id) => !this.#byId.has(id));
    if (missing.length > 0) {
      if (this.#byId.size >= tariffsKept) this.#byId.clear();
      const wanted = [...new Set(ids)].filter((id) => !this.#byId.has(id));
      const rows = await this.#db.selectFrom('tariffs').select(['id', 'detail']).where('id', 'in', wanted).execute();
      for (const { id, detail } of rows) this.#byId.set(id, detail as Tariff);
    }
    return this.#byId;
  }
}
