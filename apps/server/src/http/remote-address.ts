import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/**
 * The caller's address. X-Forwarded-For is trusted only from a proxy on this machine, and only where it holds
 * addresses. Empty for a closed socket.
 */
export function remoteAddressOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const header = headers['x-forwarded-for'];
  const forwarded = (typeof header === 'string' ? header.split(',') : (header ?? [])).map((text) => text.trim());
  let nearest = plain(socket.remoteAddress ?? '');
  for (const address of forwarded.reverse()) {
    if (!isLoopback(nearest) || isIP(address) === 0) break;
    nearest = plain(address);
  }
  return nearest;
}

/** Canonical form of an address; an IPv4 address on an IPv6 socket becomes an IPv4 address. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address;
  const written = new SocketAddress({ address: address.split('%', 1)[0] ?? '', family: 'ipv6' }).address;
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/.test(written) ? written.slice('::ffff:'.length) : written;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
