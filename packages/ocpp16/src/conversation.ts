/**
 * A connection with a station at one end and a business at the other, without sockets or clocks: what tests speak
 * through. Every effect is kept in order; time passes only by `wait`.
 */

import type { Exchange } from '@voltdeck/charging/exchange';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect, ConnectionInput, RefusalReason } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { plainAnswer } from '@voltdeck/connection/plain-answer';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type ConnectionState, openConnection, step } from './connection.ts';
import { isPayload, type Payload } from './frame.ts';

type Input = ConnectionInput<string>;
type Effect = ConnectionEffect<string>;

/** What the business does with an event: answer it, refuse it, or think it over (`later`). */
export type Decision = EventAnswer | RefusalReason | 'later';

export type Conversation = {
  readonly state: ConnectionState;
  readonly now: Instant;
  readonly effects: readonly Effect[];
  readonly events: readonly StationEvent[];
  readonly sent: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly settled: readonly { ref: string; outcome: CommandOutcome }[];
  readonly closed: readonly { code: number; reason: string }[];
  /** Feeds one input; events are decided at once. Returns the effects of this input and its decisions. */
  feed(input: Input): readonly Effect[];
  /** The station sends a text; gives the texts that were sent because of it. */
  receives(text: string): readonly string[];
  /** The station makes a call; gives the parsed reply to it, or undefined. */
  calls(action: string, payload: unknown, id?: string): readonly unknown[] | undefined;
  /** The station answers our last call. */
  results(payload: Payload): readonly Effect[];
  /** The station refuses our last call. */
  errors(code: string, description?: string, details?: Payload): readonly Effect[];
  /** We ask something of the station; gives the parsed calls that this sent. */
  commands(command: StationCommand, ref?: string): readonly (readonly unknown[])[];
  /** The oldest answer that is on its way leaves: for a conversation whose answers are `slow`. */
  sends(): readonly Effect[];
  /** Time passes, with the ticks that are due. */
  wait(milliseconds: number): readonly Effect[];
  /** Decides the event that the business thought over. */
  decides(decision: Exclude<Decision, 'later'>): readonly Effect[];
};

export const conversationStart = instant(Date.parse('2026-11-21T08:00:00.000Z'));

export function converse(
  options: {
    decide?: (event: StationEvent) => Decision;
    heartbeatSeconds?: number;
    booted?: boolean;
    /** In an earlier connection. */
    wasAccepted?: boolean;
    /** Answers leave one by one, by `sends`. */
    slow?: boolean;
  } = {},
): Conversation {
  const decide = options.decide ?? agreeableBusiness;
  const heartbeatSeconds = options.heartbeatSeconds ?? 300;
  let now = conversationStart;
  let callNumber = 0;
  let pendingRef: number | null = null;
  let lastCallId = '';
  let booting = options.booted !== false;
  let slow = false;
  const state = openConnection({ callIdPrefix: 'c', heartbeatSeconds, wasAccepted: options.wasAccepted ?? false }, now);
  const effects: Effect[] = [];

  function feed(input: Input): readonly Effect[] {
    const fresh: Effect[] = [];
    const inputs: Input[] = [input];
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      for (const effect of step(state, next, now).effects) {
        fresh.push(effect);
        if (effect.kind === 'send' && effect.isAnswer && !slow) inputs.push({ kind: 'sent' });
        if (effect.kind === 'send' && effect.frame.startsWith('[2,')) lastCallId = idOf(effect.frame);
        if (effect.kind !== 'event') continue;
        const decision = booting ? agreeableBusiness(effect.event) : decide(effect.event);
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
    receives: (text) => sentIn(feed({ kind: 'received', frame: text })),
    calls(action, payload, id) {
      if (id === undefined) callNumber += 1;
      const messageId = id ?? `s-${callNumber}`;
      const replies = sentIn(feed({ kind: 'received', frame: JSON.stringify([2, messageId, action, payload]) }));
      return replies.map(parsed).find((reply) => reply[0] !== 2 && reply[1] === messageId);
    },
    results: (payload) => feed({ kind: 'received', frame: JSON.stringify([3, lastCallId, payload]) }),
    errors: (code, description = '', details = {}) =>
      feed({ kind: 'received', frame: JSON.stringify([4, lastCallId, code, description, details]) }),
    commands(command, ref = 'command') {
      return sentIn(feed({ kind: 'command', ref, command })).map(parsed);
    },
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
  if (booting) {
    conversation.calls('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' }, 'boot');
    effects.length = 0;
    booting = false;
  }
  slow = options.slow ?? false;
  return conversation;
}

/** Says yes to everything. */
export function agreeableBusiness(event: StationEvent): EventAnswer {
  switch (event.kind) {
    case 'authorization-requested':
      return { kind: 'authorization', authorization: 'accepted' };
    case 'charge-started':
      return { kind: 'charge-started', transactionNumber: 1001, authorization: 'accepted' };
    case 'charge-stopped':
      return { kind: 'charge-stopped' };
    case 'data-transferred':
      return { kind: 'data-transferred', status: 'unknown_vendor' };
    default:
      return plainAnswer(event, 300) ?? { kind: 'noted' };
  }
}

function inputOf(ref: number, decision: Exclude<Decision, 'later'>): Input {
  return typeof decision === 'string'
    ? { kind: 'refused', ref, because: decision }
    : { kind: 'answered', ref, answer: decision };
}

function sentIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.kind === 'send' ? [effect.frame] : []));
}

function parsed(text: string): readonly unknown[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value : [];
}

function idOf(text: string): string {
  const id = parsed(text)[1];
  return typeof id === 'string' ? id : '';
}

/** The payload of a parsed reply or call; empty when there is none. */
export function payloadOf(frame: readonly unknown[] | undefined): Payload {
  const payload = frame?.[frame[0] === 2 ? 3 : 2];
  return isPayload(payload) ? payload : {};
}
