/** The only file, with its tables of codes, that knows the protocol's words and ours. */
import type {
  PartnerChargeStatus,
  PartnerDispute,
  PartnerOrder,
  PartnerOrderCheck,
  PartnerOrderDoubt,
  PartnerOrderLine,
  PartnerOrderTotal,
} from '@voltdeck/charging/partner-charge';
import type {
  PartnerPort,
  PartnerPortState,
  PartnerPriceSlot,
  PartnerSite,
  PartnerStation,
  PartnerStatistics,
} from '@voltdeck/charging/partner-site';
import { milliamperes, millivolts, type WattHours, type Watts, wattHours, watts } from '@voltdeck/units/energy';
import { addFen, type Fen, fen, type PriceE5, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  bayStateOf,
  connectorKindOfCode,
  connectorStateOf,
  connectorTypeCode,
  constructionCode,
  disputeReasonCode,
  disputeReasonOfCode,
  equipmentTypeCode,
  groundLockOf,
  lockStatusCode,
  nationalStandardCode,
  nationalStandardOfCode,
  parkStatusCode,
  siteKindOfCode,
  sitePlaceOfCode,
  siteStateOfCode,
  stageCode,
  stageOfCode,
  stationStatusCode,
  stationTypeCode,
  statusCode,
  stopReasonCodes,
  stopReasonOfCode,
} from './code-tables.ts';
import type { Message } from './messages/all.ts';
import {
  type ChargeDetail,
  type ChargeOrderInfo,
  type ChargeStatus,
  type PolicyInfo,
  periodsMax,
} from './messages/business.ts';
import { energyMaxWh, moneyMaxFen } from './messages/field.ts';
import {
  type ConnectorInfo,
  type ConnectorStatusInfo,
  type EquipmentInfo,
  picturesMax,
  type StationInfo,
  type StationStatsInfo,
  type StationStatusInfo,
} from './messages/public.ts';
import type { PartnerProfile } from './profile.ts';

/** Why a site cannot be shown to a partner: an identifier that the protocol has no room for, or no such code. */
export type ExposureFault = {
  what: 'site' | 'station' | 'port' | 'operator' | 'owner' | 'manufacturer';
  id: string;
  because: 'too-long' | 'wrong-form';
};

const idCharsMax = { site: 20, station: 23, port: 26 } as const;
const organization = /^[0-9A-Z]{9}$/;
/** Printable ASCII without blanks: what every partner stores and sends back unchanged. */
const identifierForm = /^[!-~]+$/;

/** What must be put right before `stationInfoOf`. */
export function exposureFaults(site: PartnerSite, profile: PartnerProfile): readonly ExposureFault[] {
  const idFault = (what: keyof typeof idCharsMax, id: string): ExposureFault[] => {
    if (!identifierForm.test(id)) return [{ what, id, because: 'wrong-form' }];
    const charsMax = Math.max(idCharsMax[what], profile.identifierLengthMax ?? 0);
    return id.length > charsMax ? [{ what, id, because: 'too-long' }] : [];
  };
  const codeFault = (what: 'operator' | 'owner' | 'manufacturer', id: string): ExposureFault[] =>
    organization.test(id) ? [] : [{ what, id, because: 'wrong-form' }];
  return [
    ...idFault('site', site.id),
    ...codeFault('operator', site.operatorCode),
    ...codeFault('owner', site.ownerCode),
    ...site.stations.flatMap(({ id, manufacturerCode, ports }) => [
      ...idFault('station', id),
      ...(manufacturerCode === null ? [] : codeFault('manufacturer', manufacturerCode)),
      ...ports.flatMap((port) => idFault('port', port.id)),
    ]),
  ];
}

