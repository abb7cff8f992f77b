/**
 * The state machine of a station's connection, as far as it is the same in every protocol: the inbox and its limits,
 * turn-taking with the business, answers before calls, repeats of unanswered messages, liveness, and commands with
 * their timeouts. A protocol adds its dialect.
 */
import { type ExchangeFault, exchangeFaults } from '@voltdeck/charging/exchange';
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionInput, RefusalReason, Step } from '@voltdeck/charging/station-connection';
import type { EventAnswer } from '@voltdeck/charging/station-event';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { callsDueAt, dropCalls, enqueue, expireCalls, sendCalls, settle } from './calls.ts';
import type { Closing, Dialect, MachineState } from './dialect.ts';
import { exchangeOf, type LoggedFrame } from './exchanges.ts';
import { emptyInbox, enterInbox, leaveInbox, resumesReading } from './inbox.ts';
import type { Kinds, Turn } from './kinds.ts';
import { aliveAt, deadAfter, noteLife, notePing, notePong } from './liveness.ts';
import { refusedDueAt, takeDueRefused } from './refused-charges.ts';

/** How long the business may take for an event before it is left to the station to retry. */
export const businessWaitMs = minuteMs;
export const never = instant(Number.MAX_SAFE_INTEGER);

/** WebSocket close codes (RFC 6455, section 7.4.1 and the IANA registry). */
const closeCodes: Readonly<Record<Closing['code'], number>> = {
  goingAway: 1001,
  policyViolation: 1008,
  tryAgainLater: 1013,
};

/** The part of a connection's state that every protocol has. */
export function openState<K extends Kinds>(now: Instant): MachineState<K> {
  return {
    ...aliveAt(now),
    ...emptyInbox<K>(),
    nextWakeAt: now,
    refused: null,
    calls: null,
    phase: 'open',
    nextEventRef: 1,
    handed: null,
    unsentAnswers: 0,
  };
}

export class ConnectionMachine<K extends Kinds, State extends MachineState<K>> {
  readonly #dialect: Dialect<K, State>;

  constructor(dialect: Dialect<K, State>) {
    this.#dialect = dialect;
  }

  /** Completes a state that was just created. */
  opened(state: State): State {
    state.nextWakeAt = this.#nextWakeAt(state);
    return state;
  }

