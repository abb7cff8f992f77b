import type { ChargeNote } from '@voltdeck/charging/charge-note';
import type { Reading } from '@voltdeck/charging/reading';
import type { ConnectorState, GroundLockState, ParkingBayState, Protocol } from '@voltdeck/charging/states';
import type { ConnectorId, OrderId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { CopyRows } from '../database/copy-rows.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';

/** One exchange with a station, for the interaction log. */
export type LoggedExchange = {
  stationId: StationId;
  protocol: Protocol;
  at: Instant;
  direction: 'from-station' | 'to-station';
  action: string | null;
  messageId: string | null;
  request: string;
  answer: string | null;
  latencyMs: number | null;
  fault: string | null;
};

/** An exchange that is durable, under the id of its row. */
export type StoredExchange = LoggedExchange & { id: number };

/** Who is told what has become durable, if anybody is there. */
export type ExchangeAudience = {
  areExchangesWatched(): boolean;
  tellExchanges(exchanges: readonly StoredExchange[]): void;
};

export type JournalReading = {
  orderId: OrderId;
  connectorId: ConnectorId;
  reading: Reading;
  receivedAt: Instant;
  /** It may have been stored before (not later than one already taken): a slower way recognises it. */
  maybeRepeated: boolean;
};

export type ConnectorChange = {
  connectorId: ConnectorId;
  state: ConnectorState;
  at: Instant;
  faultCode: string | null;
  faultInfo: string | null;
};

export type GroundLockChange = {
  connectorId: ConnectorId;
  lock: GroundLockState;
  bay: ParkingBayState;
  batteryPercent: number;
  alarm: string | null;
  at: Instant;
};

/** What vehicle and charger told each other; `orderId` null while nobody knows which charge it belongs to. */
export type JournalNote = {
  at: Instant;
  orderId: OrderId | null;
  stationId: StationId;
  connectorNumber: number;
  note: ChargeNote;
};

export type StationChange = { stationId: StationId; online: boolean; at: Instant; remoteAddress: string | null };

/** The latest figures of a running order, for lists; the readings are the truth. */
export type OrderFigures = {
  orderId: OrderId;
  energyWh: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
  powerW: number | null;
  socPercent: number | null;
  lastReadingAt: Instant;
};

/** What becomes durable together. `onStored` runs after the commit, `onLost` when it can never be stored. */
export type JournalEntry = {
  exchange?: LoggedExchange;
  readings?: readonly JournalReading[];
  connectorChange?: ConnectorChange;
  groundLockChange?: GroundLockChange;
  notes?: readonly JournalNote[];
  stationChange?: StationChange;
  figures?: OrderFigures;
  onStored?: () => void;
  onLost?: () => void;
};

export const journalLimits = {
  /** Messages are gathered so long before they are written in one transaction. */
  gatherMs: 5,
  /** Transactions under way at once: one is being committed while the next is filled. */
  writesAtOnce: 2,
  entriesPerWrite: 4_000,
  /** Entries that wait while the database is away. Beyond it they are lost, and so unanswered: stations send again. */
  entriesWaiting: 100_000,
  retryMs: { first: 100, max: 5_000 },
} as const;

/**
 * Makes what stations say durable, many messages in one transaction: the price of a commit is shared, which is what
 * carries thousands of stations on one small database (docs/capacity.md). A station is answered only from `onStored`.
 */
export class StationJournal {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #audience: ExchangeAudience | null;
  #waiting: JournalEntry[] = [];
  #writes = 0;
  /** Resolves when all that was taken up before has been told. */
  #told: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #retryMs = 0;
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(pool: pg.Pool, log: Logger, audience: ExchangeAudience | null = null) {
    this.#pool = pool;
    this.#log = log;
    this.#audience = audience;
  }

  add(entry: JournalEntry): void {
    if (this.#closed || this.#waiting.length >= journalLimits.entriesWaiting) {
      entry.onLost?.();
      return;
    }
    this.#waiting.push(entry);
    this.#plan();
  }

  /** Entries not yet durable. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Resolves when everything added before is stored or lost. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && this.#writes === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Stores what waits, then takes nothing more. Gives up on a database that is away. */
  async close(): Promise<void> {
    if (this.#retryMs === 0) await this.drained();
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
  }

  #plan(): void {
    if (this.#timer !== null || this.#waiting.length === 0 || this.#writes >= journalLimits.writesAtOnce) return;
    const wait = this.#retryMs > 0 ? this.#retryMs : journalLimits.gatherMs;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#write();
      this.#plan();
    }, wait);
  }

  async #write(): Promise<void> {
    const entries =
      this.#waiting.length <= journalLimits.entriesPerWrite
        ? this.#waiting
        : this.#waiting.slice(0, journalLimits.entriesPerWrite);
    this.#waiting = entries === this.#waiting ? [] : this.#waiting.slice(journalLimits.entriesPerWrite);
    if (entries.length === 0) return;
    this.#writes += 1;
    // Told in the order of adding: who hears a station answered finds all that it said before durable, too.
    const before = this.#told;
    const told = Promise.withResolvers<void>();
    this.#told = told.promise;
    try {
      await this.#store(entries, false);
      this.#retryMs = 0;
      await before;
      for (const entry of entries) entry.onStored?.();
    } catch (error) {
      if (isDatabaseAway(error)) {
        this.#retryMs = Math.min(Math.max(this.#retryMs * 2, journalLimits.retryMs.first), journalLimits.retryMs.max);
        this.#log.warn(
          { error: String(error), waiting: entries.length + this.#waiting.length },
          'journal: the database is away',
        );
        this.#waiting = entries.concat(this.#waiting);
      } else {
        await before;
        await this.#storeApart(entries, error);
      }
    } finally {
      told.resolve();
      this.#writes -= 1;
      this.#plan();
      if (this.#waiting.length === 0 && this.#writes === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** One entry spoils the transaction of all: halve until it stands alone, so that no neighbour is lost. */
  async #storeApart(entries: readonly JournalEntry[], error: unknown): Promise<void> {
    try {
      await this.#store(entries, true);
      for (const entry of entries) entry.onStored?.();
      return;
    } catch (again) {
      if (isDatabaseAway(again)) {
        this.#waiting = [...entries, ...this.#waiting];
        return;
      }
    }
    if (entries.length === 1) {
      this.#log.error({ error: String(error), exchange: entries[0]?.exchange }, 'journal: an entry cannot be stored');
      entries[0]?.onLost?.();
      return;
    }
    const middle = entries.length >> 1;
    await this.#storeApart(entries.slice(0, middle), error);
    await this.#storeApart(entries.slice(middle), error);
  }

  async #store(entries: readonly JournalEntry[], mayBeRepeated: boolean): Promise<void> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const watched = this.#audience?.areExchangesWatched() === true ? await numbered(client, entries) : null;
      await (watched === null ? copyExchanges(client, entries) : copyNumbered(client, watched));
      await storeReadings(client, entries, mayBeRepeated);
      await copyNotes(client, entries);
      await changeConnectors(client, entries);
      await changeGroundLocks(client, entries);
      await changeStations(client, entries);
      await changeFigures(client, entries);
      await client.query('commit');
      if (watched !== null) this.#tell(watched);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      if (!isDatabaseAway(error)) {
        await client.query('rollback').then(
          () => {
            broken = undefined;
          },
          () => {},
        );
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** What is durable stays so, whatever becomes of who watches. */
  #tell(exchanges: readonly StoredExchange[]): void {
    try {
      this.#audience?.tellExchanges(exchanges);
    } catch (error) {
      this.#log.error({ err: error }, 'journal: what was stored could not be told');
    }
  }
}

