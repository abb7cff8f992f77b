/**
 * The state machine of one pile's connection, seen from the platform: what YKC adds to the machine that all protocols
 * share. translate.ts has the meaning of messages, frame.ts their format, calls.ts our calls. Several piles may share a
 * socket: each has its own connection, which is fed the frames with its pile number.
 */
import { type ExchangeFault, exchangeFaults, faultOfUnusable } from '@voltdeck/charging/exchange';
import type { ConnectionInput, RefusalReason, Step } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { enqueue } from '@voltdeck/connection/calls';
import type { Dialect, MachineState, Refusal, Understood } from '@voltdeck/connection/dialect';
import { inboxMax } from '@voltdeck/connection/inbox';
import type { Arrived, Turn } from '@voltdeck/connection/kinds';
import {
  answerFrame,
  ConnectionMachine,
  closeConnection,
  logFrame,
  never,
  openState,
} from '@voltdeck/connection/machine';
import { forgetRefused, noteRefused } from '@voltdeck/connection/refused-charges';
import { dayMs, type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { callRepliedBy, calls, endPart, isLateReply, type TimedOut, type Ykc } from './calls.ts';
import { type Arrival, loggedFrameOf, loggedText, ykcFaults } from './exchanges.ts';
import {
  bodyAt,
  crcBytes,
  emptyRemainder,
  type Frame,
  frameBytesMax,
  pileNoOf,
  readFrames,
  readMessage,
  writeFrame,
} from './frame.ts';
import { type GunsHolder, gunOf, isLateStart, rememberLive } from './guns.ts';
import { toHex } from './hex.ts';
import { definitions, type Message, type PileMessage } from './messages/all.ts';
import type { Definition } from './messages/field.ts';
import { newerRecordType, withOlderRecord } from './newer-record.ts';
import {
  connectorNumberOf,
  type HeardMessage,
  recordAnswer,
  type SpokenMessage,
  toAnswer,
  toEvents,
  undecided,
} from './translate.ts';
import { clockCall, toCall } from './translate-commands.ts';
import { connectorNumberMax, shortBodyFault } from './translate-record.ts';

/** The interval of a pile's heartbeats for each gun port (section 3.3, rule 1), which cannot be changed. */
export const heartbeatMs = 10 * secondMs;
/** Three missing heartbeats mean a dead line, plus a half for slow networks. */
export const silenceHeartbeats = 3.5;
/** Pause between our answer to the login and our first call, so that the answer arrives first. */
export const loginSettleMs = secondMs;
/** A pile's clock is set at login and at this interval. */
export const clockIntervalMs = dayMs;
/** How much of bytes that are not a frame is logged. */
const loggedBytesMax = 512;
const pileNoForm = /^\d{14}$/;

type YkcTurn = Turn<Ykc, ConnectionState>;

/** Read `lastFrameAt` and `nextWakeAt`; the rest belongs to `step`. */
export type ConnectionState = MachineState<Ykc> &
  GunsHolder & {
    pileNo: string;
    isLoggedIn: boolean;
    /** No calls before this: `never` while our answer to the login is being sent, null long after it. */
    settlesAt: Instant | null;
    clockDueAt: Instant;
    nextSequence: number;
    timedOut: TimedOut;
  };

export type ConnectionOptions = {
  /** 桩编号, 14 digits. */
  pileNo: string;
};

/** @throws RangeError for a pile number that is not 14 digits. */
export function openConnection({ pileNo }: ConnectionOptions, now: Instant): ConnectionState {
  if (!pileNoForm.test(pileNo)) throw new RangeError(`a pile number has 14 digits, got ${pileNo}`);
  return machine.opened({
    ...openState<Ykc>(now),
    pileNo,
    isLoggedIn: false,
    settlesAt: null,
    clockDueAt: never,
    nextSequence: 0,
    timedOut: [],
    guns: [],
  });
}

/** See ConnectionMachine.step. */
export function step(
  state: ConnectionState,
  input: ConnectionInput<Uint8Array>,
  now: Instant,
): Step<ConnectionState, Uint8Array> {
  return machine.step(state, input, now);
}

/** When the pile counts as dead unless a frame of any kind arrives first. */
export function deadAt(state: ConnectionState): Instant {
  return machine.deadAt(state);
}

export function isDead(state: ConnectionState, now: Instant): boolean {
  return now >= deadAt(state);
}

const dialect: Dialect<Ykc, ConnectionState> = {
  noun: 'frames',
  // As many as may wait, each of the maximum length.
  inboxCharsMax: inboxMax * 2 * frameBytesMax,
  calls,
  lifeSignsOf: () => lifeSigns,
  dueAt: ({ clockDueAt, settlesAt }) => Math.min(clockDueAt, settlesAt ?? never),
  onTick({ state, now }) {
    if (state.settlesAt !== null && now >= state.settlesAt) state.settlesAt = null;
    if (now >= state.clockDueAt) setClock(state, now);
  },
  onSent({ state, now }) {
    if (state.settlesAt === never && state.unsentAnswers === 0) state.settlesAt = instant(now + loginSettleMs);
  },
  read,
  isRepeat,
  isIntroduction: ({ kind }) => kind === 'login',
  understand,
  onHeard,
  replyTo(_, message, __, answer) {
    const { message: reply, because } = toAnswer(message, answer);
    if (because === undefined) return { reply, fault: null };
    return { reply, fault: { code: ykcFaults.noTariff, description: 'there is no tariff that the pile could run' } };
  },
  onAnswered,
  refuse,
  endsCall(turn, { arrival, message }) {
    if (message.kind !== 'realtime-data') return false;
    const out = callRepliedBy(turn.state, arrival.type, message);
    if (out !== null) endPart(turn, out, { type: arrival.type, message, body: '' }, arrival.text);
    return out !== null;
  },
  write: (reply, { sequence }) => writeFrame(reply, sequence),
  textOf: loggedText,
  toCall: ({ pileNo }, command) => toCall(command, pileNo),
  mayCall: ({ isLoggedIn, settlesAt }) => isLoggedIn && settlesAt === null,
};

const machine = new ConnectionMachine(dialect);

const lifeSigns = { silenceMs: silenceHeartbeats * heartbeatMs, heartbeatMs: null };

function read(turn: YkcTurn, bytes: Uint8Array): Arrived<Ykc> | null {
  const { frames, skipped, remainder } = readFrames(emptyRemainder, bytes);
  const [frame] = frames;
  if (frame !== undefined && frames.length === 1 && skipped === 0 && remainder.length === 0) {
    return readFrame(turn, frame);
  }
  const text = toHex(bytes.subarray(0, loggedBytesMax));
  const description = 'no frame with a right length and checksum';
  logFrame(turn, loggedFrameOf({ type: null, sequence: null, text, at: turn.now }), {
    code: exchangeFaults.unreadable,
    description,
  });
  return null;
}

function readFrame(turn: YkcTurn, frame: Frame): Arrived<Ykc> | null {
  const { state, now } = turn;
  const { type, sequence } = frame;
  const named = { type, sequence, text: loggedText(frame.bytes), at: now };
  const arrival: Arrival = { ...loggedFrameOf(named), type, sequence };
  const log = (code: string, description: string) => logFrame(turn, arrival, { code, description });
  const message = readMessage(withOlderRecord(frame));
  if (message.kind === 'fault') {
    if (message.because === 'encrypted') log(ykcFaults.encrypted, 'the body is encrypted');
    else if (message.because === 'body-too-short' || type === newerRecordType) return readShort(turn, frame, arrival);
    else if (callRepliedBy(state, type, null) === null) log(ykcFaults.unknownType, 'this type is not known here');
    else onReply(turn, arrival, null);
  } else if (!isFromPile(message)) log(ykcFaults.wrongDirection, 'only a platform sends this type');
  else if (message.pileNo !== state.pileNo) log(ykcFaults.wrongStation, 'the frame is of another pile');
  else if (isGunWrong(message)) log(ykcFaults.wrongGun, `guns are 1 to ${connectorNumberMax}`);
  else if (isSpoken(message, state, type)) return { arrival, message };
  else onReply(turn, arrival, message);
  return null;
}

function isFromPile(message: Message): message is PileMessage {
  return definitions[message.kind].sender === 'pile';
}

/**
 * A record is accepted whatever its gun number, since its energy was delivered; a heartbeat counts for the whole pile.
 */
function isGunWrong(message: PileMessage): boolean {
  if (!('gunNo' in message) || message.kind === 'transaction-record') return false;
  const gun = connectorNumberOf(message);
  return gun > connectorNumberMax || (gun < 1 && message.kind !== 'heartbeat');
}

const replies: ReadonlySet<string | null> = new Set(
  Object.values<Definition>(definitions)
    .filter(({ sender }) => sender === 'platform')
    .map(({ answer }) => answer),
);

/** Live data are always reported, requested or not; so is the result of an update if the line broke meanwhile. */
function isSpoken(message: PileMessage, state: ConnectionState, type: number): message is SpokenMessage {
  if (!replies.has(message.kind) || message.kind === 'realtime-data') return true;
  return message.kind === 'ota-reply' && callRepliedBy(state, type, message) === null;
}

const tradeNoBytes = 16;
/** Bytes that are not decimal digits name no charge: truncated data may as well be garbage, which is nobody's order. */
const tradeNoPattern = /^\d{32}$/;
const shortBody: ExchangeFault = { code: ykcFaults.bodyTooShort, description: shortBodyFault };

/**
 * An unreadable record ends the charge that it names; without a name it is refused, or the pile would repeat it for
 * ever.
 */
function readShort(turn: YkcTurn, frame: Frame, arrival: Arrival): Arrived<Ykc> | null {
  const { state } = turn;
  const to = bodyAt + tradeNoBytes;
  const isRecord = frame.type === definitions['transaction-record'].type || frame.type === newerRecordType;
  const pileNo = pileNoOf(frame) ?? state.pileNo;
  if (!isRecord || to + crcBytes > frame.bytes.length || !state.isLoggedIn) logFrame(turn, arrival, shortBody);
  else if (pileNo !== state.pileNo) {
    logFrame(turn, arrival, { code: ykcFaults.wrongStation, description: 'the frame is of another pile' });
  } else {
    const tradeNo = toHex(frame.bytes, bodyAt, to);
    const isName = isNamed(tradeNo) && tradeNoPattern.test(tradeNo);
    if (isName) return { arrival, message: { kind: 'short-record', pileNo, tradeNo, text: arrival.text } };
    const reply = writeFrame(recordAnswer(tradeNo, 'illegal'), frame.sequence);
    answerFrame(turn, arrival, reply, { replyText: loggedText(reply), fault: shortBody });
  }
  return null;
}

/** Compares type and body; a repeated frame may have another sequence, and so another checksum. */
function isRepeat({ arrival }: Arrived<Ykc>, other: Arrived<Ykc>): boolean {
  const { kind } = other.message;
  if (kind !== 'short-record' && definitions[kind].answer === null) return false;
  const from = 2 * (bodyAt - 1);
  return arrival.text.slice(from, -2 * crcBytes) === other.arrival.text.slice(from, -2 * crcBytes);
}

function understand({ state, now }: YkcTurn, message: HeardMessage): Understood<Ykc> {
  if (!state.isLoggedIn && message.kind !== 'login') {
    const fault = { code: ykcFaults.notLoggedIn, description: 'the pile has not logged in' };
    return { events: null, reply: null, fault };
  }
  const gun = message.kind === 'realtime-data' ? gunOf(state, connectorNumberOf(message)) : null;
  const unusable: string[] = [];
  const [event, ...others] = toEvents(message, gun, now, unusable);
  const fault = message.kind === 'short-record' ? shortBody : faultOfUnusable(unusable);
  return event === undefined ? { events: null, reply: null, fault } : { events: [event, ...others], fault };
}

function onHeard({ state, now }: YkcTurn, message: HeardMessage, event: StationEvent, answer: EventAnswer): void {
  if (event.kind !== 'charge-started' || message.kind !== 'realtime-data') return;
  if (answer.kind !== 'charge-started') throw new Error(`${answer.kind} does not answer ${event.kind}`);
  const { connectorNumber } = event;
  gunOf(state, connectorNumber).begun = message.tradeNo;
  if (answer.authorization === 'accepted') return;
  noteRefused(state, { connectorNumber, transaction: message.tradeNo, dueAt: now });
}

function onAnswered(turn: YkcTurn, message: HeardMessage, answer: EventAnswer): void {
  const { state, now } = turn;
  if (message.kind === 'realtime-data') {
    const { connectorNumber, isCharging } = rememberLive(state, message);
    const isOver = (transaction: unknown) => !isCharging || transaction !== message.tradeNo;
    forgetRefused(state, (charge) => charge.connectorNumber === connectorNumber && isOver(charge.transaction));
  } else if (message.kind === 'transaction-record' || message.kind === 'short-record') {
    forgetRefused(state, ({ transaction }) => transaction === message.tradeNo);
  }
  if (answer.kind !== 'boot') return;
  resetState(state, answer.decision === 'accepted');
  if (!state.isLoggedIn) {
    closeConnection(turn, loginRefused);
    return;
  }
  state.settlesAt = never;
  setClock(state, now);
}

const loginRefused = { code: 'policyViolation', reason: 'login refused' } as const;

/** Nothing survives a reboot. */
function resetState(state: ConnectionState, isLoggedIn: boolean): void {
  state.isLoggedIn = isLoggedIn;
  state.guns = [];
  state.timedOut = [];
  state.refused = null;
}

function setClock(state: ConnectionState, now: Instant): void {
  state.clockDueAt = instant(now + clockIntervalMs);
  enqueue(state, calls, { ref: null, call: clockCall(state.pileNo), queuedAt: now });
}

/**
 * A record stays unanswered: the pile keeps it until it is confirmed, resends it a few times (section 3.3, rule 9) and
 * again after its next login. If nothing can be stored the line is closed to cause that login; a broken record alone
 * does not justify this, and its end counts whatever was wrong with its start.
 */
function refuse({ state }: YkcTurn, message: HeardMessage, because: RefusalReason): Refusal<Ykc> {
  const isAway = because === 'unavailable';
  const fault: ExchangeFault = isAway
    ? { code: exchangeFaults.unavailable, description: 'not stored, so not answered' }
    : { code: ykcFaults.internalError, description: 'the message could not be processed' };
  const silence: Refusal<Ykc> = { reply: null, fault, closing: null, hearsTheRest: false };
  const tryAgain = { code: 'tryAgainLater', reason: 'try again later' } as const;
  switch (message.kind) {
    case 'transaction-record':
    case 'short-record':
      return isAway ? { ...silence, closing: tryAgain } : { ...silence, hearsTheRest: true };
    case 'login': {
      if (isAway) return { ...silence, closing: tryAgain };
      resetState(state, false);
      const refused: EventAnswer = { kind: 'boot', decision: 'rejected', heartbeatSeconds: heartbeatMs / secondMs };
      return { ...silence, reply: toAnswer(message, refused).message, closing: loginRefused };
    }
    case 'charge-application':
    case 'parallel-charge-application':
      return { ...silence, reply: toAnswer(message, undecided).message };
    default:
      return silence;
  }
}

function onReply(turn: YkcTurn, arrival: Arrival, message: PileMessage | null): void {
  const { type, text } = arrival;
  const out = callRepliedBy(turn.state, type, message);
  if (out !== null && !isLateReply(turn.state, out, arrival)) {
    endPart(turn, out, { type, message, body: text.slice(2 * bodyAt, -2 * crcBytes) }, text);
    return;
  }
  const fault = { code: exchangeFaults.unknownReply, description: 'nothing waits for this reply, or no longer' };
  logFrame(turn, arrival, isLateStart(turn.state, message) ? null : fault);
}
