import type { Column, ListRoute } from '@voltdeck/contract/list';
import type { Permission } from '@voltdeck/contract/permissions';
import type { QueryOf } from '@voltdeck/contract/route';
import type { ReactNode } from 'react';
import type { AnyRoute } from '../api/call.ts';
import type { PhraseKey } from '../phrases.ts';
import type { Place } from '../session/place.ts';
import type { Session } from '../session/session.ts';
import type { Choice, LivePatches, RowOf, SortOf } from './list/list-view.ts';
import type { ListScreenOf } from './list-screen.ts';
import type { Tone } from './state-colours.ts';

/** A list of the contract whose heads are phrases. */
export type List = ListRoute & { columns: Readonly<Record<string, Column & { title: PhraseKey }>> };

export type ColumnKeyOf<L extends List> = keyof L['columns'] & string;

/** What a screen adds to a column of the contract: its look and its links. */
export type ColumnLook<L extends List> = {
  /** Overrides the contract's column head. */
  title?: PhraseKey;
  widthPx?: number;
  /** The colour of a state. */
  tone?: (row: RowOf<L>) => Tone | null;
  /** The record that the value names; shown as text if the user may not open it. */
  link?: (row: RowOf<L>) => Place | null;
  /** The act that a click on the value starts. */
  opens?: string;
  /** Overrides the text of the value. */
  text?: (row: RowOf<L>) => string;
  /** Replaces the default rendering of its kind. `begin` starts an act on the row. */
  render?: (row: RowOf<L>, begin: (act: string) => void) => ReactNode;
  /** The sort name, if it is not the column's own. */
  sort?: SortOf<L>;
  /** Always shows the full time. */
  isExact?: true;
  /** Aligned like figures, though its kind is text: rates, prices per unit. */
  isFigure?: true;
  /** Shown first on a card. */
  isKeyFact?: true;
  /** Hidden until chosen in the column settings. */
  isHidden?: true;
  isPinned?: true;
};

type FilterName<L extends List> = Extract<keyof QueryOf<L>, string>;

/** The look of a filter for a field of the list's query. */
export type FilterLook = {
  /** The label, if no column has the same name. */
  title?: PhraseKey;
  /** The phrases of its choices (`<prefix>.<value>`) or of yes and no, if no column of the same name has them. */
  words?: string | readonly [yes: PhraseKey, no: PhraseKey];
  /** Offers only these of the query's choices. */
  values?: readonly string[];
  /** The choices for a text. */
  choices?: () => readonly Choice[];
  /** Suggestions while typing. */
  suggestions?: () => readonly Choice[];
  /** Whether to show it to this user. */
  may?: (session: Session) => boolean;
};

/** `from` and `to` of a query as one field; `which` names the query's choice of which time is meant. */
export type PeriodLook = {
  title: PhraseKey;
  which?: { name: string; words: string };
  /** Also offers the last minutes and hours. */
  isFine?: true;
};

export type Filters<L extends List> = { [Name in Exclude<FilterName<L>, 'from' | 'to'>]?: FilterLook } & {
  from?: PeriodLook;
};

/** The message shown after an act. */
export type ActOutcome = string | { warning: string } | null;

/** The question before an act, with numbers and the thing's name. */
export type Asked = { question: string; details?: ReactNode; verb: string };

export type Deed = {
  /** Absent for harmless acts. */
  ask?: Asked;
  /** Every try has the same key until the server has decided. */
  do: (idempotencyKey: string) => Promise<ActOutcome>;
};

/** Content above the page: a form, a drawer, a custom question. Its name and records are in the address. */
export type OverlayProps<Row> = {
  open: boolean;
  close: () => void;
  /** Opens another overlay, with what an address cannot carry. */
  show: Show<Row>;
  /** What was passed to `show`. */
  carried: unknown;
  /** What the address gives the form to start with; read it by `givenValues`. */
  given: Readonly<Record<string, string>>;
  /** Shows the outcome. */
  tell: (outcome: ActOutcome) => void;
};
export type Show<Row> = (name: string, of?: readonly Row[], carried?: unknown, done?: () => void) => void;

type Common = {
  label: PhraseKey;
  /** Required permissions, any one of them. The act is hidden without. */
  may?: Permission | readonly Permission[];
};

/** Has a name of its own, which type inference matches instead of comparing thousands of keys with each other. */
type RowLabel<Row> = PhraseKey | ((row: Row) => PhraseKey);

