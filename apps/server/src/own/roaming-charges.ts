import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import { type RoamingState, roamingLimits } from '@voltdeck/charging/roaming-charge';
import { closedSiteStates, type StopReason } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import {
  type askPartnerPort,
  type listOwnRoamingCharges,
  type listPartnerSitesNear,
  type OwnRoamingCharge,
  partnerPortsOfSiteMax,
  partnerSitesNearMax,
} from '@voltdeck/contract/own-roaming';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { PulledPortId, RoamingChargeId } from '@voltdeck/units/id';
import { isoOrNull, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import { isNear, metresFrom } from '../database/near-place.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { PartnerCaller } from '../interop/deliver/partner-caller.ts';
import type { RoamingRefusal } from '../interop/roaming/change-roaming.ts';
import { billOf, refundedOfRoaming } from '../interop/roaming/roaming-queries.ts';
import { findRoamingPort, readPrices } from '../interop/roaming/start-roaming.ts';
import { pageBy, toPage } from './page.ts';

type Near = AnswerOf<typeof listPartnerSitesNear>['items'][number];

/** Sites of other operators around a place that are open to our customers, the nearest first. */
export async function findPartnerSites(
  db: Kysely<Tables>,
  { longitude, latitude, radiusM }: QueryOf<typeof listPartnerSitesNear>,
): Promise<Near[]> {
  const place = { longitude, latitude };
  return db
    .selectFrom('pulled_sites as s')
    .innerJoin('partners as p', 'p.id', 's.partner_id')
    .select(['p.name as partnerName', 's.code', 's.name', 's.address', 's.longitude', 's.latitude'])
    .select(['s.service_phone as servicePhone', metresFrom('s', place).as('distanceM')])
    .select(
      sql<Near['ports']>`(
        select coalesce(jsonb_agg(jsonb_build_object(
                 'id', c.id, 'code', c.code, 'name', c.name, 'kind', c.kind, 'powerW', c.power_w, 'state', c.state,
                 'bayNumber', c.bay_number) order by c.id), '[]')
          from (select c.* from pulled_ports c join pulled_stations t on t.id = c.station_id
                 where t.site_id = s.id order by c.id limit ${partnerPortsOfSiteMax}) c)`.as('ports'),
    )
    .where('p.enabled', '=', true)
    .where('p.role', 'in', ['infrastructure', 'both'])
    .where('s.missing_at', 'is', null)
    .where('s.state', 'not in', closedSiteStates)
    .where(isNear('s', place, radiusM))
    .orderBy('distanceM')
    .orderBy('s.id')
    .limit(partnerSitesNearMax)
    .execute() as Promise<Near[]>;
}

/** A port with its prices, which its operator is asked for. */
export async function findPartnerPort(
  context: Context<'console'>,
  calls: PartnerCaller,
  id: PulledPortId,
): Promise<Result<AnswerOf<typeof askPartnerPort>, ApiError>> {
  const { db } = context.database;
  const port = await findRoamingPort(db, id);
  if (port === null) return failed({ code: 'record.not_found' });
  const priced = await readPrices(context, calls, port);
  if (!priced.ok) return priced;
  const row = await db
    .selectFrom('pulled_ports')
    .select(['id', 'code', 'name', 'kind', 'power_w as powerW', 'state', 'bay_number as bayNumber'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return failed({ code: 'record.not_found' });
  return ok({
    ...(row as Near['ports'][number]),
    partnerName: port.partner.name,
    siteName: port.siteName,
    prices: [...priced.value.prices],
    neededFen: roamingLimits.startBalanceMinFen,
  });
}

function ownCharges(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(
    db.selectFrom('roaming_charges').innerJoin('partners', 'partners.id', 'roaming_charges.partner_id'),
    caller,
    'roaming_charges.customer_id',
  ).select([
    'roaming_charges.id',
    'roaming_charges.sequence',
    'roaming_charges.state',
    'partners.name as partnerName',
    'roaming_charges.site_name as siteName',
    'roaming_charges.port_code as portCode',
    'roaming_charges.energy_wh as energyWh',
    'roaming_charges.electricity_fee_fen as electricityFeeFen',
    'roaming_charges.service_fee_fen as serviceFeeFen',
    'roaming_charges.amount_fen as amountFen',
    'roaming_charges.held_fen as heldFen',
    'roaming_charges.paid_fen as paidFen',
    'roaming_charges.owed_fen as owedFen',
    refundedOfRoaming,
    'roaming_charges.soc_end_percent as socPercent',
    'roaming_charges.refusal',
    'roaming_charges.placed_at as placedAt',
    'roaming_charges.started_at as startedAt',
    'roaming_charges.ended_at as endedAt',
    'roaming_charges.stop_asked_at as stopAskedAt',
    'roaming_charges.stop_reason as stopReason',
    'roaming_charges.bill',
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof ownCharges>['executeTakeFirstOrThrow']>>;

function toOwn({ bill, ...row }: Row): OwnRoamingCharge {
  return {
    ...row,
    state: row.state as RoamingState,
    refusal: row.refusal as RoamingRefusal | null,
    stopReason: row.stopReason as StopReason | null,
    placedAt: toIso(row.placedAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    stopAskedAt: isoOrNull(row.stopAskedAt),
    // A bill that a person has yet to look at is none.
    lines: row.state === 'completed' ? (billOf(bill as PartnerOrder | null)?.lines ?? []) : [],
  };
}

export async function findOwnRoamingCharges(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  page: QueryOf<typeof listOwnRoamingCharges>,
): Promise<AnswerOf<typeof listOwnRoamingCharges>> {
  const charges = ownCharges(db, caller);
  const rows = await pageBy(charges, page, {
    at: 'roaming_charges.placed_at',
    id: 'roaming_charges.id',
  }).execute();
  return toPage(rows, page, ({ placedAt }) => placedAt, toOwn);
}

export async function findOwnRoamingCharge(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  id: RoamingChargeId,
): Promise<OwnRoamingCharge | null> {
  const row = await ownCharges(db, caller).where('roaming_charges.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toOwn(row);
}
