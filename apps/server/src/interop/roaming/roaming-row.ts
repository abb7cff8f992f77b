import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import type { RoamingDoubt, RoamingState } from '@voltdeck/charging/roaming-charge';
import { customerAccount, type Wallet } from '@voltdeck/ledger/account';
import { type Parts, partsOf } from '@voltdeck/ledger/parts';
import type { WattHours } from '@voltdeck/units/energy';
import type { CustomerId, PartnerId, RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen } from '@voltdeck/units/money';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { RoamingChargesTable, Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';

/** A roaming charge as its rules need it. */
export type RoamingRow = {
  id: RoamingChargeId;
  sequence: string;
  partnerId: PartnerId;
  customerId: CustomerId;
  state: RoamingState;
  portCode: string;
  prices: readonly PartnerPriceSlot[];
  powerW: number;
  refusal: string | null;
  heldFen: Fen;
  heldGiftFen: Fen;
  holds: number;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
  heardAt: Instant | null;
  stopAskedAt: Instant | null;
  polls: number;
  energyWh: WattHours;
  heardWh: WattHours;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  socBeginPercent: number | null;
  bill: PartnerOrder | null;
  doubts: readonly RoamingDoubt[];
  confirmResult: number | null;
  /** What it was settled with, whatever was corrected since. */
  amountFen: Fen;
  paidFen: Fen;
  giftPaidFen: Fen;
  owedFen: Fen;
  refundedFen: Fen;
  refundedGiftFen: Fen;
  forgivenFen: Fen;
  writtenOffFen: Fen;
  /** A bill with other figures that came after it was paid. */
  secondBill: PartnerOrder | null;
  dispute: string | null;
};

const columns = [
  'id',
  'sequence',
  'partner_id as partnerId',
  'customer_id as customerId',
  'state',
  'port_code as portCode',
  'prices',
  'power_w as powerW',
  'refusal',
  'held_fen as heldFen',
  'held_gift_fen as heldGiftFen',
  'holds',
  'placed_at as placedAt',
  'started_at as startedAt',
  'ended_at as endedAt',
  'heard_at as heardAt',
  'stop_asked_at as stopAskedAt',
  'polls',
  'energy_wh as energyWh',
  'heard_wh as heardWh',
  'electricity_fee_fen as electricityFeeFen',
  'service_fee_fen as serviceFeeFen',
  'soc_begin_percent as socBeginPercent',
  'bill',
  'doubts',
  'confirm_result as confirmResult',
  'amount_fen as amountFen',
  'paid_fen as paidFen',
  'gift_paid_fen as giftPaidFen',
  'owed_fen as owedFen',
  'refunded_fen as refundedFen',
  'refunded_gift_fen as refundedGiftFen',
  'forgiven_fen as forgivenFen',
  'written_off_fen as writtenOffFen',
  'second_bill as secondBill',
  'dispute',
] as const satisfies readonly (string & (keyof RoamingChargesTable | `${keyof RoamingChargesTable} as ${string}`))[];

type Where = (eb: ExpressionBuilder<Tables, 'roaming_charges'>) => Expression<SqlBool>;

/** Locked until the transaction ends; null where there is none. */
export async function lockRoaming(trx: Trx, where: Where): Promise<RoamingRow | null> {
  const row = await trx.selectFrom('roaming_charges').select(columns).where(where).forUpdate().executeTakeFirst();
  return row === undefined ? null : (row as unknown as RoamingRow);
}

/** The charge that a partner names; those of other partners do not exist for it. */
export function bySequence(partnerId: PartnerId, sequence: string): Where {
  return (eb) => eb.and([eb('partner_id', '=', partnerId), eb('sequence', '=', sequence)]);
}

export function byId(id: RoamingChargeId): Where {
  return (eb) => eb('id', '=', id);
}

export function walletOfRoaming({ customerId }: Pick<RoamingRow, 'customerId'>): Wallet {
  return customerAccount(customerId);
}

/** What the partner gets for a paid charge: what it was settled with, without what both agreed to give back. */
export function owedToPartner(charge: Pick<RoamingRow, 'amountFen' | 'refundedFen' | 'forgivenFen'>): Fen {
  return subtractFen(charge.amountFen, addFen(charge.refundedFen, charge.forgivenFen));
}

export function heldOf({ heldFen, heldGiftFen }: Pick<RoamingRow, 'heldFen' | 'heldGiftFen'>): Parts {
  return partsOf(heldFen, heldGiftFen);
}
