import type { MovementType } from '@voltdeck/charging/states';
import { CopyRows } from '@voltdeck/server/database/copy-rows';
import { orderNumber } from '@voltdeck/server/orders/order-record';
import type pg from 'pg';
import { copyInto } from './copy-into.ts';
import type { History, IdentityBases } from './plan-history.ts';
import type { PlannedOrder, PlannedRecharge, Purse } from './planned-order.ts';
import { rechargeNumber } from './write-network.ts';

type WalletMovement = {
  transferId: number;
  number: string;
  type: MovementType;
  purse: Purse;
  agentId: number | null;
  changeFen: number;
  afterFen: number;
  order: PlannedOrder | null;
  recharge: PlannedRecharge | null;
  at: number;
};

/** Every movement of the history's wallets, by the order or the recharge that made it. */
export type WalletMovements = ReadonlyMap<PlannedOrder | PlannedRecharge, readonly WalletMovement[]>;

/** What `post_transfer` would have told of the whole history. The world's people have no gifts. */
export function movementsOf(history: History, bases: IdentityBases): WalletMovements {
  const all: WalletMovement[] = [];
  for (const recharge of history.recharges) {
    const { transferId, purse, amountFen: changeFen, channel, at, id } = recharge;
    const type = channel === 'back-office' ? 'system_recharge' : 'recharge';
    const number = rechargeNumber(at, id);
    all.push({ transferId, number, type, purse, agentId: null, changeFen, afterFen: 0, order: null, recharge, at });
  }
  for (const order of history.orders) {
    const { purse, holds, firstTransferId, connector } = order;
    if (order.kind !== 'charge' || purse === null) continue;
    const number = orderNumber(order.placedAt, bases.orderNumber + order.sequence);
    const told = { number, purse, agentId: connector.station.site.agentId, afterFen: 0, order, recharge: null };
    const transferId = firstTransferId + holds.length;
    const { paidFen, settledAt, refund } = order;
    if (paidFen > 0) all.push({ ...told, transferId, type: 'consume', changeFen: -paidFen, at: settledAt });
    if (refund === null) continue;
    all.push({
      ...told,
      transferId: transferId + 1,
      type: 'order_refund',
      changeFen: refund.amountFen,
      at: refund.at,
    });
  }
  all.sort((a, b) => a.at - b.at || a.transferId - b.transferId);
  const balances = new Map<Purse, number>();
  const byCause = new Map<PlannedOrder | PlannedRecharge, WalletMovement[]>();
  for (const movement of all) {
    movement.afterFen = (balances.get(movement.purse) ?? 0) + movement.changeFen;
    balances.set(movement.purse, movement.afterFen);
    const cause = movement.order ?? movement.recharge;
    if (cause === null) continue;
    byCause.set(cause, [...(byCause.get(cause) ?? []), movement]);
  }
  return byCause;
}

/** Writes the movements that orders or recharges made. */
export async function copyMovements(
  client: pg.ClientBase,
  movements: WalletMovements,
  causes: readonly (PlannedOrder | PlannedRecharge)[],
  financeId: number,
): Promise<void> {
  const written = causes.flatMap((cause) => movements.get(cause) ?? []);
  const rows = new CopyRows(written.length * 160);
  for (const { transferId, number, type, purse, agentId, changeFen, afterFen, order, recharge, at } of written) {
    rows.row(15);
    rows.bigint(transferId);
    rows.text(number);
    rows.text(type);
    rows.bigint(purse.card?.id);
    rows.bigint(purse.card === null ? purse.customer?.id : null);
    rows.bigint(agentId);
    rows.bigint(changeFen);
    rows.bigint(0);
    rows.bigint(afterFen);
    rows.bigint(0);
    rows.bigint(order?.id);
    rows.bigint(recharge?.id);
    rows.text(recharge?.channel);
    rows.bigint(recharge?.channel === 'back-office' || type === 'order_refund' ? financeId : null);
    rows.instant(at);
  }
  await copyInto(
    client,
    `copy movements (transfer_id, number, type, card_id, customer_id, agent_id, paid_fen, gift_fen, paid_after_fen,
       gift_after_fen, order_id, recharge_id, channel, user_id, created_at) from stdin (format binary)`,
    rows,
  );
}
