import { type Column, valueIn } from '@voltdeck/contract/list';
import { type PhraseKey, phrase } from '../../phrases.ts';
import type { ColumnKeyOf, List, ListPageProps } from '../list-page.ts';
import { Cell, figureText, isFigure, unitOf } from './Cell.tsx';
import type { ListColumn, RowOf, SortOf } from './list-view.ts';

/** Default column widths by kind. */
const widthsPx: Readonly<Record<Column['kind'], number>> = {
  text: 148,
  number: 176,
  choice: 112,
  choices: 200,
  flag: 92,
  count: 88,
  money: 112,
  energyWh: 112,
  powerW: 96,
  powerKw: 104,
  voltageV: 92,
  voltageMv: 92,
  currentA: 92,
  currentMa: 92,
  temperatureC: 112,
  percent: 80,
  durationMs: 96,
  bytes: 96,
  instant: 172,
  exactInstant: 190,
  day: 112,
};

function titleOf(kind: Column['kind'], title: PhraseKey): string {
  const unit = unitOf[kind];
  return unit === undefined ? phrase(title) : `${phrase(title)} (${unit})`;
}

/** The columns of a list for its view. `begin` starts the act that a click on a value triggers. */
export function columnsOf<L extends List>(
  { list, columns, look = {}, hasGroups }: Pick<ListPageProps<L>, 'list' | 'columns' | 'look' | 'hasGroups'>,
  begin: (act: string, row: RowOf<L>) => void,
): ListColumn<L>[] {
  const keys = columns ?? (Object.keys(list.columns) as ColumnKeyOf<L>[]);
  return keys.map((key) => {
    const column = list.columns[key] as List['columns'][string];
    const {
      title,
      widthPx,
      tone,
      link,
      opens,
      text,
      render,
      sort,
      isExact,
      isFigure: isAligned,
      isKeyFact,
      isHidden,
      isPinned,
    } = look[key] ?? {};
    const ownSort = list.sorts.includes(key) ? (key as unknown as SortOf<L>) : undefined;
    return {
      key,
      title: titleOf(column.kind, title ?? column.title),
      widthPx: widthPx ?? widthsPx[column.kind],
      render: (row) =>
        render?.(row, (act) => begin(act, row)) ?? (
          <Cell
            row={row as never}
            name={key}
            column={column}
            tone={tone?.(row)}
            place={link?.(row)}
            isExact={isExact}
            text={text?.(row)}
            onOpen={opens === undefined ? undefined : () => begin(opens, row)}
          />
        ),
      ...(column.group === undefined || !hasGroups ? {} : { group: phrase(column.group as typeof column.title) }),
      ...(column.hint === undefined ? {} : { hint: phrase(column.hint as typeof column.title) }),
      ...(isFigure(column.kind) || isAligned === true ? { align: 'right' as const } : {}),
      ...(column.summed === undefined
        ? {}
        : {
            sum: {
              text: (sum: number) => figureText(column.kind, sum),
              of: (row: RowOf<L>) => valueIn(column, key, row as never) as number | null,
            },
          }),
      ...((sort ?? ownSort) === undefined ? {} : { sort: (sort ?? ownSort) as SortOf<L> }),
      ...(isKeyFact === undefined ? {} : { isKeyFact }),
      ...(isHidden === undefined ? {} : { initiallyHidden: isHidden }),
      ...(isPinned === undefined ? {} : { initiallyPinned: isPinned }),
    };
  });
}

/** A row's name: the text of its first column. */
export function firstTextOf<L extends List>(list: L, row: RowOf<L>): string {
  const [first] = Object.entries(list.columns);
  if (first === undefined) return '';
  const [key, column] = first;
  return String(valueIn(column, key, row as never) ?? '');
}
