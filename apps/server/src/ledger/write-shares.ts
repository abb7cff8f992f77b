import { isDeepStrictEqual } from 'node:util';
import type { CouponBearer } from '@voltdeck/ledger/settle';
import {
  divide,
  feeKinds,
  type Party,
  type PerFee,
  type Received,
  type Share,
  type SharePlan,
  type ShareReason,
  shareChanges,
} from '@voltdeck/ledger/share';
import { shareTransfer } from '@voltdeck/ledger/share-transfer';
import type { Transfer } from '@voltdeck/ledger/transfer';
import type { AgentId, DividerId, OrderId, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from './post-transfer.ts';

/** An order's plan while nobody else shares in it. */
export const platformAlone: SharePlan = {
  channelFeeE4: 0,
  commissionE4: { electricity: 0, service: 0, occupancy: 0 },
  dividers: [],
  agents: [],
};

/** What a bill charges by fee, less a coupon that its site bears. */
export function chargedByFee(
  bill: { electricityFeeFen: Fen; serviceFeeFen: Fen },
  coupon: { amountFen: Fen; bearer: CouponBearer } | null,
): Pick<Received, 'chargedFen' | 'couponFen'> {
  const couponFen = coupon?.amountFen ?? zeroFen;
  const isOfSite = coupon?.bearer === 'site';
  return {
    chargedFen: {
      electricity: bill.electricityFeeFen,
      service: isOfSite ? subtractFen(bill.serviceFeeFen, couponFen) : bill.serviceFeeFen,
      occupancy: zeroFen,
    },
    couponFen: isOfSite ? zeroFen : couponFen,
  };
}

type ShareRow = {
  party: Party['kind'];
  agent_id: AgentId | null;
  divider_id: DividerId | null;
  reason: ShareReason;
  electricity_fen: Fen;
  service_fen: Fen;
  occupancy_fen: Fen;
};

/** A posting of shares: the money and the rows that explain it. */
export type PostedShares = { transfer: Transfer | null; rows: ShareRow[]; number: number };

/** @throws Error for shares that make no transfer. */
export function sharesToPost(
  order: { id: OrderId; siteId: SiteId },
  number: number,
  shares: readonly Share[],
): PostedShares {
  const made = shareTransfer({ orderId: order.id, siteId: order.siteId, number, shares });
  if (made !== null && !made.ok) throw new Error(`order ${order.id} cannot be shared: ${JSON.stringify(made.error)}`);
  return { transfer: made === null ? null : made.value, rows: rowsOf(shares), number };
}

/** Writes the rows as part of a statement: how many there were, null for none. */
export function writingOf(
  order: { id: OrderId; siteId: SiteId },
  { rows, number }: PostedShares,
  at: Instant,
): RawBuilder<number | null> {
  if (rows.length === 0) return sql`null::integer`;
  return sql`write_order_shares(${order.id}, ${order.siteId}, ${number}::integer, to_timestamp(${at} / 1000.0),
                                ${JSON.stringify(rows)}::jsonb)`;
}

/**
 * Shares what an order has received by now: the difference to what was shared before, after a refund or a late payment.
 * The order must be locked and its payments written.
 */
export async function shareReceived(trx: Trx, orderId: OrderId, at: Instant): Promise<void> {
  const order = await readShared(trx, orderId);
  const now = divide(order.plan, order.received);
  await postShares(trx, order, order.number + 1, shareChanges(order.before, now), at);
}

/** What each kind of party has of an order, and what another plan would move from some parties to others. */
export type SharesByPlan = {
  before: Readonly<Record<Party['kind'], Fen>>;
  after: Readonly<Record<Party['kind'], Fen>>;
  movedFen: Fen;
  /** Not even a fee, a reason or what the order receives later would change. */
  isSame: boolean;
};

/** @throws Error where there is no such order. */
export async function compareByPlan(
  db: Kysely<Tables>,
  orderId: OrderId,
  plan: SharePlan | null,
): Promise<SharesByPlan> {
  const order = await readShared(db, orderId);
  const now = divide(plan ?? platformAlone, order.received);
  const changes = shareChanges(order.before, now);
  const byParty = new Map<string, Fen>();
  for (const { party, amountFen } of changes) {
    const name = `${party.kind} ${'id' in party ? party.id : ''}`;
    byParty.set(name, addFen(byParty.get(name) ?? zeroFen, amountFen));
  }
  return {
    before: byKind(order.before),
    after: byKind(now),
    movedFen: addFen(...[...byParty.values()].filter((amountFen) => amountFen > 0)),
    isSame: changes.length === 0 && isDeepStrictEqual(order.plan, plan ?? platformAlone),
  };
}

function byKind(shares: readonly Share[]): SharesByPlan['before'] {
  const sumOf = (kind: Party['kind']) =>
    addFen(...shares.filter(({ party }) => party.kind === kind).map(({ amountFen }) => amountFen));
  return { platform: sumOf('platform'), agent: sumOf('agent'), divider: sumOf('divider') };
}

/**
 * Shares what an order has received anew, by another plan, which what it receives later follows too: all that was posted
 * is reversed and posted as it should have been, unless that comes to the same. The order must be locked.
 */
export async function shareByPlan(trx: Trx, orderId: OrderId, plan: SharePlan | null, at: Instant): Promise<void> {
  const order = await readShared(trx, orderId);
  const now = divide(plan ?? platformAlone, order.received);
  if (shareChanges(order.before, now).length > 0) {
    await holdParties(
      trx,
      [...order.before, ...now].map(({ party }) => party),
    );
    await postShares(trx, order, order.number + 1, shareChanges(order.before, []), at);
    await postShares(trx, order, order.number + 2, now, at);
  }
  await trx
    .updateTable('orders')
    .set({ share_plan: plan === null ? null : JSON.stringify(plan) })
    .where('id', '=', orderId)
    .execute();
}

/**
 * Holds the periods of everybody who shares in orders, before several of them are shared in one transaction: taken order
 * by order, the locks would be in no order, and whoever closes periods of the same parties could wait for each other.
 */
export async function holdSharersOf(trx: Trx, orderIds: readonly OrderId[]): Promise<void> {
  if (orderIds.length === 0) return;
  const orders = await trx.selectFrom('orders').select('share_plan').where('id', 'in', orderIds).execute();
  await holdParties(
    trx,
    orders.flatMap(({ share_plan: plan }) => (plan === null ? [] : partiesOf(plan as SharePlan))),
  );
}

async function holdParties(trx: Trx, parties: readonly Party[]): Promise<void> {
  const settled = parties.filter((party) => party.kind !== 'platform');
  if (settled.length === 0) return;
  await sql`
    select pg_advisory_xact_lock_shared(lock) from (
      select distinct settlement_lock(kind, id) as lock
        from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as p (kind text, id bigint) order by lock) locks`.execute(
    trx,
  );
}

function partiesOf({ dividers, agents }: SharePlan): Party[] {
  const ofDividers = (each: SharePlan['dividers']) => each.map(({ id }): Party => ({ kind: 'divider', id }));
  const ofAgents = agents.flatMap(({ id, dividers: own }): Party[] => [{ kind: 'agent', id }, ...ofDividers(own)]);
  return [...ofDividers(dividers), ...ofAgents];
}

type Shared = {
  id: OrderId;
  siteId: SiteId;
  plan: SharePlan;
  received: Received;
  before: Share[];
  /** Of the last posting; 0 before the first. */
  number: number;
};

/** @throws Error where there is no such order. */
async function readShared(db: Kysely<Tables>, orderId: OrderId): Promise<Shared> {
  const { rows } = await sql<{
    site_id: SiteId;
    share_plan: SharePlan | null;
    received_fen: Fen;
    electricity_fee_fen: Fen;
    service_fee_fen: Fen;
    coupon_fen: Fen | null;
    bearer: CouponBearer | null;
    number: number | null;
    before: ShareRow[] | null;
  }>`
    select o.site_id, o.share_plan, o.paid_fen - o.refunded_fen as received_fen, o.electricity_fee_fen,
           o.service_fee_fen, k.amount_fen as coupon_fen, c.bearer, s.number, s.before
      from orders o
      left join customer_coupons k on k.order_id = o.id
      left join coupons c on c.id = k.coupon_id
      left join lateral (
        select max(number) as number, jsonb_agg(to_jsonb(each) - 'number') as before from (
          select party, agent_id, divider_id, reason, sum(electricity_fen)::bigint as electricity_fen,
                 sum(service_fen)::bigint as service_fen, sum(occupancy_fen)::bigint as occupancy_fen,
                 max(number) as number
            from order_shares where order_id = o.id group by party, agent_id, divider_id, reason) each) s on true
     where o.id = ${orderId}`.execute(db);
  const [order] = rows;
  if (order === undefined) throw new Error(`there is no order ${orderId} to share`);
  const { coupon_fen: couponFen, bearer } = order;
  const charged = chargedByFee(
    { electricityFeeFen: order.electricity_fee_fen, serviceFeeFen: order.service_fee_fen },
    couponFen === null || bearer === null ? null : { amountFen: couponFen, bearer },
  );
  return {
    id: orderId,
    siteId: order.site_id,
    plan: order.share_plan ?? platformAlone,
    received: { receivedFen: order.received_fen, ...charged },
    before: (order.before ?? []).flatMap(sharesOf),
    number: order.number ?? 0,
  };
}

async function postShares(
  trx: Trx,
  order: Shared,
  number: number,
  shares: readonly Share[],
  at: Instant,
): Promise<void> {
  if (shares.length === 0) return;
  const posted = sharesToPost(order, number, shares);
  if (posted.transfer !== null) await postTransfer(trx, posted.transfer, at);
  await sql`select ${writingOf(order, posted, at)}`.execute(trx);
}

function rowsOf(shares: readonly Share[]): ShareRow[] {
  const rows = new Map<string, ShareRow & PerFee<Fen>>();
  for (const { party, reason, fee, amountFen } of shares) {
    const name = `${party.kind} ${'id' in party ? party.id : ''} ${reason}`;
    const row = rows.get(name) ?? {
      party: party.kind,
      agent_id: party.kind === 'agent' ? party.id : null,
      divider_id: party.kind === 'divider' ? party.id : null,
      reason,
      electricity_fen: zeroFen,
      service_fen: zeroFen,
      occupancy_fen: zeroFen,
    };
    rows.set(name, { ...row, [columnOf(fee)]: amountFen } as never);
  }
  return [...rows.values()];
}

function sharesOf(row: ShareRow): Share[] {
  return feeKinds.map((fee) => ({ party: partyOf(row), reason: row.reason, fee, amountFen: row[columnOf(fee)] }));
}

function partyOf({ agent_id: agentId, divider_id: dividerId }: ShareRow): Party {
  if (agentId !== null) return { kind: 'agent', id: agentId };
  return dividerId === null ? { kind: 'platform' } : { kind: 'divider', id: dividerId };
}

const columnOf = (fee: keyof PerFee<unknown>) => `${fee}_fen` as const;
