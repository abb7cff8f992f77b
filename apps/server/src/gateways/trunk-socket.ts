import type { Socket } from 'node:net';
import type { Instant } from '@voltdeck/units/instant';
import type { ConnectionState } from '@voltdeck/ykc/connection';
import { emptyRemainder, type Frame, readFrames } from '@voltdeck/ykc/frame';
import type { RemoteNetwork } from './remote-networks.ts';
import type { StationLink } from './station-link.ts';
import type { PresentStation } from './station-presence.ts';

export type YkcLink = StationLink<ConnectionState, Uint8Array>;
export type YkcStation = PresentStation<TrunkSocket, YkcLink>;

/** What the gateway makes of a socket's frames. */
export type FrameTaker = {
  take(socket: TrunkSocket, frame: Frame): void;
  /** More garbage came than a bad line explains. */
  onGarbage(socket: TrunkSocket): void;
};

/**
 * A TCP socket over which one station or, behind a concentrator, several speak at once. It cuts the stream into frames
 * and knows who lives here; it holds no timer and, between frames, no buffer.
 */
export class TrunkSocket {
  readonly tcp: Socket;
  readonly remoteAddress: string;
  readonly network: RemoteNetwork<TrunkSocket>;
  /** By number. */
  readonly stations = new Map<string, YkcStation>();
  /** What stations said, from their login on, that are still being looked up. */
  readonly awaiting = new Map<string, Frame[]>();
  /** Since when nobody lives here. */
  aloneSince: Instant;
  /** When we began to close it. */
  endedAt: Instant | null = null;
  #remainder: Uint8Array = emptyRemainder;
  #garbageBytes = 0;
  readonly #garbageBytesMax: number;
  readonly #unsentBytesMax: number;
  #pausedBy: Set<string> | null = null;

  constructor(
    tcp: Socket,
    parts: { network: RemoteNetwork<TrunkSocket>; now: Instant; garbageBytesMax: number; unsentBytesMax: number },
  ) {
    this.tcp = tcp;
    this.remoteAddress = tcp.remoteAddress ?? '';
    this.network = parts.network;
    this.aloneSince = parts.now;
    this.#garbageBytesMax = parts.garbageBytesMax;
    this.#unsentBytesMax = parts.unsentBytesMax;
  }

  /** Whether a station lives here or is being looked up. */
  get isUsed(): boolean {
    return this.stations.size > 0 || this.awaiting.size > 0;
  }

  receive(chunk: Uint8Array, taker: FrameTaker): void {
    if (this.endedAt !== null) return;
    const { frames, remainder, skipped } = readFrames(this.#remainder, chunk);
    this.#remainder = remainder;
    this.#garbageBytes += skipped;
    for (const frame of frames) {
      if (this.endedAt !== null) return;
      taker.take(this, frame);
    }
    if (this.#garbageBytes > this.#garbageBytesMax) taker.onGarbage(this);
  }

  /** A frame that was somebody's makes up for as many bytes that were nobody's: some stations talk between frames. */
  noteGood(bytes: number): void {
    if (this.#garbageBytes > 0) this.#garbageBytes = Math.max(0, this.#garbageBytes - bytes);
  }

  noteGarbage(bytes: number): void {
    this.#garbageBytes += bytes;
  }

  /** A peer that sends but does not read is cut off before what waits for it fills the memory. */
  send(bytes: Uint8Array): void {
    if (this.endedAt !== null || this.tcp.destroyed) return;
    this.tcp.write(bytes);
    if (this.tcp.writableLength > this.#unsentBytesMax) this.tcp.destroy();
  }

  /** Stations that share a socket share its silence: it is read again when none of them asks for a pause. */
  pause(number: string): void {
    this.#pausedBy ??= new Set();
    this.#pausedBy.add(number);
    this.tcp.pause();
  }

  resume(number: string): void {
    if (this.#pausedBy === null || !this.#pausedBy.delete(number) || this.#pausedBy.size > 0) return;
    this.#pausedBy = null;
    this.tcp.resume();
  }

  /** Sends what is still to be sent and closes. */
  end(now: Instant): void {
    if (this.endedAt !== null) return;
    this.endedAt = now;
    this.#remainder = emptyRemainder;
    this.tcp.end();
  }
}
