import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol, StationSignIn } from '@voltdeck/charging/states';
import type { FieldFaultCode } from '@voltdeck/contract/errors';

/** A new station starts with the most common settings. */
export const newStation = {
  protocol: 'ocpp1.6',
  type: 'fast',
  equipmentType: 'four-wheel',
  connectorCount: 2,
  maxPowerKw: 120,
  signIn: 'password',
} as const;

type Body = {
  protocol?: Protocol | undefined;
  password?: string | undefined;
  signIn?: StationSignIn | undefined;
  signInNetworks?: string[] | undefined;
};

/** Sends the sign-in method only for protocols that have one, and addresses only where they replace it. */
export function sentStation<Sent extends Body>(body: Sent): Sent {
  const { password, signIn, signInNetworks = [], ...rest } = body;
  const { protocol = 'ocpp1.6' } = body;
  if (!protocolTraits[protocol].hasPassword || signIn === undefined) return rest as unknown as Sent;
  return {
    ...rest,
    signIn,
    signInNetworks: signIn === 'open' ? signInNetworks.map((range) => range.trim()) : [],
    ...(password && signIn === 'password' ? { password } : {}),
  } as unknown as Sent;
}

const numberFaults = {
  'ocpp1.6': 'station_number',
  ykc: 'station_number_ykc',
} as const satisfies Record<Protocol, FieldFaultCode>;

/** What is wrong with a valid station number in this protocol; null if nothing is. */
export function faultOfNumber(number: string, protocol: Protocol) {
  return protocolTraits[protocol].stationNumber.test(number) ? null : numberFaults[protocol];
}

const passwordBytesMin = 16;
const passwordBytesMax = 20;

/** Security profile 1 carries 16 to 20 bytes; a non-ASCII character takes more than one. */
export function isPasswordLength(password: string): boolean {
  const bytes = new TextEncoder().encode(password).length;
  return bytes >= passwordBytesMin && bytes <= passwordBytesMax;
}
