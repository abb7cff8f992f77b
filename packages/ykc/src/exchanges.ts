/** Frames as the interaction log keeps them: upper-case hexadecimal, with the password of an FTP server blotted out. */
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { Told } from '@voltdeck/connection/exchanges';
import type { Instant } from '@voltdeck/units/instant';
import { bodyAt, crcBytes, writeRawFrame } from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import { definitions } from './messages/all.ts';
import type { Definition } from './messages/field.ts';
import { readU16 } from './values.ts';

/** Why a frame has no effect or no answer, beyond what every protocol knows; YKC has no error codes of its own. */
export const ykcFaults = {
  /** Before the login of this pile, or after one that we refused. */
  notLoggedIn: 'NotLoggedIn',
  /** 3DES, whose key no public text gives. */
  encrypted: 'Encrypted',
  unknownType: 'UnknownType',
  bodyTooShort: 'BodyTooShort',
  /** A type that only a platform sends. */
  wrongDirection: 'WrongDirection',
  wrongStation: 'WrongStation',
  /** A gun port that can't be. */
  wrongGun: 'WrongGun',
  noTariff: 'NoTariff',
  internalError: 'InternalError',
} as const;

/** 0x92, as the log and raw commands name a type. */
export function actionOf(type: number): string {
  return `0x${type.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The two raw bytes. */
export function messageIdOf(sequence: number): string {
  return toHex(Uint8Array.of(sequence & 0xff, sequence >>> 8));
}

const { type: otaType, fields: otaFields }: Definition = definitions['ota-update'];
const password = otaFields.find(({ name }) => name === 'password') ?? { offset: 0, length: 0 };

/** The frame as text; the CRC of a blotted one fits its zeros, so that it reads like any other. */
export function loggedText(frame: Uint8Array): string {
  if (frame[5] !== otaType || frame.length < bodyAt + password.offset + crcBytes) return toHex(frame);
  const body = frame.slice(bodyAt, frame.length - crcBytes);
  body.fill(0, password.offset, password.offset + password.length);
  return toHex(writeRawFrame(otaType, body, readU16(frame, 2)));
}

/** What replaces the password of an FTP server wherever a command is stored or shown. */
const blottedPassword = '***';

/** The command as it may be stored and shown: without the password of an FTP server. */
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

/** A frame of the pile as it came. */
export type Arrival = Told & { readonly type: number; readonly sequence: number };

/** A frame as the log names it; `type` and `sequence` are null for bytes that are no frame. */
export function toldOf({
  type,
  sequence,
  text,
  at,
}: {
  type: number | null;
  sequence: number | null;
  text: string;
  at: Instant;
}): Told {
  const action = type === null ? null : actionOf(type);
  return { action, messageId: sequence === null ? null : messageIdOf(sequence), text, at };
}
