/**
 * A connection with a pile at one end and a business at the other, without sockets or clocks: what tests speak through.
 * Every effect is kept in order; time passes only by `wait`.
 */
import type { Exchange } from '@voltdeck/charging/exchange';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect, ConnectionInput, RefusalReason } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { plainAnswer } from '@voltdeck/connection/plain-answer';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type ConnectionState, heartbeatMs, loginSettleMs, openConnection, step } from './connection.ts';
import { checkMessage, emptyRemainder, readFrames, readMessage, writeFrame } from './frame.ts';
import { definitions, type Message, type MessageKind, type MessageOf, type PileMessageKind } from './messages/all.ts';
import type { Definition, Field } from './messages/field.ts';

type Input = ConnectionInput<Uint8Array>;
type Effect = ConnectionEffect<Uint8Array>;

/** What the business does with an event: answer it, refuse it, or think it over (`later`). */
export type Decision = EventAnswer | RefusalReason | 'later';

export type Conversation = {
  readonly state: ConnectionState;
  readonly now: Instant;
  readonly effects: readonly Effect[];
  readonly events: readonly StationEvent[];
  /** What went to the pile, as messages. */
  readonly sent: readonly Message[];
  readonly exchanges: readonly Exchange[];
  readonly settled: readonly { ref: string; outcome: CommandOutcome }[];
  readonly closed: readonly { code: number; reason: string }[];
  /** Feeds one input; events are decided at once. Returns the effects of this input and its decisions. */
  feed(input: Input): readonly Effect[];
  /** The pile sends a frame; gives the messages that were sent because of it. */
  receives(frame: Uint8Array): readonly Message[];
  /** The pile sends a message, with zeros in the fields that are not given; gives what was sent because of it. */
  says<Kind extends PileMessageKind>(
    kind: Kind,
    fields?: Partial<MessageOf<Kind>>,
    sequence?: number,
  ): readonly Message[];
  /** We ask something of the pile; gives the messages that this sent. */
  commands(command: StationCommand, ref?: string): readonly Message[];
  /** The oldest answer that is on its way leaves: for a conversation whose answers are `slow`. */
  sends(): readonly Effect[];
  /** Time passes, with the ticks that are due. */
  wait(milliseconds: number): readonly Effect[];
  /** Decides the event that the business thought over. */
  decides(decision: Exclude<Decision, 'later'>): readonly Effect[];
};

export const conversationStart = instant(Date.parse('2026-11-21T08:00:00.000Z'));
export const testPileNo = '32010200000001';
/** A charge at gun port 1 of the pile. */
export const testTradeNo = `${testPileNo}012611211600000007`;

