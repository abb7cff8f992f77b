import type { Reading } from '@voltdeck/charging/reading';
import type { ConnectorId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { copyIn } from '../database/copy-in.ts';
import { CopyRows } from '../database/copy-rows.ts';

export type JournalReading = {
  orderId: OrderId;
  connectorId: ConnectorId;
  reading: Reading;
  receivedAt: Instant;
  /** It may have been stored before (not later than one already taken): a slower way recognises it. */
  maybeRepeated: boolean;
};

const readingColumns =
  'order_id, at, connector_id, energy_wh, power_w, current_ma, voltage_mv, soc_percent, temperature_c, cable_temperature_c, signed_data, received_at';

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
