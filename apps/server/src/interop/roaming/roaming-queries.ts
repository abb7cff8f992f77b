import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import { canSettleRoaming, type RoamingDoubt, type RoamingState } from '@voltdeck/charging/roaming-charge';
import type { StopReason } from '@voltdeck/charging/states';
import {
  type ComparedResult,
  listRoamingCharges,
  type RoamingCharge,
  type RoamingChargeDetail,
} from '@voltdeck/contract/roaming';
import type { RoamingChargeId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { hasPart } from '../../http/part-of-text.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';
import type { RoamingRefusal } from './change-roaming.ts';

/** What the customer got back or need not pay. */
export const refundedOfRoaming = sql<Fen>`(roaming_charges.refunded_fen + roaming_charges.forgiven_fen)`.as(
  'refundedFen',
);

function roamingCharges(db: Kysely<Tables>) {
  return db
    .selectFrom('roaming_charges')
    .innerJoin('partners', 'partners.id', 'roaming_charges.partner_id')
    .innerJoin('customers', 'customers.id', 'roaming_charges.customer_id')
    .select([
      'roaming_charges.id',
      'roaming_charges.sequence',
      'partners.id as partnerId',
      'partners.name as partnerName',
      'customers.id as customerId',
      'customers.nickname as userName',
      'customers.phone',
      'roaming_charges.state',
      'roaming_charges.site_code as siteCode',
      'roaming_charges.site_name as siteName',
      'roaming_charges.station_code as stationCode',
      'roaming_charges.port_code as portCode',
      'roaming_charges.energy_wh as energyWh',
      'roaming_charges.electricity_fee_fen as electricityFeeFen',
      'roaming_charges.service_fee_fen as serviceFeeFen',
      'roaming_charges.amount_fen as amountFen',
      'roaming_charges.held_fen as heldFen',
      'roaming_charges.paid_fen as paidFen',
      'roaming_charges.owed_fen as owedFen',
      refundedOfRoaming,
      sql<Fen>`case when roaming_charges.state = 'completed'
                    then roaming_charges.paid_fen + roaming_charges.owed_fen - roaming_charges.refunded_fen
                    else 0 end`.as('refundableFen'),
      'roaming_charges.soc_begin_percent as socBeginPercent',
      'roaming_charges.soc_end_percent as socEndPercent',
      'roaming_charges.plate',
      'roaming_charges.vin',
      'roaming_charges.stop_reason as stopReason',
      'roaming_charges.refusal',
      'roaming_charges.doubts',
      'roaming_charges.confirm_result as confirmResult',
      'roaming_charges.checked_at as checkedAt',
      'roaming_charges.dispute',
      'roaming_charges.placed_at as placedAt',
      'roaming_charges.started_at as startedAt',
      'roaming_charges.ended_at as endedAt',
      'roaming_charges.heard_at as heardAt',
      'roaming_charges.billed_at as billedAt',
      'roaming_charges.settled_at as settledAt',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof roamingCharges>['executeTakeFirstOrThrow']>>;

function toItem({ checkedAt, dispute, ...row }: Row): Omit<RoamingCharge, 'canSettle'> {
  return {
    ...row,
    state: row.state as RoamingState,
    stopReason: row.stopReason as StopReason | null,
    refusal: row.refusal as RoamingRefusal | null,
    doubts: row.doubts as RoamingDoubt[],
    compared: comparedOf({ checkedAt, dispute }),
    placedAt: toIso(row.placedAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    heardAt: isoOrNull(row.heardAt),
    billedAt: isoOrNull(row.billedAt),
    settledAt: isoOrNull(row.settledAt),
  };
}

/** What the daily comparison found; a bill that contradicts a paid one needs none. */
export function comparedOf(row: { checkedAt: Instant | null; dispute: string | null }): ComparedResult | null {
  if (row.dispute !== null) return row.dispute as ComparedResult;
  return row.checkedAt === null ? null : 'agreed';
}

export const roamingChargeList = listSource({
  route: listRoamingCharges,
  platformOnly: true,
  filtered(db, caller, { partnerId, state, sequence, phone, siteCode, portCode, compared, owing, from, to }) {
    let charges = db.selectFrom('roaming_charges');
    if (partnerId !== undefined) charges = charges.where('roaming_charges.partner_id', '=', partnerId);
    if (state !== undefined) charges = charges.where('roaming_charges.state', 'in', state);
    if (sequence !== undefined) charges = charges.where('roaming_charges.sequence', '=', sequence.trim());
    if (siteCode !== undefined) charges = charges.where('roaming_charges.site_code', '=', siteCode.trim());
    if (portCode !== undefined) charges = charges.where('roaming_charges.port_code', '=', portCode.trim());
    if (phone !== undefined) {
      charges = charges.where('roaming_charges.customer_id', 'in', (eb) =>
        eb
          .selectFrom('customers')
          .select('customers.id')
          .where(findsPersonal(caller, 'customers.phone', phone, hasPart('customers.phone', 'number', phone))),
      );
    }
    if (compared !== undefined) {
      charges = charges.where((eb) =>
        eb.or(
          compared.map((result) =>
            result === 'agreed'
              ? eb.and([eb('roaming_charges.dispute', 'is', null), eb('roaming_charges.checked_at', 'is not', null)])
              : eb('roaming_charges.dispute', '=', result),
          ),
        ),
      );
    }
    if (owing !== undefined) charges = charges.where('roaming_charges.owed_fen', owing ? '>' : '=', 0 as never);
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) charges = charges.where('roaming_charges.placed_at', '>=', since);
    if (until !== null) charges = charges.where('roaming_charges.placed_at', '<=', until);
    return charges;
  },
  id: sql`roaming_charges.id`,
  sorts: { placedAt: sql`roaming_charges.placed_at` },
  rows: (db) => roamingCharges(db),
  toItem: (row, { at }) => {
    const item = toItem(row);
    return { ...item, canSettle: canSettleRoaming({ ...item, heardAt: row.heardAt, placedAt: row.placedAt }, at) };
  },
});

/** One charge with its bill, for the platform's people alone. */
export async function findRoamingDetail(
  db: Kysely<Tables>,
  caller: Caller,
  id: RoamingChargeId,
  now: Instant,
): Promise<RoamingChargeDetail | null> {
  if (caller.agents !== 'all') return null;
  const row = await roamingCharges(db)
    .leftJoin('users', 'users.id', 'roaming_charges.user_id')
    .select(['roaming_charges.prices', 'roaming_charges.bill', 'roaming_charges.stop_asked_at as stopAskedAt'])
    .select('roaming_charges.second_bill as secondBill')
    .select('roaming_charges.reason')
    .select(shownName<string | null>(caller.language, 'user', 'users.real_name', 'users.real_name_key').as('settledBy'))
    .where('roaming_charges.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { prices, bill, secondBill, stopAskedAt, reason, settledBy, ...rest } = row;
  const item = toItem(rest);
  return {
    ...item,
    canSettle: canSettleRoaming({ ...item, heardAt: rest.heardAt, placedAt: rest.placedAt }, now),
    prices: prices as PartnerPriceSlot[],
    bill: billOf(bill as PartnerOrder | null),
    secondBill: secondBill === null ? null : figuresOf(secondBill as unknown as PartnerOrder),
    corrections: await findCorrections(db, caller, id),
    stopAskedAt: isoOrNull(stopAskedAt),
    reason,
    settledBy,
  };
}

export function billOf(bill: PartnerOrder | null): RoamingChargeDetail['bill'] {
  if (bill === null) return null;
  const lines = bill.lines.map(({ period: _, from, to, ...line }) => ({ ...line, from: toIso(from), to: toIso(to) }));
  return { ...figuresOf(bill), lines };
}

function figuresOf({ energyWh, electricityFeeFen, serviceFeeFen, amountFen }: PartnerOrder) {
  return { energyWh, electricityFeeFen, serviceFeeFen, amountFen };
}

async function findCorrections(
  db: Kysely<Tables>,
  { language }: Pick<Caller, 'language'>,
  id: RoamingChargeId,
): Promise<RoamingChargeDetail['corrections']> {
  const rows = await db
    .selectFrom('roaming_corrections')
    .leftJoin('users', 'users.id', 'roaming_corrections.user_id')
    .select([
      'roaming_corrections.kind',
      'amount_fen as amountFen',
      'forgiven_fen as forgivenFen',
      'roaming_corrections.reason',
    ])
    .select('roaming_corrections.created_at as at')
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'))
    .where('charge_id', '=', id)
    .orderBy('roaming_corrections.id')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: toIso(at) }));
}
