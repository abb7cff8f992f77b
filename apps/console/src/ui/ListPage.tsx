import { PlusOutlined } from '@ant-design/icons';
import type { Permission } from '@voltdeck/contract/permissions';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type PhraseKey, phrase } from '../phrases.ts';
import type { Place } from '../session/place.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import { columnsOf, firstTextOf } from './list/columns-of.tsx';
import { filtersOf } from './list/filters-of.ts';
import { ListView } from './list/ListView.tsx';
import styles from './list/list-view.module.css';
import type { BulkAction, RowOf } from './list/list-view.ts';
import { useActs } from './list/use-acts.tsx';
import type { Filters, List, ListPageProps } from './list-page.ts';
import { useOfferedActs } from './offered-acts.ts';

/** The list screen. The contract defines its rows and queries; a screen adds their look and acts. */
export function ListPage<L extends List>(props: ListPageProps<L>) {
  type Row = RowOf<L> & { id: string | number };
  const { list, acts = {}, filters = {} as Filters<L> } = props;
  const fixed = props.screen?.fixed ?? props.fixed;
  const session = useSession();
  const mayGo = useMayGo();
  const mayExport = useMayExport(list);
  const [rows, setRows] = useState<readonly Row[]>();
  const { allowed, actsOf, begin, beginMany, show, overlay } = useActs<Row>(acts as never, rows, {
    list,
    one: props.one,
  });
  const drawnFilters = filtersOf(list, filters, session);
  const record = props.record === undefined ? '' : `${phrase(props.record)} `;
  const nameOf = props.nameOf ?? ((row: RowOf<L>) => `${record}${firstTextOf(list, row)}`);

  const bulk = allowed.flatMap(([key, act]): BulkAction<L>[] => {
    if (act.on !== 'rows') return [];
    const { label, danger = false, because } = act;
    return [
      {
        key,
        label: phrase(label),
        danger,
        because: because as BulkAction<L>['because'],
        onClick: (chosen, done) => beginMany(key, chosen as readonly Row[], done),
      },
    ];
  });
  useOfferedActs(
    allowed.flatMap(([key, act]) =>
      act.on !== 'list' || act.isQuiet ? [] : [{ key, label: phrase(act.label), onClick: () => show(key) }],
    ),
  );
  const listActs = allowed.flatMap(([key, act]) => (act.on === 'list' && !act.isQuiet ? [{ key, act }] : []));
  const buttons = listActs.map(({ key, act }, index) => (
    <Button
      key={key}
      type={index === 0 ? 'primary' : 'default'}
      icon={act.icon ?? <PlusOutlined />}
      onClick={() => show(key)}
    >
      {phrase(act.label)}
    </Button>
  ));
  const note = props.note === undefined ? null : <span className={styles.note}>{phrase(props.note)}</span>;
  const toolbar =
    buttons.length === 0 ? (
      (note ?? undefined)
    ) : (
      <>
        {buttons}
        {note}
      </>
    );
  const hasRowActs = allowed.some(([, act]) => act.on === 'row' && !act.isQuiet);
  const { title: emptyTitle, text: emptyText, next } = props.empty ?? {};

  return (
    <>
      <ListView
        name={props.name ?? props.screen?.name ?? list.path}
        title={phrase(props.title)}
        route={list}
        firstSort={list.first}
        {...(mayExport ? { exportRoute: list.file, exportList: list.name } : {})}
        totals={list.totals ?? undefined}
        countedMax={list.countedMax}
        sumsTooMany={props.sumsTooMany}
        {...(props.sumCards === undefined ? {} : { sumCards: props.sumCards })}
        isPart={props.isPart ?? false}
        {...(fixed === undefined ? {} : { fixed: fixed as never })}
        rowKey={(row) => (row as Row).id}
        rowName={nameOf}
        filters={drawnFilters}
        initially={props.initially}
        columns={columnsOf(props, begin as never)}
        toolbar={toolbar}
        tools={props.tools}
        {...(hasRowActs ? { rowActions: actsOf as never } : {})}
        {...(bulk.length === 0 ? {} : { bulkActions: bulk })}
        onRows={setRows as never}
        before={props.before?.(show as never, rows)}
        {...(props.details === undefined ? {} : { details: props.details })}
        {...(props.live === undefined ? {} : { live: props.live })}
        {...(props.view === undefined ? {} : { view: props.view })}
        empty={{
          ...(emptyTitle === undefined ? {} : { title: phrase(emptyTitle) }),
          ...(emptyText === undefined ? {} : { text: phrase(emptyText) }),
          action: next !== undefined && mayGo(next.place.screen) ? <NextStep {...next} /> : buttons[0],
        }}
      />
      {overlay}
    </>
  );
}

function NextStep({ label, place }: { label: PhraseKey; place: Place }) {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate(place.address)}>{phrase(label)}</Button>;
}

function useMayExport({ file: { permission } }: List): boolean {
  const can = useCan();
  return permission === 'signed-in' || ([permission].flat() as Permission[]).some(can);
}