/** @param site without `exposureFaults` */
export function stationInfoOf(site: PartnerSite, profile: PartnerProfile): StationInfo {
  return {
    StationID: site.id,
    OperatorID: site.operatorCode,
    EquipmentOwnerID: site.ownerCode,
    StationName: site.name,
    CountryCode: 'CN',
    AreaCode: site.regionCode,
    Address: site.address,
    StationTel: site.sitePhone ?? undefined,
    ServiceTel: site.servicePhone,
    StationType: stationTypeCode(site.kind),
    StationStatus: stationStatusCode(site.state),
    ParkNums: site.bayCount,
    StationLng: site.longitudeE6,
    StationLat: site.latitudeE6,
    SiteGuide: site.directions ?? undefined,
    Construction: constructionCode(site.place),
    Pictures: site.pictures.slice(0, picturesMax),
    MatchCars: site.vehicles ?? undefined,
    ParkInfo: site.parkingInfo ?? undefined,
    BusineHours: site.openingHours ?? undefined,
    ElectricityFee: site.electricityFee ?? undefined,
    ServiceFee: site.serviceFee ?? undefined,
    ParkFee: site.parkingFee ?? undefined,
    Payment: site.paymentInfo ?? undefined,
    SupportOrder: noYes(site.reservable),
    Remark: site.remark ?? undefined,
    OpenAllDay: noYes(site.openAllDay),
    ParkFree: noYes(site.parkingIsFree),
    BusineHours724: noYes(site.openAllDay),
    EquipmentInfos: site.stations.map((station) => equipmentInfoOf(station, site, profile)),
  };
}

function noYes(value: boolean | null): number | undefined {
  return value === null ? undefined : Number(value);
}

function equipmentInfoOf(station: PartnerStation, site: PartnerSite, profile: PartnerProfile): EquipmentInfo {
  return {
    EquipmentID: station.id,
    ManufacturerID: station.manufacturerCode ?? undefined,
    ManufacturerName: station.manufacturer ?? undefined,
    EquipmentModel: station.model ?? undefined,
    ProductionDate: station.producedOn ?? undefined,
    EquipmentType: equipmentTypeCode(station.ports.map(({ kind }) => kind)),
    ConnectorInfos: station.ports.map((port) => connectorInfoOf(port, profile)),
    Power: station.powerW,
    EquipmentName: station.name ?? undefined,
    EquipmentStatus: stationStatusCode(site.state),
    EquipmentPower: station.powerW,
  };
}

function connectorInfoOf(port: PartnerPort, profile: PartnerProfile): ConnectorInfo {
  return {
    ConnectorID: port.id,
    ConnectorName: port.name ?? undefined,
    ConnectorType: connectorTypeCode(port.kind, profile),
    VoltageUpperLimits: port.voltageMaxV,
    VoltageLowerLimits: port.voltageMinV,
    Current: port.currentA,
    Power: port.powerW,
    ParkNo: port.bayNumber ?? undefined,
    NationalStandard: nationalStandardCode(port.nationalStandard, profile),
    Voltage: port.voltageMaxV,
  };
}

/** A partner's station as a site of our words. What it left out is null; codes that nobody knows are `other`. */
export function siteOf(info: StationInfo, profile: PartnerProfile): PartnerSite {
  return {
    id: info.StationID,
    operatorCode: info.OperatorID,
    ownerCode: info.EquipmentOwnerID,
    name: info.StationName,
    regionCode: info.AreaCode,
    address: info.Address,
    sitePhone: info.StationTel ?? null,
    servicePhone: info.ServiceTel,
    kind: siteKindOfCode(info.StationType),
    place: sitePlaceOfCode(info.Construction),
    state: siteStateOfCode(info.StationStatus),
    bayCount: info.ParkNums,
    longitudeE6: info.StationLng,
    latitudeE6: info.StationLat,
    directions: info.SiteGuide ?? null,
    pictures: info.Pictures ?? [],
    vehicles: info.MatchCars ?? null,
    openAllDay: flagOf(info.OpenAllDay ?? info.BusineHours724),
    openingHours: info.BusineHours ?? null,
    electricityFee: info.ElectricityFee ?? null,
    serviceFee: info.ServiceFee ?? null,
    parkingFee: info.ParkFee ?? null,
    parkingIsFree: flagOf(info.ParkFree),
    parkingInfo: info.ParkInfo ?? null,
    paymentInfo: info.Payment ?? null,
    reservable: flagOf(info.SupportOrder),
    remark: info.Remark ?? null,
    stations: info.EquipmentInfos.map((equipment) => ({
      id: equipment.EquipmentID,
      name: equipment.EquipmentName ?? null,
      manufacturer: equipment.ManufacturerName ?? null,
      manufacturerCode: equipment.ManufacturerID ?? null,
      model: equipment.EquipmentModel ?? null,
      producedOn: equipment.ProductionDate ?? null,
      powerW: ratedPower(equipment.Power),
      ports: equipment.ConnectorInfos.map((connector) => portOf(connector, profile)),
    })),
  };
}

