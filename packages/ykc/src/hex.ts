const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
/** Character codes of both digits of a byte. */
const highDigits = Uint8Array.from(pairs, (pair) => pair.charCodeAt(0));
const lowDigits = Uint8Array.from(pairs, (pair) => pair.charCodeAt(1));
const digitValues = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value += 1) {
  digitValues[value.toString(16).charCodeAt(0)] = value;
  digitValues[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** Two upper-case digits per byte, from `from` to before `to`. */
export function toHex(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  let at = from;
  for (; at + 8 <= to; at += 8) text += hexOf8(bytes, at);
  for (; at < to; at += 1) text += pairs[bytes[at] ?? 0];
  return text;
}

/**
 * As `toHex` of 7 bytes, the length of a pile number: building one string is several times faster than joining pairs.
 */
export function hexOf7(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    high(bytes, at),
    low(bytes, at),
    high(bytes, at + 1),
    low(bytes, at + 1),
    high(bytes, at + 2),
    low(bytes, at + 2),
    high(bytes, at + 3),
    low(bytes, at + 3),
    high(bytes, at + 4),
    low(bytes, at + 4),
    high(bytes, at + 5),
    low(bytes, at + 5),
    high(bytes, at + 6),
    low(bytes, at + 6),
  );
}

/** As `toHex` of 8 bytes, the length of a card number and half of a transaction number. */
export function hexOf8(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    high(bytes, at),
    low(bytes, at),
    high(bytes, at + 1),
    low(bytes, at + 1),
    high(bytes, at + 2),
    low(bytes, at + 2),
    high(bytes, at + 3),
    low(bytes, at + 3),
    high(bytes, at + 4),
    low(bytes, at + 4),
    high(bytes, at + 5),
    low(bytes, at + 5),
    high(bytes, at + 6),
    low(bytes, at + 6),
    high(bytes, at + 7),
    low(bytes, at + 7),
  );
}

function high(bytes: Uint8Array, at: number): number {
  return highDigits[bytes[at] ?? 0] ?? 0;
}

function low(bytes: Uint8Array, at: number): number {
  return lowDigits[bytes[at] ?? 0] ?? 0;
}

/** Reads two digits of either case per byte; null for any other text. */
export function fromHex(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length >>> 1);
  return writeHex(text, bytes, 0, bytes.length) ? bytes : null;
}

/**
 * Writes exactly `length` bytes at `at`; false when `text` does not have their digits, possibly with some of them
 * written.
 */
export function writeHex(text: string, bytes: Uint8Array, at: number, length: number): boolean {
  if (text.length !== 2 * length) return false;
  for (let index = 0; index < length; index += 1) {
    const highValue = digitValues[text.charCodeAt(2 * index)] ?? -1;
    const lowValue = digitValues[text.charCodeAt(2 * index + 1)] ?? -1;
    if (highValue < 0 || lowValue < 0) return false;
    bytes[at + index] = (highValue << 4) | lowValue;
  }
  return true;
}
