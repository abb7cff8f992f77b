import { type AuditKind, listAuditEntries } from '@voltdeck/contract/audit';
import { auditActions } from '@voltdeck/contract/audit-actions';
import { parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';

type AuditFilter = FilterOf<typeof listAuditEntries>;
type EntriesQuery = SelectQueryBuilder<Tables, 'audit_entries', object>;

/** Limit of an agent's users that are searched; only the newest are. */
const usersMax = 5_000;

const kindOfAction: Readonly<Record<string, AuditKind>> = auditActions;

/** The kind of an action; a longer one ("station.command.reset") has the kind of its prefix. */
export function auditKindOf(action: string): AuditKind {
  const known = Object.hasOwn(kindOfAction, action) ? kindOfAction[action] : undefined;
  const end = action.lastIndexOf('.');
  return known ?? (end === -1 ? 'other' : auditKindOf(action.slice(0, end)));
}

/** The entries that match the filter within the caller's scope. Null when nothing can match. */
async function filterEntries(db: Kysely<Tables>, caller: Caller, filter: AuditFilter): Promise<EntriesQuery | null> {
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

/** All actions ever written that match the requested words and kinds. */
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

/** Jumps from one action to the next along the index: some fifty steps, however many entries there are. */
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

/** Where the current number or name of a record is read, by kind of record. */
const nameOfRecord: Readonly<Record<string, string>> = {
  agent: 'select name from agents where id = of.id',
  card: 'select number from cards where id = of.id',
  connector: `select stations.number || ' · ' || connectors.number
                from connectors join stations on stations.id = connectors.station_id where connectors.id = of.id`,
  customer: 'select nickname from customers where id = of.id',
  order: 'select number from orders where id = of.id',
  position: 'select name from positions where id = of.id',
  coupon: 'select name from coupons where id = of.id',
  promotion: 'select name from promotions where id = of.id',
  recharge: 'select number from recharges where id = of.id',
  partner: 'select name from partners where id = of.id',
  site: 'select name from sites where id = of.id',
  station: 'select number from stations where id = of.id',
  tariff: 'select name from tariffs where id = of.id',
  wallet_gift: 'select number from wallet_gifts where id = of.id',
  wallet_transfer: 'select number from wallet_transfers where id = of.id',
  user: 'select user_name from users where id = of.id',
};

/** Read only for the rows of a page. Some kinds are identified by texts, which are names already. */
const recordName = sql.raw<string | null>(
  `(select case audit_entries.record_kind
      ${Object.entries(nameOfRecord)
        .map(([kind, name]) => `when '${kind}' then (${name})`)
        .join('\n      ')}
     end
    from (select case when audit_entries.record_id ~ '^[0-9]{1,18}$' then audit_entries.record_id::bigint end as id) of)`,
);

export const auditList = listSource({
  route: listAuditEntries,
  filtered: filterEntries,
  id: sql`audit_entries.id`,
  sorts: { at: sql`audit_entries.at` },
  shown: (filtered) =>
    filtered
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
        recordName.as('recordName'),
        'audit_entries.before',
        'audit_entries.after',
      ]),
  toItem: (row) => ({ ...row, kind: auditKindOf(row.action), at: toIso(row.at) }),
});
