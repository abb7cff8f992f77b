import type { Protocol } from '@voltdeck/charging/states';
import type { InteractionLog } from '@voltdeck/contract/logs';

/** A kind of message in the log. */
export type MessageKind = {
  protocol: Protocol;
  /** On the wire: an OCPP action or a YKC frame type. */
  action: string;
  /** Its phrase key after the protocol's prefix. */
  word: string;
  /** Whether the sender waits for a reply. */
  isAnswered: boolean;
};

const ocppActions = [
  'Authorize',
  'BootNotification',
  'ChangeAvailability',
  'ChangeConfiguration',
  'ClearCache',
  'DataTransfer',
  'DiagnosticsStatusNotification',
  'FirmwareStatusNotification',
  'GetConfiguration',
  'Heartbeat',
  'MeterValues',
  'RemoteStartTransaction',
  'RemoteStopTransaction',
  'Reset',
  'StartTransaction',
  'StatusNotification',
  'StopTransaction',
  'TriggerMessage',
  'UnlockConnector',
] as const;

/** YKC requests that expect a reply. */
const ykcRequests = [
  ['0x01', 'login'],
  ['0x03', 'heartbeat'],
  ['0x05', 'billing-model-verify'],
  ['0x09', 'billing-model-request'],
  ['0x12', 'read-realtime-data'],
  ['0x31', 'charge-application'],
  ['0x34', 'remote-start'],
  ['0x36', 'remote-stop'],
  ['0x3B', 'transaction-record'],
  ['0x42', 'balance-update'],
  ['0x44', 'offline-card-sync'],
  ['0x46', 'offline-card-clear'],
  ['0x48', 'offline-card-query'],
  ['0x52', 'work-parameter-set'],
  ['0x56', 'clock-set'],
  ['0x58', 'billing-model-set'],
  ['0x62', 'ground-lock-command'],
  ['0x92', 'reboot'],
  ['0x94', 'ota-update'],
  ['0xA1', 'parallel-charge-application'],
  ['0xA4', 'remote-parallel-start'],
] as const;

/** YKC reports without a reply. */
const ykcReports = [
  ['0x13', 'realtime-data'],
  ['0x15', 'bms-handshake'],
  ['0x17', 'bms-parameter-config'],
  ['0x19', 'charging-end-statistics'],
  ['0x1B', 'bms-charger-error'],
  ['0x1D', 'bms-abort'],
  ['0x21', 'charger-abort'],
  ['0x23', 'bms-demand'],
  ['0x25', 'bms-info'],
  ['0x61', 'ground-lock-report'],
] as const;

/** Replies of YKC piles; they have rows of their own only when no request matched. */
const ykcReplies = [
  ['0x33', 'remote-start-reply'],
  ['0x35', 'remote-stop-reply'],
  ['0x41', 'balance-update-reply'],
  ['0x43', 'offline-card-sync-reply'],
  ['0x45', 'offline-card-clear-reply'],
  ['0x47', 'offline-card-query-reply'],
  ['0x51', 'work-parameter-reply'],
  ['0x55', 'clock-set-reply'],
  ['0x57', 'billing-model-set-reply'],
  ['0x63', 'ground-lock-command-reply'],
  ['0x91', 'reboot-reply'],
  ['0x93', 'ota-reply'],
  ['0xA3', 'remote-parallel-start-reply'],
] as const;

const ykc = (rows: readonly (readonly [string, string])[], isAnswered: boolean): MessageKind[] =>
  rows.map(([action, word]) => ({ protocol: 'ykc', action, word, isAnswered }));

/** The messages of each protocol, in the order of its specification. */
const kindsOf: Readonly<Record<Protocol, readonly MessageKind[]>> = {
  'ocpp1.6': ocppActions.map((action) => ({ protocol: 'ocpp1.6', action, word: action, isAnswered: true })),
  ykc: [...ykc(ykcRequests, true), ...ykc(ykcReports, false), ...ykc(ykcReplies, false)].sort((a, b) =>
    a.action.localeCompare(b.action),
  ),
};

export const messageKinds: readonly MessageKind[] = Object.values(kindsOf).flat();

const byAction = new Map(messageKinds.map((type) => [`${type.protocol} ${type.action}`, type]));

export function messageKindOf({ protocol, action }: Pick<InteractionLog, 'protocol' | 'action'>): MessageKind | null {
  return byAction.get(`${protocol} ${action}`) ?? null;
}

/** Keep-alive messages: the bulk of every log. */
const heartbeats: Readonly<Record<Protocol, string>> = { 'ocpp1.6': 'Heartbeat', ykc: '0x03' };

export function isHeartbeat({ protocol, action }: Pick<InteractionLog, 'protocol' | 'action'>): boolean {
  return action === heartbeats[protocol];
}

/** For messages in no table: an OCPP call always expects a reply (OCPP-J 1.6, section 4.1). */
const unknownIsAnswered: Readonly<Record<Protocol, boolean>> = { 'ocpp1.6': true, ykc: false };

/** Whether a call of this kind expects a reply. */
export function waitsForAnswer(log: Pick<InteractionLog, 'protocol' | 'action'>): boolean {
  if (log.action === null) return false;
  return messageKindOf(log)?.isAnswered ?? unknownIsAnswered[log.protocol];
}
