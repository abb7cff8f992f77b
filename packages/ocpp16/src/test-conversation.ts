/** An OCPP connection between a station and a business without sockets or clocks, for tests. */
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect } from '@voltdeck/charging/station-connection';
import { type EventAnswer, noted, type StationEvent } from '@voltdeck/charging/station-event';
import * as shared from '@voltdeck/connection/test-conversation';
import { type ConnectionOptions, type ConnectionState, openConnection, step } from './connection.ts';
import { isPayload, type Payload } from './frame.ts';

export const { conversationStart } = shared;

export type Conversation = shared.Conversation<ConnectionState, string, string> & {
  /** The station makes a call; returns the parsed reply, or undefined. */
  calls(action: string, payload: unknown, id?: string): readonly unknown[] | undefined;
  /** The station answers our last call. */
  results(payload: Payload): readonly ConnectionEffect<string>[];
  /** The station refuses our last call. */
  errors(code: string, description?: string, details?: Payload): readonly ConnectionEffect<string>[];
  /** We send a command to the station; returns the parsed calls that were sent. */
  commands(command: StationCommand, ref?: string): readonly (readonly unknown[])[];
};

export function converse(
  options: {
    decide?: (event: StationEvent) => shared.Decision;
    heartbeatSeconds?: number;
    booted?: boolean;
    /** Whether an earlier connection accepted the station. */
    wasAccepted?: boolean;
    refusedCharges?: ConnectionOptions['refusedCharges'];
    /** Answers are sent one by one, by `sends`. */
    slow?: boolean;
  } = {},
): Conversation {
  const { decide = agreeableBusiness, heartbeatSeconds = 300, wasAccepted = false, refusedCharges = [] } = options;
  let callNumber = 0;
  let lastCallId = '';
  let booting = options.booted !== false;
  const talk = shared.converseBetween<ConnectionState, string, string>({
    state: openConnection({ callIdPrefix: 'c', heartbeatSeconds, wasAccepted, refusedCharges }, conversationStart),
    step(state, input, now) {
      const stepped = step(state, input, now);
      for (const effect of stepped.effects)
        if (effect.kind === 'send' && effect.frame.startsWith('[2,')) lastCallId = idOf(effect.frame);
      return stepped;
    },
    read: (text) => text,
    decide: (event) => (booting ? agreeableBusiness(event) : decide(event)),
    isSlow: () => !booting && options.slow === true,
  });
  const says = (frame: readonly unknown[]) => talk.feed({ kind: 'received', frame: JSON.stringify(frame) });
  const conversation: Conversation = Object.assign(talk, {
    calls(action: string, payload: unknown, id?: string) {
      if (id === undefined) callNumber += 1;
      const messageId = id ?? `s-${callNumber}`;
      const replies = talk.receives(JSON.stringify([2, messageId, action, payload]));
      return replies.map(parsed).find((reply) => reply[0] !== 2 && reply[1] === messageId);
    },
    results: (payload: Payload) => says([3, lastCallId, payload]),
    errors: (code: string, description = '', details: Payload = {}) =>
      says([4, lastCallId, code, description, details]),
    commands: (command: StationCommand, ref = 'command') =>
      talk
        .feed({ kind: 'command', ref, command })
        .flatMap((effect) => (effect.kind === 'send' ? [parsed(effect.frame)] : [])),
  });
  if (booting) {
    conversation.calls('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' }, 'boot');
    talk.effects.length = 0;
    booting = false;
  }
  return conversation;
}

/** Accepts everything. */
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
    case 'booted':
      return { kind: 'boot', decision: 'accepted', heartbeatSeconds: 300 };
    default:
      return noted;
  }
}

function parsed(text: string): readonly unknown[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value : [];
}

function idOf(text: string): string {
  const id = parsed(text)[1];
  return typeof id === 'string' ? id : '';
}

/** The payload of a parsed reply or call; empty if there is none. */
export function payloadOf(frame: readonly unknown[] | undefined): Payload {
  const payload = frame?.[frame[0] === 2 ? 3 : 2];
  return isPayload(payload) ? payload : {};
}
