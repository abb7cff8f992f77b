/** Our requests to a pile: commands -> frames, its replies -> outcomes. */
import type { CommandOutcome, RejectionReason, StationCommand } from '@voltdeck/charging/station-command';
import { connectorOfTransactionKey } from '@voltdeck/charging/transaction-key';
import { hourMs, type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result, unreachable } from '@voltdeck/units/result';
import { bodyBytesMax, readBody, writeBody } from './body.ts';
import { fromHex, toHex } from './hex.ts';
import { definitionOf, definitions, type MessageKind, type PileMessage, type PlatformMessage } from './messages/all.ts';
import { startFailure, stopFailure } from './messages/charging.ts';
import { codeOf, type Enumeration, meaningOf } from './messages/field.ts';
import {
  balanceVerdict,
  cardSyncFailure,
  execution,
  lockAction,
  otaState,
  pileModel,
  workPermission,
} from './messages/upkeep.ts';
import { balanceOf, isTransaction, logicCardNo, toModel } from './translate.ts';
import { connectorNumberMax } from './translate-record.ts';

/** How long a pile may take to reply. A later reply is logged and otherwise ignored. */
export const callTimeoutMs = 30 * secondMs;
/** Added to the time given for the download: 0x93 comes when the firmware runs, if ever. */
export const firmwareInstallMs = 10 * minuteMs;
/** How long a pile may go on charging before an update that waits until it is idle. */
export const firmwareIdleWaitMs = 12 * hourMs;

/** One frame to send; its body is written at that moment, since a clock must not wait in a queue. */
export type OutgoingPart = { type: number; bodyAt: (now: Instant) => Uint8Array };

/** A pile's reply: the message, or the hexadecimal body of a type without a table. */
export type Reply = { type: number; message: PileMessage | null; body: string };

/** The frames of one command; each part follows the reply to the previous one. */
export type OutgoingCall = {
  parts: readonly OutgoingPart[];
  /**
   * Identifies its replies: type, gun port and charge as far as they have them. No two concurrent calls may share it.
   */
  replyKey: string;
  timeoutMs: number;
  /** May be sent only while no gun port is charging (section 3.3, rule 11). */
  isForIdle: boolean;
  /** The charge whose start this requests. */
  startOf: { connectorNumber: number; transaction: string } | null;
  outcomeOf: (replies: readonly Reply[]) => CommandOutcome;
};

/** A command as a call, or the outcome if YKC cannot express it or a value does not fit. */
export function toCall(command: StationCommand, pileNo: string): Result<OutgoingCall, CommandOutcome> {
  switch (command.kind) {
    case 'start-charge':
      return startCall(command, pileNo);
    case 'stop-charge': {
      const { transaction } = command;
      const named = typeof transaction === 'string' ? connectorOfTransactionKey(transaction) : null;
      return callOf({ kind: 'remote-stop', pileNo, gunNo: command.connectorNumber ?? named ?? 0 }, ([reply]) => {
        return reply?.kind === 'remote-stop-reply' ? stopOutcome(reply) : unexpected;
      });
    }
    case 'reset': {
      const when = codeOf(execution, command.mode === 'hard' ? 'immediately' : 'when-idle');
      return callOf({ kind: 'reboot', pileNo, when }, yesOrNo);
    }
    case 'change-availability':
      // Only a whole pile can be locked.
      if (command.connectorNumber !== 0) return failed(notSupported);
      return powerCall(pileNo, command.available, 100);
    case 'limit-power':
      return powerCall(pileNo, command.available, command.maxPowerPercent);
    case 'trigger-message':
      if (command.message !== 'readings' && command.message !== 'connector-state') return failed(notSupported);
      return callOf({ kind: 'read-realtime-data', pileNo, gunNo: command.connectorNumber ?? 1 }, () => accepted);
    case 'set-tariff': {
      const model = toModel('billing-model-set', pileNo, command.tariff);
      return model === null ? failed(unsayable) : callOf(model, yesOrNo, { isForIdle: true });
    }
    case 'set-clock':
      return ok(clockCall(pileNo));
    case 'update-balance': {
      const physCardNo = physicalNumber(command.physicalCardNumber ?? '');
      if (physCardNo === null) return failed(unsayable);
      const balance = balanceOf(command.availableFen);
      return callOf(
        { kind: 'balance-update', pileNo, gunNo: command.connectorNumber, physCardNo, balance },
        ([reply]) => {
          if (reply?.kind !== 'balance-update-reply') return unexpected;
          const verdict = meaningOf(balanceVerdict, reply.result);
          return verdict === 'ok' ? accepted : rejected(balanceRejections, verdict);
        },
      );
    }
    case 'store-cards':
    case 'clear-cards':
    case 'query-cards':
      return cardsCall(command, pileNo);
    case 'move-ground-lock': {
      const action = codeOf(lockAction, command.to === 'raised' ? 'raise' : 'lower');
      return callOf({ kind: 'ground-lock-command', pileNo, gunNo: command.connectorNumber, action }, yesOrNo);
    }
    case 'update-firmware':
      return firmwareCall(command.firmware, pileNo);
    case 'raw':
      return rawCall(command.action, command.payload, pileNo);
    case 'unlock-connector':
    case 'read-configuration':
    case 'write-configuration':
    case 'clear-cache':
    case 'transfer-data':
      return failed(notSupported);
    default:
      return unreachable(command);
  }
}

