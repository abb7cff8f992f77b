import { type ConnectorGroup, connectorGroupOf, connectorStates } from '@voltdeck/charging/states';
import { listConnectors } from '@voltdeck/contract/connectors';
import { type FilterKind, filterKindOf } from '@voltdeck/contract/fields';
import { type ListRoute, type partFields, summedColumns } from '@voltdeck/contract/list';
import type { QueryOf } from '@voltdeck/contract/route';
import { listSites } from '@voltdeck/contract/sites';
import { listStations } from '@voltdeck/contract/stations';
import type pg from 'pg';
import type { Random } from './order-pages.ts';

type FilterOf<R> = Exclude<keyof QueryOf<R>, (typeof partFields)[number]> & string;

/** A condition, with $1 where it has a value. */
type Bare = { where: string; values: unknown[] };
type Conditions<R> = Readonly<Record<FilterOf<R>, (value: string) => Bare>>;

/** A list and its questions as somebody would write them by hand for its rows alone. */
export type BareList = {
  route: ListRoute;
  conditions: Readonly<Record<string, (value: string) => Bare>>;
  /** The tables of the conditions. */
  from: string;
  agentId: string;
  /** The rows of one page as the list shows them. */
  rows(where: string, limit: number): string;
  /** What the page shows below them: the count, and the sums of the summed columns. */
  total(where: string): string;
  /** Where the texts and records to look for come from, for each filter by text or record. */
  known: Readonly<Record<string, string>>;
};

const withinDays =
  (column: string) =>
  (days: string): Bare => ({
    where: `${column} <= (now() at time zone 'Asia/Shanghai')::date + $1::int`,
    values: [Number(days)],
  });
const is =
  (column: string) =>
  (value: string): Bare => ({ where: `${column} = $1`, values: [value] });
const has =
  (column: string) =>
  (value: string): Bare => ({ where: `${column} ilike $1`, values: [`%${value}%`] });
/** Both answers of a flag are a plan of their own. */
const flag =
  (column: string) =>
  (value: string): Bare => ({ where: `${column} = $1`, values: [value === 'true'] });

function portIs(state: string): string {
  if (state === 'offline') return "(not s.online or c.state = 'offline')";
  const group = connectorStates.filter((one) => one === state || connectorGroupOf[one] === state);
  return `(s.online and c.state in (${group.map((one) => `'${one}'`).join(', ')}))`;
}

const inGroup = (group: ConnectorGroup) => `count(*) filter (where ${portIs(group)})`;
const groups = `${inGroup('free')} as free, ${inGroup('occupied')} as occupied, ${inGroup('fault')} as fault,
  ${inGroup('offline')} as offline`;

const belowAgent = `(with recursive tree as (
  select id, 1 as level from agents where id = $1
  union all select a.id, tree.level + 1 from agents a join tree on a.parent_id = tree.id where tree.level < 20)
  select id from tree)`;

const stationConditions: Conditions<typeof listStations> = {
  number: has('s.number'),
  name: has('s.name'),
  siteId: is('s.site_id'),
  online: flag('s.online'),
  state: (value) => ({
    where: `exists (select 1 from connectors c where c.station_id = s.id and ${portIs(value)})`,
    values: [],
  }),
  type: is('s.type'),
  equipmentType: is('s.equipment_type'),
  agentId: is('s.agent_id'),
  holderId: (value) => ({ where: `s.agent_id in ${belowAgent}`, values: [value] }),
  enabled: flag('s.enabled'),
  protocol: is('s.protocol'),
  free: flag('s.free'),
  activated: (value) => ({
    where: `s.activated_at is ${value === 'true' ? 'not null' : 'null'}`,
    values: [],
  }),
  expiresWithinDays: withinDays('s.expires_on'),
  simExpiresWithinDays: withinDays('s.sim_expires_on'),
  tariffState: (value) => ({
    where: `s.protocol = 'ykc' and $1 = (
      select case when own is null then 'none' when s.running_tariff_version is null then 'unknown'
                  when s.running_tariff_id = own and s.running_tariff_version = lpad((1 + (own - 1) % 9999)::text, 4, '0')
                  then 'current' else 'differs' end
        from (select coalesce((select id from tariffs where id = s.card_tariff_id and kind = 'energy'),
                              (select id from tariffs where id = s.wechat_tariff_id and kind = 'energy')) as own) o)`,
    values: [value],
  }),
};

