/**
 * A connection between a station and a business without sockets or clocks, for tests. Every effect is kept in order;
 * time passes only by `wait`.
 */
import type { Exchange } from '@voltdeck/charging/exchange';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type {
  ConnectionEffect,
  ConnectionInput,
  ConnectionView,
  RefusalReason,
  Step,
} from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { type Instant, instant } from '@voltdeck/units/instant';

/** How the business treats an event: answers it, refuses it, or decides `later`. */
export type Decision = EventAnswer | RefusalReason | 'later';

/** `Wire` is what travels, `Said` how a test reads what was sent to the station. */
export type Conversation<State, Wire, Said> = {
  readonly state: State;
  readonly now: Instant;
  readonly effects: ConnectionEffect<Wire>[];
  readonly events: readonly StationEvent[];
  /** What was sent to the station. */
  readonly sent: readonly Said[];
  readonly exchanges: readonly Exchange[];
  readonly settled: readonly { ref: string; outcome: CommandOutcome }[];
  readonly closed: readonly { code: number; reason: string }[];
  /** Feeds one input; events are decided at once. Returns the effects of this input and its decisions. */
  feed(input: ConnectionInput<Wire>): readonly ConnectionEffect<Wire>[];
  /** The station sends a frame; returns what was sent in response. */
  receives(frame: Wire): readonly Said[];
  /** Sends the oldest pending answer, for a conversation whose answers are `slow`. */
  sends(): readonly ConnectionEffect<Wire>[];
  /** Lets time pass, with the ticks that are due. */
  wait(milliseconds: number): readonly ConnectionEffect<Wire>[];
  /** Decides the event that was postponed. */
  decides(decision: Exclude<Decision, 'later'>): readonly ConnectionEffect<Wire>[];
};

export const conversationStart = instant(Date.parse('2026-11-21T08:00:00.000Z'));

export type Parties<State, Wire, Said> = {
  state: State;
  step(state: State, input: ConnectionInput<Wire>, now: Instant): Step<State & ConnectionView, Wire>;
  read(frame: Wire): Said;
  decide(event: StationEvent): Decision;
  /** Whether answers are sent one by one, by `sends`. */
  isSlow(): boolean;
};

export function converseBetween<State extends ConnectionView & { phase: string }, Wire, Said>({
  state,
  step,
  read,
  decide,
  isSlow,
}: Parties<State, Wire, Said>): Conversation<State, Wire, Said> {
  let now = conversationStart;
  let pendingRef: number | null = null;
  const effects: ConnectionEffect<Wire>[] = [];

  function feed(input: ConnectionInput<Wire>): readonly ConnectionEffect<Wire>[] {
    const fresh: ConnectionEffect<Wire>[] = [];
    const inputs = [input];
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      for (const effect of step(state, next, now).effects) {
        fresh.push(effect);
        if (effect.kind === 'send' && effect.isAnswer && !isSlow()) inputs.push({ kind: 'sent' });
        if (effect.kind !== 'event') continue;
        const decision = decide(effect.event);
        if (decision === 'later') pendingRef = effect.ref;
        else inputs.push(inputOf(effect.ref, decision));
      }
    }
    effects.push(...fresh);
    return fresh;
  }

  const sentIn = (all: readonly ConnectionEffect<Wire>[]) => ofKind(all, 'send').map(({ frame }) => read(frame));

  return {
    state,
    get now() {
      return now;
    },
    effects,
    get events() {
      return ofKind(effects, 'event').map(({ event }) => event);
    },
    get sent() {
      return sentIn(effects);
    },
    get exchanges() {
      return ofKind(effects, 'exchange').map(({ exchange }) => exchange);
    },
    get settled() {
      return ofKind(effects, 'command-settled').map(({ ref, outcome }) => ({ ref, outcome }));
    },
    get closed() {
      return ofKind(effects, 'close').map(({ code, reason }) => ({ code, reason }));
    },
    feed,
    receives: (frame) => sentIn(feed({ kind: 'received', frame })),
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
}

type EffectOf<Wire, Kind> = Extract<ConnectionEffect<Wire>, { kind: Kind }>;

function ofKind<Wire, Kind extends ConnectionEffect<Wire>['kind']>(
  effects: readonly ConnectionEffect<Wire>[],
  kind: Kind,
): readonly EffectOf<Wire, Kind>[] {
  return effects.filter((effect): effect is EffectOf<Wire, Kind> => effect.kind === kind);
}

function inputOf<Wire>(ref: number, decision: Exclude<Decision, 'later'>): ConnectionInput<Wire> {
  return typeof decision === 'string'
    ? { kind: 'refused', ref, because: decision }
    : { kind: 'answered', ref, answer: decision };
}