const accepted = { kind: 'accepted' } as const satisfies CommandOutcome;
const notSupported = { kind: 'not-supported' } as const satisfies CommandOutcome;
/** The command cannot be sent: a number out of range, a text too long. */
const unsayable = { kind: 'failed' } as const satisfies CommandOutcome;
/** Replies of another kind do not reach this; the types cannot express that. */
const unexpected = { kind: 'failed' } as const satisfies CommandOutcome;

type OutcomeOf = (replies: readonly PileMessage[]) => CommandOutcome;
type Extras = Partial<Pick<OutgoingCall, 'timeoutMs' | 'isForIdle' | 'startOf'>>;

/** One message, or several of the same kind. */
function callOf(
  messages: PlatformMessage | readonly PlatformMessage[],
  outcomeOf: OutcomeOf,
  extras: Extras = {},
): Result<OutgoingCall, CommandOutcome> {
  const all: readonly PlatformMessage[] = Array.isArray(messages) ? messages : [messages];
  const parts: OutgoingPart[] = [];
  for (const message of all) {
    const written = writeBody(message.kind, message);
    if (!written.ok || !isGunSound(message)) return failed(unsayable);
    parts.push({ type: definitions[message.kind].type, bodyAt: () => written.value });
  }
  const first = all[0];
  const replyType = first === undefined ? null : replyTypeOf(first.kind);
  if (first === undefined || replyType === null) return failed(unsayable);
  return ok({
    parts,
    replyKey: replyKey(replyType, first),
    timeoutMs: callTimeoutMs,
    isForIdle: false,
    startOf: null,
    ...extras,
    outcomeOf: (replies) => outcomeOf(replies.flatMap(({ message }) => (message === null ? [] : [message]))),
  });
}

function isGunSound(message: PlatformMessage): boolean {
  return !('gunNo' in message) || (message.gunNo >= 1 && message.gunNo <= connectorNumberMax);
}

function replyTypeOf(kind: MessageKind): number | null {
  const { answer } = definitions[kind];
  return answer === null ? null : definitions[answer].type;
}

type Asked = { readonly kind: string; readonly gunNo: unknown; readonly tradeNo: unknown };

/** Identifies a reply, from the reply itself or from its request (section 3.2). */
export function replyKey(replyType: number, { gunNo, tradeNo }: Partial<Asked>): string {
  const kind = definitionOf(replyType)?.kind ?? '';
  return `${replyType}/${gunOfReply.has(kind) ? gunNo : ''}/${chargeOfReply.has(kind) ? tradeNo : ''}`;
}

