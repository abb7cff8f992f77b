import { ArrowLeftOutlined } from '@ant-design/icons';
import {
  getStatementPdf,
  listStatementMoves,
  listStatements,
  periodOf,
  type Statement,
  type StatementCause,
  type StatementMove,
  type StatementSubject,
  statementSubjects,
  statementUnits,
} from '@voltdeck/contract/statements';
import { firstOfMonth } from '@voltdeck/units/day';
import type { AgentId, SiteId } from '@voltdeck/units/id';
import { instant, parseShanghaiDate, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { Button, Segmented } from 'antd';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { isPlatform, seesAgents } from '../session/reach.ts';
import { type Session, useSession } from '../session/session.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, ColumnKeyOf, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { useAddress } from '../ui/use-address.ts';
import styles from './finance.module.css';
import { endOfDay, endOfPeriod } from './period-end.ts';

type Column = ColumnKeyOf<typeof listStatements>;

const filters: Filters<typeof listStatements> = {
  from: { title: 'finance.period' },
  siteId: { title: 'finance.site' },
  agentId: { title: 'finance.agent', may: seesAgents },
};

/** What is in a column for one kind of reader or of rows only. */
const forPlatform: readonly Column[] = ['couponFen', 'channelFeeFen', 'commissionFen'];

function columnsFor(by: StatementSubject, session: Session): Column[] {
  const left = new Set<Column>(isPlatform(session) ? ['aboveFen'] : forPlatform);
  if (by !== 'agent') left.add('agentName');
  if (by !== 'site') left.add('siteName');
  else left.add('payoutsFen');
  return (Object.keys(listStatements.columns) as Column[]).filter((column) => !left.has(column));
}

/** What the list is narrowed to, which its figures are of, and what they are by. */
type Narrowed = { by: StatementSubject; siteId: SiteId | undefined; agentId: AgentId | undefined };

/** Whether a filter of the transfers says which are behind a row: none says that they are of the platform's own sites. */
const hasMoves = ({ agentId }: Statement, { by }: Narrowed) => by !== 'agent' || agentId !== null;

/** The transfers behind a figure of a row. */
function movesOf({ day, unit, ...row }: Statement, narrowed: Narrowed, cause?: StatementCause[]): Place {
  const siteId = row.siteId ?? narrowed.siteId;
  const agentId = row.agentId ?? narrowed.agentId;
  return place('financeList', {
    view: 'moves',
    from: toIso(parseShanghaiDate(day) ?? instant(0)),
    to: toIso(endOfPeriod(unit, day)),
    ...(siteId === undefined ? {} : { siteId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const lookOf = (narrowed: Narrowed): ListPageProps<typeof listStatements>['look'] => {
  const moves = (row: Statement, cause: StatementCause[]) =>
    hasMoves(row, narrowed) ? movesOf(row, narrowed, cause) : null;
  return {
    period: { widthPx: 112, isPinned: true, sort: 'day' },
    agentName: { widthPx: 152, isKeyFact: true },
    siteName: { widthPx: 176, isKeyFact: true },
    orders: { widthPx: 80, link: (row) => moves(row, ['settled']) },
    energyWh: { widthPx: 96 },
    electricityFen: { widthPx: 104 },
    serviceFen: { widthPx: 104 },
    couponFen: { isHidden: true },
    receivableFen: { widthPx: 104, link: (row) => moves(row, ['settled']) },
    receivedFen: {
      widthPx: 104,
      isKeyFact: true,
      link: (row) => moves(row, ['settled', 'repaid', 'undone']),
    },
    refundsFen: { widthPx: 96, link: (row) => moves(row, ['refunded']) },
    channelFeeFen: { widthPx: 104, link: (row) => moves(row, ['shared', 'undone']) },
    commissionFen: { widthPx: 96, link: (row) => moves(row, ['shared', 'undone']) },
    agentSharesFen: { widthPx: 104, link: (row) => moves(row, ['shared', 'undone']) },
    dividerSharesFen: { widthPx: 104, link: (row) => moves(row, ['shared', 'undone']) },
    netFen: { widthPx: 112, isKeyFact: true },
    adjustmentsFen: { widthPx: 96, link: (row) => moves(row, ['refunded', 'written_off']) },
    payoutsFen: { widthPx: 104 },
  };
};

/** A statement on paper is of everything or of an agent, and lists the sites itself. */
const isPrinted = ({ by, siteId }: Narrowed, { agentId }: Statement) =>
  siteId === undefined && (by === 'platform' || (by === 'agent' && agentId !== null));

const actsOf = (narrowed: Narrowed): Acts<Statement> => ({
  orders: {
    on: 'row',
    label: 'finance.showOrders',
    isFor: (row) => hasMoves(row, narrowed),
    leads: (row) => movesOf(row, narrowed),
  },
  print: {
    on: 'row',
    label: 'finance.print',
    isFor: (row) => isPrinted(narrowed, row),
    deed: ({ day, unit, ...row }) => ({
      do: async () => {
        const agentId = row.agentId ?? narrowed.agentId;
        await fetchFile(getStatementPdf, { query: { day, unit, ...(agentId === undefined ? {} : { agentId }) } });
        return null;
      },
    }),
  },
});

/** This month so far. */
function initially(): Readonly<Record<string, string>> {
  const now = instant(Date.now());
  const first = parseShanghaiDate(firstOfMonth(shanghaiDate(now))) ?? now;
  return { from: toIso(first), to: toIso(endOfDay(now)) };
}

const subjectIn = (search: URLSearchParams) =>
  statementSubjects.find((each) => each === search.get('by')) ?? 'platform';
const idIn = <T extends SiteId | AgentId>(search: URLSearchParams, name: string): T | undefined => {
  const id = Number(search.get(name));
  return Number.isSafeInteger(id) && id > 0 ? (id as T) : undefined;
};
const unitIn = (search: URLSearchParams) => statementUnits.find((each) => each === search.get('unit')) ?? 'day';

/** Statements by day or month, for everything, by agent or by site; and the orders behind them. */
export default function StatementsTab() {
  const [search] = useSearchParams();
  const session = useSession();
  const [by, unit] = [subjectIn(search), unitIn(search)];
  const [siteId, agentId] = [idIn<SiteId>(search, 'siteId'), idIn<AgentId>(search, 'agentId')];
  const { look, acts } = useMemo(() => {
    const narrowed = { by, siteId, agentId };
    return { look: lookOf(narrowed), acts: actsOf(narrowed) };
  }, [by, siteId, agentId]);
  if (search.get('view') === 'moves') return <MoveList />;
  return (
    <ListPage
      key={by}
      list={listStatements}
      screen={listScreen(`/statements#${by}-${unit}`)}
      title="finance.statements"
      nameOf={(row) => `${phrase('finance.statement')} ${periodOf(row)} ${row.siteName ?? row.agentName ?? ''}`}
      filters={filters}
      initially={initially}
      columns={columnsFor(by, session)}
      hasGroups
      look={look}
      acts={acts}
      note="finance.note"
      tools={<Switches by={by} unit={unit} />}
      empty={{ title: 'finance.empty', text: 'finance.emptyText' }}
    />
  );
}

type SwitchesProps = { by: StatementSubject; unit: Statement['unit'] };

function Switches({ by, unit }: SwitchesProps) {
  const [, setSearch] = useAddress();
  const set = (name: string, value: string, usual: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams([...current].filter(([key]) => key !== name && key !== 'page'));
        if (value !== usual) next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <span className={styles.switches}>
      <Segmented
        aria-label={phrase('finance.by')}
        value={by}
        onChange={(value) => set('by', value, 'platform')}
        options={statementSubjects.map((value) => ({ value, label: phrase(`statement-subject.${value}`) }))}
      />
      <Segmented
        aria-label={phrase('finance.unit')}
        value={unit}
        onChange={(value) => set('unit', value, 'day')}
        options={statementUnits.map((value) => ({ value, label: phrase(`statement-unit.${value}`) }))}
      />
    </span>
  );
}

const moveFilters: Filters<typeof listStatementMoves> = {
  from: { title: 'finance.movedAt' },
  cause: {},
  orderNumber: {},
  siteId: { title: 'finance.site' },
  agentId: { title: 'finance.agent', may: seesAgents },
};

const moveLook: ListPageProps<typeof listStatementMoves>['look'] = {
  orderNumber: {
    widthPx: 208,
    isPinned: true,
    link: ({ orderId }) => place('orderListDetailHistory', { id: orderId }),
  },
  at: { widthPx: 168, isExact: true },
  cause: { widthPx: 104, isKeyFact: true },
  siteName: { widthPx: 160 },
  agentName: { isHidden: true },
  energyWh: { isHidden: true },
  receivableFen: { widthPx: 96 },
  receivedFen: { widthPx: 96, isKeyFact: true },
  refundsFen: { widthPx: 88 },
  channelFeeFen: { widthPx: 96 },
  commissionFen: { widthPx: 88 },
  agentSharesFen: { widthPx: 104 },
  dividerSharesFen: { widthPx: 104 },
};

const moveActs: Acts<StatementMove> = {
  books: {
    on: 'row',
    label: 'finance.toBooks',
    may: 'ledger.read',
    leads: ({ orderNumber }) => place('ledgerList', { orderNumber }),
  },
};

function MoveList() {
  const [search, setSearch] = useAddress();
  const session = useSession();
  const left = isPlatform(session) ? [] : forPlatform;
  const columns = (Object.keys(listStatementMoves.columns) as ColumnKeyOf<typeof listStatementMoves>[]).filter(
    (column) => !(left as readonly string[]).includes(column),
  );
  const back = () => {
    const kept = [...search].filter(([name]) => ['by', 'unit'].includes(name));
    setSearch(new URLSearchParams(kept));
  };
  return (
    <ListPage
      list={listStatementMoves}
      title="finance.moves"
      record="finance.move"
      filters={moveFilters}
      columns={columns}
      look={moveLook}
      acts={moveActs}
      tools={
        <Button icon={<ArrowLeftOutlined />} onClick={back}>
          {phrase('finance.backToStatements')}
        </Button>
      }
      empty={{ title: 'finance.movesEmpty', text: 'finance.movesEmptyText' }}
    />
  );
}
