/**
 * What we ask of a pile: waiting, out, and replied to. Calls that wait for different replies may be out at once; of
 * those that wait for the same, one after another in the order in which they were asked.
 */
import { type ExchangeFault, exchangeFaults } from '@voltdeck/charging/exchange';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ConnectionEffect } from '@voltdeck/charging/station-connection';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { loggedText, toPile } from './exchanges.ts';
import { writeRawFrame } from './frame.ts';
import type { OutgoingCall, Reply } from './translate-commands.ts';

/** How long a command may wait for its turn before it counts as timed out. */
export const commandWaitMs = 60 * secondMs;
/** Commands waiting behind those that are out; the next is refused as busy. */
export const commandQueueMax = 16;
/** Calls that may be out at once. */
export const callsOutMax = 16;

const sequences = 0x1_0000;

type Effect = ConnectionEffect<Uint8Array>;

type QueuedCall = { ref: string | null; call: OutgoingCall; queuedAt: Instant };
type CallOut = {
  ref: string | null;
  call: OutgoingCall;
  replies: Reply[];
  /** Of the part that is out. */
  sequence: number;
  text: string;
  sentAt: Instant;
};

/** Most connections have none: `null` costs nothing. */
export type Calls = { queue: QueuedCall[]; out: CallOut[] };

export type CallsHolder = { calls: Calls | null; nextSequence: number };

/** False when too many wait already. Calls of our own (`ref` null) always find room: there is one of each at most. */
export function enqueue(holder: CallsHolder, ref: string | null, call: OutgoingCall, now: Instant): boolean {
  holder.calls ??= { queue: [], out: [] };
  const { queue } = holder.calls;
  if (ref !== null && queue.length >= commandQueueMax) return false;
  if (ref === null && queue.some((waiting) => waiting.ref === null && waiting.call.replyKey === call.replyKey))
    return true;
  queue.push({ ref, call, queuedAt: now });
  return true;
}

/** Sends whatever may go out now. */
export function sendCalls(holder: CallsHolder, isIdle: () => boolean, now: Instant, effects: Effect[]): void {
  const { calls } = holder;
  if (calls === null || calls.queue.length === 0) return;
  const waiting: QueuedCall[] = [];
  for (const queued of calls.queue) {
    const { ref, call } = queued;
    const isTaken = (other: { call: OutgoingCall }) => other.call.replyKey === call.replyKey;
    if (calls.out.length >= callsOutMax || calls.out.some(isTaken)) waiting.push(queued);
    else if (call.isForIdle && !isIdle()) settle(ref, { kind: 'busy' }, effects);
    else {
      const out: CallOut = { ref, call, replies: [], sequence: 0, text: '', sentAt: now };
      calls.out.push(out);
      sendPart(holder, out, now, effects);
    }
  }
  calls.queue = waiting;
  forgetWhenEmpty(holder);
}

function sendPart(holder: CallsHolder, out: CallOut, now: Instant, effects: Effect[]): void {
  const part = out.call.parts[out.replies.length];
  if (part === undefined) return;
  const sequence = holder.nextSequence;
  holder.nextSequence = (sequence + 1) % sequences;
  const frame = writeRawFrame(part.type, part.bodyAt(now), sequence);
  out.sequence = sequence;
  out.text = loggedText(frame);
  out.sentAt = now;
  effects.push({ kind: 'send', frame, isAnswer: false });
}

export function callOf(holder: CallsHolder, replyKey: string): CallOut | null {
  return holder.calls?.out.find(({ call }) => call.replyKey === replyKey) ?? null;
}

/** The reply to the part that is out: the next part goes out, or the command is settled. Gives the outcome, if any. */
export function endPart(
  holder: CallsHolder,
  out: CallOut,
  reply: Reply,
  replyText: string,
  now: Instant,
  effects: Effect[],
): CommandOutcome | null {
  effects.push(toPile(toldOf(out), replyText, now, null));
  out.replies.push(reply);
  if (out.replies.length < out.call.parts.length) {
    sendPart(holder, out, now, effects);
    return null;
  }
  const outcome = out.call.outcomeOf(out.replies);
  take(holder, out);
  settle(out.ref, outcome, effects);
  return outcome;
}

/** What waited too long, out or in the queue. */
export function expireCalls(holder: CallsHolder, now: Instant, effects: Effect[]): void {
  const { calls } = holder;
  if (calls === null) return;
  for (const out of calls.out.filter((each) => now >= each.sentAt + each.call.timeoutMs)) {
    const description = `no reply within ${out.call.timeoutMs / secondMs} s`;
    endUnanswered(holder, out, { kind: 'timed-out' }, { code: exchangeFaults.timedOut, description }, now, effects);
  }
  while (calls.queue[0] !== undefined && now >= calls.queue[0].queuedAt + commandWaitMs) {
    settle(calls.queue.shift()?.ref ?? null, { kind: 'timed-out' }, effects);
  }
  forgetWhenEmpty(holder);
}

/** The connection ended: nothing will be replied to. */
export function dropCalls(holder: CallsHolder, fault: ExchangeFault, now: Instant, effects: Effect[]): void {
  const { calls } = holder;
  if (calls === null) return;
  for (const out of [...calls.out]) endUnanswered(holder, out, { kind: 'offline' }, fault, now, effects);
  for (const { ref } of calls.queue) settle(ref, { kind: 'offline' }, effects);
  holder.calls = null;
}

/** When the next of them has waited too long. */
export function callsDueAt({ calls }: CallsHolder): number {
  let at = Number.MAX_SAFE_INTEGER;
  for (const { sentAt, call } of calls?.out ?? []) at = Math.min(at, sentAt + call.timeoutMs);
  const first = calls?.queue[0];
  return first === undefined ? instant(at) : Math.min(at, first.queuedAt + commandWaitMs);
}

function endUnanswered(
  holder: CallsHolder,
  out: CallOut,
  outcome: CommandOutcome,
  fault: ExchangeFault,
  now: Instant,
  effects: Effect[],
): void {
  effects.push(toPile(toldOf(out), null, now, fault));
  take(holder, out);
  settle(out.ref, outcome, effects);
}

function toldOf({ call, replies, sequence, text, sentAt }: CallOut) {
  return { type: call.parts[replies.length]?.type ?? null, sequence, text, at: sentAt };
}

function take(holder: CallsHolder, out: CallOut): void {
  if (holder.calls === null) return;
  holder.calls.out = holder.calls.out.filter((each) => each !== out);
  forgetWhenEmpty(holder);
}

function forgetWhenEmpty(holder: CallsHolder): void {
  const { calls } = holder;
  if (calls !== null && calls.out.length === 0 && calls.queue.length === 0) holder.calls = null;
}

export function settle(ref: string | null, outcome: CommandOutcome, effects: Effect[]): void {
  if (ref !== null) effects.push({ kind: 'command-settled', ref, outcome });
}