/** Live data are requested for a gun port, whatever charge runs there. */
const chargeOfReply: ReadonlySet<string> = new Set<MessageKind>(['remote-start-reply', 'remote-parallel-start-reply']);
const gunOfReply: ReadonlySet<string> = new Set<MessageKind>([
  'remote-start-reply',
  'remote-parallel-start-reply',
  'remote-stop-reply',
  'realtime-data',
  'ground-lock-command-reply',
]);

/** Sets the clock to the moment of sending. */
export function clockCall(pileNo: string): OutgoingCall {
  const { type, answer } = definitions['clock-set'];
  return {
    parts: [{ type, bodyAt: (now) => bodyOf({ kind: 'clock-set', pileNo, time: now }) }],
    replyKey: replyKey(definitions[answer].type, {}),
    timeoutMs: callTimeoutMs,
    isForIdle: false,
    startOf: null,
    outcomeOf: ([reply]) => {
      const message = reply?.message;
      return message?.kind === 'clock-set-reply' ? { kind: 'clock', stationTime: message.time } : unexpected;
    },
  };
}

/** @throws RangeError for a message that cannot be written. */
function bodyOf(message: PlatformMessage): Uint8Array {
  const written = writeBody(message.kind, message);
  if (!written.ok) throw new RangeError(`${message.kind}: ${written.error.field} wants ${written.error.wants}`);
  return written.value;
}

/** Used when the payer's money does not limit the charge: 99,999.99 yuan, which every display can show. */
const balanceWithoutLimitFen = 9_999_999;
const parallelForm = /^\d{12}$/;

function startCall(
  command: Extract<StationCommand, { kind: 'start-charge' }>,
  pileNo: string,
): Result<OutgoingCall, CommandOutcome> {
  const { transaction, connectorNumber, parallelKey } = command;
  if (transaction === undefined) return failed(notSupported);
  const physCardNo = physicalNumber(command.physicalCardNumber ?? '');
  if (!isTransaction(transaction) || physCardNo === null) return failed(unsayable);
  if (parallelKey !== undefined && !parallelForm.test(parallelKey)) return failed(unsayable);
  const tradeNo = transaction.toUpperCase();
  const start = {
    tradeNo,
    pileNo,
    gunNo: connectorNumber,
    logicCardNo: logicCardNo(command.cardNumber),
    physCardNo,
    balance: balanceOf(command.availableFen ?? balanceWithoutLimitFen),
  };
  return callOf(
    parallelKey === undefined
      ? { kind: 'remote-start', ...start }
      : { kind: 'remote-parallel-start', ...start, parallelNo: parallelKey },
    ([reply]) => {
      if (reply?.kind !== 'remote-start-reply' && reply?.kind !== 'remote-parallel-start-reply') return unexpected;
      return startOutcome(reply);
    },
    { startOf: { connectorNumber, transaction: tradeNo } },
  );
}

type Replied = { result: number; failReason: number };
type AskedOutcome = Extract<CommandOutcome, { kind: 'accepted' | 'scheduled' | 'rejected' }>;

/** What a pile's reply to a start means. */
export function startOutcome({ result, failReason }: Replied): AskedOutcome {
  if (result === 1) return accepted;
  const failure = meaningOf(startFailure, failReason);
  // If plugged in within 60 s of the command, the pile starts after all (section 3.3, rule 3).
  return failure === 'not-plugged' ? { kind: 'scheduled' } : rejected(startRejections, failure);
}

/** What a pile's reply to a stop means. */
export function stopOutcome({ result, failReason }: Replied): AskedOutcome {
  return result === 1 ? accepted : rejected(stopRejections, meaningOf(stopFailure, failReason));
}

function powerCall(pileNo: string, available: boolean, maxPowerPct: number): Result<OutgoingCall, CommandOutcome> {
  if (maxPowerPct < 30 || maxPowerPct > 100) return failed(unsayable);
  const disabled = codeOf(workPermission, available ? 'allowed' : 'stopped');
  return callOf({ kind: 'work-parameter-set', pileNo, disabled, maxPowerPct }, yesOrNo);
}

