/**
 * The transaction record of version 1.7 (0x3D, section 5): that of 1.6 with the meter's number and its ciphertext
 * inserted after the end of the charge. Piles of 1.7 are otherwise compatible, and delivered energy must not be lost.
 */
import { bodyAt, crcBytes, type Frame, writeRawFrame } from './frame.ts';
import { definitions } from './messages/all.ts';

export const newerRecordType = 0x3d;

const record = definitions['transaction-record'];
const insertedFrom = record.fields.find(({ name }) => name === 'sharpPrice')?.offset ?? 0;
/** Meter number 6, ciphertext 34, version of the meter's protocol 2, encryption method 1. */
const insertedBytes = 43;

/** The frame in the format of version 1.6; the same frame if it is of another type or too short. */
export function withOlderRecord(frame: Frame): Frame {
  const { bytes, type, sequence } = frame;
  if (type !== newerRecordType || frame.encrypted) return frame;
  const body = bytes.subarray(bodyAt, bytes.length - crcBytes);
  if (body.length < record.length + insertedBytes) return frame;
  const older = new Uint8Array(record.length);
  older.set(body.subarray(0, insertedFrom));
  older.set(body.subarray(insertedFrom + insertedBytes, record.length + insertedBytes), insertedFrom);
  return { ...frame, type: record.type, bytes: writeRawFrame(record.type, older, sequence) };
}
