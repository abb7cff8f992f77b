import type { Exchange } from '@voltdeck/charging/exchange';
import type { Protocol } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type {
  ConnectionEffect,
  ConnectionInput,
  ConnectionView,
  RefusalReason,
  Step,
} from '@voltdeck/charging/station-connection';
import {
  type DecidedEvent,
  type EventAnswer,
  isPlain,
  noted,
  type StationEvent,
} from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import type { HeldPort } from '../bus/bus.ts';
import { type NotedEvent, notePlainEvent, onStationEvent } from '../charging/on-station-event.ts';
import type { StationSession } from '../charging/station-session.ts';
import type { Context } from '../context.ts';
import { isConflict, isDatabaseAway } from '../database/is-database-away.ts';
import type { Reader, StationAccount, StationJournal } from '../journal/station-journal.ts';
import type { FramePace, FramePaces } from '../limits/frame-pace.ts';
import { expectPassword, forgetExpectedPassword } from '../stations/station-passwords.ts';

/** The part of a protocol that the link needs: its pure state machine. */
export type ProtocolMachine<State extends ConnectionView, Wire> = {
  protocol: Protocol;
  step(state: State, input: ConnectionInput<Wire>, now: Instant): Step<State, Wire>;
  /** The password for the station's next sign-in, once it accepts this command. */
  newPasswordOf(command: StationCommand): string | null;
  isConfigurationTaken(outcome: CommandOutcome): boolean;
};

/** Too many calls of the station wait for a decision, too much waits to become durable, or it sends too fast. */
type PauseReason = 'inbox' | 'journal' | 'pace';

/** The part of a socket that the link needs. While paused, it passes nothing on, not even data already read. */
export type StationSocket<Wire> = {
  send(frame: Wire): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
};

/** A connected station, independent of its protocol. */
export type HeldStation = {
  readonly session: StationSession;
  readonly lastFrameAt: Instant;
  command(command: StationCommand): Promise<CommandOutcome>;
  setPort(number: number, port: HeldPort | null): void;
};

const conflictAttemptsMax = 5;
const sent = { kind: 'sent' } as const;

/**
 * One connected station: runs the effects of its protocol's state machine and contains no rules. Messages are made
 * durable before they are answered; an event that needs a decision waits until all earlier ones are durable.
 */
