/** Frames for the interaction log: upper-case hexadecimal, with the password of an FTP server masked. */
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { LoggedFrame } from '@voltdeck/connection/exchanges';
import type { Instant } from '@voltdeck/units/instant';
import { bodyAt, crcBytes, writeRawFrame } from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import { definitions } from './messages/all.ts';
import type { Definition } from './messages/field.ts';
import { readU16 } from './values.ts';

/**
 * Why a frame has no effect or no answer, beyond the faults common to all protocols; YKC has no error codes of its own.
 */
export const ykcFaults = {
  /** Before this pile's login, or after we refused one. */
  notLoggedIn: 'NotLoggedIn',
  /** 3DES, whose key is not published. */
  encrypted: 'Encrypted',
  unknownType: 'UnknownType',
  bodyTooShort: 'BodyTooShort',
  /** A type that only a platform sends. */
  wrongDirection: 'WrongDirection',
  wrongStation: 'WrongStation',
  /** An impossible gun port. */
  wrongGun: 'WrongGun',
  noTariff: 'NoTariff',
  internalError: 'InternalError',
} as const;

/** A type as 0x92, for the log and raw commands. */
export function actionOf(type: number): string {
  return `0x${type.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The two raw bytes. */
export function messageIdOf(sequence: number): string {
  return toHex(Uint8Array.of(sequence & 0xff, sequence >>> 8));
}

const { type: otaType, fields: otaFields }: Definition = definitions['ota-update'];
const password = otaFields.find(({ name }) => name === 'password') ?? { offset: 0, length: 0 };

/** The frame as text; a masked one has a matching CRC, so that it reads like any other. */
export function loggedText(frame: Uint8Array): string {
  if (frame[5] !== otaType || frame.length < bodyAt + password.offset + crcBytes) return toHex(frame);
  const body = frame.slice(bodyAt, frame.length - crcBytes);
  body.fill(0, password.offset, password.offset + password.length);
  return toHex(writeRawFrame(otaType, body, readU16(frame, 2)));
}

/** Replaces the password of an FTP server wherever a command is stored or shown. */
const blottedPassword = '***';

/** The command without the password of an FTP server, for storing and showing. */
export function withoutSecrets(command: StationCommand): StationCommand {
  if (command.kind === 'update-firmware') {
    return { ...command, firmware: { ...command.firmware, password: blottedPassword } };
  }
  const { payload, action } = command.kind === 'raw' ? command : { payload: null, action: '' };
  if (Number(action) !== otaType || typeof payload !== 'object' || payload === null) return command;
  const blotted = { ...payload, ...('password' in payload && { password: blottedPassword }) };
  const body = 'hex' in payload && typeof payload.hex === 'string' ? fromHex(payload.hex) : null;
  body?.fill(0, password.offset, password.offset + password.length);
  return { kind: 'raw', action, payload: body === null ? blotted : { ...blotted, hex: toHex(body) } };
}

/** A pile's frame as received. */
export type Arrival = LoggedFrame & { readonly type: number; readonly sequence: number };

/** A frame for the log; `type` and `sequence` are null for bytes that are not a frame. */
export function loggedFrameOf({
  type,
  sequence,
  text,
  at,
}: {
  type: number | null;
  sequence: number | null;
  text: string;
  at: Instant;
}): LoggedFrame {
  const action = type === null ? null : actionOf(type);
  return { action, messageId: sequence === null ? null : messageIdOf(sequence), text, at };
}
