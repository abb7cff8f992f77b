/**
 * With translate-record.ts, translate-notes.ts and translate-commands.ts the only place that knows both the words of
 * YKC and ours: a pile's frames -> events, answers -> frames, commands -> frames, replies -> outcomes.
 */

import { chargeEnergyMaxWh, leaveOutImpossible } from '@voltdeck/charging/meter-limits';
import type { Reading } from '@voltdeck/charging/reading';
import type { Authorization, ConnectorState } from '@voltdeck/charging/states';
import { type StationTariff, stationPeriods } from '@voltdeck/charging/station-bill';
import type {
  ChargeClaim,
  ChargeRequested,
  EventAnswer,
  StationEvent,
  StationFault,
  StationIdentity,
} from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { connectorOfTransactionKey } from '@voltdeck/charging/transaction-key';
import { milliamperes, millivolts, wattHours, watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { unreachable } from '@voltdeck/units/result';
import { checkMessage } from './frame.ts';
import type { MessageOf, PileMessage, PileMessageKind, PlatformMessage } from './messages/all.ts';
import { modelVerdict, slotPeriod } from './messages/billing.ts';
import { hardwareFaults } from './messages/bits.ts';
import { applicationRefusal, recordVerdict, startMode } from './messages/charging.ts';
import { codeOf, type Enumeration, meaningOf } from './messages/field.ts';
import { loginResult, pileType, realtimeState } from './messages/session.ts';
import { lockAlarm, lockState, otaState } from './messages/upkeep.ts';
import { toNote } from './translate-notes.ts';
import {
  energyWh,
  hexCode,
  type ShortRecord,
  soundText,
  startKey,
  toRecordEvents,
  toUnreadableStop,
} from './translate-record.ts';

/** What a connection remembers of a gun port, so that only changes become events. */
export type GunMemory = {
  readonly connectorNumber: number;
  /** State, plug and faults in the last 0x13; null before the first. */
  told: number | null;
  /** Charging, or has agreed to. */
  isCharging: boolean;
  /** The charge whose start this connection has reported to the business. */
  begun: string | null;
  /** The charge that waits for a plug: a second reply to its start is expected (section 3.3, rule 3). */
  awaitsPlug: string | null;
};

/** The kinds that are reported by themselves; the others reply to our requests. */
export type SpokenKind = Exclude<
  PileMessageKind,
  | 'remote-start-reply'
  | 'remote-parallel-start-reply'
  | 'remote-stop-reply'
  | 'balance-update-reply'
  | 'offline-card-sync-reply'
  | 'offline-card-clear-reply'
  | 'offline-card-query-reply'
  | 'work-parameter-reply'
  | 'clock-set-reply'
  | 'billing-model-set-reply'
  | 'ground-lock-command-reply'
  | 'reboot-reply'
>;
export type SpokenMessage = Extract<PileMessage, { kind: SpokenKind }>;

/** What the business may have to hear. */
export type HeardMessage = SpokenMessage | ShortRecord;

/**
 * The events of a frame in the order for the business: those that need its decision first. `gun` is the memory of the
 * frame's gun port. Impossible values are left out and added to `unusable`.
 */
export function toEvents(
  message: HeardMessage,
  gun: GunMemory | null,
  now: Instant,
  unusable: string[] = [],
): readonly StationEvent[] {
  switch (message.kind) {
    case 'login':
      return [{ kind: 'booted', identity: toIdentity(message) }];
    case 'heartbeat':
      return [{ kind: 'heartbeat' }];
    case 'billing-model-verify':
      return [{ kind: 'tariff-reported', version: message.modelNo }];
    case 'billing-model-request':
      return [{ kind: 'tariff-requested' }];
    case 'charge-application':
    case 'parallel-charge-application':
      return [toChargeRequested(message)];
    case 'realtime-data':
      return toLiveEvents(message, gun, now, unusable);
    case 'transaction-record':
      return toRecordEvents(message, now, unusable);
    case 'short-record':
      return [toUnreadableStop(message)];
    case 'bms-handshake':
    case 'bms-parameter-config':
    case 'charging-end-statistics':
    case 'bms-charger-error':
    case 'bms-abort':
    case 'charger-abort':
    case 'bms-demand':
    case 'bms-info':
      return [
        {
          kind: 'charge-noted',
          connectorNumber: connectorNumberOf(message),
          ...(isNamed(message.tradeNo) && { transaction: message.tradeNo }),
          note: toNote(message),
        },
      ];
    case 'ground-lock-report':
      return [toLockChanged(message)];
    case 'ota-reply':
      return [{ kind: 'firmware-status-changed', status: firmwareStatus(message.state) }];
    default:
      return unreachable(message);
  }
}

/** A message's gun port: its own field, or else from the transaction number. 0 when it has none. */
export function connectorNumberOf(message: PileMessage): number {
  if (!('gunNo' in message)) return 0;
  if (message.gunNo >= 1) return message.gunNo;
  return 'tradeNo' in message ? (connectorOfTransactionKey(message.tradeNo) ?? 0) : 0;
}

function toIdentity(message: MessageOf<'login'>): StationIdentity {
  const model = meaningOf(pileType, message.pileType)?.toUpperCase();
  const firmwareVersion = soundText(message.softwareVersion);
  return {
    ...(model !== undefined && { model }),
    protocolVersion: `${Math.floor(message.protoVersion / 10)}.${message.protoVersion % 10}`,
    connectorCount: message.gunCount,
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    ...(isNamed(message.sim) && { iccid: message.sim }),
  };
}

function toChargeRequested(message: MessageOf<'charge-application' | 'parallel-charge-application'>): ChargeRequested {
  return {
    kind: 'charge-requested',
    connectorNumber: connectorNumberOf(message),
    by: toClaim(message),
    ...(message.kind === 'parallel-charge-application' && { parallelKey: message.parallelNo }),
  };
}

function toClaim(message: MessageOf<'charge-application' | 'parallel-charge-application'>): ChargeClaim {
  switch (meaningOf(startMode, message.startMode)) {
    case 'vin':
      return { kind: 'vehicle', vin: soundText(message.vin) ?? '' };
    case 'account':
      return { kind: 'account', account: message.account, passwordHash: message.password };
    case 'card':
    case null:
      return { kind: 'card', cardNumber: message.account };
  }
}

function toLiveEvents(
  message: MessageOf<'realtime-data'>,
  gun: GunMemory | null,
  now: Instant,
  unusable: string[],
): StationEvent[] {
  const { tradeNo } = message;
  const connectorNumber = connectorNumberOf(message);
  const events: StationEvent[] = [];
  if (isChargingNow(message)) {
    const transaction = isNamed(tradeNo) ? { transaction: tradeNo } : {};
    if (isNamed(tradeNo) && gun?.begun !== tradeNo) {
      events.push({
        kind: 'charge-started',
        connectorNumber,
        ...transaction,
        meterStartWh: wattHours(0),
        stationTime: startKey(tradeNo, null),
      });
    }
    const reading = toReading(message, now, unusable);
    events.push({ kind: 'readings-taken', connectorNumber, ...transaction, readings: [reading] });
  }
  if (gun?.told !== liveSign(message)) {
    const fault = toFault(message.hwFault);
    events.push({
      kind: 'connector-state-changed',
      connectorNumber,
      state: connectorState(message),
      ...(fault !== undefined && { fault }),
    });
  }
  return events;
}

export function isChargingNow(message: MessageOf<'realtime-data'>): boolean {
  return meaningOf(realtimeState, message.state) === 'charging';
}

/** State, plug and faults in one number, which changes when any of them does. */
export function liveSign({ state, plugged, hwFault }: MessageOf<'realtime-data'>): number {
  return state + plugged * 0x100 + hwFault * 0x1_0000;
}

function connectorState({ state, plugged }: MessageOf<'realtime-data'>): ConnectorState {
  switch (meaningOf(realtimeState, state)) {
    case 'offline':
      return 'offline';
    case 'fault':
      return 'fault';
    case 'idle':
      return plugged === 0 ? 'free' : 'plugged_in';
    case 'charging':
      return 'charging';
    case null:
      return 'unavailable';
  }
}

/** Section 4.1. Code and words as in the protocol. */
function toFault(hwFault: number): StationFault | undefined {
  if (hwFault === 0) return undefined;
  const named = hardwareFaults.items.filter(({ from }) => (hwFault >>> from) % 2 === 1).map(({ key }) => key);
  const code = `0x${hwFault.toString(16).toUpperCase().padStart(4, '0')}`;
  return { code, ...(named.length > 0 && { info: named.join(', ') }) };
}

/** A byte and a word without a value. */
const emptyByte = 0xff;
const emptyWord = 0xffff;

/** The energy of this charge so far, as its register; a temperature or SOC of 0 means "not measured". */
function toReading(message: MessageOf<'realtime-data'>, now: Instant, unusable: string[]): Reading {
  const { voltage, current, soc, battMaxTemp, cableTemp } = message;
  const toldWh = energyWh(message.energy);
  const isEnergySound = toldWh <= chargeEnergyMaxWh;
  if (!isEnergySound) unusable.push(`energy: ${message.energy}`);
  const reading: Reading = {
    at: now,
    ...(isEnergySound && { energyWh: toldWh }),
    // 0.1 V times 0.1 A: hundredths of a watt.
    ...(voltage < emptyWord && current < emptyWord && { powerW: watts(Math.round((voltage * current) / 100)) }),
    ...(current < emptyWord && { currentMa: milliamperes(current * 100) }),
    ...(voltage < emptyWord && { voltageMv: millivolts(voltage * 100) }),
    ...(soc > 0 && soc < emptyByte && { socPercent: soc }),
    ...(battMaxTemp > 0 && battMaxTemp < emptyByte && { vehicleTemperatureC: battMaxTemp - 50 }),
    ...(cableTemp > 0 && cableTemp < emptyByte && { cableTemperatureC: cableTemp - 50 }),
  };
  leaveOutImpossible(reading, unusable);
  return reading;
}

function toLockChanged(message: MessageOf<'ground-lock-report'>): StationEvent {
  const alarm = meaningOf(lockAlarm, message.alarm) ?? hexCode(message.alarm);
  return {
    kind: 'ground-lock-changed',
    connectorNumber: message.gunNo,
    lock: meaningOf(lockState, message.lockState) ?? 'moving',
    bay: message.spaceState === 0 ? 'free' : 'occupied',
    batteryPercent: Math.min(message.battery, 100),
    ...(alarm !== 'none' && { alarm }),
  };
}

function firmwareStatus(state: number): string {
  const told = meaningOf(otaState, state);
  if (told === 'ok') return 'installed';
  return told === 'download-timeout' ? 'download_failed' : 'installation_failed';
}

/** An answer in the pile's words; null when there is none. `because` says why one is missing. */
export type PileAnswer = { message: PlatformMessage | null; because?: 'no-tariff' };

/**
 * The answer of the business to the last event of a frame.
 * @throws Error when it answers another event; RangeError for a charge that is accepted without a name of 32 digits.
 */
export function toAnswer(message: HeardMessage, answer: EventAnswer): PileAnswer {
  const { pileNo } = message;
  switch (message.kind) {
    case 'login': {
      if (answer.kind !== 'boot') break;
      const result = codeOf(loginResult, answer.decision === 'accepted' ? 'ok' : 'failed');
      return { message: { kind: 'login-answer', pileNo, result } };
    }
    case 'heartbeat':
      return { message: { kind: 'heartbeat-answer', pileNo, gunNo: message.gunNo, answer: 0 } };
    case 'billing-model-verify': {
      if (answer.kind !== 'tariff-checked') break;
      const result = codeOf(modelVerdict, answer.isCurrent ? 'same' : 'different');
      return { message: { kind: 'billing-model-verify-answer', pileNo, modelNo: message.modelNo, result } };
    }
    case 'billing-model-request': {
      if (answer.kind !== 'tariff') break;
      const model = answer.tariff === null ? null : toModel('billing-model-answer', pileNo, answer.tariff);
      return model === null ? { message: null, because: 'no-tariff' } : { message: model };
    }
    case 'charge-application':
    case 'parallel-charge-application':
      if (answer.kind !== 'charge-decided') break;
      return { message: toApplicationAnswer(message, answer) };
    case 'transaction-record':
      return { message: recordAnswer(message.tradeNo, 'accepted') };
    case 'short-record':
      return { message: recordAnswer(message.tradeNo, 'illegal') };
    case 'realtime-data':
    case 'bms-handshake':
    case 'bms-parameter-config':
    case 'charging-end-statistics':
    case 'bms-charger-error':
    case 'bms-abort':
    case 'charger-abort':
    case 'bms-demand':
    case 'bms-info':
    case 'ground-lock-report':
    case 'ota-reply':
      return { message: null };
    default:
      return unreachable(message);
  }
  throw new Error(`${answer.kind} does not answer ${message.kind}`);
}

export function recordAnswer(tradeNo: string, verdict: 'accepted' | 'illegal'): PlatformMessage {
  return { kind: 'transaction-record-confirm', tradeNo, result: codeOf(recordVerdict, verdict) };
}

/** The answer to a pile whose request could not be decided: try again later. */
export const undecided: Extract<EventAnswer, { kind: 'charge-decided' }> = {
  kind: 'charge-decided',
  authorization: 'station_closed',
  availableFen: zeroFen,
};

/** Stands for a charge without a name. */
export const noTransaction = '0'.repeat(32);
const transactionForm = /^[0-9A-Fa-f]{32}$/;
const balanceMaxFen = 0xffff_ffff;

function toApplicationAnswer(
  message: MessageOf<'charge-application' | 'parallel-charge-application'>,
  answer: Extract<EventAnswer, { kind: 'charge-decided' }>,
): PlatformMessage {
  const isAccepted = answer.authorization === 'accepted';
  const tradeNo = isAccepted ? (answer.transaction ?? '') : noTransaction;
  if (!isTransaction(tradeNo)) throw new RangeError(`a charge has a name of 32 digits, got "${tradeNo}"`);
  const said = {
    tradeNo,
    pileNo: message.pileNo,
    gunNo: message.gunNo,
    logicCardNo: logicCardNo(answer.cardNumber ?? ''),
    balance: balanceOf(answer.availableFen),
    authOk: isAccepted ? 1 : 0,
    failReason: codeOf(applicationRefusal, refusalOf[answer.authorization]),
  };
  return message.kind === 'charge-application'
    ? { kind: 'charge-application-answer', ...said }
    : { kind: 'parallel-charge-application-answer', ...said, parallelNo: message.parallelNo };
}

type ApplicationRefusal = typeof applicationRefusal extends Enumeration<infer Key> ? Key : never;

/** 0x32, failReason. */
const refusalOf: Readonly<Record<Authorization, ApplicationRefusal>> = {
  accepted: 'none',
  unknown: 'account-unknown',
  blocked: 'account-frozen',
  expired: 'account-frozen',
  no_balance: 'insufficient-balance',
  already_charging: 'card-unsettled',
  station_closed: 'pile-disabled',
  vehicle_unknown: 'vin-unknown',
  not_supported: 'cards-not-supported',
};

export function isTransaction(text: string): boolean {
  return transactionForm.test(text);
}

/** The last 16 digits of the number printed on a card. */
export function logicCardNo(cardNumber: string): string {
  return cardNumber.replaceAll(/\D/g, '').slice(-16).padStart(16, '0');
}

/** A balance limited to a field of 32 bits. */
export function balanceOf(availableFen: number): number {
  return Math.min(Math.max(availableFen, 0), balanceMaxFen);
}

/** Null for a tariff that a pile cannot run: prices beyond 32 bits, not 48 half hours, a version without 4 digits. */
export function toModel(
  kind: 'billing-model-answer' | 'billing-model-set',
  pileNo: string,
  tariff: StationTariff,
): PlatformMessage | null {
  const prices = Object.fromEntries(
    stationPeriods.flatMap((period) => [
      [`${period}ElecPrice`, tariff.prices[period].electricityE5],
      [`${period}ServPrice`, tariff.prices[period].serviceE5],
    ]),
  );
  const slots = tariff.slots.map((period) => codeOf(slotPeriod, period));
  const checked = checkMessage(kind, { pileNo, modelNo: tariff.version, ...prices, lossRatio: 0, slots });
  if (!checked.ok) return null;
  return checked.value as MessageOf<'billing-model-answer' | 'billing-model-set'>;
}
