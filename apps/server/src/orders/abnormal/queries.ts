import { billingByHand } from '@voltdeck/charging/charge/decide-settlement';
import { type AbnormalOrder, evidenceText, listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import type { SayEvidence } from '@voltdeck/contract/flag-evidence';
import type { Language } from '@voltdeck/contract/languages';
import type { OrderFlag } from '@voltdeck/contract/orders';
import { billAsProposed } from '@voltdeck/contract/proposed-bill';
import { fill } from '@voltdeck/phrases/phrase';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { type Instant, instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { sayIfKnown } from '../../http/say.ts';
import { shownName } from '../../http/shown-name.ts';
import { filterOrders } from '../filter-orders.ts';
import { priceBilling } from '../price-billing.ts';
import { type ListedOrder, orderList, storedProposal, toOrder, withNames } from '../queries.ts';

/** The flags of each order with what became of them, oldest first. */
function flagged(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  const userName = shownName<string | null>(language, 'user', 'u.real_name', 'u.real_name_key');
  return withNames(db.selectFrom('orders')).select([
    'orders.proposal',
    'orders.tariff',
    'orders.forgiven_fen as forgivenFen',
    sql<StoredFlag[]>`(
      select jsonb_agg(jsonb_build_object('rule', f.rule, 'at', f.at, 'evidence', f.evidence, 'handledAt', f.handled_at,
               'how', f.handled_how, 'reason', f.handled_reason, 'userName', ${userName}) order by f.at, f.rule)
        from order_flags f left join users u on u.id = f.handled_by where f.order_id = orders.id)`.as('storedFlags'),
  ]);
}

type StoredFlag = Pick<OrderFlag, 'rule' | 'evidence'> & {
  at: string;
  handledAt: string | null;
  how: NonNullable<OrderFlag['handled']>['how'];
  reason: string;
  userName: string | null;
};

const isoOf = (text: string) => new Date(text).toISOString();

function toFlag(row: StoredFlag): OrderFlag {
  const { handledAt, how, reason, userName } = row;
  const handled = handledAt === null ? null : { at: isoOf(handledAt), how, reason, userName };
  return { rule: row.rule, at: isoOf(row.at), evidence: row.evidence as Record<string, unknown>, handled };
}

type FlaggedRow = ListedOrder & {
  proposal: unknown;
  tariff: unknown;
  forgivenFen: Fen;
  storedFlags: StoredFlag[] | null;
};

function toAbnormal({ storedFlags, proposal: column, tariff, forgivenFen, ...row }: FlaggedRow): AbnormalOrder {
  const order = toOrder(row);
  const flags = (storedFlags ?? []).map(toFlag);
  const waits = order.waitsFor === 'person';
  const proposal = waits ? pricedProposal(column, tariff as Tariff | null, row.startedAt) : null;
  const settledFen = subtractFen(order.amountFen, addFen(order.refundedFen, forgivenFen));
  return {
    ...order,
    flags,
    unhandledSince: flags.find(({ handled }) => handled === null)?.at ?? null,
    proposal,
    atStakeFen: order.state === 'completed' ? settledFen : (proposal?.amountFen ?? null),
  };
}

/** The proposed figures with the amount that settling by them would give. */
function pricedProposal(column: unknown, tariff: Tariff | null, startedAt: Instant | null): AbnormalOrder['proposal'] {
  const proposal = storedProposal(column);
  if (proposal === null) return null;
  const { energyWh, endedAt } = proposal;
  const byHand = { energyWh, endedAt: instant(Date.parse(endedAt)) };
  const proposed = billAsProposed(proposal, byHand);
  if (proposed !== null || tariff === null) return { energyWh, endedAt, amountFen: proposed?.amountFen ?? null };
  const priced = priceBilling(tariff, billingByHand({ startedAt, meterStartWh: null }, byHand), null);
  return { energyWh, endedAt, amountFen: priced.ok ? priced.value.bill.amountFen : null };
}

export const abnormalOrderList = listSource({
  route: listAbnormalOrders,
  async filtered(db, caller, { rule, handled, ...filter }) {
    const parts = await filterOrders(db, caller, filter);
    if (parts === null) return null;
    const [first, ...others] = parts.map((part) => {
      let query = part.where(sql<boolean>`orders.abnormal`);
      // Their indexes hold nothing else.
      if (handled === true) query = query.where(sql<boolean>`not orders.unhandled`);
      if (handled === false) query = query.where(sql<boolean>`orders.unhandled`);
      if (rule === undefined || rule.length === 0) return query;
      return query.where(sql<boolean>`orders.id in (
        select order_id from order_flags where rule in (${sql.join(rule.map((each) => sql.lit(each)))}))`);
    });
    return first === undefined ? null : [first, ...others];
  },
  id: sql`orders.id`,
  sorts: { placedAt: sql`orders.placed_at` },
  sums: orderList.sums,
  rowsFor: (db, { caller }) => flagged(db, caller),
  toItem: toAbnormal,
  texts: { evidence: (order, language) => evidenceText(order, sayIn(language)) },
});

function sayIn(language: Language): SayEvidence {
  return {
    words: (key, params) => {
      const text = sayIfKnown(language, key);
      return text === null ? null : fill(text, params);
    },
    time: (iso) => {
      const at = parseIso(iso);
      return at === null ? iso : shanghaiDateTime(at);
    },
  };
}
