import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/**
 * Who asks. What a proxy says in X-Forwarded-For is believed from this machine alone, as for every request, and only as
 * far as it names addresses. Empty for a socket that is gone.
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

/** The one way to write an address; an IPv4 address that came over an IPv6 socket is an IPv4 address. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address;
  const written = new SocketAddress({ address: address.split('%', 1)[0] ?? '', family: 'ipv6' }).address;
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/.test(written) ? written.slice('::ffff:'.length) : written;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
