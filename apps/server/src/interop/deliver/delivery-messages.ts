import type { PartnerOrderTotal } from '@voltdeck/charging/partner-charge';
import { recordSeq } from '@voltdeck/tcec102/conversation';
import {
  chargeOrderInfoOf,
  chargeStatusOf,
  connectorStatusInfoOf,
  orderCheckRequest,
} from '@voltdeck/tcec102/translate';
import type { WattHours } from '@voltdeck/units/energy';
import { dayMs, type Instant, instant, parseShanghaiDate } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { readPortStates } from '../exposed-sites.ts';
import type { Partner } from '../partner.ts';
import { findByOrder, readChargeStatus } from '../partner-charge-status.ts';
import type { DueDelivery, Told } from './delivery.ts';
import { readPartnerOrder } from './partner-order.ts';
import { supervisedMessageOf } from './supervised-messages.ts';

/** What a delivery says now; null where there is nothing left to say. */
export async function messageOf(
  db: Kysely<Tables>,
  partner: Partner,
  ownCode: string,
  delivery: DueDelivery,
  at: Instant,
): Promise<Told | null> {
  const { kind, orderId, connectorId, day } = delivery;
  if (partner.role === 'supervision') return supervisedMessageOf(db, partner, ownCode, delivery, at);
  switch (kind) {
    case 'status': {
      if (connectorId === null) return null;
      const [port] = await readPortStates(db, { connectorId });
      if (port === undefined) return null;
      return {
        interfaceName: 'notification_stationStatus',
        request: { ConnectorStatusInfo: connectorStatusInfoOf(port) },
      };
    }
    case 'start_result':
    case 'stop_result':
    case 'charge_status': {
      const charge = orderId === null ? null : await findByOrder(db, orderId);
      if (charge === null) return null;
      const status = await readChargeStatus(db, charge, at);
      const named = { StartChargeSeq: charge.sequence, ConnectorID: charge.portId };
      if (kind === 'charge_status') {
        if (charge.state !== 'charging') return null;
        return {
          interfaceName: 'notification_equip_charge_status',
          request: chargeStatusOf(status, partner.profile),
        };
      }
      if (kind === 'stop_result') {
        return {
          interfaceName: 'notification_stop_charge_result',
          request: { ...named, StartChargeSeqStat: 4, SuccStat: 0, FailReason: 0 },
        };
      }
      const hasBegun = charge.state !== 'cancelled' && charge.state !== 'placed';
      return {
        interfaceName: 'notification_start_charge_result',
        request: {
          ...named,
          StartChargeSeqStat: hasBegun ? 2 : 4,
          ...(status.startedAt === null ? {} : { StartTime: status.startedAt }),
        },
      };
    }
    case 'order': {
      const order = orderId === null ? null : await readPartnerOrder(db, orderId, ownCode);
      if (order === null) return null;
      return {
        interfaceName: 'notification_charge_order_info',
        request: chargeOrderInfoOf(order, partner.profile),
      };
    }
    case 'order_check': {
      const from = day === null ? null : parseShanghaiDate(day);
      if (from === null) return null;
      const to = instant(from + dayMs);
      const orders = await readOrderTotals(db, partner, { from, to });
      const sequence = recordSeq(ownCode, at, delivery.id);
      return {
        interfaceName: 'check_charge_orders',
        request: orderCheckRequest({ sequence, from, to, orders }, partner.profile),
      };
    }
    case 'station':
    case 'power':
      return null;
  }
}

/** The orders of a partner that ended in a stretch of time. */
async function readOrderTotals(
  db: Kysely<Tables>,
  partner: Partner,
  { from, to }: { from: Instant; to: Instant },
): Promise<PartnerOrderTotal[]> {
  const { rows } = await sql<{ sequence: string; energyWh: WattHours; amountFen: Fen }>`
    select p.sequence, o.energy_wh as "energyWh", o.amount_fen as "amountFen"
      from partner_charges p join orders o on o.id = p.order_id
     where p.partner_id = ${partner.id} and o.state = 'completed'
       -- A charge lasts a week at most, which keeps the range of the index small.
       and p.created_at >= to_timestamp(${from} / 1000.0) - interval '8 days' and p.created_at < to_timestamp(${to} / 1000.0)
       and o.ended_at >= to_timestamp(${from} / 1000.0) and o.ended_at < to_timestamp(${to} / 1000.0)
     order by p.sequence`.execute(db);
  return rows;
}