const stations: BareList = {
  route: listStations,
  conditions: stationConditions,
  from: 'stations s',
  agentId: 's.agent_id',
  rows: (where, limit) => `
    select s.*, sites.name as site_name, agents.name as agent_name, card.name as card_tariff_name,
           wechat.name as wechat_tariff_name, running.name as running_tariff_name, ports.*, used.at as last_used_at
      from (select * from stations s where ${where} order by s.created_at desc, s.id desc limit ${limit}) s
      join sites on sites.id = s.site_id
      left join agents on agents.id = s.agent_id
      left join tariffs card on card.id = s.card_tariff_id
      left join tariffs wechat on wechat.id = s.wechat_tariff_id
      left join tariffs running on running.id = s.running_tariff_id
      left join lateral (select count(*) as ports, ${groups} from connectors c where c.station_id = s.id) ports on true
      left join lateral (select coalesce(ended_at, started_at) as at from orders
                          where station_id = s.id and state <> 'cancelled'
                          order by placed_at desc limit 1) used on true
     order by s.created_at desc, s.id desc`,
  total: (where) => `select count(*)::int as total, sum(s.total_energy_wh) from stations s where ${where}`,
  known: {
    number: 's.number',
    name: 's.name',
    siteId: 's.site_id',
    agentId: 's.agent_id',
  },
};

const siteConditions: Conditions<typeof listSites> = {
  name: has('t.name'),
  regionCode: (value) => ({ where: 't.region_code like $1', values: [`${value.replace(/(?:00)+$/, '')}%`] }),
  state: is('t.state'),
  agentId: is('t.agent_id'),
  holderId: (value) => ({
    where: `(t.agent_id in ${belowAgent} or t.id in (select site_id from stations where agent_id in ${belowAgent}))`,
    values: [value],
  }),
  parkingFee: is('t.parking_fee'),
  invoiceAvailable: flag('t.invoice_available'),
  opened: (value) => ({ where: `t.opened_at is ${value === 'true' ? 'not null' : 'null'}`, values: [] }),
  kind: is('t.kind'),
};

const sites: BareList = {
  route: listSites,
  conditions: siteConditions,
  from: 'sites t',
  agentId: 't.agent_id',
  rows: (where, limit) => `
    select t.*, agents.name as agent_name, creators.real_name as created_by, changers.real_name as changed_by,
           devices.stations, ports.*, shown.pictures
      from (select * from sites t where ${where} order by t.created_at desc, t.id desc limit ${limit}) t
      left join agents on agents.id = t.agent_id
      left join users creators on creators.id = t.created_by
      left join users changers on changers.id = t.changed_by
      left join lateral (select count(*) as stations from stations where site_id = t.id) devices on true
      left join lateral (select count(*) as ports, ${groups} from stations s join connectors c on c.station_id = s.id
                          where s.site_id = t.id) ports on true
      left join lateral (select jsonb_agg(files.key order by p.place) as pictures
                           from site_pictures p join files on files.id = p.file_id where p.site_id = t.id) shown on true
     order by t.created_at desc, t.id desc`,
  total: (where) => `
    select count(*)::int as total, sum(stations), sum(ports) from (
      select (select count(*) from stations where site_id = t.id) as stations,
             (select count(*) from stations s join connectors c on c.station_id = s.id where s.site_id = t.id) as ports
        from sites t where ${where}) found`,
  known: { name: 't.name', regionCode: 't.region_code', agentId: 't.agent_id' },
};

const connectorConditions: Conditions<typeof listConnectors> = {
  number: (value) => ({ where: 'c.number = $1', values: [Number(value)] }),
  stationNumber: has('s.number'),
  name: has('c.name'),
  siteId: is('s.site_id'),
  state: (value) => ({ where: portIs(value), values: [] }),
  stationId: is('s.id'),
  stationType: is('s.type'),
  equipmentType: is('s.equipment_type'),
  bayNumber: has('c.bay_number'),
  kind: is('c.kind'),
  open: flag('c.open'),
  agentId: is('s.agent_id'),
};

/** The list counts its ports up to this many. */
const portsCounted = 10_000;

