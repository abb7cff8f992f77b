import type { Socket } from 'node:net';
import type { Instant } from '@voltdeck/units/instant';
import type { ConnectionState } from '@voltdeck/ykc/connection';
import { emptyRemainder, type Frame, readFrames } from '@voltdeck/ykc/frame';
import type { RemoteNetwork } from '../limits/remote-networks.ts';
import type { StationLink } from './station-link.ts';
import type { PresentStation } from './station-presence.ts';

export type YkcLink = StationLink<ConnectionState, Uint8Array>;
export type YkcStation = PresentStation<TrunkSocket, YkcLink>;

/** The gateway's handlers for a socket's frames. */
export type FrameTaker = {
  take(socket: TrunkSocket, frame: Frame): void;
  /** More garbage arrived than a bad line explains. */
  onGarbage(socket: TrunkSocket): void;
};

/**
 * A TCP socket over which one station or, behind a concentrator, several communicate. It cuts the stream into frames
 * and knows its stations; it holds no timer and, between frames, no buffer.
 */
export class TrunkSocket {
  readonly tcp: Socket;
  readonly remoteAddress: string;
  readonly network: RemoteNetwork<TrunkSocket>;
  /** By number. */
  readonly stations = new Map<string, YkcStation>();
  #awaiting: Map<string, Frame[]> | null = null;
  /** Since when it has had no station. */
  aloneSince: Instant;
  /** When we began to close it. */
  endedAt: Instant | null = null;
  #remainder: Uint8Array = emptyRemainder;
  #garbageBytes = 0;
  readonly #garbageBytesMax: number;
  readonly #unsentBytesMax: number;
  #pausedBy: Set<string> | null = null;
  #held: { frames: readonly Frame[]; taker: FrameTaker } | null = null;

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

  /** Stations signed in here or being looked up. */
  get stationCount(): number {
    return this.stations.size + (this.#awaiting?.size ?? 0);
  }

  /** A station has sent its login; what it sends from now on is kept until it is admitted. */
  await(number: string, login: Frame): void {
    this.#awaiting ??= new Map();
    this.#awaiting.set(number, [login]);
  }

  /** The frames of a station being looked up, from its login on. */
  saidBy(number: string): Frame[] | undefined {
    return this.#awaiting?.get(number);
  }

  /** The look-up is over. Most sockets have one in their life and free its memory. */
  stopAwaiting(number: string): Frame[] {
    const said = this.#awaiting?.get(number) ?? [];
    this.#awaiting?.delete(number);
    if (this.#awaiting?.size === 0) this.#awaiting = null;
    return said;
  }

  receive(chunk: Uint8Array, taker: FrameTaker): void {
    if (this.endedAt !== null) return;
    const { frames, remainder, skipped } = readFrames(this.#remainder, chunk);
    this.#remainder = remainder;
    this.#garbageBytes += skipped;
    this.#hand(frames, taker);
    if (this.#garbageBytes > this.#garbageBytesMax) taker.onGarbage(this);
  }

  /** Data already read waits as well when a station asks for a pause half-way through it. */
  #hand(frames: readonly Frame[], taker: FrameTaker): void {
    for (const [index, frame] of frames.entries()) {
      if (this.endedAt !== null) return;
      if (this.#pausedBy !== null) {
        this.#held = { frames: frames.slice(index), taker };
        return;
      }
      taker.take(this, frame);
    }
  }

  #goOn(): void {
    if (this.#pausedBy !== null || this.tcp.destroyed) return;
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.#hand(held.frames, held.taker);
    if (this.#pausedBy === null) this.tcp.resume();
  }

  /** A good frame makes up for as many bytes of garbage: some stations send noise between frames. */
  noteGood(bytes: number): void {
    if (this.#garbageBytes > 0) this.#garbageBytes = Math.max(0, this.#garbageBytes - bytes);
  }

  noteGarbage(bytes: number): void {
    this.#garbageBytes += bytes;
  }

  /** A peer that sends but does not read is cut off before its unsent answers fill the memory. */
  send(bytes: Uint8Array): void {
    if (this.endedAt !== null || this.tcp.destroyed) return;
    this.tcp.write(bytes);
    if (this.tcp.writableLength > this.#unsentBytesMax) this.tcp.destroy();
  }

  /** Stations on one socket are paused together: it is read again when none of them asks for a pause. */
  pause(number: string): void {
    this.#pausedBy ??= new Set();
    this.#pausedBy.add(number);
    this.tcp.pause();
  }

  resume(number: string): void {
    if (this.#pausedBy === null || !this.#pausedBy.delete(number) || this.#pausedBy.size > 0) return;
    this.#pausedBy = null;
    // The station's link finishes its work first.
    setImmediate(() => this.#goOn());
  }

  /** Sends what is pending and closes. */
  end(now: Instant): void {
    if (this.endedAt !== null) return;
    this.endedAt = now;
    this.#remainder = emptyRemainder;
    this.tcp.end();
  }
}
