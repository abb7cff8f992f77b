import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, nothing, type PersonalKind, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Kinds of action that operators filter by. */
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

/** Records whose name is a card number, or a login name that may be a phone. */
const personalRecords: Readonly<Record<string, PersonalKind>> = { card: 'card', user: 'name' };

export const auditEntry = z.object({
  id: idField<'audit_entry'>(),
  at: instantField,
  userId: z.nullable(idField<'user'>()),
  userName: z.nullable(shown.name('userId')),
  /** The action's code, like a permission: "site.create". */
  action: z.string(),
  kind: z.enum(auditKinds),
  recordKind: z.string(),
  recordId: z.string(),
  /** The record's current name as lists show it; null for a record that is gone or has no name. */
  recordName: z.nullable(shown.by(({ recordKind }) => personalRecords[String(recordKind)] ?? null)),
  remoteAddress: z.string(),
  before: shown.fields(z.unknown()),
  after: shown.fields(z.unknown()),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const listAuditEntries = listRoute({
  name: 'listAuditEntries',
  path: '/audit-entries',
  summary: 'Who did what to which record; an agent sees the acts of its own users',
  permission: 'audit.read',
  exportPermission: 'audit.export',
  sorts: ['at'],
  first: '-at',
  filters: {
    userId: filter.id('user'),
    kind: filter.choice(auditKinds),
    from: filter.instant(),
    to: filter.instant(),
    /** The whole action or one word of it. */
    action: filter.text(),
    recordKind: filter.text(32),
    recordId: filter.text(64),
    remoteAddress: filter.text(64),
  },
  item: auditEntry,
  columns: columnsOf<AuditEntry>()({
    at: { kind: 'instant', title: 'audit.at' },
    userName: { kind: 'text', title: 'audit.who', absent: 'audit.system' },
    kind: { kind: 'choice', title: 'audit.kind', words: 'audit-kind' },
    action: { kind: 'choice', title: 'audit.action', words: 'audit-action' },
    recordKind: { kind: 'choice', title: 'audit.recordKind', words: 'audit-record' },
    recordId: { kind: 'number', title: 'audit.recordId' },
    recordName: { kind: 'text', title: 'audit.record' },
    remoteAddress: { kind: 'text', title: 'audit.address' },
    before: { kind: 'text', title: 'audit.before', of: ({ before }) => asText(before) },
    after: { kind: 'text', title: 'audit.after', of: ({ after }) => asText(after) },
  }),
});

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export const exportAuditEntries = listAuditEntries.file;

export const signInResults = [
  'signed_in',
  'wrong_password',
  'unknown_name',
  'locked',
  'disabled',
  'wrong_captcha',
] as const;
export type SignInResult = (typeof signInResults)[number];

/** What happened to the session that a sign-in opened. */
export const sessionStates = ['open', 'expired', 'logout', 'password_changed', 'ended_by_admin', 'disabled'] as const;
export type SessionState = (typeof sessionStates)[number];

export const signInEntry = z.object({
  id: idField<'sign_in'>(),
  at: instantField,
  /** As the user typed it. */
  name: shown.name('userId'),
  userId: z.nullable(idField<'user'>()),
  userName: z.nullable(shown.name('userId')),
  realName: z.nullable(z.string()),
  result: z.enum(signInResults),
  remoteAddress: z.string(),
  /** Read from the user agent, e.g. "Chrome 142"; the whole text where it cannot be parsed. */
  browser: z.string(),
  /** Likewise, e.g. "Windows"; empty where the user agent does not say. */
  system: z.string(),
  userAgent: z.string(),
  sessionId: z.nullable(idField<'session'>()),
  sessionState: z.nullable(z.enum(sessionStates)),
  lastUsedAt: z.nullable(instantField),
  /** The session of the current request. */
  isThis: z.boolean(),
});
export type SignInEntry = z.output<typeof signInEntry>;

export const listSignIns = listRoute({
  name: 'listSignIns',
  path: '/sign-ins',
  summary: 'Sign-in attempts and their sessions; an agent sees those of its own users',
  permission: 'sign_in.read',
  sorts: ['at'],
  first: '-at',
  filters: {
    name: filter.text(),
    result: filter.choice(signInResults),
    /** Only sessions that are open now. */
    open: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
    userId: filter.id('user'),
    remoteAddress: filter.text(64),
  },
  item: signInEntry,
  columns: columnsOf<SignInEntry>()({
    at: { kind: 'instant', title: 'sign-ins.at' },
    name: { kind: 'text', title: 'sign-ins.name', hint: 'sign-ins.nameHint' },
    realName: { kind: 'text', title: 'sign-ins.realName' },
    result: { kind: 'choice', title: 'sign-ins.result', words: 'sign-in-result' },
    remoteAddress: { kind: 'text', title: 'sign-ins.address' },
    browser: { kind: 'text', title: 'sign-ins.browser' },
    system: { kind: 'text', title: 'sign-ins.system' },
    sessionState: { kind: 'choice', title: 'sign-ins.session', words: 'session-state' },
    lastUsedAt: { kind: 'instant', title: 'sign-ins.lastUsed' },
    userAgent: { kind: 'text', title: 'sign-ins.userAgent' },
  }),
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
