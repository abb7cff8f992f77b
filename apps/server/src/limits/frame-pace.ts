import type { StationId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';

export const framePaceLimits = {
  /** The sustained pace: many times what a pile with twenty charging guns sends. */
  framesPerSecond: 100,
  /** The burst beyond it: what a station stored while it was offline, sent without waiting for answers. */
  burstFrames: 200,
  /** A longer frame counts as several. */
  bytesPerFrame: 2_048,
  /** A resumed socket is read for at least this much time's worth, rather than paused at every frame. */
  restMs: 100,
  /** Remembered stations that left while flooding and would start afresh by reconnecting. */
  rememberedMax: 10_000,
} as const;

export type FramePaceLimits = { readonly [Name in keyof typeof framePaceLimits]: number };

/** Limits how fast one station's socket is read. Nothing is lost: what it sends faster waits in its own buffers. */
export class FramePace {
  readonly #limits: FramePaceLimits;
  /** When everything taken would have arrived at the sustained pace. */
  #dueAtMs = 0;

  constructor(limits: FramePaceLimits = framePaceLimits) {
    this.#limits = limits;
  }

  /** Counts a frame at `nowMs` of a monotonic clock. @returns how long to pause reading; 0 to continue. */
  take(bytes: number, nowMs: number): number {
    const { framesPerSecond, bytesPerFrame, restMs } = this.#limits;
    const frames = 1 + Math.floor(bytes / bytesPerFrame);
    this.#dueAtMs = Math.max(this.#dueAtMs, nowMs) + (frames * secondMs) / framesPerSecond;
    const beyondMs = this.#dueAtMs - nowMs - this.#burstMs;
    return beyondMs <= 0 ? 0 : beyondMs + restMs;
  }

  /** Whether more than half of the burst is used up. */
  isFlooding(nowMs: number): boolean {
    return this.#dueAtMs - nowMs > this.#burstMs / 2;
  }

  get #burstMs(): number {
    return (this.#limits.burstFrames * secondMs) / this.#limits.framesPerSecond;
  }
}

/** The paces of a gateway's stations: a flooding one that reconnects continues where it was. */
export class FramePaces {
  readonly #limits: FramePaceLimits;
  readonly #left = new Map<StationId, FramePace>();

  constructor(limits: FramePaceLimits = framePaceLimits) {
    this.#limits = limits;
  }

  /** For a station that has signed in. */
  open(stationId: StationId): FramePace {
    const known = this.#left.get(stationId);
    this.#left.delete(stationId);
    return known ?? new FramePace(this.#limits);
  }

  /** The station's socket has closed. */
  close(stationId: StationId, pace: FramePace, nowMs: number): void {
    if (!pace.isFlooding(nowMs)) return;
    if (this.#left.size >= this.#limits.rememberedMax) this.#left.clear();
    this.#left.set(stationId, pace);
  }
}
