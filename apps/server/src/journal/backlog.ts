import type { StationId } from '@voltdeck/units/id';

export type Bounds = { entries: number; bytes: number };

/** What may wait to become durable: per station, per network address, and in total. */
export type BacklogBounds = { station: Bounds; network: Bounds; all: Bounds };

const mebibyte = 1024 * 1024;

export const backlogBounds = {
  /** A station that waits for its answers has one entry here; a pipelining one has a few dozen. */
  station: { entries: 256, bytes: 2 * mebibyte },
  /** Thousands of stations share a mobile operator's address. */
  network: { entries: 20_000, bytes: 32 * mebibyte },
  all: { entries: 100_000, bytes: 128 * mebibyte },
} as const satisfies BacklogBounds;

/**
 * Where a load is stored, and its key. An object, because a closure for each of thousands of stations takes twice the
 * memory.
 */
type LoadHome = { readonly loads: Map<unknown, Load>; readonly key: unknown };

/** How much waits, against its bounds. */
export class Load {
  entries = 0;
  bytes = 0;
  #holders = 0;
  readonly #bounds: Bounds;
  readonly #home: LoadHome | null;

  /** `home` drops it when nothing waits and nobody holds it. */
  constructor(bounds: Bounds, home: LoadHome | null = null) {
    this.#bounds = bounds;
    this.#home = home;
  }

  add(bytes: number): void {
    this.entries += 1;
    this.bytes += bytes;
  }

  remove(bytes: number): void {
    this.entries -= 1;
    this.bytes -= bytes;
    if (this.entries === 0 && this.#holders === 0) this.#home?.loads.delete(this.#home.key);
  }

  hold(): Load {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.entries === 0 && this.#holders === 0) this.#home?.loads.delete(this.#home.key);
  }

  get isFull(): boolean {
    return this.entries >= this.#bounds.entries || this.bytes >= this.#bounds.bytes;
  }

  /** Half empty, so that a socket is not paused and resumed for every entry. */
  get isEased(): boolean {
    return this.entries <= this.#bounds.entries / 2 && this.bytes <= this.#bounds.bytes / 2;
  }
}

/** The loads that a station counts towards. */
export class Backlog {
  readonly all: Load;
  readonly #bounds: BacklogBounds;
  readonly #stations = new Map<StationId, Load>();
  readonly #networks = new Map<string, Load>();

  constructor(bounds: BacklogBounds) {
    this.#bounds = bounds;
    this.all = new Load(bounds.all);
  }

  /**
   * The loads of a station (shared by all its sockets, so that reconnecting gains nothing), of its network and of all.
   */
  hold(stationId: StationId, network: string): readonly Load[] {
    const station = loadAt(this.#stations, stationId, this.#bounds.station);
    const shared = loadAt(this.#networks, network, this.#bounds.network);
    return [station.hold(), shared.hold(), this.all.hold()];
  }
}

function loadAt<Key>(loads: Map<Key, Load>, key: Key, bounds: Bounds): Load {
  const known = loads.get(key);
  if (known !== undefined) return known;
  const made = new Load(bounds, { loads, key });
  loads.set(key, made);
  return made;
}
