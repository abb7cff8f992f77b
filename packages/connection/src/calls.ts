/** Calls to a station: waiting for their turn, sent, and replied to. */
import { type ExchangeFault, exchangeFaults } from '@voltdeck/charging/exchange';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ConnectionEffect } from '@voltdeck/charging/station-connection';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { exchangeOf } from './exchanges.ts';
import type { Kinds, Turn } from './kinds.ts';

/** Longest wait of a command for its turn, after which it times out. */
export const commandWaitMs = 60 * secondMs;
/** Commands that may wait behind those that are out; further ones are refused as busy. */
export const commandQueueMax = 16;

/** Our own calls have no `ref`: nobody waits for their outcome. */
type QueuedCall<K extends Kinds> = {
  readonly ref: string | null;
  readonly call: K['call'];
  readonly queuedAt: Instant;
};
export type CallOut<K extends Kinds> = { readonly ref: string | null; readonly call: K['call']; sent: K['sent'] };
export type Calls<K extends Kinds> = { queue: QueuedCall<K>[]; out: CallOut<K>[] };

/** Null for most connections, to save memory. */
export type CallsHolder<K extends Kinds> = { calls: Calls<K> | null };

/** A protocol's rules for its calls. */
export type CallRules<K extends Kinds, State> = {
  /** Calls that may be out at once. */
  readonly outMax: number;
  /** How long a station may take to reply. A later reply is logged and otherwise ignored. */
  timeoutMsOf(call: K['call']): number;
  /** Whether the same reply would answer both, so that the later call waits for the earlier to end. */
  areRivals(call: K['call'], other: K['call']): boolean;
  /** The outcome of a call that may not be sent now; null if it may. */
  refusalOf(state: State, call: K['call']): CommandOutcome | null;
  /** Writes the call, or its next part after the one in `before`. */
  write(turn: Turn<K, State>, call: K['call'], before: K['sent'] | null): { frame: K['wire']; sent: K['sent'] };
  /** The call was settled; `isReplied` if by the station. */
  onEnded(turn: Turn<K, State>, out: CallOut<K>, outcome: CommandOutcome, isReplied: boolean): void;
};

/** Returns false if too many wait already. Our own calls always find room, and each waits at most once. */
export function enqueue<K extends Kinds, State>(
  holder: CallsHolder<K>,
  rules: CallRules<K, State>,
  queued: QueuedCall<K>,
): boolean {
  holder.calls ??= { queue: [], out: [] };
  const { queue } = holder.calls;
  if (queued.ref !== null && queue.length >= commandQueueMax) return false;
  const isSame = ({ ref, call }: QueuedCall<K>) => ref === null && rules.areRivals(call, queued.call);
  if (queued.ref !== null || !queue.some(isSame)) queue.push(queued);
  return true;
}

/** When the next call has waited too long. */
export function callsDueAt<K extends Kinds, State>({ calls }: CallsHolder<K>, rules: CallRules<K, State>): number {
  let at = Number.MAX_SAFE_INTEGER;
  if (calls === null) return at;
  for (const { sent, call } of calls.out) at = Math.min(at, sent.at + rules.timeoutMsOf(call));
  const [first] = calls.queue;
  return first === undefined ? at : Math.min(at, first.queuedAt + commandWaitMs);
}

/** Sends whatever may be sent now. */
export function sendCalls<K extends Kinds, State extends CallsHolder<K>>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
): void {
  const { calls } = turn.state;
  if (calls === null || calls.queue.length === 0 || calls.out.length >= rules.outMax) return;
  const waiting: QueuedCall<K>[] = [];
  for (const queued of calls.queue) {
    const { ref, call } = queued;
    if (calls.out.length >= rules.outMax || calls.out.some((out) => rules.areRivals(out.call, call))) {
      waiting.push(queued);
      continue;
    }
    const refusal = rules.refusalOf(turn.state, call);
    if (refusal === null) sendCall(turn, rules, ref, call);
    else settle(ref, refusal, turn.effects);
  }
  calls.queue = waiting;
  forgetWhenEmpty(turn.state);
}

