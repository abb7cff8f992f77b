/**
 * Counts what one remote network does, so that it cannot crowd out the others. An IPv4 address is a network of its own,
 * IPv6 addresses are taken together by their /64: a customer of a provider has at least one of these.
 */
export class RemoteNetworks<Socket> {
  readonly #networks = new Map<string, RemoteNetwork<Socket>>();

  /** The record of a network while it has a socket or has been asking for unknown numbers within the last minute. */
  of(address: string): RemoteNetwork<Socket> {
    const key = networkOf(address);
    const known = this.#networks.get(key);
    if (known !== undefined) return known;
    const made: RemoteNetwork<Socket> = { key, sockets: 0, silent: new Set(), unknownLogins: 0 };
    this.#networks.set(key, made);
    return made;
  }

  get size(): number {
    return this.#networks.size;
  }

  /** A minute has passed: unknown numbers are counted anew, and networks that hold nothing are forgotten. */
  startMinute(): void {
    for (const [key, network] of this.#networks) {
      network.unknownLogins = 0;
      if (network.sockets === 0) this.#networks.delete(key);
    }
  }
}

export type RemoteNetwork<Socket> = {
  readonly key: string;
  sockets: number;
  /** Sockets over which nobody has tried to sign in, the oldest first. */
  silent: Set<Socket>;
  /** Logins under numbers that nobody registered, in this minute. */
  unknownLogins: number;
};

export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const behind = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - before.length - behind.length)).fill('0') : [];
  return [...before, ...zeros, ...behind].slice(0, 4).join(':');
}
