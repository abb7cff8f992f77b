/**
 * A minimal protocol for tests of the machine alone. Frames of the station: `hello`, `ask NAME`, `tell NAME` (which is
 * not answered), `both NAME` (two events), `reply ID`; of ours: `yes NAME`, `no NAME` and `call ID`.
 */
import { exchangeFaults } from '@voltdeck/charging/exchange';
import type { StationEvent } from '@voltdeck/charging/station-event';
import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import { type CallRules, endCall } from './calls.ts';
import type { Dialect, MachineState } from './dialect.ts';
import type { LoggedFrame } from './exchanges.ts';
import type { Arrived, Turn } from './kinds.ts';
import { ConnectionMachine, logFrame, never, openState } from './machine.ts';

type Message = { verb: 'hello' | 'ask' | 'tell' | 'both'; name: string };
export type Toy = {
  wire: string;
  arrival: LoggedFrame;
  message: Message;
  reply: string;
  call: string;
  sent: LoggedFrame;
};
export type ToyState = MachineState<Toy> & { isKnown: boolean; callsSent: number };

export const toyCallsMax = 2;
export const toyTimeoutMs = 5 * secondMs;
export const toySilenceMs = 5 * minuteMs;
export const toyInboxChars = 4_000;

const calls: CallRules<Toy, ToyState> = {
  outMax: toyCallsMax,
  timeoutMsOf: () => toyTimeoutMs,
  areRivals: (call, other) => call === other,
  refusalOf: (_, call) => (call === 'clear-cards' ? { kind: 'rejected' } : null),
  write({ state, now }, call) {
    state.callsSent += 1;
    const text = `call ${state.callsSent}`;
    return { frame: text, sent: { action: call, messageId: String(state.callsSent), text, at: now } };
  },
  onEnded: () => {},
};

const dialect: Dialect<Toy, ToyState> = {
  noun: 'frames',
  inboxCharsMax: toyInboxChars,
  calls,
  lifeSignsOf: () => ({ silenceMs: toySilenceMs, heartbeatMs: minuteMs }),
  dueAt: () => never,
  onTick: () => {},
  onSent: () => {},
  read,
  isRepeat: ({ arrival, message }, other) => message.verb !== 'tell' && arrival.text === other.arrival.text,
  isIntroduction: ({ verb }) => verb === 'hello',
  understand({ state }, { verb, name }) {
    if (!state.isKnown && verb !== 'hello') {
      return { events: null, reply: `no ${name}`, fault: { code: 'NotKnown', description: 'no hello before' } };
    }
    const event: StationEvent = { kind: 'heartbeat' };
    return { events: verb === 'both' ? [event, event] : [event], fault: null };
  },
  onHeard: () => {},
  replyTo: (_, { verb, name }) => ({ reply: verb === 'tell' ? null : `yes ${name}`, fault: null }),
  onAnswered({ state }, { verb }) {
    if (verb === 'hello') state.isKnown = true;
  },
  refuse: (_, { verb, name }, because) => ({
    reply: because === 'failed' && verb !== 'tell' ? `no ${name}` : null,
    fault: { code: exchangeFaults.unavailable, description: because },
    closing: because === 'unavailable' && verb === 'ask' ? { code: 'tryAgainLater', reason: 'try again later' } : null,
    hearsTheRest: verb === 'both',
  }),
  endsCall: () => false,
  write: (reply) => reply,
  textOf: (frame) => frame,
  toCall: (_, { kind }) => (kind === 'raw' ? failed({ kind: 'failed' }) : ok(kind)),
  mayCall: ({ isKnown }) => isKnown,
};

export const toyMachine = new ConnectionMachine(dialect);

export function openToy(now: Instant): ToyState {
  return toyMachine.opened({ ...openState<Toy>(now), isKnown: false, callsSent: 0 });
}

const verbs: ReadonlySet<string> = new Set<Message['verb']>(['hello', 'ask', 'tell', 'both']);

function isVerb(text: string): text is Message['verb'] {
  return verbs.has(text);
}

function read(turn: Turn<Toy, ToyState>, frame: string): Arrived<Toy> | null {
  const [verb = '', name = ''] = frame.split(' ');
  const arrival: LoggedFrame = { action: verb, messageId: name, text: frame, at: turn.now };
  if (isVerb(verb)) return { arrival, message: { verb, name } };
  const out = turn.state.calls?.out.find(({ sent }) => verb === 'reply' && sent.messageId === name);
  if (out === undefined) logFrame(turn, arrival, { code: exchangeFaults.unknownReply, description: 'nobody asked' });
  else endCall(turn, calls, out, { outcome: { kind: 'accepted' }, replyText: frame, fault: null });
  return null;
}
