import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { changeSite as route, Site } from '@voltdeck/contract/sites';
import type { AgentId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit, auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { mayNotPrice } from '../tariffs/rules-of-station.ts';
import { checkSite, writePictures } from './check-site.ts';
import { findSite } from './queries.ts';
import { siteColumns } from './site-columns.ts';

/**
 * Changes a site. The stations of its agent follow it to another agent, unless a rule of another agent would price them
 * then; a station that was handed to somebody else stays theirs, and orders keep the agent they were placed with.
 */
export async function changeSite(
  trx: Trx,
  caller: Caller,
  id: SiteId,
  { version, ...form }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Site, ApiError>> {
  await trx.selectFrom('sites').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const before = await findSite(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (version !== undefined && version !== before.version) return failed({ code: 'record.changed' });
  const checked = await checkSite(trx, caller, form, before);
  if (!checked.ok) return checked;
  const { agentId } = checked.value;
  const following = agentId === before.agentId ? [] : await lockStationsOf(trx, before);
  if (following.length > 0) {
    const count = await countStationsOfOtherRules(trx, following, agentId);
    if (count > 0) {
      const fault = { path: 'agentId', code: 'stations_rules_of_other_agent' as const, params: { count } };
      return failed({ code: 'request.invalid', fields: [fault] });
    }
  }
  await trx
    .updateTable('sites')
    .set({
      ...siteColumns(form, before),
      agent_id: agentId,
      version: before.version + 1,
      changed_by: caller.userId,
      changed_at: at,
    })
    .where('id', '=', id)
    .execute();
  await writePictures(trx, id, checked.value);
  await audit(trx, caller, at, { action: 'site.change', recordKind: 'site', recordId: id, before, after: form });
  if (following.length > 0) await handStations(trx, caller, following, before, agentId, at);
  return found(await findSite(trx, caller, id));
}

/** The stations at the site that belong to its agent. */
async function lockStationsOf(trx: Trx, { id, agentId }: Site): Promise<StationId[]> {
  const rows = await trx
    .selectFrom('stations')
    .select('id')
    .where('site_id', '=', id)
    .where('agent_id', 'is not distinct from', agentId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((station) => station.id);
}

async function handStations(
  trx: Trx,
  caller: Caller,
  ids: readonly StationId[],
  before: Site,
  agentId: AgentId | null,
  at: Instant,
): Promise<void> {
  await trx.updateTable('stations').set({ agent_id: agentId }).where(sql<boolean>`id = any(${ids})`).execute();
  const entries = ids.map((id) => ({
    action: 'station.change',
    recordKind: 'station',
    recordId: id,
    before: { agentId: before.agentId },
    after: { agentId },
  }));
  await auditMany(trx, caller, at, entries);
}

/** The stations that a rule prices which belongs neither to this agent nor to the platform. */
async function countStationsOfOtherRules(
  trx: Trx,
  ids: readonly StationId[],
  agentId: AgentId | null,
): Promise<number> {
  const { stations } = await trx
    .selectFrom('stations')
    .select(sql<number>`count(*)::int`.as('stations'))
    .where(sql<boolean>`id = any(${ids})`)
    .where(
      sql<boolean>`exists (select from tariffs t where t.id in (stations.card_tariff_id, stations.wechat_tariff_id)
                                                  and ${mayNotPrice(sql`t.agent_id`, sql`${agentId}::bigint`)})`,
    )
    .executeTakeFirstOrThrow();
  return stations;
}
