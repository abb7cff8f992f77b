import { stopReasons } from '@voltdeck/charging/states';
import type { Language } from '@voltdeck/contract/permissions';
import type { OrderId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { batchRows, type ListExport, openExport } from '../http/list-export.ts';
import { say } from '../http/say.ts';
import type { Cell, Column } from '../http/xlsx.ts';
import { filterOrders, type OrderFilter, type OrdersQuery } from './filter-orders.ts';
import { readRows } from './queries.ts';

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** The filtered orders, newest first. */
export const orderExport: ListExport<OrderFilter> = {
  list: 'listOrders',
  title: 'orders.historyTitle',
  action: 'order.export',
  async open(db, caller, filter, at) {
    const filtered = await filterOrders(db, caller, filter);
    return openExport<Row, Tables, 'orders'>(db, {
      filtered: filtered === null ? null : filtered.where('orders.placed_at', '<=', at),
      columns: columnsIn(caller.language),
      next: (orders, last) =>
        readRows(db, (last === undefined ? orders : after(orders, last.id)).limit(batchRows), '-placedAt'),
    });
  },
};

/** From the row itself: its time is finer in the database than here. */
function after(orders: OrdersQuery, id: OrderId): OrdersQuery {
  return orders.where(
    sql<boolean>`(orders.placed_at, orders.id) < (select former.placed_at, former.id from orders as former where former.id = ${id})`,
  );
}

function columnsIn(language: Language): Column<Row>[] {
  const text = (value: string | null): Cell => ({ text: value });
  return [
    { head: say(language, 'orders.number'), widthCharacters: 26, cell: (row) => text(row.number) },
    {
      head: say(language, 'orders.state'),
      widthCharacters: 12,
      cell: (row) => text(say(language, `order-state.${row.state}`)),
    },
    {
      head: say(language, 'orders.paymentState'),
      widthCharacters: 12,
      cell: (row) => text(say(language, `payment-state.${row.paymentState}`)),
    },
    {
      head: say(language, 'orders.paymentType'),
      widthCharacters: 10,
      cell: (row) => text(say(language, `payment-type.${row.paymentType}`)),
    },
    {
      head: say(language, 'orders.startMode'),
      widthCharacters: 10,
      cell: (row) => text(say(language, `start-mode.${row.startMode}`)),
    },
    {
      head: say(language, 'orders.billingType'),
      widthCharacters: 10,
      cell: (row) => text(say(language, `billing-type.${row.billingType}`)),
    },
    { head: say(language, 'orders.site'), widthCharacters: 24, cell: (row) => text(row.siteName) },
    { head: say(language, 'orders.stationNumber'), widthCharacters: 18, cell: (row) => text(row.stationNumber) },
    { head: say(language, 'orders.stationName'), widthCharacters: 22, cell: (row) => text(row.stationName) },
    { head: say(language, 'orders.portNumber'), widthCharacters: 8, cell: (row) => ({ number: row.connectorNumber }) },
    { head: say(language, 'orders.agent'), widthCharacters: 18, cell: (row) => text(row.agentName) },
    { head: say(language, 'orders.customer'), widthCharacters: 14, cell: (row) => text(row.userName) },
    { head: say(language, 'orders.phone'), widthCharacters: 14, cell: (row) => text(row.phone) },
    { head: say(language, 'orders.card'), widthCharacters: 20, cell: (row) => text(row.cardNumber) },
    {
      head: `${say(language, 'orders.energy')} (kWh)`,
      widthCharacters: 12,
      cell: (row) => ({ number: row.energyWh / 1000 }),
    },
    {
      head: yuan(language, 'orders.electricityFee'),
      widthCharacters: 12,
      cell: (row) => ({ fen: row.electricityFeeFen }),
    },
    { head: yuan(language, 'orders.serviceFee'), widthCharacters: 12, cell: (row) => ({ fen: row.serviceFeeFen }) },
    { head: yuan(language, 'orders.orderAmount'), widthCharacters: 12, cell: (row) => ({ fen: row.amountFen }) },
    { head: yuan(language, 'orders.really'), widthCharacters: 12, cell: (row) => ({ fen: row.paidFen }) },
    { head: yuan(language, 'orders.refundedHead'), widthCharacters: 12, cell: (row) => ({ fen: row.refundedFen }) },
    { head: say(language, 'orders.placedAt'), widthCharacters: 20, cell: (row) => ({ at: row.placedAt }) },
    { head: say(language, 'orders.startedAt'), widthCharacters: 20, cell: (row) => ({ at: row.startedAt }) },
    { head: say(language, 'orders.endedAt'), widthCharacters: 20, cell: (row) => ({ at: row.endedAt }) },
    {
      head: say(language, 'orders.stopReason'),
      widthCharacters: 16,
      cell: (row) => text(row.stopReason === null ? null : stopReason(language, row.stopReason)),
    },
    {
      head: say(language, 'orders.abnormal'),
      widthCharacters: 8,
      cell: (row) => text(say(language, row.abnormal ? 'orders.abnormalYes' : 'orders.abnormalNo')),
    },
  ];
}

function yuan(
  language: Language,
  key: 'orders.electricityFee' | 'orders.serviceFee' | 'orders.orderAmount' | 'orders.really' | 'orders.refundedHead',
): string {
  return `${say(language, key)} (${say(language, 'export.yuan')})`;
}

/** The reason in words; one that this version does not know as it stands. */
function stopReason(language: Language, stored: string): string {
  const known = stopReasons.find((reason) => reason === stored);
  return known === undefined ? stored : say(language, `stop-reason.${known}`);
}