  /**
   * The state is private and changed in place; it has one owner. Send `tick` when `state.nextWakeAt` has come; one
   * sweep over all connections per second is precise enough.
   * @throws Error when an answer is for another kind of event.
   */
  step(state: State, input: ConnectionInput<K['wire']>, now: Instant): Step<State, K['wire']> {
    const turn: Turn<K, State> = { state, now, effects: [] };
    switch (input.kind) {
      case 'received':
        this.#onReceived(turn, input.frame);
        break;
      case 'pong':
        notePong(state, now);
        break;
      case 'pinged':
        notePing(state, now);
        break;
      case 'answered':
        this.#onAnswered(turn, input.ref, input.answer);
        break;
      case 'refused':
        if (state.handed?.ref === input.ref) this.#refuse(turn, input.because);
        break;
      case 'sent':
        state.unsentAnswers -= 1;
        this.#dialect.onSent(turn);
        break;
      case 'command':
        this.#onCommand(turn, input.ref, input.command);
        break;
      case 'tick':
        this.#onTick(turn);
        break;
      case 'closed':
        this.#onClosed(turn);
        break;
    }
    if (this.#mayCall(state)) sendCalls(turn, this.#dialect.calls);
    state.nextWakeAt = this.#nextWakeAt(state);
    return { state, effects: turn.effects };
  }

  /** When the station counts as dead unless a frame of any kind arrives first. */
  deadAt(state: State): Instant {
    return deadAfter(state, this.#dialect.lifeSignsOf(state));
  }

  /** Whether the station's introduction waits for its answer. */
  isIntroducing({ inbox }: State): boolean {
    return inbox?.some(({ message }) => this.#dialect.isIntroduction(message)) ?? false;
  }

  #nextWakeAt(state: State): Instant {
    if (state.phase !== 'open') return never;
    let at: number = Math.min(this.deadAt(state), this.#dialect.dueAt(state));
    if (state.refused !== null) at = Math.min(at, refusedDueAt(state));
    if (state.calls !== null) at = Math.min(at, callsDueAt(state, this.#dialect.calls));
    if (state.handed !== null) at = Math.min(at, state.handed.at + businessWaitMs);
    return instant(at);
  }

  #onReceived(turn: Turn<K, State>, frame: K['wire']): void {
    const { state, now, effects } = turn;
    noteLife(state, now);
    if (state.phase !== 'open') return;
    const arrived = this.#dialect.read(turn, frame);
    if (arrived === null) return;
    const { noun, inboxCharsMax, isRepeat } = this.#dialect;
    const entry = enterInbox(state, arrived, { charsMax: inboxCharsMax, isRepeat });
    if (entry === 'full') {
      const description = `too many ${noun} without waiting for answers`;
      logFrame(turn, arrived.arrival, { code: exchangeFaults.limitReached, description });
      closeConnection(turn, { code: 'policyViolation', reason: `too many unanswered ${noun}` });
      return;
    }
    if (entry === 'pause') effects.push({ kind: 'pause' });
    this.#handOver(turn);
  }

  /** Hands messages to the business one by one, in order, and finishes those that it need not see. */
  #handOver(turn: Turn<K, State>): void {
    const { state, now, effects } = turn;
    while (state.phase === 'open' && state.handed === null) {
      const first = state.inbox?.[0];
      if (first === undefined) return;
      const understood = this.#dialect.understand(turn, first.message);
      if (understood.events === null) {
        this.#finishFirst(turn, understood.reply, understood.fault);
        continue;
      }
      const { events, fault } = understood;
      const ref = takeRef(state);
      state.handed = { ref, events, index: 0, at: now, fault };
      effects.push({ kind: 'event', ref, event: events[0] });
    }
  }

  /** Returns false after the last event of a message. */
  #handNext({ state, now, effects }: Turn<K, State>): boolean {
    const { handed } = state;
    const event = handed?.events[handed.index + 1];
    if (handed === null || event === undefined) return false;
    handed.index += 1;
    handed.ref = takeRef(state);
    handed.at = now;
    effects.push({ kind: 'event', ref: handed.ref, event });
    return true;
  }

  /** Replies to the inbox's first message and each of its repeats, and removes it. */
  #finishFirst(turn: Turn<K, State>, reply: K['reply'] | null, fault: ExchangeFault | null): void {
    const { state, effects } = turn;
    const first = leaveInbox<K>(state);
    if (first === null) return;
    state.handed = null;
    if (!this.#dialect.endsCall(turn, first)) this.#finish(turn, first.arrival, reply, fault);
    for (const repeat of first.repeats ?? []) this.#finish(turn, repeat, reply, fault);
    if (state.phase === 'open' && resumesReading(state)) effects.push({ kind: 'resume' });
  }

  #finish(turn: Turn<K, State>, arrival: K['arrival'], reply: K['reply'] | null, fault: ExchangeFault | null): void {
    if (reply === null) {
      logFrame(turn, arrival, fault);
      return;
    }
    const frame = this.#dialect.write(reply, arrival);
    answerFrame(turn, arrival, frame, { replyText: this.#dialect.textOf(frame), fault });
  }

  #onAnswered(turn: Turn<K, State>, ref: number, answer: EventAnswer): void {
    const { handed, inbox } = turn.state;
    const first = inbox?.[0];
    const event = handed?.events[handed.index];
    if (handed?.ref !== ref || first === undefined || event === undefined) return;
    const { message } = first;
    this.#dialect.onHeard(turn, message, event, answer);
    if (this.#handNext(turn)) return;
    const { reply, fault } = this.#dialect.replyTo(turn, message, event, answer);
    this.#finishFirst(turn, reply, fault ?? handed.fault);
    this.#dialect.onAnswered(turn, message, answer);
    this.#askRefused(turn);
    this.#handOver(turn);
  }

  #refuse(turn: Turn<K, State>, because: RefusalReason): void {
    const { handed, inbox } = turn.state;
    const first = inbox?.[0];
    if (handed === null || first === undefined) return;
    const { reply, fault, closing, hearsTheRest } = this.#dialect.refuse(turn, first.message, because);
    if (hearsTheRest) {
      handed.fault = fault;
      if (this.#handNext(turn)) return;
    }
    this.#finishFirst(turn, reply, fault);
    if (closing !== null) closeConnection(turn, closing);
    this.#handOver(turn);
  }

  #onCommand({ state, now, effects }: Turn<K, State>, ref: string, command: StationCommand): void {
    if (state.phase !== 'open') {
      settle(ref, { kind: 'offline' }, effects);
      return;
    }
    const call = this.#dialect.toCall(state, command);
    if (!call.ok) settle(ref, call.error, effects);
    else if (!enqueue(state, this.#dialect.calls, { ref, call: call.value, queuedAt: now }))
      settle(ref, { kind: 'busy' }, effects);
  }

  #askRefused({ state, now }: Turn<K, State>): void {
    if (state.refused === null) return;
    for (const { transaction, connectorNumber } of takeDueRefused(state, now)) {
      const call = this.#dialect.toCall(state, { kind: 'stop-charge', transaction, connectorNumber });
      if (call.ok) enqueue(state, this.#dialect.calls, { ref: null, call: call.value, queuedAt: now });
    }
  }

  /** No call overtakes an answer: stations restart when called before their introduction is answered. */
  #mayCall(state: State): boolean {
    if (state.calls === null || state.phase !== 'open' || state.unsentAnswers > 0) return false;
    return this.#dialect.mayCall(state) && !this.isIntroducing(state);
  }

  #onTick(turn: Turn<K, State>): void {
    const { state, now } = turn;
    if (state.phase !== 'open') return;
    if (now >= this.deadAt(state)) {
      closeConnection(turn, { code: 'goingAway', reason: 'no sign of life' });
      return;
    }
    expireCalls(turn, this.#dialect.calls);
    if (state.handed !== null && now >= state.handed.at + businessWaitMs) this.#refuse(turn, 'unavailable');
    this.#askRefused(turn);
    this.#dialect.onTick(turn);
  }

  #onClosed(turn: Turn<K, State>): void {
    const { state } = turn;
    if (state.phase === 'closed') return;
    state.phase = 'closed';
    const fault = { code: exchangeFaults.connectionClosed, description: 'the connection ended before the reply' };
    dropCalls(turn, this.#dialect.calls, fault);
    while (state.inbox !== null) this.#finishFirst(turn, null, fault);
  }
}

/** Logs a station's frame that gets no answer. */
export function logFrame<K extends Kinds, State>(
  { now, effects }: Turn<K, State>,
  told: LoggedFrame,
  fault: ExchangeFault | null,
): void {
  effects.push(exchangeOf('from-station', told, { replyText: null, fault }, now));
}

/** Answers a station's frame: the answer comes right after its exchange. */
export function answerFrame<K extends Kinds, State extends MachineState<K>>(
  { state, now, effects }: Turn<K, State>,
  told: LoggedFrame,
  frame: K['wire'],
  { replyText, fault }: { replyText: string; fault: ExchangeFault | null },
): void {
  effects.push(exchangeOf('from-station', told, { replyText, fault }, now));
  state.unsentAnswers += 1;
  effects.push({ kind: 'send', frame, isAnswer: true });
}

export function closeConnection<K extends Kinds, State extends MachineState<K>>(
  { state, effects }: Turn<K, State>,
  { code, reason }: Closing,
): void {
  if (state.phase !== 'open') return;
  state.phase = 'closing';
  effects.push({ kind: 'close', code: closeCodes[code], reason });
}

function takeRef(state: { nextEventRef: number }): number {
  state.nextEventRef += 1;
  return state.nextEventRef - 1;
}
