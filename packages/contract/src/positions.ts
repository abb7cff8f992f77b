import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { dataScopes } from './permissions.ts';
import { route } from './route.ts';

const menuCodes = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(500));

export const position = z.object({
  id: idField<'position'>(),
  name: z.string(),
  description: z.string(),
  dataScope: z.enum(dataScopes),
  /** Codes of the menus and buttons it grants; the groups above them are included automatically. */
  menuCodes: z.array(z.string()),
  /** The agent it belongs to; null for the platform's. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  users: z.int(),
  /** Whether the caller may change it: it is theirs, and it grants nothing they lack. */
  changeable: z.boolean(),
  createdAt: instantField,
});
export type Position = z.output<typeof position>;

const positionForm = z.object({
  name: textField(32),
  description: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  dataScope: z.enum(dataScopes),
  menuCodes,
  agentId: z.optional(z.nullable(idField<'agent'>())),
});

export const listPositions = listRoute({
  name: 'listPositions',
  path: '/positions',
  summary: 'Positions: the caller’s own, and the platform’s that can be given to staff',
  permission: ['position.read', 'user.read'],
  sorts: ['createdAt', 'name'],
  first: '-createdAt',
  filters: {
    name: filter.text(32),
    dataScope: filter.choice(dataScopes),
  },
  item: position,
  columns: columnsOf<Position>()({
    name: { kind: 'text', title: 'positions.name' },
    description: { kind: 'text', title: 'positions.description' },
    dataScope: { kind: 'choice', title: 'positions.dataScope', words: 'data-scope' },
    menuCodes: {
      kind: 'count',
      title: 'positions.grants',
      hint: 'positions.grantsHint',
      of: ({ menuCodes: codes }) => codes.length,
    },
    users: { kind: 'count', title: 'positions.users' },
    agentName: { kind: 'text', title: 'positions.owner', absent: 'list.ofPlatform' },
    createdAt: { kind: 'instant', title: 'positions.createdAt' },
  }),
});

export const getPosition = route({
  method: 'GET',
  path: '/positions/{id}',
  summary: 'One position',
  permission: 'position.read',
  params: z.object({ id: idParameter<'position'>() }),
  answer: position,
  errors: [],
});

export const createPosition = route({
  method: 'POST',
  path: '/positions',
  summary: 'Add a position; it can grant only what the caller has',
  permission: 'position.edit',
  body: positionForm,
  answer: position,
  errors: ['position.name_taken', 'position.beyond_own'],
});

export const changePosition = route({
  method: 'PUT',
  path: '/positions/{id}',
  summary: 'Change a position; its users have the new rights at their next request',
  permission: 'position.edit',
  params: z.object({ id: idParameter<'position'>() }),
  body: positionForm,
  answer: position,
  errors: ['position.name_taken', 'position.beyond_own'],
});

export const deletePosition = route({
  method: 'DELETE',
  path: '/positions/{id}',
  summary: 'Delete an unassigned position',
  permission: 'position.delete',
  params: z.object({ id: idParameter<'position'>() }),
  answer: nothing,
  errors: ['position.in_use', 'position.beyond_own'],
});

/** Specification section 7: GET /getDataScopeList. */
export const getDataScopeList = route({
  method: 'GET',
  path: '/getDataScopeList',
  summary: 'The data scopes that the caller may grant, named in the language of the request',
  permission: 'signed-in',
  query: z.object({ data: z.optional(z.string().check(z.maxLength(64))) }),
  answer: z.array(z.object({ value: z.enum(dataScopes), name: z.string() })),
  errors: [],
});