const exchangeColumns = 'at, station_id, protocol, direction, action, message_id, request, answer, latency_ms, fault';
const exchangeFields = 10;

async function copyExchanges(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const rows = new CopyRows(entries.length * 512);
  for (const { exchange } of entries) {
    if (exchange === undefined) continue;
    rows.row(exchangeFields);
    writeExchange(rows, exchange);
  }
  await copy(client, `copy interaction_logs (${exchangeColumns}) from stdin (format binary)`, rows);
}

/** The exchanges with the ids that their rows will have: COPY tells none, and who watches must be able to name them. */
async function numbered(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<StoredExchange[]> {
  const exchanges = entries.flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange]));
  if (exchanges.length === 0) return [];
  const { rows } = await client.query<{ id: number }>(
    "select nextval('interaction_logs_id_seq') as id from generate_series(1, $1::int)",
    [exchanges.length],
  );
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return exchanges.map((exchange, index) => ({ ...exchange, id: ids[index] as number }));
}

async function copyNumbered(client: pg.PoolClient, exchanges: readonly StoredExchange[]): Promise<void> {
  const rows = new CopyRows(exchanges.length * 512);
  for (const exchange of exchanges) {
    rows.row(exchangeFields + 1);
    rows.bigint(exchange.id);
    writeExchange(rows, exchange);
  }
  await copy(client, `copy interaction_logs (id, ${exchangeColumns}) from stdin (format binary)`, rows);
}

