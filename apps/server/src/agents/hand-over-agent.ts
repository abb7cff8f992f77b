import {
  type HandOverPreview,
  handedShown,
  handedStationsMax,
  type handOverAgent as route,
} from '@voltdeck/contract/agents';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { AgentId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit, auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { mayNotPrice } from '../tariffs/rules-of-station.ts';

type Wanted = Omit<BodyOf<typeof route>, 'reason'>;
type Chosen = { siteIds: SiteId[]; stationIds: StationId[] };

/** What a hand-over would move and leave, read under the locks that it would take. */
export async function previewHandOver(
  trx: Trx,
  caller: Caller,
  id: AgentId,
  wanted: Wanted,
): Promise<Result<HandOverPreview, ApiError>> {
  const chosen = await choose(trx, caller, id, wanted);
  return chosen.ok ? ok(await previewOf(trx, wanted.toAgentId, chosen.value)) : chosen;
}

/**
 * Hands sites, with the agent's stations at them, and single stations to another agent or the platform: all or none.
 * What began or was booked before stays: orders keep the agent that they were placed with, and so do running charges.
 * Where a rule of the agent would price a station of another one, nothing moves.
 */
export async function handOverAgent(
  trx: Trx,
  caller: Caller,
  id: AgentId,
  { reason, ...wanted }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const chosen = await choose(trx, caller, id, wanted);
  if (!chosen.ok) return chosen;
  const preview = await previewOf(trx, wanted.toAgentId, chosen.value);
  if (preview.refusedCount > 0) return ok({ ...preview, handed: false });
  const { siteIds, stationIds } = chosen.value;
  const { toAgentId } = wanted;
  await trx
    .updateTable('sites')
    .set({ agent_id: toAgentId, version: sql`version + 1`, changed_by: caller.userId, changed_at: at })
    .where(sql<boolean>`id = any(${siteIds})`)
    .execute();
  await trx.updateTable('stations').set({ agent_id: toAgentId }).where(sql<boolean>`id = any(${stationIds})`).execute();
  const entryOf = (recordKind: 'site' | 'station') => (recordId: number) => ({
    action: `${recordKind}.change`,
    recordKind,
    recordId,
    before: { agentId: id },
    after: { agentId: toAgentId },
  });
  await auditMany(trx, caller, at, [...siteIds.map(entryOf('site')), ...stationIds.map(entryOf('station'))]);
  const { sites, stations } = preview;
  await audit(trx, caller, at, {
    action: 'agent.hand_over',
    recordKind: 'agent',
    recordId: id,
    after: { toAgentId, sites, stations, reason },
  });
  return ok({ ...preview, handed: true });
}

/** The sites and stations of the agent that are meant, locked in the order in which every change of them locks. */
async function choose(trx: Trx, caller: Caller, id: AgentId, wanted: Wanted): Promise<Result<Chosen, ApiError>> {
  const { toAgentId, everything = false, siteIds = [], stationIds = [] } = wanted;
  if (!isInScope(caller, id)) return failed({ code: 'record.not_found' });
  const agent = await trx.selectFrom('agents').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  if (agent === undefined) return failed({ code: 'record.not_found' });
  if (toAgentId === id) return failed({ code: 'agent.same' });
  if (toAgentId === null && caller.agents !== 'all') return failed({ code: 'access.denied' });
  const unknown = (path: string): Result<never, ApiError> => {
    const fields: FieldFault[] = [{ path, code: 'unknown_reference' }];
    return failed({ code: 'request.invalid', fields });
  };
  if (toAgentId !== null && !(await lockAgent(trx, caller, toAgentId))) return unknown('toAgentId');
  const sites = await trx
    .selectFrom('sites')
    .select('id')
    .where('agent_id', '=', id)
    .where(everything ? sql<boolean>`true` : sql<boolean>`id = any(${siteIds})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (!everything && sites.length < new Set(siteIds).size) return unknown('siteIds');
  const handedSites = sites.map((site) => site.id);
  const stations = await trx
    .selectFrom('stations')
    .select('id')
    .where('agent_id', '=', id)
    .where(everything ? sql<boolean>`true` : sql<boolean>`(site_id = any(${handedSites}) or id = any(${stationIds}))`)
    .orderBy('id')
    .limit(handedStationsMax + 1)
    .forNoKeyUpdate()
    .execute();
  if (stations.length > handedStationsMax) {
    return failed({ code: 'station.too_many', params: { max: handedStationsMax } });
  }
  const handed = new Set(stations.map((station) => station.id));
  if (!everything && stationIds.some((one) => !handed.has(one))) return unknown('stationIds');
  if (sites.length + handed.size === 0) return failed({ code: 'agent.nothing_to_hand' });
  return ok({ siteIds: handedSites, stationIds: [...handed] });
}

async function previewOf(
  trx: Trx,
  toAgentId: AgentId | null,
  { siteIds, stationIds }: Chosen,
): Promise<HandOverPreview> {
  const { rows } = await sql<Omit<HandOverPreview, 'sites' | 'stations' | 'refused' | 'refusedCount'>>`
    select (select count(*) from connectors where station_id = any(${stationIds})) as ports,
           (select count(*) from orders
             where station_id = any(${stationIds}) and state in ('placed', 'charging')) as "runningCharges",
           (select count(*) from stations
             where site_id = any(${siteIds}) and not id = any(${stationIds})) as "stationsOfOthers",
           (select count(*) from stations
             where id = any(${stationIds}) and not site_id = any(${siteIds})) as "withoutSite"`.execute(trx);
  const counts = rows[0];
  if (counts === undefined) throw new Error('a count without a row');
  const refused = await trx
    .selectFrom('stations')
    .innerJoin('tariffs', (join) =>
      join.on(sql<boolean>`tariffs.id in (stations.card_tariff_id, stations.wechat_tariff_id)`),
    )
    .select(['stations.number', 'tariffs.name as ruleName'])
    .distinctOn('stations.number')
    .where(sql<boolean>`stations.id = any(${stationIds})`)
    .where(mayNotPrice(sql`tariffs.agent_id`, sql`${toAgentId}::bigint`))
    .orderBy('stations.number')
    .execute();
  return {
    sites: siteIds.length,
    stations: stationIds.length,
    ...counts,
    refusedCount: refused.length,
    refused: refused.slice(0, handedShown).map((station) => ({ ...station, because: 'rule_of_agent' })),
  };
}
