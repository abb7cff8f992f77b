import type { PartnerPower } from '@voltdeck/charging/partner-site';
import type { ConnectorState } from '@voltdeck/charging/states';
import { chargeOrderInfoOf, connectorStatusInfoOf } from '@voltdeck/tcec102/translate';
import { supervisedOrderOf, supervisedPowerOf, supervisedStatusOf } from '@voltdeck/tcec102/translate-supervision';
import { type Watts, watts } from '@voltdeck/units/energy';
import type { SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { say } from '../../http/say.ts';
import { readPortStates, stationNameOf } from '../exposed-sites.ts';
import type { Partner } from '../partner.ts';
import type { DueDelivery, Told } from './delivery.ts';
import { readPartnerOrder } from './partner-order.ts';

/** What the platform of an authority is told, in the style of its province; null where there is nothing left to say. */
export async function supervisedMessageOf(
  db: Kysely<Tables>,
  partner: Partner,
  ownCode: string,
  delivery: DueDelivery,
  at: Instant,
): Promise<Told | null> {
  const isZhejiang = partner.profile.extras === 'zhejiang';
  switch (delivery.kind) {
    case 'status': {
      if (delivery.connectorId === null) return null;
      const [port] = await readPortStates(db, { connectorId: delivery.connectorId });
      if (port === undefined) return null;
      if (!isZhejiang) {
        const told = { ConnectorStatusInfo: connectorStatusInfoOf(port) };
        return { interfaceName: 'notification_stationStatus', request: told };
      }
      const place = { ...placeOf(ownCode, port.siteId), stationId: port.stationName };
      const statusText = wordsOf(port.state);
      return {
        interfaceName: 'supervise_notification_station_status',
        request: { ConnectorStatusInfos: [supervisedStatusOf(place, port, { at, statusText })] },
      };
    }
    case 'order': {
      const order = delivery.orderId === null ? null : await readPartnerOrder(db, delivery.orderId, ownCode);
      if (order === null) return null;
      if (!isZhejiang) {
        const request = chargeOrderInfoOf(order, partner.profile);
        return { interfaceName: 'notification_charge_order_info', request };
      }
      const station = await db
        .selectFrom('stations')
        .select('number')
        .where('id', '=', order.stationId)
        .executeTakeFirstOrThrow();
      const charge = {
        ...placeOf(ownCode, order.siteId),
        stationId: stationNameOf(order.stationId, station.number),
        order,
        payment:
          order.settledAt === null
            ? null
            : ({ amountFen: fen(order.paidFen), at: order.settledAt, channel: channelOf(order.paymentType) } as const),
        // Who charged is nobody's business but the operator's until a law names it.
        phone: null,
        discountText: null,
        stopText: say('zh-CN', `stop-reason.${order.stopReason}`),
        at,
      };
      return {
        interfaceName: 'supervise_notification_charge_order_info',
        request: supervisedOrderOf(charge, partner.profile),
      };
    }
    case 'power': {
      if (delivery.siteId === null || !isZhejiang) return null;
      const power = await readPower(db, ownCode, delivery.siteId, at);
      return { interfaceName: 'supervise_notification_realtime_power_info', request: supervisedPowerOf(power) };
    }
    default:
      return null;
  }
}

function placeOf(ownCode: string, siteId: SiteId) {
  return { operatorCode: ownCode, ownerCode: ownCode, siteId: String(siteId) };
}

function wordsOf(state: ConnectorState): string {
  return say('zh-CN', `connector-state.${state}`);
}

/** Cards are prepaid; how a balance was filled is not known order by order. */
function channelOf(paymentType: string): 'prepaid_card' | 'other' {
  return paymentType === 'card' ? 'prepaid_card' : 'other';
}

/** What the gun ports of a site draw now: of charges that run, what was last told. */
async function readPower(db: Kysely<Tables>, ownCode: string, siteId: SiteId, at: Instant): Promise<PartnerPower> {
  const { rows } = await sql<{ stationId: StationId; number: string; portId: string; powerW: Watts }>`
    select t.id as "stationId", t.number, c.id::text as "portId",
           coalesce((select o.power_w from orders o where o.connector_id = c.id and o.state = 'charging' limit 1), 0) as "powerW"
      from stations t join connectors c on c.station_id = t.id
     where t.site_id = ${siteId} and t.enabled and c.registered order by t.id, c.number`.execute(db);
  const sumOf = (parts: readonly { powerW: Watts }[]) => watts(parts.reduce((sum, { powerW }) => sum + powerW, 0));
  const stations = [...Map.groupBy(rows, ({ stationId }) => stationId)].map(([id, ports]) => ({
    stationId: stationNameOf(id, ports[0]?.number ?? ''),
    at,
    powerW: sumOf(ports),
    ports: ports.map(({ portId, powerW }) => ({ portId, at, powerW })),
  }));
  return { ...placeOf(ownCode, siteId), at, powerW: sumOf(stations), stations };
}
