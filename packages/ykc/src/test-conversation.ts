/** A YKC connection between a pile and a business without sockets or clocks, for tests. */
import type { StationCommand } from '@voltdeck/charging/station-command';
import { type EventAnswer, noted, type StationEvent } from '@voltdeck/charging/station-event';
import * as shared from '@voltdeck/connection/test-conversation';
import { secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type ConnectionState, heartbeatMs, loginSettleMs, openConnection, step } from './connection.ts';
import { checkMessage, emptyRemainder, readFrames, readMessage, writeFrame } from './frame.ts';
import { definitions, type Message, type MessageKind, type MessageOf, type PileMessageKind } from './messages/all.ts';
import type { Definition, Field } from './messages/field.ts';

export const { conversationStart } = shared;
export type { Decision } from '@voltdeck/connection/test-conversation';

export type Conversation = shared.Conversation<ConnectionState, Uint8Array, Message> & {
  /** The pile sends a message, with zeros in fields that are not given; returns what was sent in response. */
  says<Kind extends PileMessageKind>(
    kind: Kind,
    fields?: Partial<MessageOf<Kind>>,
    sequence?: number,
  ): readonly Message[];
  /** We send a command to the pile; returns the messages that were sent. */
  commands(command: StationCommand, ref?: string): readonly Message[];
};

export const testPileNo = '32010200000001';
/** A charge at gun port 1 of the pile. */
export const testTradeNo = `${testPileNo}012611211600000007`;

export function converse(
  options: {
    decide?: (event: StationEvent) => shared.Decision;
    loggedIn?: boolean;
    pileNo?: string;
    /** Answers are sent one by one, by `sends`. */
    slow?: boolean;
  } = {},
): Conversation {
  const { decide = agreeableBusiness, pileNo = testPileNo } = options;
  let lastSequence = 0;
  let beginning = options.loggedIn !== false;
  const talk = shared.converseBetween<ConnectionState, Uint8Array, Message>({
    state: openConnection({ pileNo }, conversationStart),
    step,
    read: messageOf,
    decide: (event) => (beginning ? agreeableBusiness(event) : decide(event)),
    isSlow: () => !beginning && options.slow === true,
  });
  const conversation: Conversation = Object.assign(talk, {
    says(kind: PileMessageKind, fields: Readonly<Record<string, unknown>> = {}, sequence?: number) {
      lastSequence += 1;
      return talk.receives(pileFrame(kind, { pileNo, ...fields }, sequence ?? lastSequence));
    },
    commands: (command: StationCommand, ref = 'command') =>
      talk
        .feed({ kind: 'command', ref, command })
        .flatMap((effect) => (effect.kind === 'send' ? [messageOf(effect.frame)] : [])),
  });
  if (beginning) {
    conversation.says('login', { protoVersion: 16, gunCount: 2 });
    conversation.wait(loginSettleMs);
    conversation.says('clock-set-reply', { time: conversationStart });
    talk.effects.length = 0;
    beginning = false;
  }
  return conversation;
}

/** A pile's frame; fields that are not given are zero or empty. */
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

/** Accepts everything. */
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
    case 'booted':
      return { kind: 'boot', decision: 'accepted', heartbeatSeconds: heartbeatMs / secondMs };
    default:
      return noted;
  }
}

/** @throws Error for bytes that are not a frame of a known message. */
export function messageOf(bytes: Uint8Array): Message {
  const [frame] = readFrames(emptyRemainder, bytes).frames;
  const message = frame === undefined ? null : readMessage(frame);
  if (message === null || message.kind === 'fault') throw new Error('no frame with a message');
  return message;
}
