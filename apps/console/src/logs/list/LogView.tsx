import { ReloadOutlined } from '@ant-design/icons';
import type { Protocol } from '@voltdeck/charging/states';
import { exportInteractionLogs, type InteractionLog, type listInteractionLogs } from '@voltdeck/contract/logs';
import { backgroundExportRows } from '@voltdeck/contract/tasks';
import type { StationId } from '@voltdeck/units/id';
import { Button, Checkbox, Tooltip } from 'antd';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { countText } from '../../ui/figures.ts';
import { ColumnSettings } from '../../ui/list/ColumnSettings.tsx';
import { ExportButton } from '../../ui/list/ExportButton.tsx';
import { FilterSets } from '../../ui/list/FilterSets.tsx';
import { ListCards } from '../../ui/list/ListCards.tsx';
import { ListFilters } from '../../ui/list/ListFilters.tsx';
import { ListTable } from '../../ui/list/ListTable.tsx';
import { arrangeColumns, widenColumn } from '../../ui/list/list-columns.ts';
import { parametersOf, readListState, writeListState } from '../../ui/list/list-query.ts';
import listStyles from '../../ui/list/list-view.module.css';
import { useDefaultFilters } from '../../ui/list/use-beginning.ts';
import { useColumnChoice } from '../../ui/list/use-column-choice.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { messageName, shortTime } from '../log-words.ts';
import styles from '../logs.module.css';
import { LiveBar } from './LiveBar.tsx';
import { logColumns } from './log-columns.tsx';
import { logFilters } from './log-filters.ts';
import { mergeRows } from './tail-rows.ts';
import { useHeld } from './use-held.ts';
import { type LogQuery, loadedRowsMax, useLogPages } from './use-log-pages.ts';
import { useLogTail } from './use-log-tail.ts';

const FrameDrawer = lazyPart(() => import('../frames/FrameDrawer.tsx'));

/** Older rows are fetched when the end is nearer than this. */
const nearEndPx = 600;

export type OneStation = { id: StationId; number: string; protocol: Protocol };

type Props = {
  /** The station to show; all stations by default. */
  station?: OneStation;
  /** Buttons shown before the list's own switches. */
  tools?: ReactNode;
  onAround: (log: InteractionLog) => void;
};

