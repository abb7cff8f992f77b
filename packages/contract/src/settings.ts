import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/**
 * A configuration parameter. A secret's value is never returned: `value` is empty and `hasValue` says whether there is
 * one.
 */
export const config = z.object({
  id: idField<'config'>(),
  name: z.string(),
  key: z.string(),
  value: z.string(),
  hasValue: z.boolean(),
  remark: z.string(),
  /** Readable by anyone, signed in or not. */
  public: z.boolean(),
  secret: z.boolean(),
  /** Read by the server itself: it can be changed, but not deleted or renamed. */
  builtIn: z.boolean(),
  changedAt: instantField,
});
export type Config = z.output<typeof config>;

const keyField = z.string().check(z.trim(), z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'key_format'));
const configForm = {
  name: textField(64),
  key: keyField,
  value: z.string().check(z.maxLength(4_000)),
  remark: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  public: z.optional(z.boolean()),
  secret: z.optional(z.boolean()),
};

/** Specification section 7: GET /sysConfig/list. */
export const listConfigs = listRoute({
  name: 'listConfigs',
  path: '/sysConfig/list',
  summary: 'Configuration parameters',
  permission: 'config.read',
  sorts: ['key', 'changedAt'],
  first: 'key',
  filters: { name: filter.text(), key: filter.text() },
  item: config,
  columns: columnsOf<Config>()({
    name: { kind: 'text', title: 'settings.name' },
    key: { kind: 'number', title: 'settings.key' },
    value: { kind: 'text', title: 'settings.value' },
    public: { kind: 'flag', title: 'settings.public', hint: 'settings.publicHint' },
    secret: { kind: 'flag', title: 'settings.secret', hint: 'settings.secretHint' },
    changedAt: { kind: 'instant', title: 'settings.changedAt' },
    remark: { kind: 'text', title: 'settings.remark' },
  }),
});

/** Services whose map tiles the console can show instead of its own map. */
export const tileProviders = ['tianditu', 'amap'] as const;
export type TileProvider = (typeof tileProviders)[number];

/** The tiles to draw maps with; null for the console's own map, which needs no service. */
export const getMapTiles = route({
  method: 'GET',
  path: '/map-tiles',
  summary: 'The tiles of the configured map service',
  permission: 'signed-in',
  answer: z.nullable(
    z.object({
      provider: z.enum(tileProviders),
      /** Addresses with {x}, {y}, {z} and perhaps {s}, the lowest layer first, in the caller's language. */
      urls: z.array(z.string()),
      subdomains: z.string(),
      datum: z.enum(['wgs84', 'gcj02']),
      zoomMax: z.int(),
    }),
  ),
  errors: [],
});

/** Specification section 7: POST /sysConfig/addConfig. */
export const addConfig = route({
  method: 'POST',
  path: '/sysConfig/addConfig',
  summary: 'Add a parameter',
  permission: 'config.edit',
  body: z.object(configForm),
  answer: config,
  errors: ['config.key_taken'],
});

/** Specification section 7: POST /sysConfig/editConfig. A secret keeps its value when none is given. */
export const editConfig = route({
  method: 'POST',
  path: '/sysConfig/editConfig',
  summary: 'Change a parameter',
  permission: 'config.edit',
  body: z.object({ id: idField<'config'>(), ...configForm, value: z.optional(configForm.value) }),
  answer: config,
  errors: ['config.key_taken', 'config.built_in'],
});

/** Specification section 7: DELETE /sysConfig/deleteById, the id in the query. */
export const deleteConfig = route({
  method: 'DELETE',
  path: '/sysConfig/deleteById',
  summary: 'Delete a parameter',
  permission: 'config.edit',
  query: z.object({ id: idParameter<'config'>() }),
  answer: nothing,
  errors: ['config.built_in'],
});
