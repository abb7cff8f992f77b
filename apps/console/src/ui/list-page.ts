import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { AnswerOf, QueryOf, Route } from '@voltdeck/contract/route';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import type { AnyRoute } from '../api/call.ts';

type Schema = z.ZodMiniType;

/** A route that answers with `{ items, total }` to `page`, `pageSize` and `sort`. */
export type ListRoute = AnyRoute & Route<Schema, Schema, Schema, Schema>;

export type RowOf<R> = AnswerOf<R> extends { items: (infer Row)[] } ? Row : never;
type Named<Query> = Extract<keyof Query, string>;
/** The names that the contract sorts by, without the minus. */
export type SortOf<R> = QueryOf<R> extends { sort?: infer S } ? Exclude<Extract<S, string>, `-${string}`> : never;

export type ListColumn<R> = {
  key: string;
  title: string;
  /** Columns of one group stand under one head. */
  group?: string;
  render: (row: RowOf<R>) => ReactNode;
  /** What the column means, on hover of its head. */
  hint?: string;
  widthPx?: number;
  /** Figures stand on the right in tabular digits. */
  align?: 'left' | 'right';
  /** Sorted by the server under this name. */
  sort?: SortOf<R>;
  /** On a card, before the other facts. */
  isKeyFact?: boolean;
  /** Off until chosen in the column settings. */
  initiallyHidden?: boolean;
  initiallyPinned?: boolean;
};

export type Choice = { value: string; label: string };

export type ListFilter<R> =
  | {
      kind: 'text';
      name: Named<QueryOf<R>>;
      label: string;
      maxLength?: number;
      /** Offered while one types; anything else may be typed as well. */
      suggestions?: readonly Choice[];
    }
  | { kind: 'choice'; name: Named<QueryOf<R>>; label: string; choices: readonly Choice[]; single?: boolean }
  | { kind: 'flag'; name: Named<QueryOf<R>>; label: string; yes?: string; no?: string }
  | {
      /** One record of another list, found by typing. */
      kind: 'record';
      name: Named<QueryOf<R>>;
      label: string;
      /** Twenty at the most that match `text`. */
      search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
      /** The name of a record that the address already names; null when there is none. */
      nameOf: (value: string, signal: AbortSignal) => Promise<string | null>;
    }
  | { kind: 'region'; name: Named<QueryOf<R>>; label: string }
  | {
      /** From and to, both ISO instants in the address; `which` says of which time. */
      kind: 'period';
      name: 'period';
      label: string;
      from: Named<QueryOf<R>>;
      to: Named<QueryOf<R>>;
      which?: { name: Named<QueryOf<R>>; choices: readonly Choice[] };
      /** Offers the last minutes and hours, too. */
      isFine?: boolean;
    };

export type RowAction = {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
  /** Why it cannot be done now; shown instead of doing it. */
  because?: string | undefined;
};

export type BulkAction<R> = {
  key: string;
  label: string;
  onClick: (rows: readonly RowOf<R>[], done: () => void) => void;
  danger?: boolean;
};

type EventOf<K extends ConsoleEvent['kind']> = Extract<ConsoleEvent, { kind: K }>;

/** How rows move by server push, for each kind of event. */
export type LivePatches<R> = {
  [K in ConsoleEvent['kind']]?: {
    /** Which rows the event is about. */
    concerns: (row: RowOf<R>, event: EventOf<K>) => boolean;
    /** The row after it; null when it has left this list. */
    patch: (row: RowOf<R>, event: EventOf<K>) => RowOf<R> | null;
    /** Whether an event about no shown row may have brought a new one: the page is then asked for again, at most every few seconds. */
    mayAdd?: (event: EventOf<K>) => boolean;
  };
};

export type ListPageProps<R extends ListRoute> = {
  /** Names the list: heading for screen readers, key of the remembered columns. */
  name: string;
  title: string;
  route: R;
  /** Always asked for, never shown as a filter. */
  fixed?: Partial<QueryOf<R>>;
  rowKey: (row: RowOf<R>) => string | number;
  /** What a row is called where it is spoken of: "Select order 2026…". */
  rowName?: (row: RowOf<R>) => string;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<R>[];
  /** Actions of the list, on the left above the table. */
  toolbar?: ReactNode;
  /** Tools of this list beside columns, export and refresh: a view switch. */
  tools?: ReactNode;
  /** Two at the most stand in the row, the rest in a menu. */
  rowActions?: (row: RowOf<R>) => readonly RowAction[];
  /** What a row unfolds to, below it; null where there is no more to tell. */
  details?: (row: RowOf<R>) => ReactNode;
  bulkActions?: readonly BulkAction<R>[];
  /** Above the table, from the same filters (without page and sort). */
  sums?: (query: Partial<QueryOf<R>>) => ReactNode;
  /** A file route that takes the same filters. */
  exportRoute?: AnyRoute;
  /** The list's name in the task centre: more rows than a download should carry are exported in the background. */
  exportList?: ExportList;
  /**
   * Tells the total of the same filters, where the list answers a page without it (`total=none`): rows are shown at once
   * and the total when it comes.
   */
  totalRoute?: AnyRoute;
  live?: LivePatches<R>;
  empty?: { title?: string; text?: string; action?: ReactNode };
  /** Shown instead of the table, from the same rows: tiles, a map. */
  view?: (rows: readonly RowOf<R>[], isLoading: boolean) => ReactNode;
  /** Above the filters: a banner. */
  before?: ReactNode;
};
