import { type BusinessTotal, listTotals, type TotalSubject, totalSubjects } from '@voltdeck/contract/totals';
import { firstOfMonth } from '@voltdeck/units/day';
import {
  dayMs,
  instant,
  parseIso,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import { Segmented } from 'antd';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { isPlatform, seesAgents } from '../session/reach.ts';
import { type Session, useSession } from '../session/session.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, ColumnKeyOf, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { useAddress } from '../ui/use-address.ts';
import { ordersBetween, ordersOf } from './orders-behind.ts';
import type { SalesFilter } from './statistics-view.ts';

type Column = ColumnKeyOf<typeof listTotals>;
type Look = NonNullable<ListPageProps<typeof listTotals>['look']>;

const filters: Filters<typeof listTotals> = {
  from: { title: 'totals.period' },
  regionCode: { title: 'totals.region' },
  agentId: { title: 'totals.agent', may: seesAgents },
  siteId: { title: 'totals.site', may: ({ user }) => user.permissions.includes('site.read') },
  stationId: { title: 'totals.station', may: ({ user }) => user.permissions.includes('station.read') },
  equipmentType: { title: 'totals.equipmentType', words: 'equipment-type' },
};

/** What names a row, and what else a row of its kind has. */
const ofSubject: Readonly<Record<TotalSubject, readonly Column[]>> = {
  agent: ['agentName'],
  site: ['siteName', 'agentName'],
  station: ['stationNumber', 'stationName', 'siteName', 'agentName', 'online'],
  day: ['day'],
};
const subjectColumns = new Set<Column>(['day', 'agentName', 'siteName', 'stationNumber', 'stationName', 'online']);
/** What agents are not told. */
const forPlatform = new Set<Column>(['channelFeeFen', 'commissionFen']);

function columnsFor(by: TotalSubject, session: Session): Column[] {
  const figures = (Object.keys(listTotals.columns) as Column[]).filter(
    (column) => !subjectColumns.has(column) && (isPlatform(session) || !forPlatform.has(column)),
  );
  return [...ofSubject[by], ...figures];
}

/** The address's own filters, which go on to what is behind a row. */
type Narrowed = SalesFilter & { from?: string; to?: string; stationId?: number };

const narrowing = ['from', 'to', 'regionCode', 'agentId', 'siteId', 'stationId', 'equipmentType'] as const;

function narrowedBy(search: URLSearchParams): Narrowed {
  return Object.fromEntries(
    narrowing.flatMap((name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  ) as Narrowed;
}

/** The first instant of a filter's moment, and the first after it. */
const startOf = (moment: string) => parseIso(moment) ?? parseShanghaiDate(moment) ?? instant(0);
const endOf = (moment: string) => (parseIso(moment) === null ? startOf(moment) + dayMs : startOf(moment) + 1);

/** Totals by something smaller, of what a row is about. */
function smaller(by: TotalSubject, narrowed: Narrowed, more: Partial<Narrowed>): Place {
  return place('totalList', { ...narrowed, ...more, by } as Parameters<typeof place<'totalList'>>[1]);
}

/** The orders behind a row. */
function ordersOfRow(row: BusinessTotal, narrowed: Narrowed): Place {
  const { from, to, ...rest } = narrowed;
  const { agentId, siteId, stationNumber } = row;
  const of = {
    ...rest,
    ...(row.by === 'agent' && agentId !== null ? { agentId } : {}),
    ...(row.by === 'site' && siteId !== null ? { siteId } : {}),
    // Whoever reads orders finds a station by its number, whether or not they may see the station.
    ...(row.by === 'station' && stationNumber !== null ? { stationNumber } : {}),
  } as SalesFilter;
  if (row.day !== null) return place('orderListHistory', ordersOf({ from: row.day, to: row.day }, of));
  const now = Date.now();
  const until = to === undefined ? shanghaiDayStart(instant(now)) + dayMs : endOf(to);
  return place('orderListHistory', ordersBetween(from === undefined ? until : startOf(from), until, of));
}

/** A row of the platform's own sites says which agent they have by none; no filter does. */
const isOfNobody = ({ by, agentId }: BusinessTotal) => by === 'agent' && agentId === null;

/** Where a click on the name of a row leads: an agent to its sites, a site to its stations, these to their orders. */
function behind(row: BusinessTotal, narrowed: Narrowed): Place | null {
  if (isOfNobody(row)) return null;
  if (row.by === 'agent' && row.agentId !== null) return smaller('site', narrowed, { agentId: row.agentId });
  if (row.by === 'site' && row.siteId !== null) return smaller('station', narrowed, { siteId: row.siteId });
  return ordersOfRow(row, narrowed);
}

function lookOf(by: TotalSubject, narrowed: Narrowed): Look {
  const [named] = ofSubject[by];
  const leads = { isPinned: true, link: (row: BusinessTotal) => behind(row, narrowed) } as const;
  const link = (column: Column) => (column === named ? leads : {});
  return {
    day: { widthPx: 120, ...link('day') },
    agentName: { widthPx: 168, ...link('agentName') },
    siteName: { widthPx: 184, ...link('siteName') },
    stationNumber: { widthPx: 176, ...link('stationNumber') },
    stationName: { widthPx: 160 },
    online: { widthPx: 96, tone: ({ online }) => (online === null ? null : online ? 'free' : 'offline') },
    orders: {
      widthPx: 96,
      isKeyFact: true,
      link: (row) => (isOfNobody(row) ? null : ordersOfRow(row, narrowed)),
    },
    energyWh: { widthPx: 112, isKeyFact: true },
    utilisationPercent: { widthPx: 104 },
    receivableFen: { widthPx: 112, isKeyFact: true },
    receivedFen: { widthPx: 112, isKeyFact: true },
    netFen: { widthPx: 112, isKeyFact: true },
  };
}

const actsOf = (narrowed: Narrowed): Acts<BusinessTotal> => ({
  sites: {
    on: 'row',
    label: 'totals.bySite',
    isFor: (row) => row.by === 'agent' && row.agentId !== null,
    leads: (row) => behind(row, narrowed) as Place,
  },
  stations: {
    on: 'row',
    label: 'totals.byStation',
    isFor: ({ by }) => by === 'site',
    leads: (row) => behind(row, narrowed) as Place,
  },
  orders: {
    on: 'row',
    label: 'totals.showOrders',
    may: 'order.read',
    isFor: (row) => !isOfNobody(row),
    leads: (row) => ordersOfRow(row, narrowed),
  },
});

/** This month so far. */
function initially(): Readonly<Record<string, string>> {
  const now = instant(Date.now());
  const first = parseShanghaiDate(firstOfMonth(shanghaiDate(now))) ?? now;
  return { from: toIso(first), to: toIso(instant(shanghaiDayStart(now) + dayMs - 1)) };
}

const sumCards = [
  'receivableFen',
  'receivedFen',
  'refundedFen',
  'netFen',
  'electricityFeeFen',
  'serviceFeeFen',
  'orders',
  'energyWh',
  'durationMs',
] as const satisfies readonly Column[];

const bySubject = (search: URLSearchParams) =>
  totalSubjects.find((each) => each === search.get('by')) ?? totalSubjects[0];

/** What charges brought, by agent, site, station or day, and who got it, down to the orders; /totalList. */
export default function TotalListPage() {
  const [search] = useSearchParams();
  const session = useSession();
  const address = search.toString();
  const { by, look, acts } = useMemo(() => {
    const parameters = new URLSearchParams(address);
    const subject = bySubject(parameters);
    const narrowed = narrowedBy(parameters);
    return { by: subject, look: lookOf(subject, narrowed), acts: actsOf(narrowed) };
  }, [address]);
  return (
    <ListPage
      key={by}
      list={listTotals}
      screen={listScreen(`/totals#${by}`)}
      title="totals.title"
      nameOf={(row) => row.day ?? row.stationNumber ?? row.siteName ?? row.agentName ?? phrase('totals.ownSites')}
      filters={filters}
      initially={initially}
      columns={columnsFor(by, session)}
      hasGroups
      sumCards={sumCards}
      look={look}
      acts={acts}
      tools={<SubjectSwitch by={by} />}
      empty={{ title: 'totals.empty', text: 'totals.emptyText' }}
    />
  );
}

function SubjectSwitch({ by }: { by: TotalSubject }) {
  const [, setSearch] = useAddress();
  const set = (value: TotalSubject) =>
    setSearch((current) => {
      const next = new URLSearchParams([...current].filter(([name]) => !['by', 'page', 'sort'].includes(name)));
      if (value !== totalSubjects[0]) next.set('by', value);
      if (value === 'day') next.set('sort', '-day');
      return next;
    });
  return (
    <Segmented
      aria-label={phrase('totals.by')}
      value={by}
      onChange={set}
      options={totalSubjects.map((value) => ({ value, label: phrase(`total-subject.${value}`) }))}
    />
  );
}
