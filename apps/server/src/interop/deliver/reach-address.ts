import { lookup } from 'node:dns/promises';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { PartnerFault } from '@voltdeck/contract/partner-faults';

/**
 * Whether something answers at an address: its name is known, it takes a connection, and with https its certificate is
 * valid. Nothing is sent. @param timeoutMs for all of it. @returns null where it does.
 */
export async function reachAddress(
  address: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<{ fault: PartnerFault; because: string } | null> {
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return { fault: 'no_address', because: '' };
  // A literal IPv6 address stands in brackets.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  try {
    if (isIP(host) === 0) await within(lookup(host), timeoutMs);
    await connected(
      () =>
        isSecure
          ? connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
          : connectPlainly({ host, port }),
      { event: isSecure ? 'secureConnect' : 'connect', timeoutMs },
    );
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { fault: faultOfCode(code), because: code };
  }
}

async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timedOut()), timeoutMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function connected(
  open: () => Socket,
  { event, timeoutMs }: { event: 'connect' | 'secureConnect'; timeoutMs: number },
): Promise<void> {
  const socket = open();
  try {
    const opened = new Promise<void>((resolve, reject) => {
      socket.once(event, () => resolve());
      socket.once('error', reject);
      socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
    await within(opened, timeoutMs);
  } finally {
    socket.destroy();
  }
}

function timedOut(): Error {
  return Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
}

/** By the codes of node:dns, node:net and node:tls; what is none of these is a certificate that does not hold. */
function faultOfCode(code: string): PartnerFault {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return 'unknown_host';
    case 'ECONNREFUSED':
      return 'connection_refused';
    case 'ETIMEDOUT':
      return 'timeout';
    case '':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EPIPE':
      return 'unreachable';
    default:
      return 'bad_certificate';
  }
}
