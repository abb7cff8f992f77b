import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import type { AgentId, ConnectorId, OrderId, SiteId } from '@voltdeck/units/id';
import { type Instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql, type Transaction } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, type Payer } from './authorize-card.ts';
import { holdMoney, holdStepFen } from './hold-money.ts';
import { appendTimeline, type Flag, flagOrder, orderNumber, timelineEntry } from './order-record.ts';
import { type ChargeSettled, closeWithoutStop } from './settle-charge.ts';
import { type OpenOrder, openOrderColumns, openOrderOf, type StationSession } from './station-session.ts';

/** A charge asked for from the console waits so long for the station to begin it. */
export const placedOrderMaxMs = 5 * minuteMs;

export type ChargeBegun = {
  transactionNumber: number;
  authorization: Authorization;
  expiresAt: Instant | null;
  /** Null when it was begun before and has ended since. */
  order: OpenOrder | null;
  /** A charge on the same gun port that never ended was closed first. */
  closed: ChargeSettled | null;
};

/**
 * A station says that energy begins to flow. It always gets a transaction number, even for a card that may not charge
 * (OCPP 1.6, section 4.8); the same start told twice is one order. One database transaction.
 */
export async function startCharge(
  context: Context,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
): Promise<ChargeBegun> {
  const startKey = startKeyOf(session, event);
  const begun = await context.database.db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('orders')
      .select([...openOrderColumns, 'state'])
      .where('start_key', '=', startKey)
      .executeTakeFirst();
    if (known !== undefined) {
      return {
        transactionNumber: known.transaction_number ?? 0,
        authorization: (known.start_authorization ?? 'accepted') as Authorization,
        expiresAt: null,
        orderId: known.state === 'charging' ? known.id : null,
        closed: null,
      };
    }
    return begin(trx, session, event, startKey, receivedAt);
  });
  if (begun.orderId === null) return { ...begun, order: null };
  const row = await context.database.db
    .selectFrom('orders')
    .select(openOrderColumns)
    .where('id', '=', begun.orderId)
    .executeTakeFirstOrThrow();
  return { ...begun, order: await openOrderOf(context.database, row) };
}

/** A repeated start has the same key, with the same message id or a new one (read of several stations' retries). */
function startKeyOf(session: StationSession, event: ChargeStarted): string {
  return [session.stationId, event.connectorNumber, event.cardNumber, event.stationTime, event.meterStartWh].join('|');
}

type Begun = Omit<ChargeBegun, 'order'> & { orderId: OrderId | null };

