/** Our words and the wire's numbers, each way, for what has a table. Every table is total over our words. */
import type {
  PartnerChargeStage,
  PartnerDisputeReason,
  PartnerPayChannel,
  PartnerRefusal,
} from '@voltdeck/charging/partner-charge';
import type {
  ConnectorKind,
  ConnectorState,
  GroundLockState,
  NationalStandard,
  ParkingBayState,
  SiteKind,
  SitePlace,
  SiteState,
  StopReason,
} from '@voltdeck/charging/states';
import type { PartnerProfile } from './profile.ts';

/** Which of our words a code means; null for a code that none has. */
function wordOf<Word extends string>(table: Readonly<Record<Word, number>>, code: number): Word | null {
  for (const word in table) if (table[word] === code) return word;
  return null;
}

/**
 * A port that is out of service cannot be used and has no fault: to a driver it is as if it were not there. A suspended
 * charge occupies its port like a running one.
 */
const statusOf: Readonly<Record<ConnectorState, number>> = {
  offline: 0,
  free: 1,
  plugged_in: 2,
  starting: 2,
  charging: 3,
  suspended: 3,
  finishing: 2,
  reserved: 4,
  unavailable: 0,
  fault: 255,
};

export function statusCode(state: ConnectorState): number {
  return statusOf[state];
}

/** The first of our states with this code, the plainest. */
export function connectorStateOf(code: number): ConnectorState {
  return wordOf(statusOf, code) ?? 'offline';
}

const bayOf: Readonly<Record<ParkingBayState, number>> = { free: 10, occupied: 50 };
const lockOf: Readonly<Record<GroundLockState, number>> = { moving: 0, lowered: 10, raised: 50 };

export function parkStatusCode(bay: ParkingBayState | null): number {
  return bay === null ? 0 : bayOf[bay];
}

export function bayStateOf(code: number | undefined): ParkingBayState | null {
  return wordOf(bayOf, code ?? 0);
}

export function lockStatusCode(lock: GroundLockState | null): number {
  return lock === null ? 0 : lockOf[lock];
}

/** 0 means that it is not known, not that it moves. */
export function groundLockOf(code: number | undefined): GroundLockState | null {
  return code === undefined || code === 0 ? null : wordOf(lockOf, code);
}

const siteStateOf: Readonly<Record<SiteState, number>> = {
  normal: 50,
  building: 1,
  maintenance: 6,
  closed_offline: 5,
  closed_for_business: 5,
  unknown: 0,
};

export function stationStatusCode(state: SiteState): number {
  return siteStateOf[state];
}

export function siteStateOfCode(code: number): SiteState {
  return wordOf(siteStateOf, code) ?? 'unknown';
}

const siteKindOf: Readonly<Record<SiteKind, number>> = {
  public: 1,
  private: 50,
  bus: 100,
  sanitation: 101,
  logistics: 102,
  taxi: 103,
  other: 255,
};

export function stationTypeCode(kind: SiteKind): number {
  return siteKindOf[kind];
}

export function siteKindOfCode(code: number): SiteKind {
  return wordOf(siteKindOf, code) ?? 'other';
}

const sitePlaceOf: Readonly<Record<SitePlace, number>> = {
  residential: 1,
  public_body: 2,
  enterprise: 3,
  office: 4,
  industrial_park: 5,
  transport_hub: 6,
  venue: 7,
  green_space: 8,
  car_park: 9,
  roadside: 10,
  motorway: 11,
  other: 255,
};

export function constructionCode(place: SitePlace): number {
  return sitePlaceOf[place];
}

export function sitePlaceOfCode(code: number): SitePlace {
  return wordOf(sitePlaceOf, code) ?? 'other';
}

type ConnectorTypes = PartnerProfile['connectorTypes'];

const connectorKindOf: Readonly<Record<ConnectorTypes, Readonly<Record<ConnectorKind, number>>>> = {
  cec: { household_socket: 1, ac_socket: 2, ac_plug: 3, dc_plug: 4, wireless: 5, other: 6 },
  // 5 is high-power AC there, and wireless has no code of its own.
  shenzhen: { household_socket: 1, ac_socket: 2, ac_plug: 3, dc_plug: 4, wireless: 255, other: 255 },
};

/** High-power AC of Shenzhen comes through a plug. */
const shenzhenHighPowerAc = 5;

export function connectorTypeCode(kind: ConnectorKind, { connectorTypes }: PartnerProfile): number {
  return connectorKindOf[connectorTypes][kind];
}

export function connectorKindOfCode(code: number, { connectorTypes }: PartnerProfile): ConnectorKind {
  if (connectorTypes === 'cec') return wordOf(connectorKindOf.cec, code) ?? 'other';
  if (code === shenzhenHighPowerAc) return 'ac_plug';
  const kind = wordOf(connectorKindOf.shenzhen, code);
  return kind === null || kind === 'wireless' ? 'other' : kind;
}

const standardOf: Readonly<Record<NationalStandard, number>> = { '2011': 1, '2015': 2, '2023': 4 };
const standardOfBoth = 3;

/** A plug of 2023 also fits what was built for 2015, which is the newest that the text of 2016 can name. */
export function nationalStandardCode(standard: NationalStandard, { nationalStandards }: PartnerProfile): number {
  const code = standardOf[standard];
  return nationalStandards === 'extended' ? code : Math.min(code, standardOf['2015']);
}

