import { copyIn } from '@voltdeck/server/database/copy-in';
import { CopyRows } from '@voltdeck/server/database/copy-rows';
import type { Database } from '@voltdeck/server/database/database';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import { wattHours } from '@voltdeck/units/energy';
import { dayMs, instant, minuteMs } from '@voltdeck/units/instant';
import { seededRandom } from './order-pages.ts';
import { benchTariff, seedStations } from './seed-stations.ts';

const stations = 400;
const chargesAtOnce = 5_000;
const chargeMinutes = { min: 20, max: 100 };

const orderColumns = `number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
  connector_id, connector_number, tariff_id, tariff, meter_start_wh, meter_stop_wh, energy_wh, amount_fen,
  electricity_fee_fen, service_fee_fen, paid_fen, placed_at, started_at, ended_at, settled_at, stop_reason, id`;

/**
 * Settled charges of one rule in the month before `now`, with a reading a minute and the bills that the product would
 * have made of them. @returns how many readings
 */
export async function fillCharges(database: Database, count: number, seed: number, now: number): Promise<number> {
  await seedStations(database, stations);
  const client = await database.pool.connect();
  const random = seededRandom(seed);
  const tariffText = JSON.stringify(benchTariff);
  let readingsWritten = 0;
  try {
    await client.query("select make_partitions('readings', '7 days', $1::timestamptz, $2::timestamptz)", [
      new Date(now - 35 * dayMs),
      new Date(now),
    ]);
    for (let from = 0; from < count; from += chargesAtOnce) {
      const orders = new CopyRows(chargesAtOnce * 900);
      const readings = new CopyRows(chargesAtOnce * 60 * 90);
      for (let id = from + 1; id <= Math.min(from + chargesAtOnce, count); id += 1) {
        const station = 1 + Math.floor(random() * stations);
        const { min, max } = chargeMinutes;
        const minutes = min + Math.floor(random() * (max - min));
        const startAt = instant(now - 30 * dayMs + Math.floor((id / count) * 28 * dayMs));
        const powerW = 7_000 + Math.floor(random() * 90_000);
        const points = Array.from({ length: minutes + 1 }, (_, minute) => ({
          at: instant(startAt + minute * minuteMs),
          energyWh: wattHours(id * 1_000 + Math.floor((powerW * minute * (1 - minute / (4 * minutes))) / 60)),
        }));
        const bill = priceCharge({ tariff: benchTariff, readings: points });
        if (!bill.ok) throw new Error(bill.error.code);
        const { amountFen, electricityFeeFen, serviceFeeFen, energyWh } = bill.value;
        const endAt = points.at(-1)?.at ?? startAt;
        orders.row(25);
        orders.text(`B${String(id).padStart(9, '0')}`);
        for (const text of ['completed', 'paid', 'card', 'card', 'energy']) orders.text(text);
        orders.bigint(1 + Math.floor((station - 1) / 8));
        orders.bigint(station);
        orders.bigint(station);
        orders.integer(1);
        orders.bigint(1);
        orders.jsonb(tariffText);
        orders.bigint(id * 1_000);
        orders.bigint(id * 1_000 + energyWh);
        for (const figure of [energyWh, amountFen, electricityFeeFen, serviceFeeFen, amountFen]) orders.bigint(figure);
        for (const at of [startAt, startAt, endAt, endAt + 1_000]) orders.instant(at);
        orders.text('local');
        orders.bigint(id);
        for (const { at, energyWh: registerWh } of points.slice(1, -1)) {
          readings.row(6);
          readings.bigint(id);
          readings.instant(at);
          readings.bigint(station);
          readings.bigint(registerWh);
          readings.integer(powerW);
          readings.instant(at);
        }
        readingsWritten += points.length - 2;
      }
      await copyIn(client, `copy orders (${orderColumns}) from stdin (format binary)`, orders);
      await copyIn(
        client,
        'copy readings (order_id, at, connector_id, energy_wh, power_w, received_at) from stdin (format binary)',
        readings,
      );
    }
  } finally {
    client.release(true);
  }
  await database.pool.query('vacuum (analyze) orders, readings');
  return readingsWritten;
}
