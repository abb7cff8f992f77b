/**
 * The interface of every protocol's connection for the gateway: a pure state machine for one station. `Wire` is what
 * the protocol exchanges: text (OCPP-J) or bytes (YKC).
 */
import type { Instant } from '@voltdeck/units/instant';
import type { Exchange } from './exchange.ts';
import type { CommandOutcome, StationCommand } from './station-command.ts';
import type { EventAnswer, StationEvent } from './station-event.ts';

/** What happened to a connection. `ref` of a command is the caller's; `ref` of an event is the connection's. */
export type ConnectionInput<Wire> =
  | { kind: 'received'; frame: Wire }
  /** A sign of life without content, such as a WebSocket ping or pong. */
  | { kind: 'pong' }
  /** We have asked for a sign of life in a way that every station must answer, such as a WebSocket ping. */
  | { kind: 'pinged' }
  | { kind: 'answered'; ref: number; answer: EventAnswer }
  | { kind: 'refused'; ref: number; because: RefusalReason }
  /** The oldest pending answer has been handed to the socket. */
  | { kind: 'sent' }
  | { kind: 'command'; ref: string; command: StationCommand }
  | { kind: 'tick' }
  | { kind: 'closed' };

/**
 * `unavailable`: the event could not be made durable (the database is away), so the station has to keep the message.
 * `failed`: processing failed, would fail again, and the event could not even be put aside for a person. The end of a
 * charge is then not acknowledged, because the station's copy is the only one.
 */
export type RefusalReason = 'unavailable' | 'failed';

/**
 * What the gateway has to do, in this order. An answer directly follows its exchange: it is sent in turn, once the
 * exchange is durable, and the gateway then inputs `sent`. Any other send is a call of ours and is sent at once: its
 * exchange comes with the reply. No call is sent while an answer is pending, so none overtakes it.
 */
export type ConnectionEffect<Wire> =
  | { kind: 'exchange'; exchange: Exchange }
  | { kind: 'send'; frame: Wire; isAnswer: boolean }
  /** Answer with `answered` or `refused`; the next event comes only after that. */
  | { kind: 'event'; ref: number; event: StationEvent }
  | { kind: 'command-settled'; ref: string; outcome: CommandOutcome }
  /** Stop reading from the socket until `resume`. */
  | { kind: 'pause' }
  | { kind: 'resume' }
  /** End the connection (for a WebSocket with this code, RFC 6455, section 7.4), then say `closed`. */
  | { kind: 'close'; code: number; reason: string };

/** The visible part of every connection's state; the rest belongs to its `step`. */
export type ConnectionView = {
  lastFrameAt: Instant;
  /** When a `tick` is due, if nothing happens before. */
  nextWakeAt: Instant;
};

export type Step<State extends ConnectionView, Wire> = { state: State; effects: readonly ConnectionEffect<Wire>[] };