function flagOf(code: number | undefined): boolean | null {
  return code === 0 || code === 1 ? code === 1 : null;
}

/** What a port is built for is never negative, other than what it draws. */
function ratedPower(powerW: Watts): Watts {
  return watts(Math.max(0, powerW));
}

function portOf(info: ConnectorInfo, profile: PartnerProfile): PartnerPort {
  return {
    id: info.ConnectorID,
    name: info.ConnectorName ?? null,
    kind: connectorKindOfCode(info.ConnectorType, profile),
    nationalStandard: nationalStandardOfCode(info.NationalStandard),
    voltageMinV: info.VoltageLowerLimits,
    voltageMaxV: info.VoltageUpperLimits,
    currentA: info.Current,
    powerW: ratedPower(info.Power),
    bayNumber: info.ParkNo ?? null,
  };
}

export function connectorStatusInfoOf(port: PartnerPortState): ConnectorStatusInfo {
  return {
    ConnectorID: port.portId,
    Status: statusCode(port.state),
    ParkStatus: parkStatusCode(port.bay),
    LockStatus: lockStatusCode(port.lock),
    CurrentA: port.currentMa,
    VoltageA: port.voltageMv,
    SOC: port.socPercent === undefined ? undefined : Math.round(port.socPercent),
  };
}

export function portStateOf(info: ConnectorStatusInfo): PartnerPortState {
  return {
    portId: info.ConnectorID,
    state: connectorStateOf(info.Status),
    bay: bayStateOf(info.ParkStatus),
    lock: groundLockOf(info.LockStatus),
    ...(info.CurrentA === undefined ? {} : { currentMa: info.CurrentA }),
    ...(info.VoltageA === undefined ? {} : { voltageMv: info.VoltageA }),
    ...(info.SOC === undefined ? {} : { socPercent: info.SOC }),
  };
}

export function stationStatusInfoOf(siteId: string, ports: readonly PartnerPortState[]): StationStatusInfo {
  return { StationID: siteId, ConnectorStatusInfos: ports.map(connectorStatusInfoOf) };
}

export function stationStatsOf(statistics: PartnerStatistics): StationStatsInfo {
  return {
    StationID: statistics.siteId,
    StartTime: statistics.firstDay,
    EndTime: statistics.lastDay,
    StationElectricity: statistics.energyWh,
    EquipmentStatsInfos: statistics.stations.map(({ stationId, energyWh, ports }) => ({
      EquipmentID: stationId,
      EquipmentElectricity: energyWh,
      ConnectorStatsInfos: ports.map((port) => ({ ConnectorID: port.portId, ConnectorElectricity: port.energyWh })),
    })),
  };
}

export function statisticsOf(stats: StationStatsInfo): PartnerStatistics {
  return {
    siteId: stats.StationID,
    firstDay: stats.StartTime,
    lastDay: stats.EndTime,
    energyWh: stats.StationElectricity,
    stations: stats.EquipmentStatsInfos.map((equipment) => ({
      stationId: equipment.EquipmentID,
      energyWh: equipment.EquipmentElectricity,
      ports: equipment.ConnectorStatsInfos.map((port) => ({
        portId: port.ConnectorID,
        energyWh: port.ConnectorElectricity,
      })),
    })),
  };
}

/** Why prices of a day cannot be told or believed. */
export type PolicyFault = 'no-slots' | 'too-many-slots' | 'not-from-midnight' | 'not-in-order';