type OfRow<Row> = Omit<Common, 'label'> & {
  label: RowLabel<Row>;
  /** Hidden for rows and users where it makes no sense. */
  isFor?: (row: Row, session: Session) => boolean;
  /** Why it is disabled now. */
  because?: (row: Row, session: Session) => string | undefined;
  danger?: boolean | ((row: Row) => boolean);
  /** Started only from a column; has no button. */
  isQuiet?: true;
};

type OfRows<Row> = Common & {
  on: 'rows';
  danger?: boolean;
  /** Why these rows cannot be acted on together. */
  because?: (rows: readonly Row[]) => string | undefined;
};

/** An act on the list, a row or selected rows. */
export type Act<Row> =
  | (Common & {
      on: 'list';
      icon?: ReactNode;
      /** Started elsewhere on the screen; has no button. */
      isQuiet?: true;
      overlay: (props: OverlayProps<Row>) => ReactNode;
    })
  | (OfRow<Row> & { on: 'row'; overlay: (row: Row, props: OverlayProps<Row>) => ReactNode })
  | (OfRow<Row> & {
      on: 'row';
      deed: (row: Row) => Deed | Promise<Deed>;
      /** Routes besides the list whose answers it changes. */
      changes?: readonly AnyRoute[];
    })
  | (OfRow<Row> & { on: 'row'; leads: (row: Row) => Place })
  | (OfRows<Row> & { overlay: (rows: readonly Row[], props: OverlayProps<Row> & { done: () => void }) => ReactNode })
  | (OfRows<Row> & {
      deed: (rows: readonly Row[]) => Deed;
      /** Routes besides the list whose answers it changes. */
      changes?: readonly AnyRoute[];
    });
export type Acts<Row> = Readonly<Record<string, Act<Row>>>;

/**
 * Under which name a screen keeps the user's filters and columns, and what is always part of its query: under the
 * list's path and nothing, unless it is named.
 */
type Kept<L extends List> =
  | {
      /** The contract says what it fixes, so that a saved filter means the same elsewhere. */
      screen?: ListScreenOf;
      name?: undefined;
      fixed?: undefined;
    }
  | {
      screen?: undefined;
      /** The page of one record: its filters mean nothing elsewhere. */
      name: string;
      fixed: Partial<QueryOf<L>>;
    };

export type ListPageProps<L extends List> = Kept<L> & {
  list: L;
  title: PhraseKey;
  /** A row's noun: "Charging station". Together with the first column it names a row. */
  record?: PhraseKey;
  /** A row's name, if noun and first column do not suit. */
  nameOf?: (row: RowOf<L>) => string;
  isPart?: boolean;
  filters?: Filters<L>;
  /** The default filters, for lists whose full content is never useful. */
  initially?: () => Readonly<Record<string, string>>;
  /** The columns to show, in order; all by default. */
  columns?: readonly ColumnKeyOf<L>[];
  /** Whether column groups have heads of their own. */
  hasGroups?: boolean;
  /** Summed columns whose sums are cards above the table; the others stay in a line. */
  sumCards?: readonly ColumnKeyOf<L>[];
  /** Says above how many (`max`) rows nothing is summed, where some filters of this screen have sums of any number. */
  sumsTooMany?: PhraseKey;
  look?: { readonly [Key in ColumnKeyOf<L>]?: ColumnLook<L> };
  acts?: Acts<RowOf<L>>;
  /** Fetches a row that the address names but the page does not show. */
  one?: AnyRoute;
  live?: LivePatches<L>;
  /** The empty state, with the next step if that is not adding a row. */
  empty?: { title?: PhraseKey; text?: PhraseKey; next?: { label: PhraseKey; place: Place } };
  /** Beside columns, export and refresh: a view switch. */
  tools?: ReactNode;
  /** A note beside the buttons. */
  note?: PhraseKey;
  /** Above the filters: a banner, or a picture of the shown rows. */
  before?: (show: Show<RowOf<L>>, rows: readonly RowOf<L>[] | undefined) => ReactNode;
  /** What a row expands to; null if there is nothing more. */
  details?: (row: RowOf<L>) => ReactNode;
  /** Shown instead of the table, from the same rows: tiles, a map. */
  view?: (rows: readonly RowOf<L>[], isLoading: boolean) => ReactNode;
};
