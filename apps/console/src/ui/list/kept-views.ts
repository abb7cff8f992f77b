import { type ColumnChoice, columnChoice, type FilterSet, filterSet } from '@voltdeck/contract/views';
import * as z from 'zod/mini';

/** A user's list settings, as stored in this browser. */
export type KeptViews = {
  columns: Readonly<Record<string, ColumnChoice>>;
  filterSets: readonly FilterSet[];
  /** Lists whose columns have not been sent to the server yet. */
  unsent: readonly string[];
};

export const nothingKept: KeptViews = { columns: {}, filterSets: [], unsent: [] };

const keptViews = z.object({
  columns: z.record(z.string(), columnChoice),
  filterSets: z.array(filterSet),
  unsent: z.array(z.string()),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Unreadable text under our key counts as nothing stored.
    return null;
  }
}

/** The stored settings; null if there are none or they are unreadable. */
export function keptViewsOf(text: string | null): KeptViews | null {
  if (text === null) return null;
  const read = z.safeParse(keptViews, parsed(text));
  return read.success ? read.data : null;
}

/** The names of lists at the time when each browser stored their columns by itself. */
const formerNames: Readonly<Record<string, string>> = {
  stations: '/stations',
  connectors: '/connectors',
  feedbacks: '/feedbacks',
  files: '/files',
  adverts: '/adverts',
  articles: '/articles',
  users: '/users',
  'sign-ins': '/sign-ins',
  audit: '/audit-entries',
  positions: '/positions',
  configs: '/sysConfig/list',
  tasks: '/tasks',
};

export const formerPrefix = 'voltdeck-columns';

/** Columns that this browser stored before the server did, by the list's current name. */
export function formerColumns(
  userId: number,
  entries: readonly (readonly [key: string, text: string])[],
): Record<string, ColumnChoice> {
  const own = `${formerPrefix}:${userId}:`;
  const found = entries.flatMap(([key, text]) => {
    if (!key.startsWith(own)) return [];
    const read = z.safeParse(columnChoice, { widthsPx: {}, ...(parsed(text) as object | null) });
    const name = key.slice(own.length);
    return read.success ? [[formerNames[name] ?? name, read.data] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The server's settings, except for columns arranged here and not sent yet. */
export function mergedViews(
  here: KeptViews,
  told: { columns: readonly { list: string; choice: ColumnChoice }[]; filterSets: readonly FilterSet[] },
): KeptViews {
  const columns = Object.fromEntries(told.columns.map(({ list, choice }) => [list, choice]));
  for (const list of here.unsent) {
    const own = here.columns[list];
    if (own === undefined) delete columns[list];
    else columns[list] = own;
  }
  return { columns, filterSets: told.filterSets, unsent: here.unsent };
}

export function withColumns(kept: KeptViews, list: string, choice: ColumnChoice | null): KeptViews {
  const { [list]: _former, ...others } = kept.columns;
  return {
    ...kept,
    columns: choice === null ? others : { ...others, [list]: choice },
    unsent: [...kept.unsent.filter((name) => name !== list), list],
  };
}
