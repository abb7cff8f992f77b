/**
 * What a protocol adds to the machine that every connection shares (see machine.ts). Every part is required, so that a
 * new protocol does not compile until each is decided.
 */
import type { ExchangeFault } from '@voltdeck/charging/exchange';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionView, RefusalReason } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { CallRules, CallsHolder } from './calls.ts';
import type { Inbox } from './inbox.ts';
import type { Arrived, Kinds, Turn } from './kinds.ts';
import type { LifeSigns, Liveness } from './liveness.ts';
import type { RefusedHolder } from './refused-charges.ts';

/** The message being handled by the business, event by event. */
export type Handed = {
  ref: number;
  readonly events: readonly StationEvent[];
  /** The index of the event that waits for its answer. */
  index: number;
  at: Instant;
  fault: ExchangeFault | null;
};

/** The state of every connection. Read `lastFrameAt` and `nextWakeAt`; the rest belongs to `step`. */
export type MachineState<K extends Kinds> = ConnectionView &
  Liveness &
  RefusedHolder &
  CallsHolder<K> &
  Inbox<K> & {
    phase: 'open' | 'closing' | 'closed';
    nextEventRef: number;
    handed: Handed | null;
    /** Answers that must become durable before they are sent. */
    unsentAnswers: number;
  };

/** Why we close a connection: a WebSocket sends the code, a TCP socket is just closed. */
export type Closing = { readonly code: 'goingAway' | 'policyViolation' | 'tryAgainLater'; readonly reason: string };

/** The events of a message for the business, or its reply if the business need not see it. */
export type Understood<K extends Kinds> =
  | { readonly events: readonly [StationEvent, ...StationEvent[]]; readonly fault: ExchangeFault | null }
  | { readonly events: null; readonly reply: K['reply'] | null; readonly fault: ExchangeFault | null };

/** The reply to a message that the business could not take. */
export type Refusal<K extends Kinds> = {
  readonly reply: K['reply'] | null;
  readonly fault: ExchangeFault;
  /** How the connection closes with it, if it does. */
  readonly closing: Closing | null;
  /** Whether the message's other events still count. */
  readonly hearsTheRest: boolean;
};

export type Dialect<K extends Kinds, State extends MachineState<K>> = {
  /** The protocol's word for its messages, for the log. */
  readonly noun: 'calls' | 'frames';
  /** Maximum characters of logged text in the inbox. */
  readonly inboxCharsMax: number;
  readonly calls: CallRules<K, State>;

  lifeSignsOf(state: State): LifeSigns;
  /** When a `tick` is due for this protocol's own timers. */
  dueAt(state: State): number;
  onTick(turn: Turn<K, State>): void;
  /** An answer has been sent. */
  onSent(turn: Turn<K, State>): void;

  /**
   * Reads a frame into a message for the inbox; null for a reply to a call, and for what was only logged or answered at
   * once.
   */
  read(turn: Turn<K, State>, frame: K['wire']): Arrived<K> | null;
  /** Whether this is the same message again, while the first waits for its answer. */
  isRepeat(waiting: Arrived<K>, arrived: Arrived<K>): boolean;
  /** Whether the station introduces itself: it gets no calls before that is answered. */
  isIntroduction(message: K['message']): boolean;
  understand(turn: Turn<K, State>, message: K['message']): Understood<K>;

  /** The business has answered an event, not necessarily the last of its message. */
  onHeard(turn: Turn<K, State>, message: K['message'], event: StationEvent, answer: EventAnswer): void;
  /**
   * The reply to a message whose last event was answered; `fault` if it is not what the station hopes for.
   * @throws Error when the answer is for another kind of event.
   */
  replyTo(
    turn: Turn<K, State>,
    message: K['message'],
    event: StationEvent,
    answer: EventAnswer,
  ): { reply: K['reply'] | null; fault: ExchangeFault | null };
  /** The message has been replied to. */
  onAnswered(turn: Turn<K, State>, message: K['message'], answer: EventAnswer): void;
  /** The business could not take an event of the message. */
  refuse(turn: Turn<K, State>, message: K['message'], because: RefusalReason): Refusal<K>;
  /** Ends a call of ours that the message also replies to, and logs the message with it; false if there is none. */
  endsCall(turn: Turn<K, State>, arrived: Arrived<K>): boolean;

  write(reply: K['reply'], arrival: K['arrival']): K['wire'];
  /** The logged text of a frame of ours. */
  textOf(frame: K['wire']): string;

  /** A command as a call, or its outcome if it cannot be sent. */
  toCall(state: State, command: StationCommand): Result<K['call'], CommandOutcome>;
  /** Whether calls may be sent now, according to this protocol's own state. */
  mayCall(state: State): boolean;
};
