import type { AuditEntry, AuditKind, listAuditEntries } from '@voltdeck/contract/audit';
import { auditActions } from '@voltdeck/contract/audit-actions';
import type { QueryOf } from '@voltdeck/contract/route';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { countUpTo, type Span, sortOf } from '../http/list-page.ts';

export type AuditFilter = Omit<QueryOf<typeof listAuditEntries>, 'page' | 'pageSize' | 'sort'>;
export type EntriesQuery = SelectQueryBuilder<Tables, 'audit_entries', object>;

/** An agent with more people than this is not one; the newest of them are taken. */
const usersMax = 5_000;

const kindOfAction: Readonly<Record<string, AuditKind>> = auditActions;

/** The kind of an act; of one whose word says more than the table ("station.command.reset") that of its beginning. */
export function auditKindOf(action: string): AuditKind {
  const known = Object.hasOwn(kindOfAction, action) ? kindOfAction[action] : undefined;
  const end = action.lastIndexOf('.');
  return known ?? (end === -1 ? 'other' : auditKindOf(action.slice(0, end)));
}

/** The entries that a filter and the caller's scope leave. Null when nothing can match. */
export async function filterEntries(
  db: Kysely<Tables>,
  caller: Caller,
  filter: AuditFilter,
): Promise<EntriesQuery | null> {
  let query: EntriesQuery = db.selectFrom('audit_entries');
  if (caller.agents !== 'all') {
    const users = await scoped(db.selectFrom('users'), caller, 'users.agent_id')
      .select('id')
      .orderBy('id', 'desc')
      .limit(usersMax)
      .execute();
    if (users.length === 0) return null;
    query = query.where(sql<boolean>`audit_entries.user_id = any(${users.map(({ id }) => id)})`);
  }
  if (filter.kind !== undefined || filter.action !== undefined) {
    const actions = await actionsThatFit(db, filter);
    if (actions.length === 0) return null;
    // "=" lets PostgreSQL walk the index of one action in the order of the list.
    const [only] = actions;
    query =
      actions.length === 1 && only !== undefined
        ? query.where('audit_entries.action', '=', only)
        : query.where(sql<boolean>`audit_entries.action = any(${actions})`);
  }
  if (filter.userId !== undefined) query = query.where('audit_entries.user_id', '=', filter.userId);
  if (filter.recordKind !== undefined) query = query.where('audit_entries.record_kind', '=', filter.recordKind);
  if (filter.recordId !== undefined) query = query.where('audit_entries.record_id', '=', filter.recordId);
  if (filter.remoteAddress !== undefined) {
    query = query.where('audit_entries.remote_address', '=', filter.remoteAddress);
  }
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  if (from !== null) query = query.where('audit_entries.at', '>=', from);
  if (to !== null) query = query.where('audit_entries.at', '<=', to);
  return query;
}

/** Of all actions that were ever written, by the words and the kinds that are asked for. */
async function actionsThatFit(
  db: Kysely<Tables>,
  { kind: kinds, action: word }: Pick<AuditFilter, 'kind' | 'action'>,
): Promise<string[]> {
  const actions = await writtenActions(db);
  const sought = word?.toLowerCase();
  const isWhole = sought !== undefined && actions.includes(sought);
  return actions.filter(
    (action) =>
      (sought === undefined || (isWhole ? action === sought : action.includes(sought))) &&
      (kinds === undefined || kinds.includes(auditKindOf(action))),
  );
}

/** From one action to the next along their index: some fifty steps, however many entries there are. */
async function writtenActions(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive written as (
      select min(action) as action from audit_entries
      union all
      select (select min(later.action) from audit_entries as later where later.action > written.action)
        from written where written.action is not null
    )
    select action from written where action is not null`.execute(db);
  return rows.map(({ action }) => action);
}

type EntryRow = Omit<AuditEntry, 'at' | 'kind'> & { at: Instant };

/** The rows of `list` (with its limit and without an order) from the newest or the oldest on, with their users. */
export async function readEntries(
  list: EntriesQuery,
  direction: 'asc' | 'desc',
): Promise<(EntryRow & { kind: AuditKind })[]> {
  const rows = await list
    .leftJoin('users', 'users.id', 'audit_entries.user_id')
    .select([
      'audit_entries.id',
      'audit_entries.at',
      'audit_entries.user_id as userId',
      'users.user_name as userName',
      'audit_entries.action',
      'audit_entries.record_kind as recordKind',
      'audit_entries.record_id as recordId',
      'audit_entries.remote_address as remoteAddress',
      'audit_entries.before',
      'audit_entries.after',
    ])
    .orderBy('audit_entries.at', direction)
    .orderBy('audit_entries.id', direction)
    .execute();
  return rows.map((row) => ({ ...row, kind: auditKindOf(row.action) }));
}

export async function listAuditPage(
  db: Kysely<Tables>,
  caller: Caller,
  query: QueryOf<typeof listAuditEntries>,
  span: Span,
) {
  const { page: _page, pageSize: _pageSize, sort, ...filter } = query;
  const filtered = await filterEntries(db, caller, filter);
  if (filtered === null) return { items: [], total: 0 };
  const { direction } = sortOf<'at'>(sort ?? '-at');
  const [rows, total] = await Promise.all([
    readEntries(filtered.limit(sql.lit(span.limit)).offset(sql.lit(span.offset)), direction),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(({ at, ...row }) => ({ ...row, at: toIso(at) })), ...total };
}
