import { type RawData, WebSocket } from 'ws';
import type { StationSocket } from './station-link.ts';

/** Who is told what comes by a station's WebSocket. */
export type SocketHearer = {
  receive(text: string): void;
  /** A ping or a pong came. */
  showLife(): void;
  closed(): void;
};

/**
 * The WebSocket of a station. It tells one hearer by calls: tables of listeners, with a closure for each, take 12 MB of
 * 10,000 idle stations. Pausing the socket stops the reading, yet what was read already still comes: it is held here,
 * some 64 KiB at the most, until somebody resumes.
 */
export class OcppWebSocket extends WebSocket implements StationSocket<string> {
  #hearer: SocketHearer | null = null;
  #unsentBytesMax = Number.POSITIVE_INFINITY;
  #held: string[] | null = null;
  #isHolding = false;

  /** `unsentBytesMax` is what a peer that does not read may leave unsent. */
  open(hearer: SocketHearer, { unsentBytesMax }: { unsentBytesMax: number }): void {
    this.#hearer = hearer;
    this.#unsentBytesMax = unsentBytesMax;
  }

  override send(frame: string): void {
    super.send(frame);
    // A peer that sends but does not read is cut off before what waits for it fills the memory.
    if (this.bufferedAmount > this.#unsentBytesMax) this.terminate();
  }

  override pause(): void {
    this.#isHolding = true;
    super.pause();
  }

  override resume(): void {
    this.#isHolding = false;
    // What the station's link is doing ends first.
    setImmediate(() => this.#goOn());
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    switch (event) {
      case 'message':
        this.#take(textOf(values[0] as RawData));
        return true;
      case 'ping':
      case 'pong':
        this.#hearer?.showLife();
        return true;
      // The `close` event that follows says all there is to say.
      case 'error':
        return true;
      case 'close':
        this.#handOnHeld();
        this.#hearer?.closed();
        break;
    }
    return super.emit(event, ...values);
  }

  #take(text: string): void {
    if (!this.#isHolding && this.#held === null) this.#hearer?.receive(text);
    else {
      this.#held ??= [];
      this.#held.push(text);
    }
  }

  /** Nobody says it again: who hung up believes that it arrived. */
  #handOnHeld(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const text of held) this.#hearer?.receive(text);
  }

  #goOn(): void {
    const held = this.#held ?? [];
    let taken = 0;
    while (taken < held.length && !this.#isHolding) {
      this.#hearer?.receive(held[taken] as string);
      taken += 1;
    }
    this.#held = taken < held.length ? held.slice(taken) : null;
    if (!this.#isHolding) super.resume();
  }
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8');
}