/** The interaction log: filters, older rows by keyset below, live rows above, and the microscope. */
export function LogView({ station, tools, onAround }: Props) {
  const can = useCan();
  const isNarrow = useNarrow();
  const name = station === undefined ? 'logs' : 'station-logs';
  const [choice, setChoice] = useColumnChoice(name);
  const [isLive, setLive] = useState(false);
  const rowsRegion = useRef<HTMLDivElement>(null);

  const filters = useMemo(() => logFilters(station?.protocol), [station?.protocol]);
  const parameters = [...filters.flatMap(parametersOf), 'hideHeartbeats', 'faulty'];
  const { search, put: putSearch } = useDefaultFilters(name, parameters, undefined);
  const { values } = readListState(search, filters, []);
  const hideHeartbeats = search.get('hideHeartbeats') !== 'false';
  const faulty = search.get('faulty') === 'true';
  const query = {
    ...values,
    ...(station === undefined ? {} : { stationId: station.id }),
    ...(hideHeartbeats ? { hideHeartbeats } : {}),
    ...(faulty ? { faulty } : {}),
  } as LogQuery;
  const { from: _, to, ...tailQuery } = query;
  const hasEnd = to !== undefined;
  const isTailing = isLive && !hasEnd;

  const frameKey = frameKeyOf(search.get('frame'));
  const put = (changes: Readonly<Record<string, string | undefined>>, replace = true) =>
    putSearch((current) => writeListState(current, { values: changes }), { replace });
  const pages = useLogPages(query);
  const held = useHeld(rowsRegion, isTailing, frameKey !== null);
  const tail = useLogTail(tailQuery, isTailing, held.because !== null, pages.rows?.[0]?.key);
  const isCut = isLive && tail.rows.isCut;
  const rows = useMemo(() => {
    if (pages.rows === undefined) return undefined;
    if (isCut) return tail.rows.shown;
    return tail.rows.shown.length === 0 ? pages.rows : mergeRows(tail.rows.shown, pages.rows);
  }, [pages.rows, tail.rows.shown, isCut]);

  // A function of each render, which would render all rows again.
  const latestPut = useRef(put);
  useEffect(() => {
    latestPut.current = put;
  });
  const isOfOneStation = station !== undefined;
  const columns = useMemo(() => {
    const open = (log: InteractionLog) => latestPut.current({ frame: log.key });
    return logColumns({ open, isOfOneStation });
  }, [isOfOneStation]);
  const switchLive = async (on: boolean) => {
    setLive(on);
    held.letGo();
    if (on) return;
    await pages.restart();
    tail.clear();
  };
  const clearFilters = () =>
    put({ ...Object.fromEntries(Object.keys(values).map((key) => [key, undefined])), faulty: undefined });

  const isFiltered = Object.keys(values).length > 0 || faulty;
  let instead: ReactNode;
  if (pages.failure !== null) {
    instead = <ErrorState failure={pages.failure} title={phrase('list.failed')} retry={() => void pages.restart()} />;
  } else if (rows?.length === 0) {
    instead = isFiltered ? (
      <EmptyState
        title={phrase('list.emptyFiltered')}
        text={phrase('list.emptyFilteredText')}
        action={<Button onClick={clearFilters}>{phrase('list.clearFilters')}</Button>}
      />
    ) : (
      <EmptyState
        title={phrase(hideHeartbeats ? 'logs.emptyBesidesHeartbeats' : 'logs.empty')}
        text={phrase('logs.emptyText')}
      />
    );
  }

  const isAll = pages.older === 'none';
  // Avoids rendering a thousand rows again unless the rows change.
  const table = useMemo(() => {
    const Rows = isNarrow ? ListCards<typeof listInteractionLogs> : ListTable<typeof listInteractionLogs>;
    return (
      <Rows
        title={phrase('logs.title')}
        columns={arrangeColumns(columns, choice).filter((item) => item.isShown)}
        rows={rows}
        rowKey={(log) => log.key}
        rowName={(log) => `${messageName(log)} ${shortTime(log.at)}`}
        rowActions={(log) => [{ key: 'around', label: phrase('logs.around'), onClick: () => onAround(log) }]}
        isOld={pages.isOld}
        skeletonRows={12}
        sort={undefined}
        onSort={() => {}}
        onWiden={(key, widthPx) => setChoice(widenColumn(choice, key, widthPx))}
      />
    );
  }, [isNarrow, columns, choice, setChoice, rows, pages.isOld, onAround]);
  const at = rows?.findIndex(({ key }) => key === frameKey) ?? -1;
  const neighbour = (by: -1 | 1) => (at === -1 ? undefined : rows?.[at + by]);

  return (
    <>
      <div className={station === undefined ? listStyles.filters : styles.filters}>
        <ListFilters
          filters={filters}
          values={values}
          names={{}}
          onSearch={() => void pages.restart()}
          sets={<FilterSets list={name} parameters={parameters} search={search} onChoose={put} />}
          onChange={(next) => put(next)}
        />
      </div>
      <div className={station === undefined ? listStyles.panel : styles.stationRows}>
        <div className={listStyles.bar}>
          <div className={listStyles.actions}>
            <LiveBar
              isLive={isTailing}
              cannot={hasEnd ? phrase('logs.liveHasEnd') : null}
              tail={tail}
              held={held}
              onSwitch={(on) => void switchLive(on)}
            />
          </div>
          <div className={listStyles.tools}>
            <Checkbox
              checked={hideHeartbeats}
              onChange={(event) => put({ hideHeartbeats: event.target.checked ? undefined : 'false' })}
            >
              {phrase('logs.hideHeartbeats')}
            </Checkbox>
            <Checkbox checked={faulty} onChange={(event) => put({ faulty: event.target.checked ? 'true' : undefined })}>
              {phrase('logs.onlyFaulty')}
            </Checkbox>
            {tools}
            {can('log.export') ? (
              <ExportButton
                route={exportInteractionLogs}
                list="listInteractionLogs"
                query={query}
                // The log is not counted; longer exports run in the background.
                total={
                  pages.rows === undefined || pages.isOld
                    ? undefined
                    : isAll
                      ? pages.rows.length
                      : backgroundExportRows + 1
                }
              />
            ) : null}
            <Tooltip title={phrase('list.refresh')}>
              <Button
                type="text"
                aria-label={phrase('list.refresh')}
                icon={<ReloadOutlined />}
                onClick={() => void pages.restart()}
              />
            </Tooltip>
            <ColumnSettings columns={columns} choice={choice} onChange={setChoice} />
          </div>
        </div>
        <div
          ref={rowsRegion}
          className={styles.rows}
          onScrollCapture={(event) => {
            const { scrollHeight, scrollTop, clientHeight } = event.target as HTMLElement;
            if (!isCut && scrollHeight - scrollTop - clientHeight < nearEndPx) pages.loadOlder();
          }}
        >
          {instead ?? table}
        </div>
        {rows === undefined || rows.length === 0 || instead !== undefined ? null : (
          <footer className={listStyles.pager}>
            <span>
              {phrase('logs.shown', { count: countText(rows.length) })}
              {isCut ? ` · ${phrase('logs.cut')}` : null}
              {!isCut && pages.older === 'full' ? ` · ${phrase('logs.full', { max: countText(loadedRowsMax) })}` : null}
              {!isCut && pages.older === 'none' && !pages.isOld ? ` · ${phrase('logs.noOlder')}` : null}
            </span>
            {!isCut && (pages.older === 'some' || pages.older === 'loading') ? (
              <Button loading={pages.older === 'loading'} onClick={pages.loadOlder}>
                {phrase('logs.loadOlder')}
              </Button>
            ) : null}
          </footer>
        )}
      </div>
      <Suspense>
        {frameKey === null ? null : (
          <FrameDrawer
            shown={{ kind: 'stored', key: frameKey }}
            onClose={() => put({ frame: undefined })}
            onAround={onAround}
            newer={step(neighbour(-1), put)}
            older={step(neighbour(1), put)}
          />
        )}
      </Suspense>
    </>
  );
}

function step(log: InteractionLog | undefined, put: (changes: Record<string, string>) => void) {
  return log === undefined ? undefined : () => put({ frame: log.key });
}

/** The row named in the address; null when the value is malformed. */
function frameKeyOf(raw: string | null): string | null {
  return raw !== null && /^\d{1,15}_\d{1,15}$/.test(raw) ? raw : null;
}
