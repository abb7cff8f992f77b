/** What platforms of provinces are told besides (section 9.1); the neighbour of `translate` for their messages. */
import type { PartnerOrder, PartnerPayment } from '@voltdeck/charging/partner-charge';
import type { PartnerPlace, PartnerPortState, PartnerPower } from '@voltdeck/charging/partner-site';
import { type StationPeriod, stationPeriods } from '@voltdeck/charging/station-bill';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { lockStatusCode, parkStatusCode, payChannelCodes, statusCode } from './code-tables.ts';
import type { Message } from './messages/all.ts';
import type { SupervisedConnectorStatus, SupervisedOrder } from './messages/supervision.ts';
import type { PartnerProfile } from './profile.ts';
import { chargeOrderInfoOf, energyStepWh } from './translate.ts';

/** EquipmentOwnerID of a person, who has no organisation code. */
export const ownerCodeOfPerson = '999999999';

/** @param statusText for people, in the platform's language */
export function supervisedStatusOf(
  place: PartnerPlace & { stationId: string },
  port: PartnerPortState,
  { at, statusText }: { at: Instant; statusText: string },
): SupervisedConnectorStatus {
  return {
    ...placeOf(place),
    EquipmentID: place.stationId,
    ConnectorID: port.portId,
    Status: statusCode(port.state),
    StatusDesc: statusText,
    ParkStatus: parkStatusCode(port.bay),
    LockStatus: lockStatusCode(port.lock),
    UpdateTime: at,
  };
}

function placeOf({ operatorCode, ownerCode, siteId }: PartnerPlace) {
  return { OperatorID: operatorCode, EquipmentOwnerID: ownerCode, StationID: siteId };
}

export function supervisedPowerOf(
  power: PartnerPower,
): Message<'supervise_notification_realtime_power_info', 'request'> {
  return {
    ...placeOf(power),
    DataTime: power.at,
    StationRealTimePower: power.powerW,
    EquipmentPowerInfos: power.stations.map((station) => ({
      EquipmentID: station.stationId,
      DataTime: station.at,
      EquipRealTimePower: station.powerW,
      ConnectorPowerInfos: station.ports.map((port) => ({
        ConnectorID: port.portId,
        DataTime: port.at,
        ConnectorRealTimePower: port.powerW,
      })),
    })),
  };
}

/** What a supervising platform is told of a charge beside its bill. */
export type SupervisedCharge = PartnerPlace & {
  stationId: string;
  order: PartnerOrder;
  payment: PartnerPayment | null;
  phone: string | null;
  discountText: string | null;
  /** For people, in the platform's language. */
  stopText: string;
  at: Instant;
};

/** Energy by price class is told only of a charge whose every line has one; the four add up to the total exactly. */
export function supervisedOrderOf(charge: SupervisedCharge, profile: PartnerProfile): SupervisedOrder {
  const { order, payment } = charge;
  const info = chargeOrderInfoOf(order, profile);
  const energies = periodEnergies(order, info.TotalPower, profile);
  return {
    ...placeOf(charge),
    EquipmentID: charge.stationId,
    ConnectorID: order.portId,
    OrderNo: order.sequence,
    LicensePlate: order.plate,
    VIN: order.vin,
    Phone: charge.phone ?? undefined,
    TotalMoney: info.TotalMoney,
    TotalElecMoney: order.electricityFeeFen,
    TotalServiceMoney: order.serviceFeeFen,
    TotalElect: info.TotalPower,
    CuspElect: energies?.sharp,
    PeakElect: energies?.peak,
    FlatElect: energies?.flat,
    ValleyElect: energies?.valley,
    StartTime: order.from,
    EndTime: order.to,
    PaymentAmount: payment?.amountFen,
    PayTime: payment?.at,
    PayChannel: payment === null ? undefined : payChannelCodes[payment.channel],
    DiscountInfo: charge.discountText ?? undefined,
    StopReason: String(info.StopReason),
    StopDesc: charge.stopText,
    SumPeriod: info.SumPeriod,
    ChargeDetails: info.ChargeDetails?.map((detail) => ({ OrderNo: order.sequence, ...detail })),
    PushTime: charge.at,
  };
}

/** Each class ends where the rounded sum so far ends, and the last that has energy with the total. */
function periodEnergies(
  { lines }: PartnerOrder,
  totalWh: WattHours,
  profile: PartnerProfile,
): Record<StationPeriod, WattHours> | null {
  if (lines.length === 0 || lines.some(({ period }) => period === undefined)) return null;
  const step = energyStepWh(profile);
  let soFarWh = 0;
  let givenWh = 0;
  const parts = stationPeriods.map((period): [StationPeriod, WattHours] => {
    const own = lines.filter((line) => line.period === period);
    soFarWh += own.reduce((so, { energyWh }) => so + energyWh, 0);
    const untilWh = Math.floor((soFarWh + step / 2) / step) * step;
    const energyWh = wattHours(untilWh - givenWh);
    givenWh = untilWh;
    return [period, energyWh];
  });
  return givenWh === totalWh ? (Object.fromEntries(parts) as Record<StationPeriod, WattHours>) : null;
}
