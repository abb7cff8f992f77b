import * as billing from './billing.ts';
import * as bms from './bms.ts';
import * as charging from './charging.ts';
import type { Definition, MessageFrom } from './field.ts';
import * as session from './session.ts';
import * as upkeep from './upkeep.ts';

/** Every message of version 1.5 and 1.6 by kind, in the order of section 3.1. */
export const definitions = {
  login: session.login,
  'login-answer': session.loginAnswer,
  heartbeat: session.heartbeat,
  'heartbeat-answer': session.heartbeatReply,
  'billing-model-verify': billing.billingModelVerify,
  'billing-model-verify-answer': billing.billingModelVerifyAnswer,
  'billing-model-request': billing.billingModelRequest,
  'billing-model-answer': billing.billingModelAnswer,
  'read-realtime-data': session.readRealtimeData,
  'realtime-data': session.realtimeData,
  'bms-handshake': bms.bmsHandshake,
  'bms-parameter-config': bms.bmsParameterConfig,
  'charging-end-statistics': bms.chargingEndStatistics,
  'bms-charger-error': bms.bmsChargerError,
  'bms-abort': bms.bmsAbort,
  'charger-abort': bms.chargerAbort,
  'bms-demand': bms.bmsDemand,
  'bms-info': bms.bmsInfo,
  'charge-application': charging.chargeApplication,
  'charge-application-answer': charging.chargeApplicationAnswer,
  'remote-start': charging.remoteStart,
  'remote-start-reply': charging.remoteStartReply,
  'remote-stop': charging.remoteStop,
  'remote-stop-reply': charging.remoteStopReply,
  'transaction-record': charging.transactionRecord,
  'transaction-record-confirm': charging.transactionRecordConfirm,
  'balance-update': upkeep.balanceUpdate,
  'balance-update-reply': upkeep.balanceUpdateReply,
  'offline-card-sync': upkeep.offlineCardSync,
  'offline-card-sync-reply': upkeep.offlineCardSyncReply,
  'offline-card-clear': upkeep.offlineCardClear,
  'offline-card-clear-reply': upkeep.offlineCardClearReply,
  'offline-card-query': upkeep.offlineCardQuery,
  'offline-card-query-reply': upkeep.offlineCardQueryReply,
  'work-parameter-set': upkeep.workParameterSet,
  'work-parameter-reply': upkeep.workParameterReply,
  'clock-set': session.clockSet,
  'clock-set-reply': session.clockSetReply,
  'billing-model-set': billing.billingModelSet,
  'billing-model-set-reply': billing.billingModelSetReply,
  'ground-lock-report': upkeep.groundLockReport,
  'ground-lock-command': upkeep.groundLockCommand,
  'ground-lock-command-reply': upkeep.groundLockCommandReply,
  reboot: upkeep.reboot,
  'reboot-reply': upkeep.rebootReply,
  'ota-update': upkeep.otaUpdate,
  'ota-reply': upkeep.otaReply,
  'parallel-charge-application': charging.parallelChargeApplication,
  'parallel-charge-application-answer': charging.parallelChargeApplicationAnswer,
  'remote-parallel-start': charging.remoteParallelStart,
  'remote-parallel-start-reply': charging.remoteParallelStartReply,
} as const;

export type MessageKind = keyof typeof definitions;

type Messages = { [Kind in MessageKind]: MessageFrom<(typeof definitions)[Kind]> };

/** The message object of a kind; numbers are the wire's own integers (see field.ts). */
export type MessageOf<Kind extends MessageKind> = Messages[Kind];

export type Message = Messages[MessageKind];

type OddDigit = '1' | '3' | '5' | '7' | '9';
/** Kinds that the pile sends: those of odd type (section 1). */
export type PileMessageKind = {
  [Kind in MessageKind]: `${(typeof definitions)[Kind]['type']}` extends `${string}${OddDigit}` ? Kind : never;
}[MessageKind];
export type PlatformMessageKind = Exclude<MessageKind, PileMessageKind>;
export type PileMessage = Messages[PileMessageKind];
export type PlatformMessage = Messages[PlatformMessageKind];

/** The kind of the message that answers this one (section 3.2); null if none does. */
export type AnswerOf<Kind extends MessageKind> = (typeof definitions)[Kind]['answer'];

/** The definitions by frame type; undefined for unknown types. */
const byType: readonly (Definition | undefined)[] = Array.from({ length: 256 }, (_, type) =>
  Object.values<Definition>(definitions).find((definition) => definition.type === type),
);

export function definitionOf(type: number): Definition | undefined {
  return byType[type];
}
