/** Every state tuple of the domain, defined once. Schemas, phrases, colours and tables are made from these. */

export const protocols = ['ocpp1.6', 'ykc'] as const;
export type Protocol = (typeof protocols)[number];

export const stationTypes = ['fast', 'slow'] as const;
export type StationType = (typeof stationTypes)[number];

export const equipmentTypes = ['two-wheel', 'four-wheel'] as const;
export type EquipmentType = (typeof equipmentTypes)[number];

/**
 * How a station signs in: with its password, or a client certificate where it presents one; with a certificate only; or
 * with nothing, where an operator allowed that for this one station.
 */
export const stationSignIns = ['password', 'certificate', 'open'] as const;
export type StationSignIn = (typeof stationSignIns)[number];

/** What a gun port is: T/CEC 102 ConnectorType, 1 to 6. */
export const connectorKinds = ['household_socket', 'ac_socket', 'ac_plug', 'dc_plug', 'wireless', 'other'] as const;
export type ConnectorKind = (typeof connectorKinds)[number];

/** The edition of GB/T 20234: T/CEC 102 NationalStandard 1 and 2, and 4 where a platform knows the third. */
export const nationalStandards = ['2011', '2015', '2023'] as const;
export type NationalStandard = (typeof nationalStandards)[number];

/** What a gun port is doing, in the finest detail of any protocol. */
export const connectorStates = [
  'offline',
  'free',
  'plugged_in',
  'starting',
  'charging',
  'suspended',
  'finishing',
  'reserved',
  'unavailable',
  'fault',
] as const;
export type ConnectorState = (typeof connectorStates)[number];

/** The groups that operators filter by. Offline ports are separate, since their state is unknown. */
export const connectorGroups = ['free', 'occupied', 'fault', 'offline'] as const;
export type ConnectorGroup = (typeof connectorGroups)[number];

export const connectorGroupOf: Readonly<Record<ConnectorState, ConnectorGroup>> = {
  offline: 'offline',
  free: 'free',
  plugged_in: 'occupied',
  starting: 'occupied',
  charging: 'occupied',
  suspended: 'occupied',
  finishing: 'occupied',
  reserved: 'occupied',
  unavailable: 'occupied',
  fault: 'fault',
};

export const groundLockStates = ['moving', 'raised', 'lowered'] as const;
export type GroundLockState = (typeof groundLockStates)[number];

export const parkingBayStates = ['free', 'occupied'] as const;
export type ParkingBayState = (typeof parkingBayStates)[number];

/** How the tariff that a self-pricing station runs relates to the one it should run; `none`: it should run none. */
export const tariffStates = ['current', 'differs', 'unknown', 'none'] as const;
export type TariffState = (typeof tariffStates)[number];

/**
 * Specification section 4. Sites that are closed start no new charge; those under construction or maintenance do,
 * because installers and technicians test there.
 */
export const siteStates = [
  'normal',
  'building',
  'maintenance',
  'closed_offline',
  'closed_for_business',
  'unknown',
] as const;
export type SiteState = (typeof siteStates)[number];
export const closedSiteStates = ['closed_offline', 'closed_for_business'] as const satisfies readonly SiteState[];

/** What a site is for: T/CEC 102 StationType. */
export const siteKinds = ['public', 'private', 'bus', 'sanitation', 'logistics', 'taxi', 'other'] as const;
export type SiteKind = (typeof siteKinds)[number];

/** Where a site is: T/CEC 102 Construction. */
export const sitePlaces = [
  'residential',
  'public_body',
  'enterprise',
  'office',
  'industrial_park',
  'transport_hub',
  'venue',
  'green_space',
  'car_park',
  'roadside',
  'motorway',
  'other',
] as const;
export type SitePlace = (typeof sitePlaces)[number];

