import type { StationId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';

export const framePaceLimits = {
  /** What a station may say for as long as it likes: many times what a pile with twenty guns that charge says. */
  framesPerSecond: 100,
  /** What it may say at once beyond that: what it kept while it was offline, sent without waiting for answers. */
  burstFrames: 200,
  /** A longer frame counts as several. */
  bytesPerFrame: 2_048,
  /** A socket that is read again is read for at least what comes in this time, not stopped at every frame. */
  restMs: 100,
  /** Stations that left while they flooded and would begin anew by coming back. */
  rememberedMax: 10_000,
} as const;

export type FramePaceLimits = { readonly [Name in keyof typeof framePaceLimits]: number };

/** How fast one station's socket is read. Nothing is lost: what it sends faster waits in its own buffers. */
export class FramePace {
  readonly #limits: FramePaceLimits;
  /** When all that was taken would have come at the sustained pace. */
  #dueAtMs = 0;

  constructor(limits: FramePaceLimits = framePaceLimits) {
    this.#limits = limits;
  }

  /** Counts a frame that came at `nowMs` of a clock that never runs back. @returns for how long nothing more is to be read; 0 to go on. */
  take(bytes: number, nowMs: number): number {
    const { framesPerSecond, bytesPerFrame, restMs } = this.#limits;
    const frames = 1 + Math.floor(bytes / bytesPerFrame);
    this.#dueAtMs = Math.max(this.#dueAtMs, nowMs) + (frames * secondMs) / framesPerSecond;
    const beyondMs = this.#dueAtMs - nowMs - this.#burstMs;
    return beyondMs <= 0 ? 0 : beyondMs + restMs;
  }

  /** Whether more than half of the burst was used and has not been made up for. */
  isFlooding(nowMs: number): boolean {
    return this.#dueAtMs - nowMs > this.#burstMs / 2;
  }

  get #burstMs(): number {
    return (this.#limits.burstFrames * secondMs) / this.#limits.framesPerSecond;
  }
}

/** The paces of a gateway's stations: one that floods and comes back goes on where it was. */
export class FramePaces {
  readonly #limits: FramePaceLimits;
  readonly #left = new Map<StationId, FramePace>();

  constructor(limits: FramePaceLimits = framePaceLimits) {
    this.#limits = limits;
  }

  /** For a station that has come in. */
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
