import { isJudgedAnew } from '@voltdeck/charging/charge/decide-begin';
import type { Instant } from '@voltdeck/units/instant';
import type { Transaction, Updateable } from 'kysely';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { chargeOf, type OrderRow } from '../orders/order-row.ts';
import { readStation } from './station-facts.ts';
import type { StationSession } from './station-session.ts';
import { tariffColumns } from './tariff-columns.ts';

/** The columns of an order whose beginning a record corrects. */
export async function startColumns(
  trx: Transaction<Tables>,
  session: StationSession,
  order: OrderRow,
  startedAt: Instant,
  now: Instant,
): Promise<Updateable<OrdersTable>> {
  if (!isJudgedAnew(chargeOf(order), startedAt)) return { started_at: startedAt };
  const { siteId, agentId, tariff } = await readStation(trx, session, { startedAt, now });
  return { started_at: startedAt, site_id: siteId, agent_id: agentId, ...tariffColumns(tariff) };
}