/** Neighbours with the same prices become one period; a day has 32 at most. */
export function policyInfosOf(slots: readonly PartnerPriceSlot[]): Result<readonly PolicyInfo[], PolicyFault> {
  const fault = slotsFault(slots.map(({ fromSecond }) => fromSecond));
  if (fault !== null) return failed(fault);
  const merged = slots.filter((slot, index) => {
    const before = slots[index - 1];
    return before?.electricityPriceE5 !== slot.electricityPriceE5 || before.servicePriceE5 !== slot.servicePriceE5;
  });
  if (merged.length > periodsMax) return failed('too-many-slots');
  return ok(
    merged.map((slot) => ({
      StartTime: slot.fromSecond,
      ElecPrice: slot.electricityPriceE5,
      ServicePrice: slot.servicePriceE5,
    })),
  );
}

export function priceSlotsOf(infos: readonly PolicyInfo[]): Result<readonly PartnerPriceSlot[], PolicyFault> {
  const fault = slotsFault(infos.map(({ StartTime }) => StartTime));
  if (fault !== null) return failed(fault);
  return ok(
    infos.map(({ StartTime, ElecPrice, ServicePrice }) => ({
      fromSecond: StartTime,
      electricityPriceE5: ElecPrice,
      servicePriceE5: ServicePrice,
    })),
  );
}

function slotsFault(starts: readonly number[]): PolicyFault | null {
  if (starts.length === 0) return 'no-slots';
  if (starts[0] !== 0) return 'not-from-midnight';
  return starts.some((start, index) => index > 0 && start <= (starts[index - 1] ?? 0)) ? 'not-in-order' : null;
}

/** The Wh of one unit of the last digit that energy is written with. */
export function energyStepWh({ energyDecimals }: PartnerProfile): number {
  return energyDecimals === 2 ? 10 : 1;
}

function roundedEnergy(energyWh: number, profile: PartnerProfile): WattHours {
  const step = energyStepWh(profile);
  return wattHours(Math.floor((energyWh + step / 2) / step) * step);
}

/**
 * The bill of a charge. Energies are rounded to what the partner gets, in such a way that the details add up to the
 * total exactly: each ends where the rounded sum so far ends, and the last with the total. Charges of more than 32
 * lines have the rest in one detail without prices. Lines that do not add up to the totals are left out: a bill
 * without details is believed, one that contradicts itself is disputed.
 */
export function chargeOrderInfoOf(order: PartnerOrder, profile: PartnerProfile): ChargeOrderInfo {
  const details = addsUp(order) ? chargeDetailsOf(order.lines, profile) : [];
  return {
    StartChargeSeq: order.sequence,
    ConnectorID: order.portId,
    StartTime: order.from,
    EndTime: order.to,
    TotalPower: roundedEnergy(order.energyWh, profile),
    TotalElecMoney: order.electricityFeeFen,
    TotalServiceMoney: order.serviceFeeFen,
    TotalMoney: order.amountFen,
    StopReason: stopReasonCodes[order.stopReason],
    SumPeriod: details.length,
    ChargeDetails: details,
    Vin: order.vin,
    PlateNo: order.plate,
  };
}

function addsUp({ lines, energyWh, electricityFeeFen, serviceFeeFen }: PartnerOrder): boolean {
  return (
    lines.reduce((so, line) => so + line.energyWh, 0) === energyWh &&
    sum(lines, 'electricityFeeFen') === electricityFeeFen &&
    sum(lines, 'serviceFeeFen') === serviceFeeFen
  );
}

/** @see chargeOrderInfoOf */
export function chargeDetailsOf(lines: readonly PartnerOrderLine[], profile: PartnerProfile): readonly ChargeDetail[] {
  let soFarWh = 0;
  let givenWh = 0;
  return atMost(lines, periodsMax).map((line) => {
    soFarWh += line.energyWh;
    const untilWh = roundedEnergy(soFarWh, profile);
    const energyWh = wattHours(untilWh - givenWh);
    givenWh = untilWh;
    return {
      DetailStartTime: line.from,
      DetailEndTime: line.to,
      ElecPrice: line.electricityPriceE5 ?? undefined,
      ServicePrice: line.servicePriceE5 ?? undefined,
      DetailPower: energyWh,
      DetailElecMoney: line.electricityFeeFen ?? undefined,
      DetailServiceMoney: line.serviceFeeFen ?? undefined,
    };
  });
}

