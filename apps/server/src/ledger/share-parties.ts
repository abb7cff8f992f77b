import type { SharePlan } from '@voltdeck/ledger/share';
import type { DividerTerms, ShareParties } from '@voltdeck/ledger/share-plan';
import type { OrderId } from '@voltdeck/units/id';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Agents above one another; agents are made no deeper. */
const depthMax = 10;

/** The terms at the station of an order `o` of the dividers of some holders, and of the platform's. */
const termsOfDividers = (holders: string) => `(
            select coalesce(jsonb_agg(jsonb_build_object('dividerId', d.divider_id, 'agentId', d.agent_id,
                     'rateE4', jsonb_build_object(
                       'electricity', d.electricity_e4, 'service', d.service_e4, 'occupancy', d.occupancy_e4),
                     'fromMs', extract(epoch from d.from_at) * 1000, 'toMs', extract(epoch from d.to_at) * 1000)
                     order by d.id), '[]')
              from divider_terms d
             where (d.agent_id is null or d.agent_id in (${holders}))
               and (d.site_id is null or d.site_id = o.site_id) and (d.station_id is null or d.station_id = o.station_id)
               and (d.to_at is null or d.to_at > o.placed_at))`;

/**
 * Beside an order `o` in a `from`: who may share in it, as `p.share_parties`. Terms that end before the charge does are
 * left to the decision, which knows its end.
 */
export const sharePartiesBeside: RawBuilder<unknown> = sql.raw(`
      left join lateral (
        with recursive up as (
          select id, parent_id, rate_e4, 1 as depth from agents where id = o.agent_id
          union all
          select a.id, a.parent_id, a.rate_e4, up.depth + 1 from up join agents a on a.id = up.parent_id
           where up.depth < ${depthMax})
        select jsonb_build_object(
          'terms', (
            select jsonb_build_object('channelFeeE4', channel_fee_e4, 'commissionE4', jsonb_build_object(
                     'electricity', electricity_e4, 'service', service_e4, 'occupancy', occupancy_e4))
              from share_terms where site_id = o.site_id or site_id is null order by site_id nulls last limit 1),
          'agents', (
            select coalesce(jsonb_agg(jsonb_build_object('id', id, 'rateE4', rate_e4) order by depth desc), '[]') from up),
          'dividers', ${termsOfDividers('select id from up')}) as share_parties) p on true`);

export type SharePartiesRow = { share_parties: ShareParties };

/**
 * Who shared in an order when it was settled: agents, their rates and what the platform keeps as its plan has them, and
 * the terms of dividers as they are known now, which say themselves when they were in force.
 */
export async function findSettledParties(
  db: Kysely<Tables>,
  id: OrderId,
): Promise<{ plan: SharePlan | null; parties: ShareParties } | null> {
  const holders = `select (agent ->> 'id')::bigint from jsonb_array_elements(o.share_plan -> 'agents') agent`;
  const { rows } = await sql<{ share_plan: SharePlan | null; dividers: DividerTerms[] }>`
    select o.share_plan, ${sql.raw(termsOfDividers(holders))} as dividers from orders o where o.id = ${id}`.execute(db);
  const [order] = rows;
  if (order === undefined) return null;
  const { share_plan: plan, dividers } = order;
  const terms = plan === null ? null : { channelFeeE4: plan.channelFeeE4, commissionE4: plan.commissionE4 };
  const agents = (plan?.agents ?? []).map((agent) => ({ id: agent.id, rateE4: agent.rateE4 }));
  return { plan, parties: { terms, agents, dividers } };
}
