/**
 * Calls to a pile. Calls with different replies may be out at once; those with the same reply are sent one after the
 * other, in order. A call may have several parts, each with its own reply.
 */
import { type CallOut, type CallRules, type CallsHolder, continueCall, endCall } from '@voltdeck/connection/calls';
import type { LoggedFrame } from '@voltdeck/connection/exchanges';
import type { Turn } from '@voltdeck/connection/kinds';
import { type Arrival, loggedFrameOf, loggedText } from './exchanges.ts';
import { sequences, writeRawFrame } from './frame.ts';
import { type GunsHolder, rememberStart } from './guns.ts';
import { definitions, type PileMessage, type PlatformMessage } from './messages/all.ts';
import type { HeardMessage } from './translate.ts';
import { type OutgoingCall, type Reply, replyKey } from './translate-commands.ts';

/** Calls that may be out at once. */
export const callsOutMax = 16;

/** Whole frames; our reply repeats the sequence of what it answers. */
export type Ykc = {
  wire: Uint8Array;
  arrival: Arrival;
  message: HeardMessage;
  reply: PlatformMessage;
  call: OutgoingCall;
  /** The current part, and the replies to earlier ones. */
  sent: LoggedFrame & { readonly replies: readonly Reply[] };
};

/** The raw sequences of calls that timed out, whose replies may still come. */
export type TimedOut = readonly { readonly replyKey: string; readonly messageId: string | null }[];

type Caller = CallsHolder<Ykc> & GunsHolder & { nextSequence: number; timedOut: TimedOut };

export const calls: CallRules<Ykc, Caller> = {
  outMax: callsOutMax,
  timeoutMsOf: ({ timeoutMs }) => timeoutMs,
  areRivals: ({ replyKey }, other) => replyKey === other.replyKey,
  refusalOf: (state, { isForIdle }) => (isForIdle && !isIdle(state) ? { kind: 'busy' } : null),
  write({ state, now }, { parts }, before) {
    const replies = before?.replies ?? [];
    const part = parts[replies.length];
    if (part === undefined) throw new Error(`a call of ${parts.length} parts has no part ${replies.length + 1}`);
    const sequence = state.nextSequence;
    state.nextSequence = (sequence + 1) % sequences;
    const frame = writeRawFrame(part.type, part.bodyAt(now), sequence);
    return {
      frame,
      sent: { ...loggedFrameOf({ type: part.type, sequence, text: loggedText(frame), at: now }), replies },
    };
  },
  onEnded({ state }, { call, sent }, outcome, isReplied) {
    const { startOf, replyKey } = call;
    if (isReplied && startOf !== null) rememberStart(state, startOf, outcome);
    if (isReplied || outcome.kind !== 'timed-out') return;
    const others = state.timedOut.filter((each) => each.replyKey !== replyKey);
    state.timedOut = [...others, { replyKey, messageId: sent.messageId }].slice(-callsOutMax);
  },
};

/** No gun port is charging or about to. */
function isIdle(state: Caller): boolean {
  const isStarting = state.calls?.out.some(({ call }) => call.startOf !== null) ?? false;
  return !isStarting && !state.guns.some(({ isCharging }) => isCharging);
}

/** The call that a frame replies to; `message` is null if only the type is known. */
export function callRepliedBy(
  holder: CallsHolder<Ykc>,
  type: number,
  message: PileMessage | null,
): CallOut<Ykc> | null {
  if (holder.calls === null) return null;
  const key = message === null ? replyKey(type, {}) : replyKey(definitions[message.kind].type, message);
  return holder.calls.out.find(({ call }) => call.replyKey === key) ?? null;
}

/**
 * Whether a reply is that of an earlier call, which has timed out, by its sequence. Any other sequence is accepted,
 * since piles differ in how they count.
 */
export function isLateReply({ timedOut }: Caller, { call, sent }: CallOut<Ykc>, { messageId }: Arrival): boolean {
  if (messageId === sent.messageId) return false;
  return timedOut.some((each) => each.replyKey === call.replyKey && each.messageId === messageId);
}

/** Handles the reply to the current part: sends the next one or settles the command. */
export function endPart<State extends Caller>(
  turn: Turn<Ykc, State>,
  out: CallOut<Ykc>,
  reply: Reply,
  replyText: string,
): void {
  const replies = [...out.sent.replies, reply];
  out.sent = { ...out.sent, replies };
  if (replies.length < out.call.parts.length) continueCall(turn, calls, out, replyText);
  else endCall(turn, calls, out, { outcome: out.call.outcomeOf(replies), replyText, fault: null });
}