/** Sends a call at once, ahead of waiting ones; `ref` is null for our own calls. */
export function sendCall<K extends Kinds, State extends CallsHolder<K>>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
  ref: string | null,
  call: K['call'],
): void {
  const { state, effects } = turn;
  const { frame, sent } = rules.write(turn, call, null);
  state.calls ??= { queue: [], out: [] };
  state.calls.out.push({ ref, call, sent });
  effects.push({ kind: 'send', frame, isAnswer: false });
}

/** Sends the next part of a call after the reply to the previous one. */
export function continueCall<K extends Kinds, State>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
  out: CallOut<K>,
  replyText: string,
): void {
  const { now, effects } = turn;
  effects.push(exchangeOf('to-station', out.sent, { replyText, fault: null }, now));
  const { frame, sent } = rules.write(turn, out.call, out.sent);
  out.sent = sent;
  effects.push({ kind: 'send', frame, isAnswer: false });
}

export type CallEnd = {
  readonly outcome: CommandOutcome;
  readonly replyText: string | null;
  readonly fault: ExchangeFault | null;
};

export function endCall<K extends Kinds, State extends CallsHolder<K>>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
  out: CallOut<K>,
  end: CallEnd,
): void {
  const { state, now, effects } = turn;
  if (state.calls === null) return;
  state.calls.out = state.calls.out.filter((each) => each !== out);
  forgetWhenEmpty(state);
  effects.push(exchangeOf('to-station', out.sent, end, now));
  settle(out.ref, end.outcome, effects);
  rules.onEnded(turn, out, end.outcome, end.replyText !== null);
}

/** Settles waiting calls that may not be sent in the current state. */
export function refuseWaiting<K extends Kinds, State extends CallsHolder<K>>(
  { state, effects }: Turn<K, State>,
  rules: CallRules<K, State>,
): void {
  if (state.calls === null) return;
  state.calls.queue = state.calls.queue.filter(({ ref, call }) => {
    const refusal = rules.refusalOf(state, call);
    if (refusal !== null) settle(ref, refusal, effects);
    return refusal === null;
  });
  forgetWhenEmpty(state);
}

/** Settles calls that have waited too long, sent or queued. */
export function expireCalls<K extends Kinds, State extends CallsHolder<K>>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
): void {
  const { state, now, effects } = turn;
  if (state.calls === null) return;
  const { queue, out } = state.calls;
  for (const each of out) {
    const timeoutMs = rules.timeoutMsOf(each.call);
    if (now < each.sent.at + timeoutMs) continue;
    const fault = { code: exchangeFaults.timedOut, description: `no reply within ${timeoutMs / secondMs} s` };
    endCall(turn, rules, each, { outcome: { kind: 'timed-out' }, replyText: null, fault });
  }
  while (queue[0] !== undefined && now >= queue[0].queuedAt + commandWaitMs) {
    settle(queue.shift()?.ref ?? null, { kind: 'timed-out' }, effects);
  }
  forgetWhenEmpty(state);
}

/** Settles all calls: the connection ended, so no reply will come. */
export function dropCalls<K extends Kinds, State extends CallsHolder<K>>(
  turn: Turn<K, State>,
  rules: CallRules<K, State>,
  fault: ExchangeFault,
): void {
  const { state, effects } = turn;
  if (state.calls === null) return;
  const { queue, out } = state.calls;
  for (const each of out) endCall(turn, rules, each, { outcome: { kind: 'offline' }, replyText: null, fault });
  for (const { ref } of queue) settle(ref, { kind: 'offline' }, effects);
  state.calls = null;
}

export function settle<Wire>(ref: string | null, outcome: CommandOutcome, effects: ConnectionEffect<Wire>[]): void {
  if (ref !== null) effects.push({ kind: 'command-settled', ref, outcome });
}

function forgetWhenEmpty<K extends Kinds>(holder: CallsHolder<K>): void {
  const { calls } = holder;
  if (calls !== null && calls.out.length === 0 && calls.queue.length === 0) holder.calls = null;
}
