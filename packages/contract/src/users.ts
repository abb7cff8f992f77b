import * as z from 'zod/mini';
import {
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  newPasswordField,
  nothing,
  phoneField,
  textField,
  userNameField,
} from './fields.ts';
import { route } from './route.ts';

/** How an account came to be (specification section 3). */
export const userKinds = ['added', 'registered'] as const;
export type UserKind = (typeof userKinds)[number];

export const user = z.object({
  id: idField<'user'>(),
  userName: z.string(),
  realName: z.string(),
  phone: z.nullable(z.string()),
  kind: z.enum(userKinds),
  admin: z.boolean(),
  enabled: z.boolean(),
  /** Whether the password is still the one that somebody else chose. */
  passwordIsInitial: z.boolean(),
  positionId: z.nullable(idField<'position'>()),
  positionName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  lastLoginAt: z.nullable(instantField),
  lastLoginAddress: z.nullable(z.string()),
  /** Sessions that are open now. */
  sessions: z.int(),
  createdAt: instantField,
});
export type User = z.output<typeof user>;

const userForm = {
  realName: textField(32),
  phone: z.optional(z.nullable(phoneField)),
  /** Without a position a user sees the page that waits for one. */
  positionId: z.optional(z.nullable(idField<'position'>())),
  /** Whose staff the user is; null for the platform's. */
  agentId: z.optional(z.nullable(idField<'agent'>())),
};

export const listUsers = route({
  method: 'GET',
  path: '/users',
  summary: 'System users: staff of the platform and of agents, and registered persons who may sign in',
  permission: 'user.read',
  query: z.object({
    ...listFields(['createdAt', 'lastLoginAt', 'userName']),
    /** In the user name, the real name or the phone. */
    text: filter.text(),
    userName: filter.text(32),
    realName: filter.text(32),
    phone: filter.text(20),
    positionId: filter.id<'position'>(),
    agentId: filter.id<'agent'>(),
    kind: filter.choice(userKinds),
    enabled: filter.flag(),
    /** Those whom nobody has given a position yet; administrators need none. */
    awaiting: filter.flag(),
  }),
  answer: listAnswer(user),
  errors: ['list.too_deep'],
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
  summary: 'Add a system user; without a password one is made and told once',
  permission: 'user.edit',
  body: z.object({ userName: userNameField, ...userForm, password: z.optional(newPasswordField) }),
  answer: z.object({ user, initialPassword: z.nullable(z.string()) }),
  errors: ['user.name_taken', 'user.phone_taken', 'position.beyond_own', 'password.too_common'],
  idempotency: 'accepted',
});

export const changeUser = route({
  method: 'PUT',
  path: '/users/{id}',
  summary: 'Change a system user; a change of position or agent takes effect at the next request of the user',
  permission: 'user.edit',
  params: z.object({ id: idParameter<'user'>() }),
  body: z.object(userForm),
  answer: user,
  errors: ['user.phone_taken', 'user.yourself', 'position.beyond_own'],
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
  summary: 'Give a user a new initial password, told once; ends every session of the user',
  permission: 'user.reset_password',
  params: z.object({ id: idParameter<'user'>() }),
  body: z.object({ password: z.optional(newPasswordField) }),
  answer: z.object({ initialPassword: z.nullable(z.string()) }),
  errors: ['user.yourself', 'position.beyond_own', 'password.too_common'],
  idempotency: 'accepted',
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
