import * as z from 'zod/mini';
import { idField, idParameter, nothing, textField } from './fields.ts';
import { route } from './route.ts';

/** Limits per user. */
export const viewLimits = {
  /** Lists with arranged columns. */
  lists: 200,
  columns: 100,
  filterSetsOfList: 30,
  filterSets: 300,
} as const;
export const columnWidthsPx = { min: 48, max: 1_000 } as const;

/** The path of the list's route; followed by "#" and a word where one list appears on several screens. */
const listField = z.string().check(z.regex(/^[\w/.#-]{1,100}$/, 'bad_format'));
const columnField = z.string().check(z.regex(/^[\w-]{1,64}$/, 'bad_format'));
const byColumn = <Value extends z.ZodMiniType>(value: Value) =>
  z
    .record(columnField, value)
    .check(z.refine((entries) => Object.keys(entries).length <= viewLimits.columns, { error: 'too_many' }));

/** A person's column arrangement for a list. Keys of columns that no longer exist are ignored. */
export const columnChoice = z.object({
  order: z.array(columnField).check(z.maxLength(viewLimits.columns)),
  /** Shown or pinned, where it differs from the list's own default. */
  shown: byColumn(z.boolean()),
  pinned: byColumn(z.boolean()),
  /** Column widths that the user set. */
  widthsPx: byColumn(z.int().check(z.gte(columnWidthsPx.min), z.lte(columnWidthsPx.max))),
});
export type ColumnChoice = z.output<typeof columnChoice>;

const filterSetName = textField(40);

/** A list's filters and sort under a name. */
export const filterSet = z.object({
  id: idField<'filter_set'>(),
  list: z.string(),
  name: z.string(),
  /** As in the list's address: `state=fault&sort=-createdAt`. */
  query: z.string(),
  /** The list opens with it. At most one per list. */
  isFirst: z.boolean(),
});
export type FilterSet = z.output<typeof filterSet>;

export const getListViews = route({
  method: 'GET',
  path: '/list-views',
  summary: 'How the caller arranged their lists: columns and filter sets',
  permission: 'signed-in',
  answer: z.object({
    columns: z.array(z.object({ list: z.string(), choice: columnChoice })),
    filterSets: z.array(filterSet),
  }),
  errors: [],
});

export const arrangeColumns = route({
  method: 'PUT',
  path: '/list-views/columns',
  summary: 'Save the caller’s column arrangement of a list; null clears it',
  permission: 'signed-in',
  body: z.object({ list: listField, choice: z.nullable(columnChoice) }),
  answer: nothing,
  errors: [],
});

export const keepFilterSet = route({
  method: 'PUT',
  path: '/list-views/filter-sets',
  summary: 'Save filters under a name; replaces a set of the same name',
  permission: 'signed-in',
  body: z.object({
    list: listField,
    name: filterSetName,
    query: z.string().check(z.minLength(1), z.maxLength(2_000)),
  }),
  answer: filterSet,
  errors: [],
});

export const changeFilterSet = route({
  method: 'PATCH',
  path: '/list-views/filter-sets/{id}',
  summary: 'Rename a filter set, or make it the list’s default',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'filter_set'>() }),
  body: z.object({ name: z.optional(filterSetName), isFirst: z.optional(z.boolean()) }),
  answer: filterSet,
  errors: [],
});

export const deleteFilterSet = route({
  method: 'DELETE',
  path: '/list-views/filter-sets/{id}',
  summary: 'Delete a filter set',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'filter_set'>() }),
  answer: nothing,
  errors: [],
});