function atMost(lines: readonly PartnerOrderLine[], linesMax: number): readonly PartnerOrderLine[] {
  const [first, ...others] = lines.slice(linesMax - 1);
  if (first === undefined || others.length === 0) return lines;
  const rest = others.reduce(
    (so, line) => ({
      from: so.from,
      to: line.to,
      electricityPriceE5: samePrice(so.electricityPriceE5, line.electricityPriceE5),
      servicePriceE5: samePrice(so.servicePriceE5, line.servicePriceE5),
      energyWh: wattHours(so.energyWh + line.energyWh),
      electricityFeeFen: bothFees(so.electricityFeeFen, line.electricityFeeFen),
      serviceFeeFen: bothFees(so.serviceFeeFen, line.serviceFeeFen),
    }),
    first,
  );
  return [...lines.slice(0, linesMax - 1), rest];
}

function bothFees(one: Fen | null, other: Fen | null): Fen | null {
  return one === null || other === null ? null : addFen(one, other);
}

function samePrice(one: PriceE5 | null, other: PriceE5 | null): PriceE5 | null {
  return one === other ? one : null;
}

/** A partner's bill. Without TotalElecMoney and TotalServiceMoney, which some leave out, its details tell them. */
export function orderOf(info: ChargeOrderInfo): PartnerOrder {
  const lines = (info.ChargeDetails ?? []).map(lineOf);
  const known = { electricity: info.TotalElecMoney, service: info.TotalServiceMoney };
  const service =
    known.service ?? remainder(info.TotalMoney, known.electricity) ?? sum(lines, 'serviceFeeFen') ?? zeroFen;
  return {
    sequence: info.StartChargeSeq,
    portId: info.ConnectorID,
    from: info.StartTime,
    to: info.EndTime,
    energyWh: info.TotalPower,
    electricityFeeFen: known.electricity ?? subtractFen(info.TotalMoney, service),
    serviceFeeFen: service,
    amountFen: info.TotalMoney,
    stopReason: stopReasonOfCode(info.StopReason),
    lines,
    ...(info.Vin === undefined ? {} : { vin: info.Vin }),
    ...(info.PlateNo === undefined ? {} : { plate: info.PlateNo }),
  };
}

function remainder(total: Fen, part: Fen | undefined): Fen | null {
  return part === undefined ? null : subtractFen(total, part);
}

/** Null where a line does not tell it. */
function sum(lines: readonly PartnerOrderLine[], fee: 'electricityFeeFen' | 'serviceFeeFen'): Fen | null {
  return lines.reduce<Fen | null>((so, line) => bothFees(so, line[fee]), zeroFen);
}

function lineOf(detail: ChargeDetail): PartnerOrderLine {
  return {
    from: detail.DetailStartTime,
    to: detail.DetailEndTime,
    electricityPriceE5: detail.ElecPrice ?? null,
    servicePriceE5: detail.ServicePrice ?? null,
    energyWh: detail.DetailPower,
    electricityFeeFen: detail.DetailElecMoney ?? null,
    serviceFeeFen: detail.DetailServiceMoney ?? null,
  };
}

/** What the energy of each line may miss by rounding: partners round every one of them to 0.01 kWh. */
const lineToleranceWh = 10;