/** What fits both is of the newer one. */
export function nationalStandardOfCode(code: number): NationalStandard {
  return code === standardOfBoth ? '2015' : (wordOf(standardOf, code) ?? '2015');
}

/** EquipmentType by what ports a station has. */
export function equipmentTypeCode(kinds: readonly ConnectorKind[]): number {
  const currents = new Set(kinds.map((kind) => currentOf[kind]));
  if (currents.size === 1) return equipmentTypes[[...currents][0] ?? 'other'];
  return currents.size === 2 && currents.has('dc') && currents.has('ac') ? acAndDc : equipmentTypes.other;
}

type Current = 'dc' | 'ac' | 'wireless' | 'other';

const currentOf: Readonly<Record<ConnectorKind, Current>> = {
  household_socket: 'ac',
  ac_socket: 'ac',
  ac_plug: 'ac',
  dc_plug: 'dc',
  wireless: 'wireless',
  other: 'other',
};

const equipmentTypes: Readonly<Record<Current, number>> = { dc: 1, ac: 2, wireless: 4, other: 5 };
const acAndDc = 3;

/** 5 to 99 are ours to name; the page of the protocol tells partners what they mean. */
export const stopReasonCodes: Readonly<Record<StopReason, number>> = {
  local: 0,
  remote: 1,
  vehicle_full: 2,
  vehicle_fault: 2,
  station_fault: 3,
  vehicle_disconnected: 4,
  balance_exhausted: 5,
  time_limit: 6,
  target_reached: 7,
  emergency_stop: 8,
  power_loss: 9,
  reboot: 10,
  soft_reset: 11,
  hard_reset: 12,
  unlock_command: 13,
  card_deauthorized: 14,
  start_failed: 15,
  no_stop_received: 16,
  manual_settlement: 17,
  other: 99,
};

/** The first that each partner names by itself. */
const customStopReasonsFrom = 5;

/** What a partner's code says. Its own codes are not ours, whatever ours mean. */
export function stopReasonOfCode(code: number): StopReason {
  return code >= customStopReasonsFrom ? 'other' : (wordOf(stopReasonCodes, code) ?? 'other');
}

const stageOf: Readonly<Record<PartnerChargeStage, 1 | 2 | 3 | 4 | 5>> = {
  starting: 1,
  charging: 2,
  stopping: 3,
  ended: 4,
  unknown: 5,
};

export function stageCode(stage: PartnerChargeStage): 1 | 2 | 3 | 4 | 5 {
  return stageOf[stage];
}

export function stageOfCode(code: number): PartnerChargeStage {
  return wordOf(stageOf, code) ?? 'unknown';
}

export type RefusedAct = 'auth' | 'policy' | 'start' | 'stop';

/** FailReason of each act; those from the first custom one on are ours to name. */
export const failReasonCodes: Readonly<Record<RefusedAct, Readonly<Record<PartnerRefusal, number>>>> = {
  auth: {
    not_plugged_in: 1,
    station_fault: 2,
    station_offline: 3,
    port_unknown: 4,
    port_occupied: 5,
    site_closed: 6,
    not_allowed: 7,
    price_missing: 8,
    already_stopped: 99,
    other: 99,
  },
  policy: {
    price_missing: 1,
    port_unknown: 2,
    not_allowed: 3,
    not_plugged_in: 99,
    station_fault: 99,
    station_offline: 99,
    port_occupied: 99,
    site_closed: 99,
    already_stopped: 99,
    other: 99,
  },
  start: {
    port_unknown: 1,
    station_offline: 2,
    not_plugged_in: 3,
    station_fault: 4,
    port_occupied: 5,
    site_closed: 6,
    not_allowed: 7,
    price_missing: 8,
    already_stopped: 99,
    other: 99,
  },
  stop: {
    port_unknown: 1,
    station_offline: 2,
    already_stopped: 3,
    not_allowed: 4,
    not_plugged_in: 99,
    station_fault: 99,
    port_occupied: 99,
    site_closed: 99,
    price_missing: 99,
    other: 99,
  },
};

/** The last FailReason that means the same with every partner. */
const commonFailReasons: Readonly<Record<RefusedAct, number>> = { auth: 2, policy: 1, start: 2, stop: 3 };

/** FailReason, with SuccStat 1. */
export function failReasonCode(act: RefusedAct, refusal: PartnerRefusal): number {
  return failReasonCodes[act][refusal];
}

/** What a partner's FailReason of a failure says; a failure without reason is `other`. */
export function refusalOfCode(act: RefusedAct, code: number): PartnerRefusal {
  return code > commonFailReasons[act] ? 'other' : (wordOf(failReasonCodes[act], code) ?? 'other');
}

const disputeOf: Readonly<Record<PartnerDisputeReason, number>> = {
  missing: 1,
  amount_differs: 2,
  energy_differs: 3,
  listed_twice: 4,
  other: 99,
};

export function disputeReasonCode(reason: PartnerDisputeReason): number {
  return disputeOf[reason];
}

/** 4 and more are each partner's own. */
export function disputeReasonOfCode(code: number): PartnerDisputeReason {
  return code > disputeOf.energy_differs ? 'other' : (wordOf(disputeOf, code) ?? 'other');
}

/** PayChannel of Zhejiang. */
export const payChannelCodes: Readonly<Record<PartnerPayChannel, number>> = {
  alipay: 1,
  wechat: 2,
  transport_card: 3,
  prepaid_card: 4,
  unionpay: 5,
  other: 6,
};
