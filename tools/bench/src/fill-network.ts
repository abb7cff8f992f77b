import { regionTable } from '@voltdeck/regions/region-table';
import type { Database } from '@voltdeck/server/database/database';
import { benchTariff } from './seed-stations.ts';

/** Every site has five stations of two ports. */
export const largeNetwork = { sites: 20_000, stations: 100_000, connectors: 200_000, agents: 200 } as const;

/** The last agent has as many sites as a small business; the first has a quarter of all. */
export const fewSites = 5;
const smallAgent = largeNetwork.agents;

/** A number in [0, 1) that belongs to this record: 32 bits of PostgreSQL's own hash. */
const draw = (id: string, seed: number) => `((hashint8extended(${id}, ${seed}) & 4294967295)::float8 / 4294967296)`;

/**
 * A network of three years in every state that the lists filter by, the same each time: 20,000 sites all over the
 * country, 100,000 stations of both protocols, 200,000 ports, a past charge at each station and a running one at each
 * port that charges. For a migrated database without records, after the server's start, which takes every station for
 * offline.
 */
export async function fillNetwork({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const { sites, stations, agents } = largeNetwork;
  await pool.query(
    `insert into agents (name, parent_id)
     select 'Agent ' || n, case when n between 2 and 20 then 1 end from generate_series(1, $1::int) n`,
    [agents],
  );
  await pool.query(
    `insert into tariffs (name, kind, detail)
     select 'Bench ' || n, 'energy', $1::jsonb from generate_series(1, 4) n`,
    [JSON.stringify(benchTariff)],
  );
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude, agent_id, state, parking_fee,
       invoice_available, opened_at, kind, created_at, changed_at)
     select (place ->> 'zh') || '充电站 ' || n, place ->> 'code', (place ->> 'zh') || '人民路 ' || n || ' 号',
            (place ->> 'longitude')::float8, (place ->> 'latitude')::float8,
            case when n > $2::int - ${fewSites} then ${smallAgent}
                 when a < 0.25 then 1 when a < 0.7 then 2 + floor(b * ${smallAgent - 2})::int end,
            case when b < 0.9 then 'normal'
                 else (array['building', 'maintenance', 'closed_offline', 'closed_for_business', 'unknown'])[1 + n % 5] end,
            case when c < 0.6 then 'free'
                 else (array['charged', 'reduced', 'limited', 'other'])[1 + floor(d * d * 4)::int] end,
            d < 0.6, case when c < 0.3 then now() - interval '10 days' end,
            case when a < 0.8 then 'public' when a < 0.95
                 then (array['private', 'bus', 'sanitation', 'logistics', 'taxi', 'other'])[1 + n % 6] end,
            at, at + interval '1 day' * b
       from (select place, n, ${draw('n', 1)} as a, ${draw('n', 2)} as b, ${draw('n', 3)} as c, ${draw('n', 4)} as d,
                    now() - interval '1 second' * (1100 * 86400.0 * (1 - n / $2::float8)) as at
               from jsonb_array_elements($1::jsonb) with ordinality as list (place, n)) drawn
      order by n`,
    [JSON.stringify(countyPlaces(sites)), sites],
  );
  await pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, agent_id, enabled, online, free,
       max_power_w, card_tariff_id, wechat_tariff_id, running_tariff_id, running_tariff_version, expires_on,
       sim_expires_on, activated_at, last_seen_at, total_energy_wh, created_at)
     select sites.region_code || lpad(n::text, 8, '0'), sites.name || ' ' || 1 + (n - 1) / $2::int || ' 号桩',
            case when a < 0.7 then 'fast' else 'slow' end, case when b < 0.8 then 'four-wheel' else 'two-wheel' end,
            case when c < 0.6 then 'ocpp1.6' else 'ykc' end, sites.id, sites.agent_id, d >= 0.01, e < 0.96 and f >= 0.02,
            e < 0.01, 120000, case when d < 0.98 then 1 + n % 3 end, case when d < 0.5 then 4 end,
            case when c >= 0.6 and a < 0.9 then 1 + (n + (b < 0.1)::int) % 3 end,
            case when c >= 0.6 and a < 0.9 then lpad((1 + (n + (b < 0.1)::int) % 3)::text, 4, '0') end,
            case when f < 0.8 then current_date - 60 + floor(a * 3650)::int end,
            case when f < 0.6 then current_date - 30 + floor(b * 2000)::int end,
            case when f >= 0.02 then at + interval '2 days' end, null,
            floor(c * 1e9)::bigint, at
       from (select n, ${draw('n', 5)} as a, ${draw('n', 6)} as b, ${draw('n', 7)} as c, ${draw('n', 8)} as d,
                    ${draw('n', 9)} as e, ${draw('n', 10)} as f,
                    now() - interval '1 second' * (1000 * 86400.0 * (1 - n / $1::float8)) as at
               from generate_series(1, $1::int) n) drawn
       join sites on sites.id = 1 + (n - 1) % $2::int
      order by n`,
    [stations, sites],
  );
  await pool.query(
    `insert into connectors (station_id, number, name, bay_number, kind, open, state, state_at)
     select stations.id, n, n || ' 号枪',
            case when drawn < 0.7 then chr(65 + stations.id::int % 6) || lpad(((stations.id * 2 + n) % 400)::text, 3, '0') end,
            case when equipment_type = 'two-wheel' then 'household_socket' when type = 'fast' then 'dc_plug'
                 when drawn < 0.9 then 'ac_plug' when drawn < 0.97 then 'ac_socket' end,
            ${draw('stations.id', 11)} < 0.98,
            case when not online then 'offline' when drawn < 0.02 then 'fault' when drawn < 0.14 then 'charging'
                 when drawn < 0.2 then 'plugged_in' when drawn < 0.22 then 'finishing' else 'free' end,
            now() - interval '1 hour' * drawn
       from stations cross join generate_series(1, 2) n
            cross join lateral (select ${draw('stations.id * 2 + n', 12)} as drawn) d
      order by stations.id, n`,
  );
  await fillOrdersOf(pool);
  await pool.query('vacuum (analyze)');
}

function countyPlaces(count: number) {
  const counties = [...regionTable.byCode.values()].filter(({ level, code }) => level === 'county' && code < '700000');
  return Array.from({ length: count }, (_, index) => counties[(index * 7919) % counties.length]);
}

async function fillOrdersOf(pool: Database['pool']): Promise<void> {
  await pool.query(
    `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, agent_id,
       station_id, connector_id, connector_number, tariff_id, tariff, meter_start_wh, power_w, soc_percent, placed_at,
       started_at, last_reading_at, ended_at, settled_at, stop_reason)
     select 'N' || lpad((row_number() over (order by at))::text, 15, '0'), charges.state,
            case when charges.state = 'completed' then 'paid' else 'unpaid' end, 'card', 'card', 'energy', s.site_id,
            s.agent_id, s.id, c.id, c.number, 1, $1::jsonb, 0, 60000, 55, at, at, coalesce(ended_at, at), ended_at,
            ended_at, case when charges.state = 'completed' then 'local' end
       from (select id, 'completed' as state, now() - interval '1 day' * (1 + ${draw('station_id', 13)} * 90) as at,
                    now() - interval '1 day' * (0.95 + ${draw('station_id', 13)} * 90) as ended_at
               from connectors where number = 1
             union all
             select id, 'charging', now() - interval '1 hour' * ${draw('id', 14)}, null
               from connectors where state = 'charging') charges
       join connectors c on c.id = charges.id
       join stations s on s.id = c.station_id`,
    [JSON.stringify(benchTariff)],
  );
}
