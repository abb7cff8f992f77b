import type { OrderShare, OrderShares } from '@voltdeck/contract/shares';
import type { SharePlan } from '@voltdeck/ledger/share';
import type { AgentId, DividerId, OrderId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

/**
 * Who got what of an order: all of it for the platform's people, and for an agent's its own shares, those of its
 * dividers and of the agents in its reach. Null where the order is not theirs to see.
 */
export async function findOrderShares(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<OrderShares | null> {
  const order = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select(['share_plan', sql<Fen>`paid_fen - refunded_fen`.as('receivedFen')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return null;
  const plan = order.share_plan as SharePlan | null;
  let shares = db
    .selectFrom('order_shares as s')
    .leftJoin('dividers as d', 'd.id', 's.divider_id')
    .leftJoin('agents as a', 'a.id', 's.agent_id')
    .where('s.order_id', '=', id);
  if (caller.agents !== 'all') {
    const seen = [...caller.agents];
    shares = shares.where((eb) => eb.or([eb('s.agent_id', 'in', seen), eb('d.agent_id', 'in', seen)]));
  }
  const [each, postings] = await Promise.all([
    shares
      .select(['s.party', 's.agent_id as agentId', 's.divider_id as dividerId', 's.reason'])
      .select((eb) => eb.fn.coalesce('a.name', 'd.name').as('name'))
      .select([
        sql<Fen>`sum(s.electricity_fen)::bigint`.as('electricityFen'),
        sql<Fen>`sum(s.service_fen)::bigint`.as('serviceFen'),
        sql<Fen>`sum(s.occupancy_fen)::bigint`.as('occupancyFen'),
        sql<Fen>`sum(s.amount_fen)::bigint`.as('amountFen'),
      ])
      .groupBy(['s.party', 's.agent_id', 's.divider_id', 's.reason', 'a.name', 'd.name'])
      .execute(),
    shares
      .select(['s.number', 's.created_at as at', sql<Fen>`sum(s.amount_fen)::bigint`.as('amountFen')])
      .groupBy(['s.number', 's.created_at'])
      .orderBy('s.number')
      .execute(),
  ]);
  return {
    receivedFen: order.receivedFen,
    isWhole: caller.agents === 'all',
    shares: each
      .map(
        ({ party, agentId, dividerId, name, reason, ...amounts }): OrderShare => ({
          party: { kind: party, id: agentId ?? dividerId, name },
          reason,
          ratesE4: ratesOf(plan, reason, dividerId),
          agentRateE4: plan?.agents.find((agent) => agent.id === agentId)?.rateE4 ?? null,
          ...amounts,
        }),
      )
      .sort((one, other) => placeOf(plan, one) - placeOf(plan, other)),
    postings: postings.map(({ at, ...posting }) => ({ ...posting, at: toIso(at) })),
  };
}

function ratesOf(plan: SharePlan | null, reason: OrderShare['reason'], dividerId: DividerId | null) {
  if (plan === null) return null;
  if (reason === 'commission') return plan.commissionE4;
  if (reason === 'channel_fee') {
    const { channelFeeE4: rate } = plan;
    return { electricity: rate, service: rate, occupancy: rate };
  }
  return dividersOf(plan).find(({ id }) => id === dividerId)?.rateE4 ?? null;
}

const dividersOf = (plan: SharePlan) => [plan, ...plan.agents].flatMap(({ dividers }) => dividers);

/** In the order of the division: the platform, then each agent after its dividers. */
function placeOf(plan: SharePlan | null, { party, reason }: OrderShare): number {
  if (party.kind === 'platform') return ['channel_fee', 'commission', 'remainder', 'coupon'].indexOf(reason);
  const agents = plan?.agents ?? [];
  const holder = agents.findIndex(({ id, dividers }) =>
    party.kind === 'agent' ? id === (party.id as AgentId) : dividers.some((divider) => divider.id === party.id),
  );
  return 10 + 2 * holder + (party.kind === 'agent' ? 1 : 0);
}
