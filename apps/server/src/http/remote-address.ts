import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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

/** An IPv4 address that came over an IPv6 socket is an IPv4 address. */
function plain(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
