import type { RawData, WebSocket } from 'ws';

/**
 * The messages of a WebSocket, one by one. Pausing the socket stops the reading, yet what was read already still comes:
 * it is held here, some 64 KiB at the most, until somebody resumes.
 */
export class PausableMessages {
  readonly #webSocket: WebSocket;
  readonly #take: (text: string) => void;
  #held: string[] | null = null;
  #isPaused = false;

  constructor(webSocket: WebSocket, take: (text: string) => void) {
    this.#webSocket = webSocket;
    this.#take = take;
    webSocket.on('message', (data: RawData) => {
      const text = textOf(data);
      if (!this.#isPaused && this.#held === null) take(text);
      else {
        this.#held ??= [];
        this.#held.push(text);
      }
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#webSocket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    // What the station's link is doing ends first.
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    const held = this.#held ?? [];
    let taken = 0;
    while (taken < held.length && !this.#isPaused) {
      this.#take(held[taken] as string);
      taken += 1;
    }
    this.#held = taken < held.length ? held.slice(taken) : null;
    if (!this.#isPaused) this.#webSocket.resume();
  }
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8');
}
