import { type Divider, listDividers } from '@voltdeck/contract/dividers';
import type { DividerId, SiteId, StationId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { partyIncomeOf } from '../ledger/party-income.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

const { incomeFen, unpaidFen, balanceFen } = partyIncomeOf('divider', 'dividers.id');
const momentOf = (at: Instant) => sql<Instant>`to_timestamp(${at} / 1000.0)`;
const inForceAt = (at: Instant) =>
  sql<boolean>`(t.from_at <= ${momentOf(at)} and (t.to_at is null or t.to_at > ${momentOf(at)}))`;

/** The lowest and the highest rate in force, as a text that both languages read. */
function ratesAt(column: 'electricity_e4' | 'service_e4' | 'occupancy_e4', at: Instant): RawBuilder<string | null> {
  const percent = (of: string) => sql.raw(`trim_scale(${of}(t.${column})::numeric / 100)`);
  return sql`(
    select case when min(t.${sql.raw(column)}) = max(t.${sql.raw(column)}) then ${percent('min')} || '%'
                else ${percent('min')} || '–' || ${percent('max')} || '%' end
      from divider_terms t where t.divider_id = dividers.id and ${inForceAt(at)})`;
}

function countOf(condition: RawBuilder<boolean>): RawBuilder<number> {
  return sql`(select count(*) from divider_terms t where t.divider_id = dividers.id and ${condition})::integer`;
}

function dividersAsShown(db: Kysely<Tables>, language: Caller['language'], at: Instant) {
  return db
    .selectFrom('dividers')
    .leftJoin('agents', 'agents.id', 'dividers.agent_id')
    .leftJoin('users as account', 'account.divider_id', 'dividers.id')
    .leftJoin('users as creator', 'creator.id', 'dividers.created_by')
    .select([
      'dividers.id',
      'dividers.name',
      'dividers.agent_id as agentId',
      'agents.name as agentName',
      'dividers.phone',
      'dividers.enabled',
      'dividers.entered_on as enteredOn',
      'dividers.remark',
      'dividers.created_at as createdAt',
      'dividers.payout_kind as payoutKind',
      'dividers.payout_holder as payoutHolder',
      'dividers.payout_bank as payoutBank',
      'dividers.payout_branch as payoutBranch',
      'dividers.payout_bank_code as payoutBankCode',
      'dividers.payout_number as payoutNumber',
      'account.id as userId',
      'account.user_name as loginName',
      'account.password_is_initial as passwordIsInitial',
      'account.last_login_at as lastLoginAt',
      shownName<string | null>(language, 'user', 'creator.real_name', 'creator.real_name_key').as('createdBy'),
    ])
    .select([
      countOf(inForceAt(at)).as('termsInForce'),
      countOf(sql`t.from_at > ${momentOf(at)}`).as('termsToCome'),
      ratesAt('electricity_e4', at).as('electricityRates'),
      ratesAt('service_e4', at).as('serviceRates'),
      ratesAt('occupancy_e4', at).as('occupancyRates'),
      incomeFen.as('incomeFen'),
      unpaidFen.as('unpaidFen'),
      balanceFen.as('balanceFen'),
    ]);
}

const toDivider = <Found extends { lastLoginAt: Instant | null; createdAt: Instant }>(row: Found) => ({
  ...row,
  lastLoginAt: isoOrNull(row.lastLoginAt),
  createdAt: toIso(row.createdAt),
});

export async function findDivider(
  db: Kysely<Tables>,
  caller: Caller,
  id: DividerId,
  at: Instant,
): Promise<Divider | null> {
  const row = await scoped(dividersAsShown(db, caller.language, at), caller, 'dividers.agent_id')
    .where('dividers.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toDivider(row);
}

/** Whether a divider has terms, in force or to come, that hold at a station or anywhere at a site. */
function sharesAt(place: { siteId: SiteId } | { stationId: StationId }, at: Instant): RawBuilder<boolean> {
  const isOwn =
    'siteId' in place
      ? sql`t.site_id = ${place.siteId} or t.station_id in (select id from stations where site_id = ${place.siteId})`
      : sql`t.station_id = ${place.stationId}
            or t.site_id = (select site_id from stations where id = ${place.stationId})`;
  const agents =
    'siteId' in place
      ? sql`select agent_id from sites where id = ${place.siteId}
            union select agent_id from stations where site_id = ${place.siteId}`
      : sql`select agent_id from stations where id = ${place.stationId}`;
  return sql`exists (
    select from divider_terms t
     where t.divider_id = dividers.id and (t.to_at is null or t.to_at > ${momentOf(at)})
       and (${isOwn} or (t.site_id is null and t.station_id is null and (t.agent_id is null or t.agent_id in (
         with recursive up as (
           select a.id, a.parent_id, 1 as depth from agents a where a.id in (${agents})
           union all
           select a.id, a.parent_id, up.depth + 1 from up join agents a on a.id = up.parent_id where up.depth < 20)
         select id from up)))))`;
}

export const dividerList = listSource({
  route: listDividers,
  filtered(db, caller, filter, at) {
    let dividers = scoped(db.selectFrom('dividers'), caller, 'dividers.agent_id');
    const { name, phone, agentId, enabled, siteId, stationId } = filter;
    if (name !== undefined) dividers = dividers.where('dividers.name', 'ilike', containing(name));
    if (phone !== undefined) dividers = dividers.where(findsPersonal(caller, 'dividers.phone', phone));
    if (agentId !== undefined) dividers = dividers.where('dividers.agent_id', '=', agentId);
    if (enabled !== undefined) dividers = dividers.where('dividers.enabled', '=', enabled);
    if (siteId !== undefined) dividers = dividers.where(sharesAt({ siteId }, at));
    if (stationId !== undefined) dividers = dividers.where(sharesAt({ stationId }, at));
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) dividers = dividers.where('dividers.entered_on', '>=', shanghaiDate(from));
    if (to !== null) dividers = dividers.where('dividers.entered_on', '<=', shanghaiDate(to));
    return dividers;
  },
  id: sql`dividers.id`,
  sorts: { enteredOn: sql`dividers.entered_on`, name: sql`dividers.name collate "zh-x-icu"` },
  sums: { incomeFen, unpaidFen, balanceFen },
  rowsFor: (db, { caller, at }) => dividersAsShown(db, caller.language, at),
  toItem: toDivider,
});