export function converse(
  options: {
    decide?: (event: StationEvent) => Decision;
    loggedIn?: boolean;
    pileNo?: string;
    /** Answers leave one by one, by `sends`. */
    slow?: boolean;
  } = {},
): Conversation {
  const { decide = agreeableBusiness, pileNo = testPileNo } = options;
  let now = conversationStart;
  let sequence = 0;
  let pendingRef: number | null = null;
  let beginning = options.loggedIn !== false;
  let slow = false;
  const state = openConnection({ pileNo }, now);
  const effects: Effect[] = [];

  function feed(input: Input): readonly Effect[] {
    const fresh: Effect[] = [];
    const inputs: Input[] = [input];
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      for (const effect of step(state, next, now).effects) {
        fresh.push(effect);
        if (effect.kind === 'send' && effect.isAnswer && !slow) inputs.push({ kind: 'sent' });
        if (effect.kind !== 'event') continue;
        const decision = beginning ? agreeableBusiness(effect.event) : decide(effect.event);
        if (decision === 'later') pendingRef = effect.ref;
        else inputs.push(inputOf(effect.ref, decision));
      }
    }
    effects.push(...fresh);
    return fresh;
  }

  const conversation: Conversation = {
    state,
    get now() {
      return now;
    },
    effects,
    get events() {
      return effects.flatMap((effect) => (effect.kind === 'event' ? [effect.event] : []));
    },
    get sent() {
      return sentIn(effects);
    },
    get exchanges() {
      return effects.flatMap((effect) => (effect.kind === 'exchange' ? [effect.exchange] : []));
    },
    get settled() {
      return effects.flatMap((effect) =>
        effect.kind === 'command-settled' ? [{ ref: effect.ref, outcome: effect.outcome }] : [],
      );
    },
    get closed() {
      return effects.flatMap((effect) =>
        effect.kind === 'close' ? [{ code: effect.code, reason: effect.reason }] : [],
      );
    },
    feed,
    receives: (frame) => sentIn(feed({ kind: 'received', frame })),
    says(kind, fields = {}, given) {
      sequence += 1;
      return conversation.receives(pileFrame(kind, { pileNo, ...fields }, given ?? sequence));
    },
    commands: (command, ref = 'command') => sentIn(feed({ kind: 'command', ref, command })),
    sends: () => feed({ kind: 'sent' }),
    wait(milliseconds) {
      const until = now + milliseconds;
      const before = effects.length;
      while (state.nextWakeAt <= until && state.phase === 'open') {
        now = instant(Math.max(now, state.nextWakeAt));
        feed({ kind: 'tick' });
      }
      now = instant(until);
      return effects.slice(before);
    },
    decides(decision) {
      if (pendingRef === null) throw new Error('the business has nothing to decide');
      const ref = pendingRef;
      pendingRef = null;
      return feed(inputOf(ref, decision));
    },
  };
  if (beginning) {
    conversation.says('login', { protoVersion: 16, gunCount: 2 });
    conversation.wait(loginSettleMs);
    conversation.says('clock-set-reply', { time: conversationStart });
    effects.length = 0;
    beginning = false;
  }
  slow = options.slow ?? false;
  return conversation;
}

/** A frame of a pile; fields that are not given are zero or empty. */
export function pileFrame(kind: MessageKind, fields: Readonly<Record<string, unknown>>, sequence = 1): Uint8Array {
  const { fields: table, list }: Definition = definitions[kind];
  const zeros = Object.fromEntries(table.map((field) => [field.name, zeroOf(field)]));
  const checked = checkMessage(kind, { ...zeros, ...(list !== null && { [list.name]: [] }), ...fields });
  if (!checked.ok) throw new Error(`${kind}: ${checked.error.field} wants ${checked.error.wants}`);
  return writeFrame(checked.value, sequence);
}

function zeroOf({ name, encoding, length }: Field): unknown {
  if (name === 'gunNo') return 1;
  switch (encoding) {
    case 'digits':
    case 'raw':
      return '0'.repeat(2 * length);
    case 'ascii':
    case 'reversed-ascii':
      return '';
    case 'time':
      return null;
    case 'bytes':
      return Array.from({ length }, () => 0);
    default:
      return 0;
  }
}

/** Says yes to everything. */
export function agreeableBusiness(event: StationEvent): EventAnswer {
  switch (event.kind) {
    case 'charge-requested':
      return {
        kind: 'charge-decided',
        authorization: 'accepted',
        transaction: testTradeNo,
        cardNumber: '6230001',
        availableFen: fen(8_888),
      };
    case 'charge-started':
      return { kind: 'charge-started', transactionNumber: 1001, authorization: 'accepted' };
    case 'charge-stopped':
      return { kind: 'charge-stopped' };
    case 'tariff-reported':
      return { kind: 'tariff-checked', isCurrent: true };
    case 'tariff-requested':
      return { kind: 'tariff', tariff: null };
    default:
      return plainAnswer(event, heartbeatMs / secondMs) ?? { kind: 'noted' };
  }
}

function inputOf(ref: number, decision: Exclude<Decision, 'later'>): Input {
  return typeof decision === 'string'
    ? { kind: 'refused', ref, because: decision }
    : { kind: 'answered', ref, answer: decision };
}

function sentIn(effects: readonly Effect[]): readonly Message[] {
  return effects.flatMap((effect) => (effect.kind === 'send' ? [messageOf(effect.frame)] : []));
}

/** @throws Error for bytes that are no frame of a known message. */
export function messageOf(bytes: Uint8Array): Message {
  const [frame] = readFrames(emptyRemainder, bytes).frames;
  const message = frame === undefined ? null : readMessage(frame);
  if (message === null || message.kind === 'fault') throw new Error('no frame with a message');
  return message;
}
