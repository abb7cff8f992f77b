import type { PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { OrderState, StopReason } from '@voltdeck/charging/states';
import { listPartnerCharges } from '@voltdeck/contract/roaming';
import type { WattHours } from '@voltdeck/units/energy';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import { listSource } from '../http/list-source.ts';
import { comparedOf } from './roaming/roaming-queries.ts';

/** The energy of an order in one price class. */
const inPeriod = (period: 'sharp' | 'peak' | 'flat' | 'valley') => sql<WattHours>`(
  select coalesce(sum(l.energy_wh), 0)::bigint from order_lines l
   where l.order_id = orders.id and l.period = ${sql.lit(period)})`;

/** The state of charge that was read first or last during an order. */
const socAt = (end: RawBuilder<unknown>) => sql<number | null>`(
  select round(r.soc_percent)::integer from readings r
   where r.order_id = orders.id and r.soc_percent is not null
     and r.at >= coalesce(orders.started_at, orders.placed_at) - interval '1 hour'
     and r.at <= coalesce(orders.ended_at, now()) + interval '1 hour'
   order by r.at ${end} limit 1)`;

export const partnerChargeList = listSource({
  route: listPartnerCharges,
  platformOnly: true,
  filtered(db, _caller, { partnerId, sequence, siteId, stationNumber, refused, compared, from, to }) {
    let charges = db.selectFrom('partner_charges');
    if (partnerId !== undefined) charges = charges.where('partner_charges.partner_id', '=', partnerId);
    if (sequence !== undefined) charges = charges.where('partner_charges.sequence', '=', sequence.trim());
    if (siteId !== undefined || stationNumber !== undefined) {
      const ofSite = siteId === undefined ? sql`true` : sql`t.site_id = ${siteId}`;
      const ofStation = stationNumber === undefined ? sql`true` : sql`t.number = ${stationNumber.trim()}`;
      charges = charges.where(
        sql<boolean>`partner_charges.connector_id in (
          select c.id from connectors c join stations t on t.id = c.station_id where ${ofSite} and ${ofStation})`,
      );
    }
    if (refused !== undefined) charges = charges.where('partner_charges.refusal', refused ? 'is not' : 'is', null);
    if (compared !== undefined) {
      charges = charges.where((eb) =>
        eb.or(
          compared.map((result) =>
            result === 'agreed'
              ? eb.and([eb('partner_charges.dispute', 'is', null), eb('partner_charges.checked_at', 'is not', null)])
              : eb('partner_charges.dispute', '=', result),
          ),
        ),
      );
    }
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) charges = charges.where('partner_charges.created_at', '>=', since);
    if (until !== null) charges = charges.where('partner_charges.created_at', '<=', until);
    return charges;
  },
  id: sql`partner_charges.id`,
  sorts: { createdAt: sql`partner_charges.created_at` },
  rows: (db) =>
    db
      .selectFrom('partner_charges')
      .innerJoin('partners', 'partners.id', 'partner_charges.partner_id')
      .leftJoin('orders', 'orders.id', 'partner_charges.order_id')
      .leftJoin('sites', 'sites.id', 'orders.site_id')
      .leftJoin('stations', 'stations.id', 'orders.station_id')
      .leftJoin('partner_deliveries as d', (join) =>
        join
          .onRef('d.order_id', '=', 'partner_charges.order_id')
          .onRef('d.partner_id', '=', 'partner_charges.partner_id')
          .on('d.kind', '=', sql.lit('order')),
      )
      .select([
        'partner_charges.id',
        'partner_charges.sequence',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'orders.id as orderId',
        'orders.number as orderNumber',
        'orders.state',
        'sites.id as siteId',
        'sites.name as siteName',
        'stations.number as stationNumber',
        'partner_charges.port_id as portCode',
        'orders.energy_wh as energyWh',
        'orders.electricity_fee_fen as electricityFeeFen',
        'orders.service_fee_fen as serviceFeeFen',
        'orders.amount_fen as amountFen',
        'orders.plate',
        'orders.vin',
        'orders.stop_reason as stopReason',
        'partner_charges.refusal',
        'partner_charges.confirm_result as confirmResult',
        'partner_charges.checked_at as checkedAt',
        'partner_charges.dispute',
        'd.id as deliveryId',
        'd.done_at as toldAt',
        'd.tries',
        'partner_charges.created_at as createdAt',
        'orders.started_at as startedAt',
        'orders.ended_at as endedAt',
      ])
      .select([
        inPeriod('sharp').as('sharpWh'),
        inPeriod('peak').as('peakWh'),
        inPeriod('flat').as('flatWh'),
        inPeriod('valley').as('valleyWh'),
        socAt(sql`asc`).as('socBeginPercent'),
        socAt(sql`desc`).as('socEndPercent'),
      ]),
  toItem: ({ checkedAt, dispute, ...row }) => ({
    ...row,
    state: row.state as OrderState | null,
    stopReason: row.stopReason as StopReason | null,
    refusal: row.refusal as PartnerRefusal | null,
    energyWh: row.energyWh ?? (0 as WattHours),
    electricityFeeFen: row.electricityFeeFen ?? zeroFen,
    serviceFeeFen: row.serviceFeeFen ?? zeroFen,
    amountFen: (row.amountFen as Fen | null) ?? zeroFen,
    compared: comparedOf({ checkedAt, dispute }),
    toldAt: isoOrNull(row.toldAt as Instant | null),
    createdAt: toIso(row.createdAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
  }),
});