export class StationLink<State extends ConnectionView, Wire extends { readonly length: number }>
  implements HeldStation, Reader
{
  readonly session: StationSession;
  readonly #context: Context<'stations'>;
  readonly account: StationAccount;
  readonly #machine: ProtocolMachine<State, Wire>;
  readonly #socket: StationSocket<Wire>;
  #state: State;
  #commands: Map<string, (outcome: CommandOutcome) => void> | null = null;
  #nextCommand = 1;
  #unstored = 0;
  #deciding = 0;
  // Most stations never have one of these; null costs nothing.
  #whenStored: (() => void)[] | null = null;
  #whenQuiet: (() => void)[] | null = null;
  #noted: NotedEvent | null = null;
  #pausedBy: Set<PauseReason> | null = null;
  readonly #paces: FramePaces;
  readonly #pace: FramePace;
  #resting: NodeJS.Timeout | null = null;

  constructor(parts: {
    context: Context<'stations'>;
    journal: StationJournal;
    /** The network that the station's address counts towards. */
    network: string;
    paces: FramePaces;
    machine: ProtocolMachine<State, Wire>;
    socket: StationSocket<Wire>;
    session: StationSession;
    state: State;
  }) {
    this.#context = parts.context;
    this.#machine = parts.machine;
    this.#socket = parts.socket;
    this.session = parts.session;
    this.#state = parts.state;
    this.#paces = parts.paces;
    this.#pace = parts.paces.open(parts.session.stationId);
    this.account = parts.journal.open({ id: parts.session.stationId, network: parts.network }, this);
  }

  get lastFrameAt(): Instant {
    return this.#state.lastFrameAt;
  }

  get nextWakeAt(): Instant {
    return this.#state.nextWakeAt;
  }

  receive(frame: Wire): void {
    this.#step({ kind: 'received', frame });
    const restMs = this.#pace.take(frame.length, performance.now());
    if (restMs > 0) this.#rest(restMs);
  }

  /** Called by the journal whenever too much of the station waits to become durable. */
  pause(): void {
    this.#pause('journal');
  }

  resume(): void {
    this.#resume('journal');
  }

  showLife(): void {
    this.#step({ kind: 'pong' });
  }

  /** We have asked the station for a sign of life. */
  pinged(): void {
    this.#step({ kind: 'pinged' });
  }

  tick(): void {
    // While we do not read, the silence is our own.
    if (this.#pausedBy?.has('journal') === true) this.showLife();
    this.#step({ kind: 'tick' });
  }

  closed(): void {
    this.#step({ kind: 'closed' });
    if (this.#resting !== null) clearTimeout(this.#resting);
    this.#paces.close(this.session.stationId, this.#pace, performance.now());
    this.account.close();
  }

  /** @throws when the password in a command cannot be stored: the station is not sent it then. */
  async command(command: StationCommand): Promise<CommandOutcome> {
    const password = this.#machine.newPasswordOf(command);
    if (password === null) return this.#ask(command);
    const { db } = this.#context.database;
    const expected = await expectPassword(db, this.session.stationId, password);
    const outcome = await this.#ask(command);
    // Where the station's state is unknown, both passwords are valid.
    const isUnknown = outcome.kind === 'timed-out' || outcome.kind === 'offline';
    if (!isUnknown && !this.#machine.isConfigurationTaken(outcome)) {
      await forgetExpectedPassword(db, this.session.stationId, expected);
    }
    return outcome;
  }

  /** Its state is unknown until the station reports it. */
  setPort(number: number, port: HeldPort | null): void {
    if (port === null) this.session.connectors.delete(number);
    else this.session.connectors.set(number, { ...port, state: 'offline' });
  }

  async #ask(command: StationCommand): Promise<CommandOutcome> {
    const ref = String(this.#nextCommand);
    this.#nextCommand += 1;
    return new Promise((resolve) => {
      this.#commands ??= new Map();
      this.#commands.set(ref, resolve);
      this.#step({ kind: 'command', ref, command });
    });
  }

  /** Resolves when nothing from the station is being stored or decided. */
  async quiet(): Promise<void> {
    if (this.#unstored === 0 && this.#deciding === 0) return;
    this.#whenQuiet ??= [];
    const waiting = this.#whenQuiet;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  #step(input: ConnectionInput<Wire>): void {
    const { state, effects } = this.#machine.step(this.#state, input, this.#context.now());
    this.#state = state;
    this.#run(effects);
  }

  #run(effects: readonly ConnectionEffect<Wire>[]): void {
    for (let index = 0; index < effects.length; index += 1) {
      const effect = effects[index] as ConnectionEffect<Wire>;
      switch (effect.kind) {
        case 'exchange': {
          const next = effects[index + 1];
          const answer = next?.kind === 'send' && next.isAnswer ? next.frame : null;
          if (answer !== null) index += 1;
          this.#store(effect.exchange, answer);
          break;
        }
        case 'send':
          this.#socket.send(effect.frame);
          break;
        case 'event':
          this.#take(effect.ref, effect.event);
          break;
        case 'command-settled':
          this.#commands?.get(effect.ref)?.(effect.outcome);
          this.#commands?.delete(effect.ref);
          break;
        case 'pause':
          this.#pause('inbox');
          break;
        case 'resume':
          this.#resume('inbox');
          break;
        case 'close':
          this.#socket.close(effect.code, effect.reason);
          break;
      }
    }
  }

  /** Pauses a station that sends more than its share until it may send again. */
  #rest(restMs: number): void {
    if (this.#resting !== null) return;
    this.#pause('pace');
    this.#resting = setTimeout(() => {
      this.#resting = null;
      this.#resume('pace');
    }, restMs);
  }

  #pause(because: PauseReason): void {
    if (this.#pausedBy === null) this.#socket.pause();
    this.#pausedBy ??= new Set();
    this.#pausedBy.add(because);
  }

  #resume(because: PauseReason): void {
    if (this.#pausedBy === null || !this.#pausedBy.delete(because) || this.#pausedBy.size > 0) return;
    this.#pausedBy = null;
    this.#socket.resume();
  }

  #store(exchange: Exchange, reply: Wire | null): void {
    const { events = [], ...noted } = this.#noted ?? {};
    this.#noted = null;
    this.#unstored += 1;
    this.account.add({
      exchange: {
        stationId: this.session.stationId,
        protocol: this.#machine.protocol,
        at: exchange.requestedAt,
        direction: exchange.direction,
        action: exchange.action,
        messageId: exchange.messageId,
        request: exchange.requestText,
        answer: exchange.replyText,
        latencyMs: exchange.latencyMs,
        fault: exchange.fault === null ? null : exchange.fault.code,
      },
      ...noted,
      onStored: () => {
        this.#unstored -= 1;
        if (reply !== null) {
          this.#socket.send(reply);
          this.#step(sent);
        }
        for (const event of events) this.#context.bus.publish(event);
        this.#settleQuiet();
      },
      // Without an answer, the station sends it again over a new connection.
      onLost: () => {
        this.#unstored -= 1;
        if (reply !== null) this.#socket.close(1013, 'try again later');
        this.#settleQuiet();
      },
    });
  }

  #take(ref: number, event: StationEvent): void {
    if (!isPlain(event)) {
      void this.#decide(ref, event);
      return;
    }
    // One frame may hold several events: one journal entry takes them all.
    this.#noted = joined(this.#noted, notePlainEvent(this.#context, this.session, event, this.#context.now()));
    this.#step({ kind: 'answered', ref, answer: noted });
    this.#noted = null;
  }

  async #decide(ref: number, event: DecidedEvent): Promise<void> {
    const receivedAt = this.#context.now();
    this.#deciding += 1;
    try {
      if (this.#unstored > 0) {
        this.#whenStored ??= [];
        const waiting = this.#whenStored;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const answer = await this.#decideWithRetries(event, receivedAt);
      this.#step({ kind: 'answered', ref, answer });
    } catch (error) {
      const because: RefusalReason = isDatabaseAway(error) ? 'unavailable' : 'failed';
      this.#context.log.error(
        { err: error, station: this.session.stationNumber, event: event.kind, because },
        'gateway: an event could not be decided',
      );
      this.#step({ kind: 'refused', ref, because });
    } finally {
      this.#deciding -= 1;
      this.#settleQuiet();
    }
  }

  /** Conflicting transactions are run again; the rules make a repeated event harmless. */
  async #decideWithRetries(event: DecidedEvent, receivedAt: Instant): Promise<EventAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await onStationEvent(this.#context.on('money'), this.session, event, receivedAt);
      } catch (error) {
        if (attempt >= conflictAttemptsMax || !isConflict(error)) throw error;
      }
    }
  }

  #settleQuiet(): void {
    if (this.#unstored > 0) return;
    const stored = this.#whenStored;
    this.#whenStored = null;
    for (const resolve of stored ?? []) resolve();
    if (this.#deciding > 0) return;
    const quiet = this.#whenQuiet;
    this.#whenQuiet = null;
    for (const resolve of quiet ?? []) resolve();
  }
}

function joined(before: NotedEvent | null, noted: NotedEvent): NotedEvent {
  if (before === null) return noted;
  const parts = ['readings', 'connectorChanges', 'groundLockChanges', 'notes', 'events'] as const;
  return {
    ...before,
    ...noted,
    ...Object.fromEntries(parts.map((part) => [part, [...(before[part] ?? []), ...(noted[part] ?? [])]])),
  };
}
