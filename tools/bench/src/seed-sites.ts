import { regionTable } from '@voltdeck/regions/region-table';
import type { Database } from '@voltdeck/server/database/database';
import { benchTariff } from './seed-stations.ts';

/** Degrees around the middle of its county within which a site lies. */
const spreadDegrees = 0.4;
const stationsOfSite = 5;
const portsOfStation = 2;

/** Sites all over the country, each with five stations of two ports in every state; the same each time. */
export async function seedSites({ pool }: Database, count: number): Promise<void> {
  const counties = [...regionTable.byCode.values()].filter(({ level, code }) => level === 'county' && code < '700000');
  const places = Array.from({ length: count }, (_, index) => {
    const county = counties[(index * 7919) % counties.length];
    if (county === undefined) throw new Error('the table of regions is empty');
    const aside = (step: number) => (((index * step) % 1_000) / 1_000 - 0.5) * spreadDegrees;
    return { ...county, longitude: county.longitude + aside(617), latitude: county.latitude + aside(383) };
  });
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude)
     select place ->> 'zh' || '充电站 ' || n, place ->> 'code', place ->> 'zh' || '人民路 ' || n || ' 号',
            (place ->> 'longitude')::float8, (place ->> 'latitude')::float8
       from jsonb_array_elements($1::jsonb) with ordinality as list (place, n)`,
    [JSON.stringify(places)],
  );
  await pool.query("insert into tariffs (name, kind, detail) values ('Bench', 'energy', $1)", [
    JSON.stringify(benchTariff),
  ]);
  await pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w, card_tariff_id, online)
     select 'SITE' || sites.id || '-' || n, n || ' 号桩', 'fast', 'four-wheel', 'ocpp1.6', sites.id, 120000,
            (select id from tariffs), (sites.id * 5 + n) % 23 <> 0
       from sites cross join generate_series(1, $1::int) n`,
    [stationsOfSite],
  );
  await pool.query(
    `insert into connectors (station_id, number, name, state, state_at)
     select stations.id, n, n::text,
            case when (stations.id * 2 + n) % 97 = 0 then 'fault'
                 else (array['free', 'charging', 'free', 'plugged_in', 'free'])[1 + (stations.id * 2 + n) % 5] end,
            now() - make_interval(mins => (stations.id % 600)::int)
       from stations cross join generate_series(1, $1::int) n`,
    [portsOfStation],
  );
  await pool.query('analyze');
}
