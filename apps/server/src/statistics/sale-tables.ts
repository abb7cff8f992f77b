/** What every sum of sales has, and so `SaleFigures`. */
export const figureColumns = [
  'orders',
  'energy_wh',
  'busy_s',
  'electricity_fen',
  'service_fen',
  'amount_fen',
  'discount_fen',
  'paid_fen',
  'refunded_fen',
] as const;

/** Where the money went that was received. */
export const shareColumns = [
  'agents_fen',
  'dividers_fen',
  'platform_fen',
  'channel_fee_fen',
  'commission_fen',
] as const;

const wholeFigures = [...figureColumns, 'gift_fen', 'forgiven_fen', 'written_off_fen'] as const;

export const bandColumns = ['band_0', 'band_1', 'band_2', 'band_3', 'band_4', 'band_5'] as const;

export const periodColumns = [
  'sharp_wh',
  'sharp_electricity_fen',
  'sharp_service_fen',
  'peak_wh',
  'peak_electricity_fen',
  'peak_service_fen',
  'flat_wh',
  'flat_electricity_fen',
  'flat_service_fen',
  'valley_wh',
  'valley_electricity_fen',
  'valley_service_fen',
] as const;

const siteFigures = [...wholeFigures, 'first_orders', ...bandColumns, ...periodColumns] as const;

export type SaleColumn = (typeof siteFigures)[number] | (typeof shareColumns)[number] | 'share_fen';

/** What an order adds without its shares, in the columns of `order_sales`. */
export const orderColumns: readonly SaleColumn[] = siteFigures;

type SaleTable = {
  /** What `bucket` is in a change `c`: an hour, a day in China or the first of its month. */
  bucket: 'hour' | 'day' | 'month';
  /** The columns beside the bucket that tell its rows apart, as they stand in a change `c` with its station's kind. */
  key: readonly string[];
  sums: readonly SaleColumn[];
  /** Which changes `c` it counts, where not all. */
  where?: string;
};

const byPort = ['connector_id', 'station_id', 'site_id', 'agent_id'] as const;
const byParty = ['station_id', 'site_id', 'agent_id', 'party', 'party_id'] as const;
const ofParties = `c.party in ('agent', 'divider')`;
const byKind = ['site_id', 'agent_id', 'equipment_type', 'station_type', 'start_mode', 'payment_type'] as const;
const portSums = [...wholeFigures, ...shareColumns] as const;
const siteSums = [...siteFigures, ...shareColumns] as const;

/** The kept sums of sales (migration 0111): every figure of a console's statistics is read from one of them. */
export const saleTables = {
  sale_port_hours: { bucket: 'hour', key: byPort, sums: figureColumns },
  sale_port_days: { bucket: 'day', key: byPort, sums: portSums },
  sale_port_months: { bucket: 'month', key: byPort, sums: portSums },
  sale_site_hours: { bucket: 'hour', key: ['site_id', 'agent_id', 'equipment_type'], sums: figureColumns },
  sale_site_days: { bucket: 'day', key: byKind, sums: siteSums },
  sale_site_months: { bucket: 'month', key: byKind, sums: siteSums },
  sale_agent_hours: { bucket: 'hour', key: ['agent_id', 'equipment_type'], sums: figureColumns },
  sale_share_days: { bucket: 'day', key: byParty, sums: ['share_fen'], where: ofParties },
  sale_share_months: { bucket: 'month', key: byParty, sums: ['share_fen'], where: ofParties },
} as const satisfies Record<string, SaleTable>;
export type SaleTableName = keyof typeof saleTables;
export const saleTableNames = Object.keys(saleTables) as SaleTableName[];

/** The column of a table's bucket: months stand under their first day. */
export const bucketColumn = (table: SaleTableName) => (saleTables[table].bucket === 'hour' ? 'hour_at' : 'day');

const bucketOfHour = {
  hour: 'c.hour_at',
  day: `(c.hour_at at time zone 'Asia/Shanghai')::date`,
  month: `date_trunc('month', c.hour_at at time zone 'Asia/Shanghai')::date`,
} as const;

/** Adds up `from` (rows of changes, named `c`) by the key of a table: `select …` as text. Nothing in it is from outside. */
export function sumsFor(table: SaleTableName, from: string): string {
  const { bucket, key, sums, where = 'true' }: SaleTable = saleTables[table];
  const columns = key.map((column) => `c.${column}`);
  return `select ${bucketOfHour[bucket]} as ${bucketColumn(table)}, ${columns.join(', ')},
                 ${sums.map((column) => `sum(c.${column})::bigint as ${column}`).join(', ')}
            from ${from} c where ${where} group by 1, ${columns.join(', ')}`;
}

/** Adds the rows of a `select` with the columns of a table to it, as text. */
export function addingTo(table: SaleTableName, rows: string): string {
  const { key, sums }: SaleTable = saleTables[table];
  const unique = [bucketColumn(table), ...key].join(', ');
  return `insert into ${table} as kept (${unique}, ${sums.join(', ')}) ${rows}
          on conflict (${unique})
            do update set ${sums.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')}`;
}

/** Changes with the kind of their station, as text. */
export const withStation = (changes: string) =>
  `select c.*, s.type as station_type, s.equipment_type from ${changes} c join stations s on s.id = c.station_id`;
