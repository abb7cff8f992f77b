import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { StationSignIn } from '@voltdeck/charging/states';
import { checkPasswordForms, chooseSubprotocol } from '@voltdeck/ocpp16/handshake';
import { isWithin } from '../limits/address-ranges.ts';
import { verifyStationPassword } from '../stations/station-password.ts';
import type { Refusal } from './refused-stations.ts';

/** The stored credentials of a connecting station. */
export type SignInRecord = {
  number: string;
  signIn: StationSignIn;
  signInNetworks: readonly string[];
  passwordHash: string | null;
  /** The password that it was given for its next connections. */
  nextPasswordHash: string | null;
};

export type SignIn =
  | { kind: 'admitted'; by: 'password' | 'next-password' | 'certificate' | 'nothing' }
  | { kind: 'refused'; status: 400 | 401; because: Refusal };

/** The presented client certificate: whether it is from our authority, and its names. */
export type Certificate = { kind: 'none' } | { kind: 'foreign' } | { kind: 'ours'; names: readonly string[] };

/**
 * Whether a station may sign in: by a client certificate of the installation's authority that names it (security
 * profile 3), by its password (profiles 1 and 2), or with nothing where an operator allowed that for this station.
 */
export function signIn(
  headers: IncomingMessage['headers'],
  certificate: Certificate,
  { station, remoteAddress }: { station: SignInRecord; remoteAddress: string },
): SignIn {
  const proven = prove(headers, certificate, { station, remoteAddress });
  if (proven.kind === 'admitted' && chooseSubprotocol(headers['sec-websocket-protocol']) === null) {
    return { kind: 'refused', status: 400, because: 'wrong_subprotocol' };
  }
  return proven;
}

function prove(
  headers: IncomingMessage['headers'],
  certificate: Certificate,
  { station, remoteAddress }: { station: SignInRecord; remoteAddress: string },
): SignIn {
  if (certificate.kind === 'foreign') return refused('foreign_certificate');
  if (certificate.kind === 'ours') {
    return certificate.names.includes(station.number)
      ? { kind: 'admitted', by: 'certificate' }
      : refused('certificate_of_another');
  }
  if (station.signIn === 'certificate') return refused('no_certificate');
  if (station.signIn === 'open') {
    const { signInNetworks } = station;
    if (signInNetworks.length === 0 || isWithin(remoteAddress, signInNetworks)) {
      return { kind: 'admitted', by: 'nothing' };
    }
    // From elsewhere it signs in like any other station.
    if (headers.authorization === undefined) return refused('wrong_network');
  }
  return checkPassword(headers.authorization, station);
}

function checkPassword(header: string | undefined, station: SignInRecord): SignIn {
  const credentials = credentialsOf(header);
  if (credentials === null || station.passwordHash === null) return refused('no_password');
  if (!credentials.users.includes(station.number)) return refused('wrong_user');
  const forms = checkPasswordForms(credentials.password);
  const opens = (hash: string | null) => hash !== null && forms.some((form) => verifyStationPassword(form, hash));
  if (opens(station.nextPasswordHash)) return { kind: 'admitted', by: 'next-password' };
  return opens(station.passwordHash) ? { kind: 'admitted', by: 'password' } : refused('wrong_password');
}

function refused(because: Refusal): SignIn {
  return { kind: 'refused', status: 401, because };
}

/** The user in every possible encoding, since none is declared (RFC 7617, section 2.1). */
function credentialsOf(header: string | undefined): { users: readonly string[]; password: string } | null {
  const match = /^Basic ([A-Za-z0-9+/=]{1,512})$/i.exec(header ?? '');
  if (match === null) return null;
  const bytes = Buffer.from(match[1] ?? '', 'base64');
  const colon = bytes.indexOf(':');
  if (colon === -1) return null;
  const user = bytes.subarray(0, colon);
  // One character per byte, so that a password of raw bytes stays unchanged.
  return { users: [user.toString('utf8'), user.toString('latin1')], password: bytes.toString('latin1', colon + 1) };
}

/** The client certificate of a TLS socket; none on a plain one, and where the server requests none. */
export function certificateOf(socket: IncomingMessage['socket']): Certificate {
  if (!(socket instanceof TLSSocket)) return { kind: 'none' };
  const certificate = socket.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0) return { kind: 'none' };
  if (!socket.authorized) return { kind: 'foreign' };
  const commonNames = [certificate.subject.CN ?? []].flat();
  const alternatives = (certificate.subjectaltname ?? '')
    .split(', ')
    .flatMap((text) => (text.startsWith('DNS:') ? [text.slice('DNS:'.length)] : []));
  return { kind: 'ours', names: [...commonNames, ...alternatives] };
}