function firmwareCall(
  firmware: Extract<StationCommand, { kind: 'update-firmware' }>['firmware'],
  pileNo: string,
): Result<OutgoingCall, CommandOutcome> {
  const { current, ratedPowerKw: power, host, port, user, password, path, timeoutMinutes: timeoutMin } = firmware;
  if (timeoutMin < 1) return failed(unsayable);
  const isAtOnce = firmware.when === 'now';
  const when = codeOf(execution, isAtOnce ? 'immediately' : 'when-idle');
  const timeoutMs = timeoutMin * minuteMs + firmwareInstallMs + (isAtOnce ? 0 : firmwareIdleWaitMs);
  return callOf(
    {
      kind: 'ota-update',
      pileNo,
      pileModel: codeOf(pileModel, current),
      power,
      host,
      port,
      user,
      password,
      path,
      when,
      timeoutMin,
    },
    ([reply]) => {
      if (reply?.kind !== 'ota-reply') return unexpected;
      const state = meaningOf(otaState, reply.state);
      return state === 'ok' ? accepted : rejected(firmwareRejections, state);
    },
    { timeoutMs },
  );
}

const cardsPerFrame = { 'store-cards': 15, 'clear-cards': 24, 'query-cards': 26 } as const;

type CardsDone = Extract<CommandOutcome, { kind: 'cards' }>['cards'];

/** As many frames as the cards need; the outcome covers every card. */
function cardsCall(
  command: Extract<StationCommand, { kind: 'store-cards' | 'clear-cards' | 'query-cards' }>,
  pileNo: string,
): Result<OutgoingCall, CommandOutcome> {
  const told =
    command.kind === 'store-cards'
      ? command.cards
      : command.physicalNumbers.map((physicalNumber) => ({ number: '', physicalNumber }));
  const cards: { logicCardNo: string; physCardNo: string; physicalNumber: string }[] = [];
  for (const card of told) {
    const physCardNo = physicalNumber(card.physicalNumber);
    if (physCardNo === null) return failed(unsayable);
    cards.push({ logicCardNo: logicCardNo(card.number), physCardNo, physicalNumber: card.physicalNumber });
  }
  const batches: (typeof cards)[] = [];
  const size = cardsPerFrame[command.kind];
  for (let from = 0; from < cards.length; from += size) batches.push(cards.slice(from, from + size));
  const kind = (
    {
      'store-cards': 'offline-card-sync',
      'clear-cards': 'offline-card-clear',
      'query-cards': 'offline-card-query',
    } as const
  )[command.kind];
  const messages = batches.map((batch) => ({ kind, pileNo, cards: batch }) as PlatformMessage);
  return callOf(messages, (replies) => ({
    kind: 'cards',
    cards: batches.flatMap((batch, index) =>
      batch.map(({ physCardNo, physicalNumber }) => ({ physicalNumber, ...cardDone(replies[index], physCardNo) })),
    ),
  }));
}

function cardDone(reply: PileMessage | undefined, physCardNo: string): Omit<CardsDone[number], 'physicalNumber'> {
  if (reply?.kind === 'offline-card-sync-reply') {
    if (reply.result === 1) return { done: true };
    return { done: false, reason: reasonOf(cardRejections, meaningOf(cardSyncFailure, reply.failReason)) };
  }
  if (reply?.kind === 'offline-card-clear-reply') {
    const item = reply.items.find((each) => each.physCardNo === physCardNo);
    if (item?.cleared === 1) return { done: true };
    return { done: false, reason: item?.failReason === 1 ? 'bad_card_number' : 'other' };
  }
  if (reply?.kind === 'offline-card-query-reply') {
    return { done: reply.items.some((each) => each.physCardNo === physCardNo && each.result === 1) };
  }
  return { done: false, reason: 'other' };
}

