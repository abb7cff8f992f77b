import { listDepthMax, pageSizes } from '@voltdeck/contract/fields';
import { parseIso } from '@voltdeck/units/instant';

/** What the address needs to know of a filter. */
export type FilterShape =
  | { kind: 'text'; name: string; maxLength?: number }
  | { kind: 'money'; name: string; maxFen: number }
  | { kind: 'choice'; name: string; choices: readonly { value: string }[]; single?: boolean }
  | { kind: 'flag'; name: string }
  | { kind: 'record'; name: string }
  | { kind: 'region'; name: string }
  | {
      kind: 'period';
      name: string;
      from: string;
      to: string;
      which?: { name: string; choices: readonly { value: string }[] };
    };

/** A list's state in the address. Values have the address's format: lists are `a,b`. */
export type ListState = {
  page: number;
  pageSize: number;
  sort: string | undefined;
  values: Readonly<Record<string, string>>;
};

export const pageSizeDefault = 20;
const textLengthMax = 64;

/** All parameters of a filter. */
export function parametersOf(filter: FilterShape): readonly string[] {
  if (filter.kind !== 'period') return [filter.name];
  return [filter.from, filter.to, ...(filter.which === undefined ? [] : [filter.which.name])];
}

/** A cleaned parameter, or undefined for an invalid value in a hand-written address. */
function cleaned(filter: FilterShape, name: string, raw: string): string | undefined {
  switch (filter.kind) {
    case 'text': {
      const text = raw.trim().slice(0, filter.maxLength ?? textLengthMax);
      return text === '' ? undefined : text;
    }
    case 'money':
      return /^\d{1,16}$/.test(raw) && Number(raw) <= filter.maxFen ? String(Number(raw)) : undefined;
    case 'choice': {
      const known = raw.split(',').filter((part) => filter.choices.some((choice) => choice.value === part));
      const kept = filter.single ? known.slice(0, 1) : [...new Set(known)];
      return kept.length === 0 ? undefined : kept.join(',');
    }
    case 'flag':
      return raw === 'true' || raw === 'false' ? raw : undefined;
    case 'record':
      return /^[1-9]\d{0,15}$/.test(raw) ? raw : undefined;
    case 'region':
      return /^\d{6}$/.test(raw) ? raw : undefined;
    case 'period':
      if (filter.which !== undefined && name === filter.which.name) {
        return filter.which.choices.some((choice) => choice.value === raw) ? raw : undefined;
      }
      return parseIso(raw) === null ? undefined : raw;
  }
}

const pageOf = (raw: string | null) => (raw !== null && /^[1-9]\d{0,5}$/.test(raw) ? Number(raw) : 1);

/** Reads a list's state from its address, ignoring what is invalid. */
export function readListState(
  search: URLSearchParams,
  filters: readonly FilterShape[],
  sorts: readonly string[],
): ListState {
  const values: Record<string, string> = {};
  for (const filter of filters) {
    for (const name of parametersOf(filter)) {
      const raw = search.get(name);
      const value = raw === null ? undefined : cleaned(filter, name, raw);
      if (value !== undefined) values[name] = value;
    }
  }
  const size = Number(search.get('pageSize'));
  const pageSize = (pageSizes as readonly number[]).includes(size) ? size : pageSizeDefault;
  const sort = search.get('sort');
  return {
    page: Math.min(pageOf(search.get('page')), listDepthMax / pageSize),
    pageSize,
    sort: sort !== null && sorts.includes(sort.replace(/^-/, '')) ? sort : undefined,
    values,
  };
}

export type ListChange = {
  page?: number;
  pageSize?: number;
  sort?: string | undefined;
  /** undefined removes a parameter. */
  values?: Readonly<Record<string, string | undefined>>;
};

/**
 * The address after `change`. Other parameters stay; defaults are omitted. Any change except of the page returns to
 * page 1.
 */
export function writeListState(search: URLSearchParams, change: ListChange): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | undefined) => {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  };
  for (const [name, value] of Object.entries(change.values ?? {})) put(name, value);
  if ('sort' in change) put('sort', change.sort);
  if (change.pageSize !== undefined) {
    put('pageSize', change.pageSize === pageSizeDefault ? undefined : String(change.pageSize));
  }
  put('page', change.page === undefined || change.page === 1 ? undefined : String(change.page));
  return next;
}

/**
 * The sort after a click on a column's head: descending, ascending, then the default order `first`, which the address
 * leaves out. The column of the default order toggles between two orders.
 */
export function nextSort(current: string | undefined, name: string, first?: string): string | undefined {
  const shown = current ?? first;
  if (shown === `-${name}`) return first === name ? undefined : name;
  if (shown === name) return first === name ? `-${name}` : undefined;
  return first === `-${name}` ? undefined : `-${name}`;
}
