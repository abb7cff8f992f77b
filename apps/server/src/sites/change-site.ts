import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { changeSite as route, Site } from '@voltdeck/contract/sites';
import type { AgentId, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { checkSite, writePictures } from './check-site.ts';
import { findSite } from './queries.ts';
import { siteColumns } from './site-columns.ts';

/**
 * Changes a site. Its stations follow it to another agent, unless a rule of another agent would price them then; orders
 * keep the agent they were placed with.
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
  if (agentId !== before.agentId) {
    const count = await countStationsOfOtherRules(trx, id, agentId);
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
  if (agentId !== before.agentId) {
    await trx.updateTable('stations').set({ agent_id: agentId }).where('site_id', '=', id).execute();
  }
  await audit(trx, caller, at, { action: 'site.change', recordKind: 'site', recordId: id, before, after: form });
  return found(await findSite(trx, caller, id));
}

/** The site's stations that a rule prices which belongs neither to this agent nor to the platform. */
async function countStationsOfOtherRules(trx: Trx, id: SiteId, agentId: AgentId | null): Promise<number> {
  const { stations } = await trx
    .selectFrom('stations')
    .select(sql<number>`count(*)::int`.as('stations'))
    .where('site_id', '=', id)
    .where(
      sql<boolean>`exists (select from tariffs t where t.id in (stations.card_tariff_id, stations.wechat_tariff_id)
                                                  and t.agent_id <> coalesce(${agentId}::bigint, 0))`,
    )
    .executeTakeFirstOrThrow();
  return stations;
}
