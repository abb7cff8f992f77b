import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, listAnswer, listFields, nothing, textField } from './fields.ts';
import { route } from './route.ts';

/** A configuration parameter. A secret's value is never told: `value` is empty and `hasValue` says whether there is one. */
export const config = z.object({
  id: idField<'config'>(),
  name: z.string(),
  key: z.string(),
  value: z.string(),
  hasValue: z.boolean(),
  remark: z.string(),
  /** Told to everybody, signed in or not. */
  public: z.boolean(),
  secret: z.boolean(),
  /** Read by the server itself: may be changed, not deleted or renamed. */
  builtIn: z.boolean(),
  changedAt: instantField,
});
export type Config = z.output<typeof config>;

const keyField = z.string().check(z.trim(), z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'bad_format'));
const configForm = {
  name: textField(64),
  key: keyField,
  value: z.string().check(z.maxLength(4_000)),
  remark: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  public: z.optional(z.boolean()),
  secret: z.optional(z.boolean()),
};

/** Specification section 7: GET /sysConfig/list. */
export const listConfigs = route({
  method: 'GET',
  path: '/sysConfig/list',
  summary: 'Configuration parameters',
  permission: 'config.read',
  query: z.object({ ...listFields(['key', 'changedAt']), name: filter.text(), key: filter.text() }),
  answer: listAnswer(config),
  errors: ['list.too_deep'],
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
  idempotency: 'accepted',
});

/** Specification section 7: POST /sysConfig/editConfig. An absent value of a secret leaves it as it is. */
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
