import * as z from 'zod/mini';
import {
  filter,
  idField,
  idParameter,
  instantField,
  newPasswordField,
  nothing,
  phoneField,
  shown,
  textField,
  userNameField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** How an account was created (specification section 3), and the accounts of dividers. */
export const userKinds = ['added', 'registered', 'divider'] as const;
export type UserKind = (typeof userKinds)[number];

export const user = z.object({
  id: idField<'user'>(),
  userName: shown.name('id'),
  realName: z.string(),
  phone: z.nullable(shown.phone('id')),
  kind: z.enum(userKinds),
  admin: z.boolean(),
  enabled: z.boolean(),
  /** Whether the password is still one that someone else set. */
  passwordIsInitial: z.boolean(),
  positionId: z.nullable(idField<'position'>()),
  positionName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  lastLoginAt: z.nullable(instantField),
  lastLoginAddress: z.nullable(z.string()),
  /** Number of open sessions. */
  sessions: z.int(),
  createdAt: instantField,
});
export type User = z.output<typeof user>;

const userForm = {
  realName: textField(32),
  phone: z.optional(z.nullable(phoneField)),
  /** Without a position a user sees only the page that tells them to wait for one. */
  positionId: z.optional(z.nullable(idField<'position'>())),
  /** The agent whose staff the user is; null for the platform's. */
  agentId: z.optional(z.nullable(idField<'agent'>())),
};

export const listUsers = listRoute({
  name: 'listUsers',
  path: '/users',
  summary: 'System users: staff of the platform and of agents, dividers, and registered persons who may sign in',
  permission: 'user.read',
  sorts: ['createdAt', 'lastLoginAt', 'userName'],
  first: '-createdAt',
  filters: {
    /** Part of the user name, the real name or the phone. */
    text: filter.text(),
    /** Users without a position; administrators need none. */
    awaiting: filter.flag(),
    enabled: filter.flag(),
    positionId: filter.id('position'),
    kind: filter.choice(userKinds),
    agentId: filter.id('agent'),
    userName: filter.text(32),
    realName: filter.text(32),
    phone: filter.phone(),
  },
  item: user,
  columns: columnsOf<User>()({
    userName: { kind: 'number', title: 'users.userName' },
    realName: { kind: 'text', title: 'users.realName' },
    phone: { kind: 'number', title: 'users.phone' },
    positionName: { kind: 'text', title: 'users.position' },
    enabled: { kind: 'flag', title: 'users.enabled', words: ['station-state.enabled', 'station-state.disabled'] },
    sessions: { kind: 'count', title: 'users.sessions', hint: 'users.sessionsHint' },
    lastLoginAt: { kind: 'instant', title: 'users.lastLogin', absent: 'users.neverSignedIn' },
    agentName: { kind: 'text', title: 'users.agent', absent: 'list.ofPlatform' },
    kind: { kind: 'choice', title: 'users.kind', words: 'user-kind' },
    createdAt: { kind: 'instant', title: 'users.createdAt' },
  }),
});

export const getUser = route({
  method: 'GET',
  path: '/users/{id}',
  summary: 'One system user',
  permission: 'user.read',
  params: z.object({ id: idParameter<'user'>() }),
  answer: user,
  errors: [],
});

export const createUser = route({
  method: 'POST',
  path: '/users',
  summary: 'Add a system user; without a password one is generated and shown once',
  permission: 'user.edit',
  body: z.object({ userName: userNameField, ...userForm, password: z.optional(newPasswordField) }),
  answer: z.object({ user, initialPassword: z.nullable(z.string()) }),
  errors: ['user.name_taken', 'user.phone_taken', 'user.not_of_divider', 'position.beyond_own', 'password.too_common'],
});

export const changeUser = route({
  method: 'PUT',
  path: '/users/{id}',
  summary: 'Change a system user; a change of position or agent takes effect at the next request of the user',
  permission: 'user.edit',
  params: z.object({ id: idParameter<'user'>() }),
  body: z.object(userForm),
  answer: user,
  errors: ['user.phone_taken', 'user.yourself', 'user.of_divider', 'user.not_of_divider', 'position.beyond_own'],
});

export const enableUser = route({
  method: 'PUT',
  path: '/users/{id}/enabled',
  summary: 'Enable or disable a user; disabling ends every session',
  permission: 'user.edit',
  params: z.object({ id: idParameter<'user'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: user,
  errors: ['user.yourself', 'user.last_admin', 'position.beyond_own'],
});

export const resetPassword = route({
  method: 'POST',
  path: '/users/{id}/password-resets',
  summary: 'Give a user a new initial password, shown once; ends every session of the user',
  permission: 'user.reset_password',
  params: z.object({ id: idParameter<'user'>() }),
  body: z.object({ password: z.optional(newPasswordField) }),
  answer: z.object({ initialPassword: z.nullable(z.string()) }),
  errors: ['user.yourself', 'position.beyond_own', 'password.too_common'],
});

export const signOutUser = route({
  method: 'POST',
  path: '/users/{id}/sign-outs',
  summary: 'End every session of a user',
  permission: 'user.sign_out',
  params: z.object({ id: idParameter<'user'>() }),
  answer: z.object({ ended: z.int() }),
  errors: ['position.beyond_own'],
});

export const signOutSelf = route({
  method: 'POST',
  path: '/users/me/sign-outs',
  summary: 'End every other session of the caller',
  permission: 'signed-in',
  answer: nothing,
  errors: [],
});
