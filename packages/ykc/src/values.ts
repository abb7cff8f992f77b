/** Single values on the wire (section 2.3). Reading never fails; writing returns `false` for values that do not fit. */
import { dayMs, hourMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';

const shanghaiOffsetMs = 8 * hourMs;
const timeBytes = 7;
const yearsMax = 127;
const firstYear = 2000;

export function readU8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0;
}

/** An unsigned little-endian number of 1 to 5 bytes. */
export function readUint(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  // Shift operators would lose bits beyond 32.
  for (let index = length - 1; index >= 0; index -= 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

export function writeUint(value: number, bytes: Uint8Array, at: number, length: number): boolean {
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** length) return false;
  let rest = value;
  for (let index = 0; index < length; index += 1) {
    bytes[at + index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return true;
}

/** One number per byte. */
export function readBytes(bytes: Uint8Array, at: number, length: number): number[] {
  const numbers: number[] = [];
  for (let index = at; index < at + length; index += 1) numbers.push(bytes[index] ?? 0);
  return numbers;
}

/** Entries of a list, each of `length` bytes. */
export function readEntries<Entry>(
  bytes: Uint8Array,
  from: number,
  length: number,
  entries: number,
  read: (bytes: Uint8Array, at: number) => Entry,
): Entry[] {
  const list: Entry[] = [];
  for (let index = 0; index < entries; index += 1) list.push(read(bytes, from + index * length));
  return list;
}

/** One BCD byte as a number. 0x0A to 0x0F are 10 to 15, for piles that write binary. */
export function readGun(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  return (byte >>> 4) * 10 + (byte & 0x0f);
}

/** 0 to 99. */
export function writeGun(value: number, bytes: Uint8Array, at: number): boolean {
  if (!Number.isInteger(value) || value < 0 || value > 99) return false;
  bytes[at] = (Math.floor(value / 10) << 4) | (value % 10);
  return true;
}

const unreadable = 0xfffd;
/** The character of every byte. */
const characters = Uint16Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte <= 0x7e ? byte : unreadable));

/** Up to the first 0x00; non-printable ASCII reads as U+FFFD. */
export function readAscii(bytes: Uint8Array, at: number, length: number): string {
  let end = at;
  while (end < at + length && bytes[end] !== 0) end += 1;
  let text = '';
  let index = at;
  // Reading four characters at once makes fewer strings.
  for (; index + 4 <= end; index += 4) {
    text += String.fromCharCode(
      characters[bytes[index] ?? 0] ?? 0,
      characters[bytes[index + 1] ?? 0] ?? 0,
      characters[bytes[index + 2] ?? 0] ?? 0,
      characters[bytes[index + 3] ?? 0] ?? 0,
    );
  }
  for (; index < end; index += 1) text += String.fromCharCode(characters[bytes[index] ?? 0] ?? 0);
  return text;
}

/** Printable ASCII of at most `length` characters, padded with 0x00. */
export function writeAscii(text: string, bytes: Uint8Array, at: number, length: number): boolean {
  if (text.length > length) return false;
  bytes.fill(0, at, at + length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
    bytes[at + index] = code;
  }
  return true;
}

/** Last character first, as for the VIN in 0x31 and 0xA1. */
export function reversed(text: string): string {
  let turned = '';
  for (let index = text.length - 1; index >= 0; index -= 1) turned += text.charAt(index);
  return turned;
}

/** CP56Time2a (section 2.4), reserved bits masked; null when it is marked invalid or not a time. */
export function readTime(bytes: Uint8Array, at: number): Instant | null {
  const milliseconds = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  const minuteByte = bytes[at + 2] ?? 0;
  const minute = minuteByte & 0x3f;
  const hour = (bytes[at + 3] ?? 0) & 0x1f;
  const day = (bytes[at + 4] ?? 0) & 0x1f;
  const month = (bytes[at + 5] ?? 0) & 0x0f;
  const isTime = minuteByte < 0x80 && milliseconds < minuteMs && minute < 60 && hour < 24;
  if (!isTime || month < 1 || month > 12 || day < 1) return null;
  const monthIndex = ((bytes[at + 6] ?? 0) & 0x7f) * 12 + month - 1;
  const monthMs = monthStartMs[monthIndex] ?? 0;
  if (monthMs + day * dayMs > (monthStartMs[monthIndex + 1] ?? 0)) return null;
  return instant(monthMs + (day - 1) * dayMs + hour * hourMs + minute * minuteMs + milliseconds);
}

/** The start of every month in Shanghai for the 128 years of the format, and of the month after. */
const monthStartMs = Float64Array.from(
  { length: 128 * 12 + 1 },
  (_, index) => Date.UTC(firstYear, index, 1) - shanghaiOffsetMs,
);

/** null is written as zeros, which are not a time. Years 2000 to 2127 in Asia/Shanghai. */
export function writeTime(value: Instant | null, bytes: Uint8Array, at: number): boolean {
  bytes.fill(0, at, at + timeBytes);
  if (value === null) return true;
  const local = new Date(value + shanghaiOffsetMs);
  const years = local.getUTCFullYear() - firstYear;
  if (!Number.isInteger(value) || !(years >= 0 && years <= yearsMax)) return false;
  writeUint(local.getUTCSeconds() * 1_000 + local.getUTCMilliseconds(), bytes, at, 2);
  bytes[at + 2] = local.getUTCMinutes();
  bytes[at + 3] = local.getUTCHours();
  bytes[at + 4] = local.getUTCDate();
  bytes[at + 5] = local.getUTCMonth() + 1;
  bytes[at + 6] = years;
  return true;
}
