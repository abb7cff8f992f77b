/** Whether the line to a station is alive: judged by its frames, and by its answers to pings where the socket has them. */
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';

/** Unanswered pings after which a station is dead before its silence has lasted long enough. */
export const unansweredPingsMax = 3;
/** Time that a station has to answer the last of these pings. */
export const pongWaitMs = 30 * secondMs;
/** Lateness allowed to the heartbeat of a station that has never answered a ping: some do not know how to. */
export const lateHeartbeatMs = minuteMs;

export type Liveness = {
  lastFrameAt: Instant;
  /** Since the last sign of life. */
  unansweredPings: number;
  pingedAt: Instant;
  answersPings: boolean;
};

export function aliveAt(now: Instant): Liveness {
  return { lastFrameAt: now, unansweredPings: 0, pingedAt: now, answersPings: false };
}

export function noteLife(line: Liveness, now: Instant): void {
  line.lastFrameAt = now;
  line.unansweredPings = 0;
}

export function notePong(line: Liveness, now: Instant): void {
  if (line.unansweredPings > 0) line.answersPings = true;
  noteLife(line, now);
}

export function notePing(line: Liveness, now: Instant): void {
  line.unansweredPings += 1;
  line.pingedAt = now;
}

export type LifeSigns = {
  /** The longest silence of a station that lives. */
  readonly silenceMs: number;
  /**
   * How often a station shows by itself that it lives. Null where the protocol's own heartbeat decides alone and pings
   * say nothing.
   */
  readonly heartbeatMs: number | null;
};

/** When the station counts as dead, unless a frame of any kind (pings and pongs too) arrives before. */
export function deadAfter(line: Liveness, { silenceMs, heartbeatMs }: LifeSigns): Instant {
  const silentAt = line.lastFrameAt + silenceMs;
  if (heartbeatMs === null || line.unansweredPings < unansweredPingsMax) return instant(silentAt);
  const heartbeatAt = line.answersPings ? 0 : line.lastFrameAt + heartbeatMs + lateHeartbeatMs;
  return instant(Math.min(silentAt, Math.max(line.pingedAt + pongWaitMs, heartbeatAt)));
}
