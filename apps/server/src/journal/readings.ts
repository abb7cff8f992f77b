import type { Reading } from '@voltdeck/charging/reading';
import type { ReadingDoubt } from '@voltdeck/charging/states';
import type { ConnectorId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { float4, int4, int8, storableText } from '../database/column-values.ts';
import { copyIn } from '../database/copy-in.ts';
import { CopyRows } from '../database/copy-rows.ts';

export type JournalReading = {
  orderId: OrderId;
  connectorId: ConnectorId;
  reading: Reading;
  receivedAt: Instant;
  /** It may already be stored (it is not later than one taken before): the slower insert recognises it. */
  maybeRepeated: boolean;
  /** Why its register cannot follow the last plausible one. */
  doubt: ReadingDoubt | null;
};

const fieldColumns = [
  'energy_wh',
  'power_w',
  'current_ma',
  'voltage_mv',
  'soc_percent',
  'vehicle_temperature_c',
  'cable_temperature_c',
  'ambient_temperature_c',
  'signed_data',
  'doubt',
] as const;
const readingColumns = `order_id, at, connector_id, ${fieldColumns.join(', ')}, received_at`;

export async function storeReadings(
  client: pg.PoolClient,
  readings: readonly JournalReading[],
  mayBeRepeated: boolean,
): Promise<void> {
  const fresh = new CopyRows(readings.length * 128);
  const repeated: JournalReading[] = [];
  for (const taken of readings) {
    if (mayBeRepeated || taken.maybeRepeated) repeated.push(taken);
    else writeReading(fresh, taken);
  }
  await copyIn(client, `copy readings (${readingColumns}) from stdin (format binary)`, fresh);
  if (repeated.length > 0) await insertReadings((text, values) => client.query(text, values), repeated);
}

function writeReading(rows: CopyRows, { orderId, connectorId, reading, receivedAt, doubt }: JournalReading): void {
  rows.row(14);
  rows.bigint(orderId);
  rows.instant(reading.at);
  rows.bigint(connectorId);
  rows.bigint(reading.energyWh);
  rows.integer(reading.powerW);
  rows.integer(reading.currentMa);
  rows.integer(reading.voltageMv);
  rows.real(reading.socPercent);
  rows.real(reading.vehicleTemperatureC);
  rows.real(reading.cableTemperatureC);
  rows.real(reading.ambientTemperatureC);
  rows.text(reading.signedData);
  rows.text(doubt);
  rows.instant(receivedAt);
}

/**
 * The slow insert, for readings that may be repeated: per order and instant, it keeps the first value of each field and
 * adds missing ones, since a station may send power and energy of one second in two frames.
 */
export async function insertReadings(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  readings: readonly JournalReading[],
): Promise<void> {
  if (readings.length === 0) return;
  const merged = mergedByInstant(readings);
  await query(
    `insert into readings (${readingColumns})
     select * from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::int[],
                          $8::real[], $9::real[], $10::real[], $11::real[], $12::text[], $13::text[], $14::timestamptz[])
     on conflict (order_id, at) do update
        set ${fieldColumns.map((column) => `${column} = coalesce(readings.${column}, excluded.${column})`).join(', ')}
      where ${fieldColumns.map((column) => `(readings.${column} is null and excluded.${column} is not null)`).join(' or ')}`,
    [
      merged.map((taken) => taken.orderId),
      merged.map((taken) => new Date(taken.reading.at)),
      merged.map((taken) => taken.connectorId),
      merged.map((taken) => int8(taken.reading.energyWh)),
      merged.map((taken) => int4(taken.reading.powerW)),
      merged.map((taken) => int4(taken.reading.currentMa)),
      merged.map((taken) => int4(taken.reading.voltageMv)),
      merged.map((taken) => float4(taken.reading.socPercent)),
      merged.map((taken) => float4(taken.reading.vehicleTemperatureC)),
      merged.map((taken) => float4(taken.reading.cableTemperatureC)),
      merged.map((taken) => float4(taken.reading.ambientTemperatureC)),
      merged.map((taken) => storableText(taken.reading.signedData)),
      merged.map((taken) => taken.doubt),
      merged.map((taken) => new Date(taken.receivedAt)),
    ],
  );
}

/** One reading per order and instant, in a fixed order, so that concurrent writers meet rows in the same order. */
function mergedByInstant(readings: readonly JournalReading[]): JournalReading[] {
  const merged = new Map<string, JournalReading>();
  for (const taken of readings) {
    const key = `${taken.orderId} ${taken.reading.at}`;
    const before = merged.get(key);
    if (before === undefined) merged.set(key, taken);
    else
      merged.set(key, {
        ...before,
        reading: { ...taken.reading, ...before.reading },
        doubt: before.doubt ?? taken.doubt,
      });
  }
  return [...merged.values()].sort((one, other) => one.orderId - other.orderId || one.reading.at - other.reading.at);
}
