import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { AnswerOf, QueryOf, Route } from '@voltdeck/contract/route';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import type { AnyRoute } from '../../api/call.ts';
import type { PhraseKey } from '../../phrases.ts';

type Schema = z.ZodMiniType;

/** A route that answers `page`, `pageSize` and `sort` with `{ items, total }`. */
export type ListRoute = AnyRoute & Route<Schema, Schema, Schema, Schema>;

export type RowOf<R> = AnswerOf<R> extends { items: (infer Row)[] } ? Row : never;
type Named<Query> = Extract<keyof Query, string>;
/** The contract's sort names, without the minus. */
export type SortOf<R> = QueryOf<R> extends { sort?: infer S } ? Exclude<Extract<S, string>, `-${string}`> : never;

export type ListColumn<R> = {
  key: string;
  title: string;
  /** Columns of one group share a head. */
  group?: string;
  render: (row: RowOf<R>) => ReactNode;
  /** Explains the column, on hover of its head. */
  hint?: string;
  widthPx?: number;
  /** Figures are right-aligned in tabular digits. */
  align?: 'left' | 'right';
  /** The server's sort name. */
  sort?: SortOf<R>;
  /** Shown first on a card. */
  isKeyFact?: boolean;
  /** How its values are summed. */
  sum?: { text: (sum: number) => string; of: (row: RowOf<R>) => number | null };
  /** Hidden until chosen in the column settings. */
  initiallyHidden?: boolean;
  initiallyPinned?: boolean;
};

export type Choice = { value: string; label: string };

/** The kinds of record that filters and forms choose from by typing. */
export type RecordKind =
  | 'site'
  | 'station'
  | 'agent'
  | 'tariff'
  | 'user'
  | 'position'
  | 'card'
  | 'customer'
  | 'divider'
  | 'group'
  | 'partner';

export type RecordChoices = {
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  nameOf: (value: string, signal: AbortSignal) => Promise<string | null>;
};

export type ListFilter<R> =
  | {
      kind: 'text';
      name: Named<QueryOf<R>>;
      label: string;
      maxLength?: number;
      /** Suggestions while typing; other texts are allowed. */
      suggestions?: readonly Choice[];
    }
  /** Typed in yuan, in fen in the address. */
  | { kind: 'money'; name: Named<QueryOf<R>>; label: string; maxFen: number }
  | { kind: 'choice'; name: Named<QueryOf<R>>; label: string; choices: readonly Choice[]; single?: boolean }
  | { kind: 'flag'; name: Named<QueryOf<R>>; label: string; yes?: string; no?: string }
  | {
      /** One record of another list, found by typing. */
      kind: 'record';
      name: Named<QueryOf<R>>;
      label: string;
      /** At most twenty matches of `text`. */
      search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
      /** The name of a record in the address; null if there is none. */
      nameOf: (value: string, signal: AbortSignal) => Promise<string | null>;
    }
  | { kind: 'region'; name: Named<QueryOf<R>>; label: string }
  | {
      /** From and to as ISO instants in the address; `which` says which time is meant. */
      kind: 'period';
      name: 'period';
      label: string;
      from: Named<QueryOf<R>>;
      to: Named<QueryOf<R>>;
      which?: { name: Named<QueryOf<R>>; choices: readonly Choice[] };
      /** Also offers the last minutes and hours. */
      isFine?: boolean;
    };

export type RowAction = {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
  /** Why it is disabled; shown instead of doing it. */
  because?: string | undefined;
};

export type BulkAction<R> = {
  key: string;
  label: string;
  onClick: (rows: readonly RowOf<R>[], done: () => void) => void;
  danger?: boolean;
  /** Why these rows cannot be acted on together. */
  because?: ((rows: readonly RowOf<R>[]) => string | undefined) | undefined;
};

type EventOf<K extends ConsoleEvent['kind']> = Extract<ConsoleEvent, { kind: K }>;

/** How each kind of event changes rows. */
export type LivePatches<R> = {
  [K in ConsoleEvent['kind']]?: {
    /** Which rows the event is about. */
    concerns: (row: RowOf<R>, event: EventOf<K>) => boolean;
    /** The row after the event; null if it has left this list. */
    patch: (row: RowOf<R>, event: EventOf<K>) => RowOf<R> | null;
    /**
     * Whether an event about no shown row may have added one; the page is then fetched again, at most every few
     * seconds.
     */
    mayAdd?: (event: EventOf<K>) => boolean;
  };
};

export type ListViewProps<R extends ListRoute> = {
  /** The list's name: heading for screen readers and key of the stored columns. */
  name: string;
  title: string;
  route: R;
  /** It stands on the page of one record, whose heading is above its own. */
  isPart?: boolean;
  /** Always part of the query, not shown as a filter. */
  fixed?: Partial<QueryOf<R>>;
  /** The default order. */
  firstSort?: string;
  rowKey: (row: RowOf<R>) => string | number;
  /** A row's accessible name: "Select order 2026…". */
  rowName?: (row: RowOf<R>) => string;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<R>[];
  /** The default filters, for lists whose full content is never useful. */
  initially?: (() => Readonly<Record<string, string>>) | undefined;
  /** The list's acts, above the table on the left. */
  toolbar?: ReactNode;
  /** Beside columns, export and refresh: a view switch. */
  tools?: ReactNode;
  /** At most two are shown in the row, the rest in a menu. */
  rowActions?: (row: RowOf<R>) => readonly RowAction[];
  /** What a row expands to; null if there is nothing more. */
  details?: (row: RowOf<R>) => ReactNode;
  bulkActions?: readonly BulkAction<R>[];
  /** A file route that takes the same filters. */
  exportRoute?: AnyRoute;
  /** The list's name in the task centre: large exports run in the background. */
  exportList?: ExportList;
  /** Answers the number of matching rows and the sums of columns. */
  totals?: AnyRoute | undefined;
  /** The most rows that totals count. */
  countedMax?: number;
  /** Says that more than `max` rows are not summed. */
  sumsTooMany?: PhraseKey | undefined;
  /** Summed columns whose sums are cards above the table; the others stay in a line. */
  sumCards?: readonly string[];
  /** Called whenever the shown rows change. */
  onRows?: (rows: readonly RowOf<R>[]) => void;
  live?: LivePatches<R>;
  empty?: { title?: string; text?: string; action?: ReactNode };
  /** Shown instead of the table, from the same rows: tiles, a map. */
  view?: (rows: readonly RowOf<R>[], isLoading: boolean) => ReactNode;
  /** Above the filters: a banner. */
  before?: ReactNode;
};
