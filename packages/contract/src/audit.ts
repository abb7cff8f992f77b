import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, listAnswer, listFields, nothing } from './fields.ts';
import { route } from './route.ts';

/** What was done, in the kinds that operators filter by. */
export const auditKinds = [
  'add',
  'edit',
  'delete',
  'grant',
  'command',
  'money',
  'export',
  'sign_in',
  'sign_out',
  'other',
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const auditEntry = z.object({
  id: idField<'audit_entry'>(),
  at: instantField,
  userId: z.nullable(idField<'user'>()),
  userName: z.nullable(z.string()),
  /** In the words of the permission: "site.create". */
  action: z.string(),
  kind: z.enum(auditKinds),
  recordKind: z.string(),
  recordId: z.string(),
  remoteAddress: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditEntry = z.output<typeof auditEntry>;

const auditFilters = {
  userId: filter.id<'user'>(),
  /** A word of the action or the whole of it. */
  action: filter.text(),
  kind: filter.choice(auditKinds),
  recordKind: filter.text(32),
  recordId: filter.text(64),
  remoteAddress: filter.text(64),
  from: filter.instant(),
  to: filter.instant(),
};

export const listAuditEntries = route({
  method: 'GET',
  path: '/audit-entries',
  summary: 'Who did what to which record; an agent sees what its own people did',
  permission: 'audit.read',
  query: z.object({ ...listFields(['at']), ...auditFilters }),
  answer: listAnswer(auditEntry),
  errors: ['list.too_deep'],
});

export const exportAuditEntries = route({
  method: 'GET',
  path: '/audit-entries/export',
  summary: 'The filtered audit log as a spreadsheet',
  permission: 'audit.export',
  readsMuch: 'always',
  query: z.object(auditFilters),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['export.too_many_rows'],
});

export const signInResults = [
  'signed_in',
  'wrong_password',
  'unknown_name',
  'locked',
  'disabled',
  'wrong_captcha',
] as const;
export type SignInResult = (typeof signInResults)[number];

/** What became of the session that a sign-in opened. */
export const sessionStates = ['open', 'expired', 'logout', 'password_changed', 'ended_by_admin', 'disabled'] as const;
export type SessionState = (typeof sessionStates)[number];

export const signInEntry = z.object({
  id: idField<'sign_in'>(),
  at: instantField,
  /** As it was typed in. */
  name: z.string(),
  userId: z.nullable(idField<'user'>()),
  userName: z.nullable(z.string()),
  realName: z.nullable(z.string()),
  result: z.enum(signInResults),
  remoteAddress: z.string(),
  /** Read from the user agent, e.g. "Chrome 142"; the whole text where it could not be read. */
  browser: z.string(),
  /** Likewise, e.g. "Windows"; empty where the user agent does not tell. */
  system: z.string(),
  userAgent: z.string(),
  sessionId: z.nullable(idField<'session'>()),
  sessionState: z.nullable(z.enum(sessionStates)),
  lastUsedAt: z.nullable(instantField),
  /** The session of this very request. */
  isThis: z.boolean(),
});
export type SignInEntry = z.output<typeof signInEntry>;

export const listSignIns = route({
  method: 'GET',
  path: '/sign-ins',
  summary: 'Attempts to sign in and what became of the sessions; an agent sees those of its own people',
  permission: 'sign_in.read',
  query: z.object({
    ...listFields(['at']),
    name: filter.text(),
    userId: filter.id<'user'>(),
    result: filter.choice(signInResults),
    remoteAddress: filter.text(64),
    /** Only sessions that are open now. */
    open: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  }),
  answer: listAnswer(signInEntry),
  errors: ['list.too_deep'],
});

export const endSession = route({
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'Sign out one running session',
  permission: 'session.end',
  params: z.object({ id: idParameter<'session'>() }),
  answer: nothing,
  errors: ['position.beyond_own'],
});
