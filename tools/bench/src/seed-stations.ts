import type { Protocol } from '@voltdeck/charging/states';
import type { Database } from '@voltdeck/server/database/database';
import { hashStationPassword } from '@voltdeck/server/stations/station-password';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { priceE5 } from '@voltdeck/units/money';

export const benchPassword = 'bench-password-01';

const priceOf = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});

export const benchTariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: priceOf(120_000, 60_000),
    peak: priceOf(100_000, 50_000),
    flat: priceOf(70_000, 40_000),
    valley: priceOf(30_000, 30_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '10:00', period: 'flat' },
    { start: '10:00', end: '15:00', period: 'peak' },
    { start: '15:00', end: '17:00', period: 'sharp' },
    { start: '17:00', end: '24:00', period: 'flat' },
  ],
};

/** A YKC number has 14 digits. */
export function stationNumber(index: number, protocol: Protocol = 'ocpp1.6'): string {
  return protocol === 'ykc' ? String(90_000_000_000_000 + index) : `BENCH${String(index).padStart(6, '0')}`;
}

export function cardNumber(index: number): string {
  return `BE${index.toString(16).toUpperCase().padStart(14, '0')}`;
}

/** As many as a site of the demo network has. */
const stationsOfSite = 8;

/** Sites, one billing rule, `count` stations with one gun port and `count` cards with 100,000 yuan each. */
export async function seedStations({ pool }: Database, count: number, protocol: Protocol = 'ocpp1.6'): Promise<void> {
  await pool.query(
    "select make_partitions('readings', '7 days', now() - interval '14 days', now() + interval '7 days')",
  );
  await pool.query(
    "select make_partitions('interaction_logs', '1 day', now() - interval '2 days', now() + interval '2 days')",
  );
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude)
     select 'Bench ' || n, '330106', 'Road 1', 120, 30 from generate_series(1, $1::int) n`,
    [Math.ceil(count / stationsOfSite)],
  );
  await pool.query("insert into tariffs (name, kind, detail) values ('Bench', 'energy', $1)", [
    JSON.stringify(benchTariff),
  ]);
  const indexes = Array.from({ length: count }, (_, index) => index);
  await pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, password_hash, max_power_w, card_tariff_id)
     select number, number, 'fast', 'four-wheel', $4, 1 + (ordinality - 1) / $3, $2, 120000, (select id from tariffs)
       from unnest($1::text[]) with ordinality as list (number, ordinality)`,
    [
      indexes.map((index) => stationNumber(index, protocol)),
      protocol === 'ykc' ? null : hashStationPassword(benchPassword),
      stationsOfSite,
      protocol,
    ],
  );
  await pool.query("insert into connectors (station_id, number, name) select id, 1, '1' from stations");
  await pool.query(
    'insert into cards (number, physical_number) select number, number from unnest($1::text[]) as number',
    [indexes.map(cardNumber)],
  );
  await pool.query(
    `select post_transfer('recharge:' || id, 'recharge', null, now(), array['channel:back-office'],
                          array['card:' || id], array[10000000], array['channel:back-office']) from cards`,
  );
  await pool.query('analyze');
}
