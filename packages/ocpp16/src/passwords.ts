/** Masks passwords of stations and of file servers wherever a command or a payload may contain one. */
import type { StationCommand } from '@voltdeck/charging/station-command';
import { isPayload, type Payload } from './frame.ts';

/** Keys are case-insensitive (CiString50, section 7.29). */
export function isPasswordKey(key: unknown): boolean {
  return typeof key === 'string' && key.toLowerCase() === 'authorizationkey';
}

/** The command without passwords, for storing and showing. */
export function withoutSecrets(command: StationCommand): StationCommand {
  if (command.kind === 'write-configuration' && isPasswordKey(command.key))
    return { ...command, value: blottedPassword };
  if (command.kind !== 'raw' || !isPayload(command.payload)) return command;
  return { ...command, payload: withoutPassword(command.action, command.payload) };
}

/** Replaces a station's password wherever a payload is shown or stored. */
export const blottedPassword = '***';

/** Calls that give a station an address for a file transfer (OCPP 1.6, sections 6.25 and 6.55). */
const actionsWithAddress: ReadonlySet<string> = new Set(['GetDiagnostics', 'UpdateFirmware']);
/** The credentials in an address; an unencoded password may contain a slash, and a port is not a password. */
const signInOfAddress = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@|[^/?#:]*:(?!\d{1,5}(?:[/?#]|$))\S*@)/i;

/** The payload with passwords of a station or a file server masked, whichever side sent it. */
export function withoutPassword(action: string, payload: Payload): Payload {
  if (actionsWithAddress.has(action) && typeof payload.location === 'string') {
    const location = payload.location.trim().replace(signInOfAddress, `$1${blottedPassword}@`);
    return location === payload.location ? payload : { ...payload, location };
  }
  if (action === 'ChangeConfiguration' && isPasswordKey(payload.key)) return { ...payload, value: blottedPassword };
  if (action !== 'GetConfiguration' || !Array.isArray(payload.configurationKey)) return payload;
  const entries: readonly unknown[] = payload.configurationKey;
  if (!entries.some((entry) => isPayload(entry) && isPasswordKey(entry.key) && entry.value !== undefined))
    return payload;
  const configurationKey = entries.map((entry) =>
    isPayload(entry) && isPasswordKey(entry.key) ? { ...entry, value: blottedPassword } : entry,
  );
  return { ...payload, configurationKey };
}
