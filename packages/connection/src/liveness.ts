/**
 * Whether the line to a station is alive, judged by its frames and, where the socket has pings, by its answers to them.
 */
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';

/** Unanswered pings after which a station is dead without waiting for the full silence. */
export const unansweredPingsMax = 3;
/** Time to answer the last of these pings. */
export const pongWaitMs = 30 * secondMs;
/** How late the heartbeat may be of a station that has never answered a ping: some do not support pings. */
export const lateHeartbeatMs = minuteMs;

export type Liveness = {
  lastFrameAt: Instant;
  /** Pings since the last sign of life. */
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
  /** The longest silence of a live station. */
  readonly silenceMs: number;
  /**
   * How often a station sends something by itself. Null if only the protocol's heartbeat decides and pings are ignored.
   */
  readonly heartbeatMs: number | null;
};

/** When the station counts as dead unless a frame of any kind (including pings and pongs) arrives first. */
export function deadAfter(line: Liveness, { silenceMs, heartbeatMs }: LifeSigns): Instant {
  const silentAt = line.lastFrameAt + silenceMs;
  if (heartbeatMs === null || line.unansweredPings < unansweredPingsMax) return instant(silentAt);
  const heartbeatAt = line.answersPings ? 0 : line.lastFrameAt + heartbeatMs + lateHeartbeatMs;
  return instant(Math.min(silentAt, Math.max(line.pingedAt + pongWaitMs, heartbeatAt)));
}