/** `action` as 0x92; `payload` has the fields of its table, or the whole body as `hex`. */
function rawCall(action: string, payload: unknown, pileNo: string): Result<OutgoingCall, CommandOutcome> {
  const type = /^0x[0-9a-f]{2}$/i.test(action) ? Number(action) : -1;
  // Odd types belong to the pile (section 1).
  if (type < 0 || type % 2 === 1 || typeof payload !== 'object' || payload === null) return failed(unsayable);
  const kind = definitionOf(type)?.kind as MessageKind | undefined;
  const fields: Readonly<Record<string, unknown>> = { pileNo, ...payload };
  const body = rawBody(kind, fields);
  if (body === null) return failed(unsayable);
  const asked = kind === undefined ? null : readBody(type, body, 0, body.length);
  // Several piles may share a socket: a call must not reach another pile.
  const told = asked === null || !('pileNo' in asked) ? toHex(body, 0, pileNo.length / 2) : asked.pileNo;
  // The tables define the reply; beyond them it is the next type, as 0xF1 for 0xF0.
  const replyType = kind === undefined ? type + 1 : replyTypeOf(kind);
  if (told !== pileNo || replyType === null) return failed(unsayable);
  return ok({
    parts: [{ type, bodyAt: () => body }],
    replyKey: replyKey(replyType, asked ?? {}),
    timeoutMs: callTimeoutMs,
    isForIdle: kind === 'billing-model-set',
    startOf: null,
    outcomeOf: ([reply]) => {
      const { kind: _, ...told } = reply?.message ?? { kind: null };
      return { kind: 'raw', payload: reply?.message === null ? { hex: reply.body } : told };
    },
  });
}

function rawBody(kind: MessageKind | undefined, fields: Readonly<Record<string, unknown>>): Uint8Array | null {
  if (typeof fields.hex === 'string') {
    const body = fromHex(fields.hex);
    return body !== null && body.length <= bodyBytesMax ? body : null;
  }
  if (kind === undefined) return null;
  const written = writeBody(kind, fields);
  return written.ok ? written.value : null;
}

function yesOrNo([reply]: readonly PileMessage[]): CommandOutcome {
  if (reply === undefined || !('result' in reply)) return unexpected;
  return reply.result === 1 ? accepted : { kind: 'rejected' };
}

/** 16 hexadecimal digits; zeros for none, null for what is not a chip number. */
function physicalNumber(text: string): string | null {
  return /^[0-9A-Fa-f]{0,16}$/.test(text) ? text.toUpperCase().padStart(16, '0') : null;
}

type Rejections<Key extends string> = Readonly<Record<Key, RejectionReason>>;
type KeyOf<Meanings> = Meanings extends Enumeration<infer Key> ? Key : never;

function rejected<Key extends string>(
  reasons: Rejections<Key>,
  told: Key | null,
): Extract<CommandOutcome, { kind: 'rejected' }> {
  return { kind: 'rejected', reason: reasonOf(reasons, told) };
}

function reasonOf<Key extends string>(reasons: Rejections<Key>, told: Key | null): RejectionReason {
  return told === null ? 'other' : reasons[told];
}

const startRejections: Rejections<KeyOf<typeof startFailure>> = {
  none: 'other',
  'pile-no-mismatch': 'wrong_station',
  'already-charging': 'already_charging',
  'equipment-fault': 'fault',
  'equipment-offline': 'offline',
  'not-plugged': 'not_plugged_in',
};
const stopRejections: Rejections<KeyOf<typeof stopFailure>> = {
  none: 'other',
  'pile-no-mismatch': 'wrong_station',
  'not-charging': 'not_charging',
  other: 'other',
};
const balanceRejections: Rejections<KeyOf<typeof balanceVerdict>> = {
  ok: 'other',
  'wrong-pile-no': 'wrong_station',
  'wrong-card-no': 'wrong_card',
};
const cardRejections: Rejections<KeyOf<typeof cardSyncFailure>> = {
  none: 'other',
  'card-no-format-wrong': 'bad_card_number',
  'storage-full': 'storage_full',
};
const firmwareRejections: Rejections<KeyOf<typeof otaState>> = {
  ok: 'other',
  'wrong-pile-no': 'wrong_station',
  'model-mismatch': 'wrong_model',
  'download-timeout': 'download_timeout',
};
