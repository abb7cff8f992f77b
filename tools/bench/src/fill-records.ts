import type { Database } from '@voltdeck/server/database/database';
import { network } from './fill-orders.ts';

/** Records for each million of orders, beside the network of the orders. */
const perMillion = {
  customers: 40_000,
  vehicles: 20_000,
  recharges: 200_000,
  invoices: 50_000,
  partnerCharges: 50_000,
  roamingCharges: 30_000,
  members: 4_000,
  groups: 100,
  sites: 200,
} as const;

export type FilledRecords = { [Name in keyof typeof perMillion]: number };

const provinces = '京沪苏浙粤川';
const hashed = (seed: number) => `(hashint8extended(n, ${seed}) & 1073741823)`;
const yuan = '(array[20, 50, 100, 200])[1 + n % 4] * 100';

/**
 * Everything that the search finds beside orders, in proportion to `orders` of `fillOrders`: names and numbers follow
 * from PostgreSQL's hash, so that the same count gives the same records. The newest 20,000 orders have a plate and a VIN.
 */
export async function fillRecords({ pool }: Pick<Database, 'pool'>, orders: number): Promise<FilledRecords> {
  const share = orders / 1_000_000;
  const counts = Object.fromEntries(
    Object.entries(perMillion).map(([name, count]) => [name, Math.max(10, Math.round(count * share))]),
  ) as FilledRecords;
  const fill = (statement: string, ...values: readonly number[]) => pool.query(statement, [...values]);
  await fill(
    `insert into sites (name, region_code, address, longitude, latitude, agent_id)
     select (array['湖滨', '滨江', '银泰', '西溪', '城东', '龙湖'])[1 + ${hashed(1)} % 6] ||
            (array['广场', '中心', '公园', '车站', '万象城'])[1 + ${hashed(2)} % 5] || n || '号充电站', '330106',
            (array['延安路', '解放路', '江南大道', '文三路'])[1 + ${hashed(3)} % 4] || ' ' || n || ' 号', 120, 30,
            1 + n % ${network.agents}
       from generate_series(1, $1::int) n`,
    counts.sites,
  );
  await fill(
    `insert into customers (phone, nickname)
     select (15000000000 + n)::text, (array['王', '李', '张', '刘', '陈'])[1 + ${hashed(4)} % 5] ||
            (array['小明', '建国', '师傅', '先生', '女士'])[1 + ${hashed(5)} % 5] || n
       from generate_series(1, $1::int) n`,
    counts.customers,
  );
  await fill(
    `insert into cards (number, physical_number, customer_id, agent_id)
     select 'C' || lpad(upper(to_hex(n)), 15, '0'), 'D' || lpad(upper(to_hex(${hashed(6)})), 8, '0') || lpad(upper(to_hex(n)), 7, '0'),
            c.id, case when n % 2 = 0 then 1 + n / 2 % ${network.agents} end
       from (select id, row_number() over (order by id) as n from customers where phone >= '15') c
      where n <= $1::int`,
    counts.vehicles,
  );
  await fill(
    `insert into vehicles (vin, plate, card_id, owner_id)
     select 'LSVAA49J' || lpad(n::text, 9, '0'), ${plateOf('n')}, id, customer_id
       from (select id, customer_id, row_number() over (order by id) as n from cards where number like 'C%') c
      where n <= $1::int`,
    counts.vehicles,
  );
  await fill(
    `insert into groups (name, contact, contact_phone, card_number, agent_id, created_at)
     select (array['滨江巴士', '绿城物流', '西湖出租', '城东快递'])[1 + n % 4] || n || '车队', '联系人' || n,
            (16000000000 + n)::text, 'E' || lpad(upper(to_hex(n)), 15, '0'), 1 + n % ${network.agents}, now()
       from generate_series(1, $1::int) n`,
    counts.groups,
  );
  await fill(
    `insert into group_members (group_id, agent_id, phone, name, state, source, created_at)
     select g.id, g.agent_id, (17000000000 + n)::text, '司机' || n, 'not_bound', 'office', now()
       from generate_series(1, $1::int) n join groups g on g.id = 1 + n % $2::int`,
    counts.members,
    counts.groups,
  );
  await fill(
    `insert into invoices (number, invoice_number, kind, type, agent_id, title_kind, title, order_count, energy_wh,
       amount_fen, net_fen, tax_fen, electricity_fen, electricity_tax_fen, electricity_rate_bp, service_fen,
       service_tax_fen, service_rate_bp, state, step, external_code, step_at, applied_at, issued_at, provider)
     select 'I' || to_char(at, 'YYYYMMDD') || lpad((${hashed(7)} * 1000 + n % 1000)::text, 12, '0'),
            '2633' || lpad(n::text, 16, '0'), 'blue', 'ordinary', case when n % 2 = 0 then 1 + n / 2 % ${network.agents} end,
            'company', (array['杭州', '宁波', '上海', '苏州'])[1 + ${hashed(8)} % 4] ||
            (array['电力', '贸易', '物流', '科技', '餐饮'])[1 + ${hashed(9)} % 5] || n || '有限公司', 1, 1000,
            ${yuan}, ${yuan}, 0, ${yuan}, 0, 0, 0, 0, 0, 'invoiced', 'issued', '0', at, at, at, 'embedded'
       from (select n, now() - interval '1 second' * n as at from generate_series(1, $1::int) n) drawn`,
    counts.invoices,
  );
  await pool.query('alter table recharges disable trigger user');
  await fill(
    `insert into recharges (number, card_id, amount_fen, balance_before_fen, balance_after_fen, channel,
       owner_agent_id, created_at)
     select 'R' || to_char(at, 'YYYYMMDD') || lpad((${hashed(10)} * 1000 + n % 1000)::text, 12, '0'), c.id, ${yuan}, 0,
            ${yuan}, 'wechat', c.agent_id, at
       from (select n, now() - interval '3 seconds' * n as at from generate_series(1, $1::int) n) drawn
       join cards c on c.id = ${network.cards} + 1 + n % $2::int`,
    counts.recharges,
    counts.vehicles,
  );
  await pool.query('alter table recharges enable trigger user');
  await pool.query(
    `insert into partners (operator_id, name, role, created_at, changed_at)
     values ('MA1GREEN1', '绿电出行', 'both', now(), now()), ('MA1BLUE01', '蓝海能源', 'both', now(), now())`,
  );
  const sequence = (own: string) => `${own} || to_char(at, 'YYMMDDHH24MISS') || lpad((n % 1000000)::text, 6, '0')`;
  await fill(
    `insert into partner_charges (partner_id, sequence, port_id, refusal, created_at)
     select 1 + n % 2, ${sequence("'MA1GREEN1'")}, '1', 'x', at
       from (select n, now() - interval '7 seconds' * n as at from generate_series(1, $1::int) n) drawn`,
    counts.partnerCharges,
  );
  await fill(
    `insert into roaming_charges (sequence, partner_id, customer_id, state, site_code, site_name, station_code, port_code,
       prices, placed_at)
     select ${sequence("'MA1OURS01'")}, 1 + n % 2, 1 + n % ${network.customers}, 'cancelled', 'S1', 'Riverside', 'E1', 'C1',
            '[]', at
       from (select n, now() - interval '7 seconds' * n as at from generate_series(1, $1::int) n) drawn`,
    counts.roamingCharges,
  );
  await pool.query('alter table orders disable trigger user');
  // More would rewrite the indexes of millions.
  await fill(
    `update orders set plate = ${plateOf('id')}, vin = 'LSVAA49J' || lpad((id % 1000000000)::text, 9, '0')
      where id > $1::bigint - 20000`,
    orders,
  );
  await pool.query('alter table orders enable trigger user');
  await pool.query('vacuum (analyze)');
  return counts;
}

function plateOf(n: string): string {
  return `substr('${provinces}', (1 + ${n} % ${provinces.length})::int, 1) || 'AD' || lpad((${n} % 100000)::text, 5, '0')`;
}