/** placed -> charging -> settling -> completed, or cancelled before any energy flowed. */
export const orderStates = ['placed', 'charging', 'settling', 'completed', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

export const liveOrderStates = ['placed', 'charging', 'settling'] as const satisfies readonly OrderState[];
export const endedOrderStates = ['completed', 'cancelled'] as const satisfies readonly OrderState[];

/** What an order's bill was made from. */
export const billBases = ['station_periods', 'readings', 'hand'] as const;
export type BillBasis = (typeof billBases)[number];

/** `written_off`: what was still owed is given up. */
export const paymentStates = ['unpaid', 'paid', 'partly_paid', 'refunded', 'partly_refunded', 'written_off'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** What becomes of a refund. One to the balance is done at once; a payment provider takes its time. */
export const refundStates = ['untreated', 'processing', 'done', 'failed', 'closed'] as const;
export type RefundState = (typeof refundStates)[number];

/** Where a refund goes: to the balance that paid, or the way the money came. */
export const refundChannels = ['balance', 'original'] as const;
export type RefundChannel = (typeof refundChannels)[number];

/**
 * Who pays. `card`: the money of an IC card; `online`: the registered user's balance; `group`: the balance of a group;
 * `member`: the pot that a group filled for one of its members; `partner`: what another operator deposited. `none`:
 * nobody pays, because the charge tests a gun port.
 */
export const paymentTypes = ['card', 'online', 'group', 'member', 'partner', 'none'] as const;
export type PaymentType = (typeof paymentTypes)[number];

/** Whether the registered user of an order pays with money of their own. */
export function isOwnMoney(paymentType: PaymentType): boolean {
  return paymentType === 'card' || paymentType === 'online';
}

/** How the charge was begun. */
export const startModes = ['card', 'remote', 'scan', 'vin', 'partner', 'test'] as const;
export type StartMode = (typeof startModes)[number];

export const billingTypes = ['energy', 'hour'] as const;
export type BillingType = (typeof billingTypes)[number];

export const stopReasons = [
  'local',
  'remote',
  'balance_exhausted',
  'time_limit',
  'vehicle_disconnected',
  'vehicle_full',
  'emergency_stop',
  'power_loss',
  'reboot',
  'soft_reset',
  'hard_reset',
  'unlock_command',
  'card_deauthorized',
  'station_fault',
  'target_reached',
  'vehicle_fault',
  'start_failed',
  'no_stop_received',
  'manual_settlement',
  'other',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** Rules that flag an order for a person's attention (/orderListAbnormal). */
export const abnormalRules = [
  'no_stop_received',
  'meter_backwards',
  'meter_jump',
  'energy_without_time',
  'amount_above_prepaid',
  'station_lost',
  'settlement_failed',
  'price_missing',
  'clock_wrong',
  'card_not_accepted',
  'start_missing',
  'amount_differs',
  'energy_implausible',
  'power_implausible',
  'record_contradicts',
  'record_unasked',
  'register_missing',
  'port_unregistered',
  'stop_differs',
  'message_failed',
] as const;
export type AbnormalRule = (typeof abnormalRules)[number];

/** What a person did about a flag. */
export const flagHandlings = ['accepted', 'settled', 'cancelled', 'refunded', 'dismissed', 'assigned'] as const;
export type FlagHandling = (typeof flagHandlings)[number];

/** What the rules doubt about a single reading. */
export const readingDoubts = ['meter_backwards', 'meter_jump'] as const satisfies readonly AbnormalRule[];
export type ReadingDoubt = (typeof readingDoubts)[number];

export const cardStates = ['active', 'lost', 'disabled', 'cancelled'] as const;
export type CardState = (typeof cardStates)[number];

/** Whether stations ask the platform about a card at every start, or also keep it in a list for when they are offline. */
export const cardTypes = ['online', 'offline'] as const;
export type CardType = (typeof cardTypes)[number];

/** Specification section 3, recharge record: what moved the money of a wallet. */
export const movementTypes = [
  'recharge',
  'consume',
  'gift',
  'system_recharge',
  'transfer',
  'order_refund',
  'withdrawal',
  'gift_deducted',
  'refund_failed',
  'allocated',
  'taken_back',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** What became of a movement. Only a recharge is refunded or reversed. */
export const movementStates = ['done', 'partly_refunded', 'refunded', 'reversed'] as const;
export type MovementState = (typeof movementStates)[number];

/** Where money comes in from the outside or goes out to it; specification section 3: front desk or back office. */
export const moneyChannels = ['front-desk', 'back-office', 'bank', 'wechat', 'alipay', 'embedded'] as const;
export type MoneyChannel = (typeof moneyChannels)[number];
/**
 * Specification section 4. `waiting`: nobody has decided; `in_review`: passed and being paid out; `withdrawn`: paid by a
 * channel, an agent's by the bank; `failed`: rejected, or refused by channel or bank (then its money stays frozen until it
 * is paid or rejected); `processed`: paid by hand, an agent's in another way than to its payout account.
 */
export const withdrawalStates = ['waiting', 'in_review', 'withdrawn', 'failed', 'processed'] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/** Whether the money of a withdrawal in this state has arrived, and did not come back. */
export function isPaidOut(state: WithdrawalState): boolean {
  return state === 'withdrawn' || state === 'processed';
}

/** `merged`: another record of the same person took its money, cards and orders over. */
export const customerStates = ['normal', 'disabled', 'merged'] as const;
export type CustomerState = (typeof customerStates)[number];

export const groupStates = ['enabled', 'disabled'] as const;
export type GroupState = (typeof groupStates)[number];

/** `shared`: its members charge from the balance of the group; `allocated`: each from a pot that the group fills. */
export const groupFundings = ['shared', 'allocated'] as const;
export type GroupFunding = (typeof groupFundings)[number];

/**
 * Specification section 4. `not_bound`: named by a phone that no registered user has yet; `refused` and `released` are
 * final.
 */
export const groupMemberStates = ['not_bound', 'waiting', 'bound', 'refused', 'released'] as const;
export type GroupMemberState = (typeof groupMemberStates)[number];

/** Those that keep a group from being disabled, and a phone from being named in it again. */
export const openMemberStates = ['not_bound', 'waiting', 'bound'] as const satisfies readonly GroupMemberState[];

/** Who asked for a binding: the back office, or the registered user. */
export const groupMemberSources = ['office', 'member'] as const;
export type GroupMemberSource = (typeof groupMemberSources)[number];

/** The answers to a station that asks whether a card may charge. */
export const authorizations = [
  'accepted',
  'blocked',
  'expired',
  'unknown',
  'already_charging',
  'no_balance',
  'station_closed',
  'vehicle_unknown',
  'not_supported',
] as const;
export type Authorization = (typeof authorizations)[number];
/** Why a charge may not begin. */
export type AuthorizationRefusal = Exclude<Authorization, 'accepted'>;