const connectors: BareList = {
  route: listConnectors,
  conditions: connectorConditions,
  from: 'connectors c join stations s on s.id = c.station_id',
  agentId: 's.agent_id',
  rows: (where, limit) => `
    select c.*, s.number as station_number, s.name as station_name, s.type, s.equipment_type, s.protocol, s.enabled,
           s.online, s.offline_at, t.name as site_name, t.state as site_state, agents.name as agent_name,
           o.id as order_id, o.number as order_number, o.power_w, o.soc_percent
      from (select c.* from connectors c join stations s on s.id = c.station_id where ${where}
             order by s.number, c.id limit ${limit}) c
      join stations s on s.id = c.station_id
      join sites t on t.id = s.site_id
      left join agents on agents.id = s.agent_id
      left join orders o on o.connector_id = c.id and o.state = 'charging'
     order by s.number, c.id`,
  total: (where) => `select count(*)::int as total from (
    select 1 from connectors c join stations s on s.id = c.station_id where ${where} limit ${portsCounted + 1}) counted`,
  known: {
    stationNumber: 's.number',
    name: 'c.name',
    bayNumber: 'c.bay_number',
    siteId: 's.site_id',
    stationId: 's.id',
    agentId: 's.agent_id',
  },
};

export const bareLists: readonly BareList[] = [sites, stations, connectors];

/** One filter with one kind of value: what the query says and what the SQL says. */
export type Question = { list: BareList; filter: string; value: string; draw(random: Random): string };

/** Facts about the records that a caller sees, by filter. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Some of the values of each text and record among what the caller sees, the same each time. */
export async function readKnown(pool: pg.Pool, list: BareList, agentId: number | null): Promise<Known> {
  const known: Record<string, string[]> = {};
  const scope = agentId === null ? '' : `where ${list.agentId} = ${agentId}`;
  for (const [filter, column] of Object.entries(list.known)) {
    const { rows } = await pool.query<{ value: string }>(
      `select value::text from (select distinct ${column} as value from ${list.from} ${scope}) found
        where value is not null order by hashtextextended(value::text, 1) limit 500`,
    );
    known[filter] = rows.map(({ value }) => value);
  }
  return known;
}

/** Every filter of the list's contract, with every kind of value that its field accepts. */
export function questionsOf(list: BareList, known: Known): Question[] {
  const { shape } = (list.route.query as unknown as { def: { shape: Record<string, never> } }).def;
  return Object.entries(shape).flatMap(([filter, field]) => {
    const kind = filterKindOf(field);
    if (kind === undefined) return [];
    return Object.entries(valuesOf(kind, known[filter])).map(([value, draw]) => ({ list, filter, value, draw }));
  });
}

type Draws = Record<string, (random: Random) => string>;

const monthDays = 30;

function valuesOf(kind: FilterKind, known: readonly string[] = []): Draws {
  const record = (random: Random) => {
    const found = known[Math.floor(random() * known.length)];
    if (found === undefined) throw new Error(`nothing is known to look for by a filter of ${kind.kind}`);
    return found;
  };
  switch (kind.kind) {
    case 'text':
      return {
        whole: record,
        part: (random) => partOf(record(random), 3 + Math.floor(random() * 5), random),
        'two characters': (random) => partOf(record(random), 2, random),
        'one character': (random) => partOf(record(random), 1, random),
        'of nothing': (random) => `none${Math.floor(random() * 1_000)}`,
      };
    case 'record':
      return { any: record };
    case 'region':
      return {
        county: record,
        city: (random) => `${record(random).slice(0, 4)}00`,
        province: (random) => `${record(random).slice(0, 2)}0000`,
      };
    case 'choice':
      return Object.fromEntries(kind.values.map((value) => [value, () => value]));
    case 'flag':
      return { true: () => 'true', false: () => 'false' };
    case 'number':
      return Object.fromEntries(
        [...new Set([kind.min, kind.min + 1, monthDays, kind.max])].map((value) => [value, () => String(value)]),
      );
    case 'money':
    case 'instant':
      throw new Error('a filter by time or amount needs values here');
  }
}

function partOf(text: string, length: number, random: Random): string {
  const letters = [...text];
  const from = Math.floor(random() * Math.max(1, letters.length - length + 1));
  return letters
    .slice(from, from + length)
    .join('')
    .trim();
}

export type Statement = { text: string; values: unknown[] };

/** The statements that answer what the page needs: its rows, then its total. */
export function statementsOf(
  { list, filter }: Question,
  value: string,
  agentId: number | null,
  limit: number,
): [rows: Statement, total: Statement] {
  const bare = list.conditions[filter]?.(value);
  if (bare === undefined) throw new Error(`${list.route.name} has no SQL for the filter ${filter}`);
  const where = agentId === null ? bare.where : `${bare.where} and ${list.agentId} = ${agentId}`;
  return [
    { text: list.rows(where, limit), values: bare.values },
    { text: list.total(where), values: bare.values },
  ];
}

/** Whether the page requests its total apart from its rows: where columns are summed. */
export function countsApart({ route }: BareList): boolean {
  return summedColumns(route.columns).length > 0;
}
