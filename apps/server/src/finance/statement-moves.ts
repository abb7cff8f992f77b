import { listStatementMoves, type StatementCause, type StatementMove } from '@voltdeck/contract/statements';
import type { TransferReason } from '@voltdeck/ledger/transfer';
import type { AgentId, OrderId, SiteId, TransferId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import { scoped } from '../caller/scope.ts';
import { listSource } from '../http/list-source.ts';

/** The reasons of transfers that statements count. */
const reasonsOf: Readonly<Record<StatementCause, readonly TransferReason[]>> = {
  settled: ['charge_settled'],
  repaid: ['debt_repaid'],
  refunded: ['refund_order'],
  shared: ['order_shared'],
  written_off: ['debt_written_off'],
  undone: ['reversal', 'correction'],
};

const causeOf = new Map(
  Object.entries(reasonsOf).flatMap(([cause, reasons]) =>
    reasons.map((reason): [string, StatementCause] => [reason, cause as StatementCause]),
  ),
);

/** What a transfer `m` shared among parties of a kind whom the caller may see. */
function sharedWith(caller: Reach, party: 'agent' | 'divider'): RawBuilder<number> {
  const agents = caller.agents === 'all' ? null : sql`any(${[...caller.agents]}::bigint[])`;
  const sees =
    agents === null
      ? sql`true`
      : party === 'agent'
        ? sql`f.party_id = ${agents}`
        : sql`f.party_id in (select id from dividers where agent_id = ${agents})`;
  return sql<number>`(select coalesce(sum(f.shared_fen), 0)::bigint from statement_share_flows f
                       where f.id = m.id and f.party = ${sql.lit(party)} and ${sees})`;
}

type Row = {
  id: TransferId;
  at: Instant;
  reason: string;
  orderId: OrderId;
  orderNumber: string;
  siteId: SiteId;
  siteName: string;
  agentId: AgentId | null;
  agentName: string | null;
  energy_wh: number;
  electricity_fen: Fen;
  service_fen: Fen;
  coupon_fen: Fen;
  received_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
  agent_shares: Fen;
  divider_shares: Fen;
};

export const statementMoveList = listSource({
  route: listStatementMoves,
  filtered(db, caller, filter) {
    const { cause, orderNumber, siteId, agentId } = filter;
    let moves = scoped(
      db.selectFrom('ledger_transfers as t').innerJoin('orders as o', 'o.id', 't.order_id'),
      caller,
      'o.agent_id',
    );
    if (orderNumber !== undefined) moves = moves.where('o.number', '=', orderNumber);
    if (siteId !== undefined) moves = moves.where('o.site_id', '=', siteId);
    if (agentId !== undefined) moves = moves.where('o.agent_id', '=', agentId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) moves = moves.where('t.created_at', '>=', from);
    if (to !== null) moves = moves.where('t.created_at', '<=', to);
    const causes = [...new Set(cause ?? (Object.keys(reasonsOf) as StatementCause[]))];
    const parts = causes.flatMap((each) => reasonsOf[each]).map((reason) => moves.where('t.reason', '=', reason));
    const [first, ...others] = parts;
    return first === undefined ? null : [first, ...others];
  },
  id: sql`t.id`,
  sorts: { at: sql`t.created_at` },
  rowsFor: (db, { caller }) =>
    db
      .selectFrom('ledger_transfers as t')
      .innerJoin(sql<Row>`statement_flows`.as<'m'>('m'), (join) => join.onRef('m.id', '=', 't.id'))
      .innerJoin('orders as o', 'o.id', 't.order_id')
      .innerJoin('sites', 'sites.id', 'o.site_id')
      .leftJoin('agents', 'agents.id', 'o.agent_id')
      .select([
        't.id',
        't.created_at as at',
        't.reason',
        'o.id as orderId',
        'o.number as orderNumber',
        'o.site_id as siteId',
        'sites.name as siteName',
        'o.agent_id as agentId',
        'agents.name as agentName',
        'm.energy_wh',
        'm.electricity_fen',
        'm.service_fen',
        'm.coupon_fen',
        'm.received_fen',
        'm.refunded_fen',
        'm.forgiven_fen',
        'm.written_off_fen',
        'm.channel_fee_fen',
        'm.commission_fen',
      ])
      .select([
        sharedWith(caller, 'agent').$castTo<Fen>().as('agent_shares'),
        sharedWith(caller, 'divider').$castTo<Fen>().as('divider_shares'),
      ]),
  toItem: (row, { caller }) => toMove(row as Row, caller.agents === 'all'),
});

function toMove(row: Row, isWhole: boolean): StatementMove {
  const cause = causeOf.get(row.reason);
  if (cause === undefined) throw new Error(`a statement has no place for ${row.reason}`);
  return {
    id: row.id,
    at: toIso(row.at),
    cause,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    siteId: row.siteId,
    siteName: row.siteName,
    agentId: row.agentId,
    agentName: row.agentName,
    energyWh: row.energy_wh as never,
    receivableFen: subtractFen(addFen(row.electricity_fen, row.service_fen), row.coupon_fen),
    receivedFen: row.received_fen,
    refundsFen: row.refunded_fen,
    channelFeeFen: isWhole ? row.channel_fee_fen : null,
    commissionFen: isWhole ? row.commission_fen : null,
    agentSharesFen: row.agent_shares,
    dividerSharesFen: row.divider_shares,
    adjustmentsFen: addFen(row.forgiven_fen, row.written_off_fen),
  };
}