/** What a bill contradicts itself in. What it does not tell in its lines is not doubted. */
export function doubtsOf(order: PartnerOrder): readonly PartnerOrderDoubt[] {
  const { lines, electricityFeeFen, serviceFeeFen } = order;
  const doubts: PartnerOrderDoubt[] = [];
  if (order.to < order.from) doubts.push('ends_before_start');
  const isSum = electricityFeeFen + serviceFeeFen === order.amountFen && electricityFeeFen >= 0 && serviceFeeFen >= 0;
  if (!isSum) doubts.push('fees_differ');
  if (lines.length === 0) return doubts;
  const energyWh = lines.reduce((so, line) => so + line.energyWh, 0);
  if (Math.abs(energyWh - order.energyWh) > lines.length * lineToleranceWh) doubts.push('lines_energy');
  const [electricity, service] = [sum(lines, 'electricityFeeFen'), sum(lines, 'serviceFeeFen')];
  const isOfLines =
    (electricity ?? electricityFeeFen) === electricityFeeFen && (service ?? serviceFeeFen) === serviceFeeFen;
  if (!isOfLines) doubts.push('lines_fees');
  return doubts;
}

/** The body of both query_equip_charge_status and its notification. Before a charge began, its start is the sample's. */
export function chargeStatusOf(status: PartnerChargeStatus, profile: PartnerProfile): ChargeStatus {
  const { reading, electricityFeeFen, serviceFeeFen } = status;
  const isPriced = electricityFeeFen !== null && serviceFeeFen !== null;
  return {
    StartChargeSeq: status.sequence,
    StartChargeSeqStat: stageCode(status.stage),
    ConnectorID: status.portId,
    ConnectorStatus: statusCode(status.portState),
    CurrentA: reading.currentMa ?? milliamperes(0),
    VoltageA: reading.voltageMv ?? millivolts(0),
    Soc: Math.round(reading.socPercent ?? 0),
    StartTime: status.startedAt ?? reading.at,
    EndTime: reading.at,
    TotalPower: roundedEnergy(status.energyWh, profile),
    ElecMoney: electricityFeeFen ?? undefined,
    ServiceMoney: serviceFeeFen ?? undefined,
    TotalMoney: isPriced ? addFen(electricityFeeFen, serviceFeeFen) : undefined,
  };
}

export function partnerStatusOf(status: ChargeStatus): PartnerChargeStatus {
  return {
    sequence: status.StartChargeSeq,
    stage: stageOfCode(status.StartChargeSeqStat),
    portId: status.ConnectorID,
    portState: connectorStateOf(status.ConnectorStatus),
    startedAt: status.StartTime ?? null,
    reading: {
      at: status.EndTime,
      currentMa: status.CurrentA,
      voltageMv: status.VoltageA,
      // 0 is what the standard writes where nobody knows, and some write 255.
      ...(status.Soc === 0 || status.Soc > 100 ? {} : { socPercent: status.Soc }),
    },
    energyWh: status.TotalPower,
    ...feesOf(status),
  };
}

/** Both fees of a state; where it tells its total and one fee or none, the rest is the other's. */
function feesOf({ ElecMoney, ServiceMoney, TotalMoney }: ChargeStatus) {
  const service = ServiceMoney ?? (TotalMoney === undefined ? null : (remainder(TotalMoney, ElecMoney) ?? zeroFen));
  const electricity = ElecMoney ?? (TotalMoney === undefined ? null : subtractFen(TotalMoney, service ?? zeroFen));
  return { electricityFeeFen: electricity, serviceFeeFen: service };
}

/**
 * What both operators do not agree on. Charges that the other side lists come in its order and with its figures, those
 * that it lacks afterwards with ours.
 * @param energyStepWh the Wh of the last digit that energy was written with: nothing finer can differ
 */
export function compareOrders(
  ours: readonly PartnerOrderTotal[],
  theirs: readonly PartnerOrderTotal[],
  energyStepWh: number,
): readonly PartnerDispute[] {
  const own = new Map(ours.map((order) => [order.sequence, order]));
  const listed = new Set<string>();
  const disputes = theirs.flatMap((order): PartnerDispute[] => {
    const known = own.get(order.sequence);
    const isAgain = listed.has(order.sequence);
    listed.add(order.sequence);
    if (isAgain) return [{ ...order, reason: 'listed_twice' }];
    if (known === undefined) return [{ ...order, reason: 'missing' }];
    if (known.amountFen !== order.amountFen) return [{ ...order, reason: 'amount_differs' }];
    const isSameEnergy = Math.abs(known.energyWh - order.energyWh) < energyStepWh;
    return isSameEnergy ? [] : [{ ...order, reason: 'energy_differs' }];
  });
  const missing = ours
    .filter(({ sequence }) => !listed.has(sequence))
    .map((order): PartnerDispute => ({ ...order, reason: 'missing' }));
  return [...disputes, ...missing];
}