function writeExchange(rows: CopyRows, exchange: LoggedExchange): void {
  rows.instant(exchange.at);
  rows.bigint(exchange.stationId);
  rows.text(exchange.protocol);
  rows.text(exchange.direction);
  rows.text(storable(exchange.action));
  rows.text(storable(exchange.messageId));
  rows.text(exchange.request);
  rows.text(exchange.answer);
  rows.integer(exchange.latencyMs);
  rows.text(storable(exchange.fault));
}

/** What a station named may hold an escaped NUL, which no text of the database does; frames as a whole hold none. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\u2400');
}

const readingColumns =
  'order_id, at, connector_id, energy_wh, power_w, current_ma, voltage_mv, soc_percent, temperature_c, cable_temperature_c, signed_data, received_at';

async function storeReadings(
  client: pg.PoolClient,
  entries: readonly JournalEntry[],
  mayBeRepeated: boolean,
): Promise<void> {
  const fresh = new CopyRows(entries.length * 128);
  const repeated: JournalReading[] = [];
  for (const { readings } of entries) {
    if (readings === undefined) continue;
    for (const taken of readings) {
      if (mayBeRepeated || taken.maybeRepeated) repeated.push(taken);
      else writeReading(fresh, taken);
    }
  }
  await copy(client, `copy readings (${readingColumns}) from stdin (format binary)`, fresh);
  if (repeated.length > 0) await insertReadings((text, values) => client.query(text, values), repeated);
}

function writeReading(rows: CopyRows, { orderId, connectorId, reading, receivedAt }: JournalReading): void {
  rows.row(12);
  rows.bigint(orderId);
  rows.instant(reading.at);
  rows.bigint(connectorId);
  rows.bigint(reading.energyWh);
  rows.integer(reading.powerW);
  rows.integer(reading.currentMa);
  rows.integer(reading.voltageMv);
  rows.real(reading.socPercent);
  rows.real(reading.temperatureC);
  rows.real(reading.cableTemperatureC);
  rows.text(reading.signedData);
  rows.instant(receivedAt);
}

/** The slow way, which keeps the first of what is told twice. */
export async function insertReadings(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  readings: readonly JournalReading[],
): Promise<void> {
  if (readings.length === 0) return;
  await query(
    `insert into readings (${readingColumns})
     select * from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::int[],
                          $8::real[], $9::real[], $10::real[], $11::text[], $12::timestamptz[])
     on conflict (order_id, at) do nothing`,
    [
      readings.map((taken) => taken.orderId),
      readings.map((taken) => new Date(taken.reading.at)),
      readings.map((taken) => taken.connectorId),
      readings.map((taken) => taken.reading.energyWh ?? null),
      readings.map((taken) => taken.reading.powerW ?? null),
      readings.map((taken) => taken.reading.currentMa ?? null),
      readings.map((taken) => taken.reading.voltageMv ?? null),
      readings.map((taken) => taken.reading.socPercent ?? null),
      readings.map((taken) => taken.reading.temperatureC ?? null),
      readings.map((taken) => taken.reading.cableTemperatureC ?? null),
      readings.map((taken) => taken.reading.signedData ?? null),
      readings.map((taken) => new Date(taken.receivedAt)),
    ],
  );
}

const copyNotesSql = `copy charge_notes (at, order_id, station_id, connector_number, kind, detail)
  from stdin (format binary)`;

async function copyNotes(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const rows = new CopyRows(entries.length * 64);
  for (const { notes } of entries) {
    if (notes === undefined) continue;
    for (const { at, orderId, stationId, connectorNumber, note } of notes) {
      rows.row(6);
      rows.instant(at);
      rows.bigint(orderId);
      rows.bigint(stationId);
      rows.integer(connectorNumber);
      rows.text(note.kind);
      rows.jsonb(withoutNul(JSON.stringify(note.values)));
    }
  }
  await copy(client, copyNotesSql, rows);
}

/** No text inside a jsonb may hold a NUL either; in JSON it is always escaped. */
function withoutNul(json: string): string {
  return json.replaceAll('\\u0000', '\\u2400');
}

