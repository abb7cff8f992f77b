import {
  type ChargeLog,
  type ChargeNoteRow,
  type ChargeReading,
  listChargeNotes,
  listReadings,
  logChargesMax,
} from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { Segmented } from 'antd';
import { Suspense, useEffect, useRef } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { useAddress } from '../ui/use-address.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { NoteParts } from './NoteParts.tsx';
import styles from './readings.module.css';

/** Lazy: a list of BMS messages shows none. */
const ChargeChart = lazyPart(() => import('./ChargeChart.tsx'));

const chargeFilters = {
  orderNumber: {},
  stationNumber: {},
  connectorNumber: {},
  from: { title: 'readings.period', isFine: true },
} as const;

const filters: Filters<typeof listReadings> = {
  ...chargeFilters,
  doubted: { title: 'readings.doubtedFilter', words: ['readings.doubtedOnly', 'readings.soundOnly'] },
};
const noteFilters: Filters<typeof listChargeNotes> = { ...chargeFilters, kind: {} };

const orderPlace = ({ orderId }: { orderId: OrderId | null }) =>
  orderId === null ? null : place('orderListDetailHistory', { id: orderId });

const look = {
  at: { widthPx: 184, isExact: true, isPinned: true, isKeyFact: true, opens: 'point' },
  stationNumber: { link: ({ stationId }) => place('deviceDetail', { id: stationId }) },
  connectorNumber: { widthPx: 72 },
  orderNumber: { widthPx: 220, link: orderPlace },
  powerW: { isKeyFact: true },
  voltageMv: { isKeyFact: true },
  currentMa: { isKeyFact: true },
  socPercent: { isKeyFact: true },
  registerWh: { isHidden: true },
  cableTemperatureC: { widthPx: 132 },
  doubt: { widthPx: 148, tone: ({ doubt }) => (doubt === null ? null : 'fault') },
} satisfies ListPageProps<typeof listReadings>['look'];

const noteLook = {
  at: { widthPx: 184, isExact: true, isPinned: true, isKeyFact: true },
  stationNumber: { isHidden: true, link: ({ stationId }) => place('deviceDetail', { id: stationId }) },
  connectorNumber: { widthPx: 72 },
  orderNumber: { widthPx: 220, link: orderPlace },
  kind: { widthPx: 160, isKeyFact: true },
  values: { widthPx: 552, render: ({ values }) => <NoteParts values={values} /> },
} satisfies ListPageProps<typeof listChargeNotes>['look'];

const nameOfNote = ({ kind, orderNumber }: ChargeNoteRow) =>
  `${phrase(`note-kind.${kind}`)} ${orderNumber ?? ''}`.trim();

/** Readings and BMS messages of charges, with the curve of the charge one looks at; /deviceLogCharging. */
export default function ChargingLogPage() {
  const [search, setSearch] = useAddress();
  const isNotes = search.get('view') === 'bms';
  const chosen = Number(search.get('charge') ?? '') as OrderId;
  const cursor = Date.parse(search.get('point') ?? '');
  const shown = useRef<ReadonlySet<number>>(new Set());

  const point = (orderId: OrderId, atMs: number, more: Readonly<Record<string, string>> = {}) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.set('charge', String(orderId));
        next.set('point', new Date(atMs).toISOString());
        for (const [name, value] of Object.entries(more)) next.set(name, value);
        if ('to' in more) next.delete('page');
        return next;
      },
      { replace: true },
    );
  /** The rows begin where the curve was clicked. */
  const pick = (atMs: number, { id, number }: ChargeLog) =>
    point(id, atMs, { orderNumber: number, to: new Date(Math.floor(atMs) + 1).toISOString() });

  const acts: Acts<ChargeReading> = {
    point: {
      on: 'row',
      label: 'readings.showInChart',
      isQuiet: true,
      deed: ({ orderId, at }) => ({
        do: async () => {
          point(orderId, Date.parse(at));
          return null;
        },
      }),
    },
    only: {
      on: 'row',
      label: 'readings.onlyThis',
      leads: ({ orderNumber }) => place('deviceLogCharging', { orderNumber }),
    },
    compare: {
      on: 'row',
      label: 'readings.compare',
      overlay: ({ orderId }, { open, close }) => <CompareDialog orderId={orderId} open={open} onClose={close} />,
    },
  };
  const tools = <ViewSwitch isNotes={isNotes} />;

  if (isNotes) {
    return (
      <ListPage
        key="notes"
        list={listChargeNotes}
        screen={listScreen('charge-notes')}
        title="readings.asNotes"
        record="readings.note"
        nameOf={nameOfNote}
        filters={noteFilters}
        look={noteLook}
        tools={tools}
        before={() => <ScopeNote />}
        empty={{ title: 'readings.emptyNotes', text: 'readings.emptyNotesText' }}
      />
    );
  }
  return (
    <ListPage
      key="readings"
      list={listReadings}
      screen={listScreen('readings')}
      title="readings.title"
      record="readings.reading"
      nameOf={({ at, orderNumber }) => `${orderNumber} ${at}`}
      filters={filters}
      look={look}
      acts={acts}
      tools={tools}
      live={{
        'order-changed': {
          concerns: () => false,
          patch: (row) => row,
          // Only the charges on this page: elsewhere others run all the time.
          mayAdd: (event) => event.state === 'charging' && shown.current.has(event.orderId),
        },
      }}
      before={(_, rows) => (
        <>
          <ScopeNote />
          <ShownCharge
            rows={rows}
            chosen={Number.isInteger(chosen) && chosen > 0 ? chosen : null}
            cursorMs={Number.isNaN(cursor) ? null : cursor}
            onPick={pick}
            onShown={(ids) => {
              shown.current = ids;
            }}
          />
        </>
      )}
      empty={{ title: 'readings.empty', text: 'readings.emptyText' }}
    />
  );
}

function ScopeNote() {
  return (
    <p className={styles.note}>
      {phrase('readings.scope', { station: logChargesMax.atStation, anywhere: logChargesMax.anywhere })}
    </p>
  );
}

type ShownProps = {
  rows: readonly ChargeReading[] | undefined;
  /** By a click on a row. */
  chosen: OrderId | null;
  cursorMs: number | null;
  onPick: (atMs: number, charge: ChargeLog) => void;
  onShown: (ids: ReadonlySet<number>) => void;
};

/** The charge of the row that was clicked, or else of the newest one. */
function ShownCharge({ rows, chosen, cursorMs, onPick, onShown }: ShownProps) {
  useEffect(() => onShown(new Set(rows?.map(({ orderId }) => orderId))), [rows, onShown]);
  const isListed = chosen !== null && (rows === undefined || rows.some(({ orderId }) => orderId === chosen));
  const orderId = isListed ? chosen : rows?.[0]?.orderId;
  if (orderId === undefined || orderId === null) return null;
  return (
    <Suspense>
      <ChargeChart orderId={orderId} cursorMs={isListed ? cursorMs : null} onPick={onPick} />
    </Suspense>
  );
}

function ViewSwitch({ isNotes }: { isNotes: boolean }) {
  const [, setSearch] = useAddress();
  const change = (view: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of ['page', 'sort', 'view', 'kind', 'doubted']) next.delete(name);
        if (view === 'bms') next.set('view', view);
        return next;
      },
      { replace: true },
    );
  return (
    <Segmented
      aria-label={phrase('readings.views')}
      value={isNotes ? 'bms' : 'readings'}
      onChange={change}
      options={[
        { value: 'readings', label: phrase('readings.asReadings') },
        { value: 'bms', label: phrase('readings.asNotes') },
      ]}
    />
  );
}