/** The totals are those of the listed orders as they are written. */
export function orderCheckRequest(
  check: PartnerOrderCheck,
  profile: PartnerProfile,
): Message<'check_charge_orders', 'request'> {
  const orders = check.orders.map(({ sequence, energyWh, amountFen }) => ({
    StartChargeSeq: sequence,
    TotalPower: roundedEnergy(energyWh, profile),
    TotalMoney: amountFen,
  }));
  return {
    CheckOrderSeq: check.sequence,
    StartTime: check.from,
    EndTime: check.to,
    OrderCount: orders.length,
    TotalOrderPower: wattHours(orders.reduce((so, order) => so + order.TotalPower, 0)),
    TotalOrderMoney: fen(orders.reduce((so, order) => so + order.TotalMoney, 0)),
    ChargeOrders: orders,
  };
}

/** The field of listed orders whose sum is more than a total can say; null where none is. */
export function unsummableField({
  ChargeOrders,
}: Pick<Message<'check_charge_orders', 'request'>, 'ChargeOrders'>): 'TotalPower' | 'TotalMoney' | null {
  const sumOf = (field: 'TotalPower' | 'TotalMoney') => ChargeOrders.reduce((so, order) => so + order[field], 0);
  if (sumOf('TotalPower') > energyMaxWh) return 'TotalPower';
  return sumOf('TotalMoney') > moneyMaxFen ? 'TotalMoney' : null;
}

/** `isSummed`: whether count and totals are those of the list, which a partner may have lost a part of. */
export function orderCheckOf(
  request: Message<'check_charge_orders', 'request'>,
): PartnerOrderCheck & { isSummed: boolean } {
  const orders = request.ChargeOrders.map((order) => ({
    sequence: order.StartChargeSeq,
    energyWh: order.TotalPower,
    amountFen: order.TotalMoney,
  }));
  const isSummed =
    orders.length === request.OrderCount &&
    orders.reduce((so, order) => so + order.energyWh, 0) === request.TotalOrderPower &&
    orders.reduce((so, order) => so + order.amountFen, 0) === request.TotalOrderMoney;
  return { sequence: request.CheckOrderSeq, from: request.StartTime, to: request.EndTime, orders, isSummed };
}

export function orderCheckAnswer(
  check: Pick<PartnerOrderCheck, 'sequence' | 'from' | 'to'>,
  disputes: readonly PartnerDispute[],
  profile: PartnerProfile,
): Message<'check_charge_orders', 'answer'> {
  const orders = disputes.map(({ sequence, energyWh, amountFen, reason }) => ({
    StartChargeSeq: sequence,
    TotalPower: roundedEnergy(energyWh, profile),
    TotalMoney: amountFen,
    DisputeReason: disputeReasonCode(reason),
  }));
  return {
    CheckOrderSeq: check.sequence,
    StartTime: check.from,
    EndTime: check.to,
    TotalDisputeOrder: orders.length,
    TotalDisputePower: wattHours(orders.reduce((so, order) => so + order.TotalPower, 0)),
    TotalDisputeMoney: fen(orders.reduce((so, order) => so + order.TotalMoney, 0)),
    DisputeOrders: orders,
  };
}

export function disputesOf(answer: Message<'check_charge_orders', 'answer'>): readonly PartnerDispute[] {
  return answer.DisputeOrders.map((order) => ({
    sequence: order.StartChargeSeq,
    energyWh: order.TotalPower,
    amountFen: order.TotalMoney,
    reason: disputeReasonOfCode(order.DisputeReason),
  }));
}
