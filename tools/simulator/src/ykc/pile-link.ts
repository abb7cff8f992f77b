import { connect, type Socket } from 'node:net';
import { emptyRemainder, pileNoOf, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import type { Message, PileMessage } from '@voltdeck/ykc/messages/all';
import type { Clock } from '../clock.ts';
import type { Random } from '../seeded.ts';
import type { PileFaults } from './pile-faults.ts';

export type PileListener = {
  opened(): void;
  closed(): void;
  /** `sequence` must be repeated in the answer. */
  received(message: Message, sequence: number): void;
  frame(direction: 'sent' | 'received', text: string): void;
};

const connectTimeoutMs = 10_000;
const closeTimeoutMs = 2_000;
const garbageBytesMax = 24;

/** The host and port of an address such as tcp://127.0.0.1:8768. @throws RangeError for anything else. */
export function socketAddress(url: string): { host: string; port: number } {
  const parsed = /^tcp:\/\/(\[[^\]]+\]|[^:/]+):(\d{1,5})\/?$/.exec(url);
  if (parsed === null) throw new RangeError(`an address is tcp://host:port, got ${url}`);
  return { host: (parsed[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(parsed[2]) };
}

/** One TCP socket to the platform. Several stations may share it, as behind a concentrator (section 1). */
export class PileLink {
  readonly #host: string;
  readonly #port: number;
  readonly #clock: Clock;
  readonly #piles = new Map<string, PileListener>();
  #socket: Socket | null = null;
  #open = false;
  #remainder = emptyRemainder;
  #sequence = 0;
  #sentCount = 0;

  constructor(options: { url: string; clock: Clock }) {
    const { host, port } = socketAddress(options.url);
    this.#host = host;
    this.#port = port;
    this.#clock = options.clock;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Connects unless connected. The listener gets `opened` or `closed`. */
  join(number: string, listener: PileListener): void {
    this.#piles.set(number, listener);
    if (this.#socket === null) this.#connect();
    else if (this.#open) listener.opened();
  }

  /** Leaves silently; the last station closes the socket. Resolves when that is done. */
  async leave(number: string): Promise<void> {
    if (!this.#piles.delete(number) || this.#piles.size > 0) return;
    const socket = this.#socket;
    if (socket === null) return;
    this.#gone(socket);
    if (socket.closed) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.afterReal(closeTimeoutMs, () => socket.destroy());
      socket.once('close', () => {
        cancel();
        resolve();
      });
      if (socket.connecting) socket.destroy();
      else socket.end();
    });
  }

  /** Drops the link of all who share it, like a dead network; false if there was none. */
  drop(): boolean {
    const socket = this.#socket;
    if (socket === null) return false;
    this.#gone(socket);
    socket.destroy();
    return true;
  }

  /** `sequence` of an answer is that of its request; otherwise the link counts. */
  send(message: PileMessage, faults: PileFaults, random: Random, sequence?: number): void {
    const socket = this.#socket;
    if (socket === null || !this.#open) return;
    this.#sentCount += 1;
    if (faults.garbageEvery !== null && this.#sentCount % faults.garbageEvery === 0) {
      const noise = Array.from({ length: random.integer(1, garbageBytesMax) }, () => random.integer(0, 255));
      socket.write(Uint8Array.from(noise));
    }
    const write = (withSequence: number): void => {
      const bytes = writeFrame(message, withSequence);
      if (faults.crcHighFirst) bytes.subarray(-2).reverse();
      this.#piles.get(message.pileNo)?.frame('sent', toHex(bytes));
      socket.write(bytes);
    };
    const first = sequence ?? this.#nextSequence();
    write(first);
    if (faults.duplicates === 'same-id' || faults.duplicates === 'both') write(first);
    if (faults.duplicates === 'new-id' || faults.duplicates === 'both') write(this.#nextSequence());
  }

  #nextSequence(): number {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    return sequence;
  }

  #connect(): void {
    const release = this.#clock.hold();
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    const cancel = this.#clock.afterReal(connectTimeoutMs, () => socket.destroy());
    this.#socket = socket;
    this.#remainder = emptyRemainder;
    this.#sequence = 0;
    socket.on('connect', () => {
      cancel();
      if (this.#socket === socket) {
        this.#open = true;
        for (const listener of [...this.#piles.values()]) listener.opened();
      }
      release();
    });
    socket.on('data', (chunk) => {
      if (this.#socket === socket) this.#receive(chunk);
    });
    socket.on('error', () => {
      // 'close' follows and says what matters.
    });
    socket.on('close', () => {
      cancel();
      this.#gone(socket);
      release();
    });
  }

  #gone(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#open = false;
    for (const listener of [...this.#piles.values()]) listener.closed();
  }

  #receive(chunk: Uint8Array): void {
    const read = readFrames(this.#remainder, chunk);
    this.#remainder = read.remainder;
    for (const frame of read.frames) {
      const message = readMessage(frame);
      const addressed = this.#piles.get(pileNoOf(frame) ?? '');
      // A transaction number is opaque: if it does not start with a station's number, all stations get the message.
      for (const listener of addressed === undefined ? [...this.#piles.values()] : [addressed]) {
        listener.frame('received', toHex(frame.bytes));
        if (message.kind !== 'fault') listener.received(message, frame.sequence);
      }
    }
  }
}