async function changeConnectors(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const latest = latestOf(
    entries,
    (entry) => entry.connectorChange,
    (change) => change.connectorId,
  );
  if (latest.length === 0) return;
  await client.query(
    `update connectors c
        set state = n.state, fault_code = n.fault_code, fault_info = n.fault_info,
            state_at = case when c.state = n.state then c.state_at else n.at end
       from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
         as n (id, state, at, fault_code, fault_info)
      where c.id = n.id and n.at >= coalesce(c.state_at, '-infinity')`,
    [
      latest.map((change) => change.connectorId),
      latest.map((change) => change.state),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => change.faultCode),
      latest.map((change) => change.faultInfo),
    ],
  );
}

async function changeGroundLocks(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const latest = latestOf(
    entries,
    (entry) => entry.groundLockChange,
    (change) => change.connectorId,
  );
  if (latest.length === 0) return;
  await client.query(
    `update connectors c
        set ground_lock = n.lock, parking_bay = n.bay, ground_lock_battery = n.battery, ground_lock_alarm = n.alarm,
            ground_lock_at = n.at
       from unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::timestamptz[])
         as n (id, lock, bay, battery, alarm, at)
      where c.id = n.id and n.at >= coalesce(c.ground_lock_at, '-infinity')`,
    [
      latest.map((change) => change.connectorId),
      latest.map((change) => change.lock),
      latest.map((change) => change.bay),
      latest.map((change) => change.batteryPercent),
      latest.map((change) => storable(change.alarm)),
      latest.map((change) => new Date(change.at)),
    ],
  );
}

async function changeStations(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const latest = latestOf(
    entries,
    (entry) => entry.stationChange,
    (change) => change.stationId,
  );
  if (latest.length === 0) return;
  await client.query(
    `update stations s
        set online = n.online, last_seen_at = n.at, remote_address = coalesce(n.remote_address, s.remote_address),
            online_at = case when n.online and not s.online then n.at else s.online_at end,
            offline_at = case when not n.online and s.online then n.at else s.offline_at end
       from unnest($1::bigint[], $2::boolean[], $3::timestamptz[], $4::text[]) as n (id, online, at, remote_address)
      where s.id = n.id and n.at >= coalesce(s.last_seen_at, '-infinity')`,
    [
      latest.map((change) => change.stationId),
      latest.map((change) => change.online),
      latest.map((change) => new Date(change.at)),
      latest.map((change) => change.remoteAddress),
    ],
  );
}

async function changeFigures(client: pg.PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  const latest = latestOf(
    entries,
    (entry) => entry.figures,
    (figures) => figures.orderId,
  );
  if (latest.length === 0) return;
  await client.query(
    `update orders o
        set energy_wh = n.energy_wh, electricity_fee_fen = n.electricity_fee_fen, service_fee_fen = n.service_fee_fen,
            amount_fen = n.electricity_fee_fen + n.service_fee_fen, power_w = n.power_w, soc_percent = n.soc_percent,
            last_reading_at = n.at
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::timestamptz[])
         as n (id, energy_wh, electricity_fee_fen, service_fee_fen, power_w, soc_percent, at)
      where o.id = n.id and o.state = 'charging' and n.at >= coalesce(o.last_reading_at, '-infinity')`,
    [
      latest.map((figures) => figures.orderId),
      latest.map((figures) => figures.energyWh),
      latest.map((figures) => figures.electricityFeeFen),
      latest.map((figures) => figures.serviceFeeFen),
      latest.map((figures) => figures.powerW),
      latest.map((figures) => figures.socPercent),
      latest.map((figures) => new Date(figures.lastReadingAt)),
    ],
  );
}

/** The last change of each record, in a fixed order, so that two writers lock rows alike. */
function latestOf<Change>(
  entries: readonly JournalEntry[],
  changeOf: (entry: JournalEntry) => Change | undefined,
  idOf: (change: Change) => number,
): Change[] {
  const latest = new Map<number, Change>();
  for (const entry of entries) {
    const change = changeOf(entry);
    if (change !== undefined) latest.set(idOf(change), change);
  }
  return [...latest.entries()].sort(([a], [b]) => a - b).map(([, change]) => change);
}

async function copy(client: pg.PoolClient, sql: string, rows: CopyRows): Promise<void> {
  if (rows.rows === 0) return;
  const stream = client.query(copyFrom(sql));
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    stream.end(rows.finish());
  });
}
