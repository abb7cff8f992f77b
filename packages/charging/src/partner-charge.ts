/** A charge that one operator's customer has at another operator's port, in our own words. */
import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen, PriceE5 } from '@voltdeck/units/money';
import type { Reading } from './reading.ts';
import type { ConnectorState, StopReason } from './states.ts';
import type { StationPeriod } from './station-bill.ts';

export const partnerChargeStages = ['starting', 'charging', 'stopping', 'ended', 'unknown'] as const;
export type PartnerChargeStage = (typeof partnerChargeStages)[number];

/** Why a port is not allowed to charge, did not start, or did not stop. */
export const partnerRefusals = [
  'port_unknown',
  'station_offline',
  'not_plugged_in',
  'station_fault',
  'port_occupied',
  'site_closed',
  'not_allowed',
  'already_stopped',
  'price_missing',
  'other',
] as const;
export type PartnerRefusal = (typeof partnerRefusals)[number];

/**
 * The energy of a stretch of a charge with its price. A price is null where the stretch had several, a fee where the
 * other operator told it for the whole charge only.
 */
export type PartnerOrderLine = {
  from: Instant;
  to: Instant;
  electricityPriceE5: PriceE5 | null;
  servicePriceE5: PriceE5 | null;
  energyWh: WattHours;
  electricityFeeFen: Fen | null;
  serviceFeeFen: Fen | null;
  /** The price class, where the charge was priced by one; it is told to supervising platforms alone. */
  period?: StationPeriod | undefined;
};

/** The bill of a charge. Lines may be missing; where there are any, they add up to the totals. */
export type PartnerOrder = {
  /** The name that the customer's operator gave the charge. */
  sequence: string;
  portId: string;
  from: Instant;
  to: Instant;
  energyWh: WattHours;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  amountFen: Fen;
  stopReason: StopReason;
  lines: readonly PartnerOrderLine[];
  vin?: string | undefined;
  plate?: string | undefined;
};

/** What is wrong with a bill in itself, so that nobody should pay it unseen. */
export const partnerOrderDoubts = ['ends_before_start', 'fees_differ', 'lines_energy', 'lines_fees'] as const;
export type PartnerOrderDoubt = (typeof partnerOrderDoubts)[number];

/** What paid a charge, as supervising platforms tell such means apart. */
export const partnerPayChannels = ['alipay', 'wechat', 'transport_card', 'prepaid_card', 'unionpay', 'other'] as const;
export type PartnerPayChannel = (typeof partnerPayChannels)[number];

export type PartnerPayment = { amountFen: Fen; at: Instant; channel: PartnerPayChannel };

/** How a charge is going. `reading` has the time of the sample; energy and fees are of the charge so far. */
export type PartnerChargeStatus = {
  sequence: string;
  stage: PartnerChargeStage;
  portId: string;
  portState: ConnectorState;
  /** Null for a charge that never began. */
  startedAt: Instant | null;
  reading: Pick<Reading, 'at' | 'currentMa' | 'voltageMv' | 'socPercent'>;
  energyWh: WattHours;
  electricityFeeFen: Fen | null;
  serviceFeeFen: Fen | null;
};

/** What two operators compare of a charge. */
export type PartnerOrderTotal = { sequence: string; energyWh: WattHours; amountFen: Fen };

/** `missing`: only one of the two has the charge. */
export const partnerDisputeReasons = ['missing', 'amount_differs', 'energy_differs', 'listed_twice', 'other'] as const;
export type PartnerDisputeReason = (typeof partnerDisputeReasons)[number];

export type PartnerDispute = PartnerOrderTotal & { reason: PartnerDisputeReason };

/** The charges of a stretch of time as the operator of the ports lists them. */
export type PartnerOrderCheck = {
  sequence: string;
  from: Instant;
  to: Instant;
  orders: readonly PartnerOrderTotal[];
};
