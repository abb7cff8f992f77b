import { listDepthMax, pageSizes } from '@voltdeck/contract/fields';
import { parseIso } from '@voltdeck/units/instant';

/** What of a filter the address has to know. */
export type FilterShape =
  | { kind: 'text'; name: string; maxLength?: number }
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

/** A list's state, as it stands in the address. Values are as the address writes them: lists as `a,b`. */
export type ListState = {
  page: number;
  pageSize: number;
  sort: string | undefined;
  values: Readonly<Record<string, string>>;
};

export const pageSizeDefault = 20;
const textLengthMax = 64;

/** Every parameter that a filter owns. */
export function parametersOf(filter: FilterShape): readonly string[] {
  if (filter.kind !== 'period') return [filter.name];
  return [filter.from, filter.to, ...(filter.which === undefined ? [] : [filter.which.name])];
}

/** A parameter as it may be used, or undefined where somebody wrote an address by hand and it means nothing. */
function cleaned(filter: FilterShape, name: string, raw: string): string | undefined {
  switch (filter.kind) {
    case 'text': {
      const text = raw.trim().slice(0, filter.maxLength ?? textLengthMax);
      return text === '' ? undefined : text;
    }
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

/** Reads the state of a list from its address; whatever is not understood is left out. */
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
  /** undefined takes a parameter away. */
  values?: Readonly<Record<string, string | undefined>>;
};

/**
 * The address after `change`. Parameters that are not the list's own stay as they are; defaults are not written. Any
 * change but that of the page begins again at page 1.
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

/** What a click on a column's head does: newest or largest first, then the other way, then as the server likes. */
export function nextSort(current: string | undefined, name: string): string | undefined {
  if (current === `-${name}`) return name;
  if (current === name) return undefined;
  return `-${name}`;
}
