/**
 * Counts the activity of each remote network, so that none can crowd out the others. An IPv4 address is a network of
 * its own; IPv6 addresses are grouped by /64, the least that a provider's customer gets.
 */
export class RemoteNetworks<Socket> {
  readonly #networks = new Map<string, RemoteNetwork<Socket>>();

  /** The record of a network that has a socket or a failed login within the last minute. */
  of(address: string): RemoteNetwork<Socket> {
    const key = networkOf(address);
    const known = this.#networks.get(key);
    if (known !== undefined) return known;
    const made: RemoteNetwork<Socket> = { key, sockets: 0, silent: new Set(), failures: 0 };
    this.#networks.set(key, made);
    return made;
  }

  get size(): number {
    return this.#networks.size;
  }

  /** Starts a new minute: resets failures and forgets networks that hold nothing. */
  startMinute(): void {
    for (const [key, network] of this.#networks) {
      network.failures = 0;
      if (network.sockets === 0) this.#networks.delete(key);
    }
  }
}

export type RemoteNetwork<Socket> = {
  readonly key: string;
  sockets: number;
  /** Sockets without a login attempt, the oldest first. */
  silent: Set<Socket>;
  /** Unknown numbers and wrong passwords in this minute. */
  failures: number;
};

export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // An IPv4 address on an IPv6 socket.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const behind = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - before.length - behind.length)).fill('0') : [];
  const groups = [...before, ...zeros, ...behind].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
