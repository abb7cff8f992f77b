import type { Protocol } from '@voltdeck/charging/states';
import { minuteMs } from '@voltdeck/units/instant';
import { createGate } from '../limits/gate.ts';
import { PacedTurns } from '../limits/paced-turns.ts';
import { type RemoteNetwork, RemoteNetworks } from '../limits/remote-networks.ts';

export const admissionLimits = {
  /**
   * Mobile operators and load balancers put thousands of stations behind one address, so this only stops a runaway one.
   */
  socketsPerNetwork: 20_000,
  /** Concurrent look-ups of connecting stations; a storm of reconnects waits its turn. */
  lookUpsAtOnce: 64,
  lookUpsWaiting: 20_000,
  /** Concurrent database work of stations that were found. */
  arrivalsAtOnce: 6,
  /**
   * Unknown numbers and wrong passwords of one network per minute that are recorded and looked up at once. Beyond that,
   * its numbers that never signed in here queue separately, one by one, in a queue of `suspectsWaiting`.
   */
  failuresPerMinute: 120,
  suspectsWaiting: 256,
  /** Pause between two of them, so that a thousand strangers cost no more than a few. */
  suspectRestMs: 40,
  /** Strangers beyond the queue are refused, this many at a time … */
  turnedAwayPerTick: 2,
  turnedAwayTickMs: 10,
  /** … from a queue of this length; beyond it they are cut off at once. */
  turnedAwayWaiting: 4_096,
  /** Wrong passwords for one number from one network per minute, after which its password is not checked. */
  wrongPasswordsPerMinute: 20,
  /** Remembered numbers that have signed in and need not queue with suspects. */
  knownNumbersMax: 200_000,
} as const;

export type AdmissionLimits = { readonly [Name in keyof typeof admissionLimits]: number };

const suspect = Symbol('suspect');

/**
 * Decides who may try to sign in, and in which queue: whoever tries numbers or passwords waits with others of that
 * kind, separately from the stations.
 */
export class Admission<Socket> {
  readonly #limits: AdmissionLimits;
  readonly #networks = new RemoteNetworks<Socket>();
  readonly #gate: ReturnType<typeof createGate>;
  readonly #arrivalGate: ReturnType<typeof createGate>;
  readonly #suspectGate: ReturnType<typeof createGate>;
  readonly #minutely: NodeJS.Timeout;
  readonly #known = new Set<string>();
  readonly #away: PacedTurns;
  /** By number and network, within this minute. */
  #wrongPasswords = new Map<string, number>();
  #suspects = 0;
  #turnedAway = 0;

  /** `tell` gets the number turned away within a minute, if any. */
  constructor(limits: AdmissionLimits = admissionLimits, tell: (turnedAway: number) => void = () => undefined) {
    this.#limits = limits;
    const { turnedAwayPerTick, turnedAwayTickMs, turnedAwayWaiting } = limits;
    this.#away = new PacedTurns({
      perTick: turnedAwayPerTick,
      tickMs: turnedAwayTickMs,
      waiting: turnedAwayWaiting,
    });
    this.#gate = createGate(limits.lookUpsAtOnce, limits.lookUpsWaiting);
    this.#arrivalGate = createGate(limits.arrivalsAtOnce, limits.lookUpsWaiting);
    this.#suspectGate = createGate(1, limits.suspectsWaiting);
    this.#minutely = setInterval(() => {
      this.#networks.startMinute();
      this.#wrongPasswords.clear();
      if (this.#turnedAway > 0) tell(this.#turnedAway);
      this.#turnedAway = 0;
    }, minuteMs);
  }

  networkOf(address: string): RemoteNetwork<Socket> {
    return this.#networks.of(address);
  }

  isCrowded(network: RemoteNetwork<Socket>): boolean {
    return network.sockets >= this.#limits.socketsPerNetwork;
  }

  /**
   * Runs the look-up of a number; `crowded` when too many strangers of its kind wait. @throws when too many stations
   * wait.
   */
  async lookUp<Value>(
    network: RemoteNetwork<Socket>,
    number: string,
    task: () => Promise<Value>,
  ): Promise<Value | 'crowded'> {
    const isSuspect = () => network.failures >= this.#limits.failuresPerMinute && !this.#known.has(number);
    if (!isSuspect()) {
      // It may have become suspect while waiting: a thousand strangers arrive before the first is recognised.
      const looked = await this.#gate(async () => (isSuspect() ? suspect : task()));
      if (looked !== suspect) return looked;
    }
    if (this.#suspects > this.#limits.suspectsWaiting) return 'crowded';
    this.#suspects += 1;
    try {
      return await this.#suspectGate(async () => {
        const value = await task();
        await new Promise((resolve) => setTimeout(resolve, this.#limits.suspectRestMs));
        return value;
      });
    } finally {
      this.#suspects -= 1;
    }
  }

  /** Turns a connection away in its turn: `refuse` answers, `cut` closes it without an answer. */
  turnAway(refuse: () => void, cut: () => void): void {
    this.#turnedAway += 1;
    if (!this.#away.take(refuse)) cut();
  }

  /** Runs the remaining database work of a station that was found. */
  async settleIn<Value>(task: () => Promise<Value>): Promise<Value> {
    return this.#arrivalGate(task);
  }

  /**
   * Loads the numbers that signed in before, since after a start all stations come at once, some from networks with
   * strangers.
   */
  async recall(seenBefore: (max: number) => Promise<readonly string[]>): Promise<void> {
    for (const number of await seenBefore(this.#limits.knownNumbersMax)) this.noteArrival(number);
  }

  noteArrival(number: string): void {
    if (this.#known.size >= this.#limits.knownNumbersMax) this.#known.clear();
    this.#known.add(number);
  }

  /** @returns whether this one is still to be recorded. */
  noteFailure(network: RemoteNetwork<Socket>): boolean {
    network.failures += 1;
    return network.failures <= this.#limits.failuresPerMinute;
  }

  noteWrongPassword(network: RemoteNetwork<Socket>, number: string): void {
    const key = `${network.key} ${number}`;
    this.#wrongPasswords.set(key, (this.#wrongPasswords.get(key) ?? 0) + 1);
  }

  /** Whether this network has guessed at this number so often that it is ignored for the rest of the minute. */
  isBarred(network: RemoteNetwork<Socket>, number: string): boolean {
    return (this.#wrongPasswords.get(`${network.key} ${number}`) ?? 0) >= this.#limits.wrongPasswordsPerMinute;
  }

  close(): void {
    clearInterval(this.#minutely);
    this.#away.close();
  }
}

/** Who tries to sign in, for the list of unknown stations and the connection help. */
export type Asking = { number: string; protocol: Protocol; remoteAddress: string; network: string };