async function begin(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  startKey: string,
  receivedAt: Instant,
): Promise<Begun> {
  const station = await readStation(trx, session);
  const connectorId = await connectorOf(trx, session, event.connectorNumber);
  const startedAt = event.at ?? receivedAt;
  const running = await trx
    .selectFrom('orders')
    .select('id')
    .where('connector_id', '=', connectorId)
    .where('state', '=', 'charging')
    .executeTakeFirst();
  const closed =
    running === undefined
      ? null
      : await closeWithoutStop(trx, running.id, { now: receivedAt, evidence: { nextStartAt: toIso(startedAt) } });
  const placed = await trx
    .selectFrom('orders')
    .selectAll()
    .where('station_id', '=', session.stationId)
    .where('state', '=', 'placed')
    .where('card_number', '=', event.cardNumber ?? '')
    .orderBy('placed_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const payer: Payer =
    placed === undefined
      ? await authorizeCard(trx, event.cardNumber ?? '', receivedAt, { lock: true })
      : {
          authorization: 'accepted',
          cardId: placed.card_id,
          customerId: placed.customer_id,
          wallet: null,
          availableFen: placed.balance_before_fen ?? fen(0),
          expiresAt: null,
        };
  const tariff = placed === undefined ? await readTariff(trx, station.card_tariff_id) : null;
  const isPriced = placed === undefined ? tariff !== null : placed.tariff !== null;
  const authorization = authorizationOf(payer.authorization, { enabled: station.enabled, isPriced });
  const flags = flagsOf(event, { authorization, isPriced, receivedAt });
  const transactionNumber = await nextNumber(trx, 'transaction_numbers');
  const begun = {
    state: 'charging' as const,
    transaction_number: transactionNumber,
    start_key: startKey,
    start_authorization: authorization,
    connector_id: connectorId,
    connector_number: event.connectorNumber,
    meter_start_wh: event.meterStartWh,
    started_at: startedAt,
  };
  const started = timelineEntry(receivedAt, 'started', {
    at: toIso(startedAt),
    meterWh: event.meterStartWh,
    authorization,
  });
  const order =
    placed === undefined
      ? await trx
          .insertInto('orders')
          .values({
            ...begun,
            number: orderNumber(receivedAt, await nextNumber(trx, 'order_numbers')),
            payment_type: 'card',
            start_mode: 'card',
            billing_type: tariff?.kind ?? 'energy',
            abnormal: flags.length > 0,
            site_id: station.site_id,
            station_id: session.stationId,
            agent_id: station.agent_id,
            customer_id: payer.customerId,
            card_id: payer.cardId,
            card_number: event.cardNumber ?? null,
            tariff_id: tariff?.id ?? null,
            tariff: tariff === null ? null : JSON.stringify(tariff.detail),
            balance_before_fen: payer.wallet === null ? null : payer.availableFen,
            placed_at: startedAt,
            timeline: JSON.stringify([started]),
          })
          .returning(['id'])
          .executeTakeFirstOrThrow()
      : await trx
          .updateTable('orders')
          .set({ ...begun, timeline: appendTimeline(started) as never, abnormal: flags.length > 0 || placed.abnormal })
          .where('id', '=', placed.id)
          .returning(['id'])
          .executeTakeFirstOrThrow();
  if (placed === undefined && authorization === 'accepted' && payer.wallet !== null) {
    const heldFen = await holdMoney(
      trx,
      { id: order.id, wallet: payer.wallet, holdNumber: 1, upToFen: holdStepFen },
      receivedAt,
    );
    if (heldFen > 0) {
      await trx.updateTable('orders').set({ held_fen: heldFen, holds: 1 }).where('id', '=', order.id).execute();
    }
  }
  await flagOrder(trx, order.id, flags, receivedAt);
  return { transactionNumber, authorization, expiresAt: payer.expiresAt, orderId: order.id, closed };
}

function authorizationOf(
  card: Authorization,
  { enabled, isPriced }: { enabled: boolean; isPriced: boolean },
): Authorization {
  if (card !== 'accepted') return card;
  // Energy that cannot be priced must not flow, and a disabled station begins nothing.
  return enabled && isPriced ? 'accepted' : 'blocked';
}

function flagsOf(
  event: ChargeStarted,
  { authorization, isPriced, receivedAt }: { authorization: Authorization; isPriced: boolean; receivedAt: Instant },
): Flag[] {
  const flags: Flag[] = [];
  if (event.at === undefined) {
    flags.push({ rule: 'clock_wrong', evidence: { stationTime: event.stationTime, receivedAt: toIso(receivedAt) } });
  }
  if (!isPriced) flags.push({ rule: 'price_missing', evidence: {} });
  if (authorization !== 'accepted') {
    flags.push({ rule: 'card_not_accepted', evidence: { cardNumber: event.cardNumber, authorization } });
  }
  return flags;
}

type StationRow = { site_id: SiteId; agent_id: AgentId | null; enabled: boolean; card_tariff_id: number | null };

async function readStation(trx: Transaction<Tables>, session: StationSession): Promise<StationRow> {
  return trx
    .selectFrom('stations')
    .select(['site_id', 'agent_id', 'enabled', 'card_tariff_id'])
    .where('id', '=', session.stationId)
    .executeTakeFirstOrThrow();
}

async function readTariff(trx: Transaction<Tables>, id: number | null) {
  if (id === null) return null;
  return (
    (await trx
      .selectFrom('tariffs')
      .select(['id', 'kind', 'detail'])
      .where('id', '=', id as never)
      .executeTakeFirst()) ?? null
  );
}

/** The real device wins over what was registered: a port that nobody entered is added when it charges. */
async function connectorOf(trx: Transaction<Tables>, session: StationSession, number: number): Promise<ConnectorId> {
  const known = session.connectors.get(number);
  if (known !== undefined) return known.id;
  const row = await trx
    .insertInto('connectors')
    .values({ station_id: session.stationId, number, name: String(number) })
    .onConflict((conflict) => conflict.columns(['station_id', 'number']).doUpdateSet({ number }))
    .returning('id')
    .executeTakeFirstOrThrow();
  session.connectors.set(number, { id: row.id, number, state: 'offline' });
  return row.id;
}

export async function nextNumber(
  trx: Transaction<Tables>,
  sequence: 'transaction_numbers' | 'order_numbers',
): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval(${sequence})::bigint as number`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error(`no next number of ${sequence}`);
  return row.number;
}
