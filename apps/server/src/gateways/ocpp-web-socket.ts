import { type RawData, WebSocket } from 'ws';
import type { StationSocket } from './station-link.ts';

/** The listener of a station's WebSocket. */
export type SocketHearer = {
  receive(text: string): void;
  /** A ping or a pong arrived. */
  showLife(): void;
  closed(): void;
};

/**
 * The WebSocket of a station. It calls one listener directly: listener tables, with a closure for each, take 12 MB for
 * 10,000 idle stations. Pausing the socket stops the reading, but data already read still arrives; it is held here,
 * some 64 KiB at most, until it is resumed.
 */
export class OcppWebSocket extends WebSocket implements StationSocket<string> {
  #hearer: SocketHearer | null = null;
  #unsentBytesMax = Number.POSITIVE_INFINITY;
  #held: string[] | null = null;
  #isHolding = false;

  /** `unsentBytesMax` limits the unsent bytes for a peer that does not read. */
  open(hearer: SocketHearer, { unsentBytesMax }: { unsentBytesMax: number }): void {
    this.#hearer = hearer;
    this.#unsentBytesMax = unsentBytesMax;
  }

  override send(frame: string): void {
    super.send(frame);
    // A peer that sends but does not read is cut off before its unsent answers fill the memory.
    if (this.bufferedAmount > this.#unsentBytesMax) this.terminate();
  }

  override pause(): void {
    this.#isHolding = true;
    super.pause();
  }

  override resume(): void {
    this.#isHolding = false;
    // The station's link finishes its work first.
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
      // The `close` event that follows has the details.
      case 'error':
        return true;
      case 'close':
        this.#deliverHeld();
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

  /** Delivers what was held: a station that hung up believes it arrived and does not repeat it. */
  #deliverHeld(): void {
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
