const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
const digitValues = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value += 1) {
  digitValues[value.toString(16).charCodeAt(0)] = value;
  digitValues[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** Two upper-case digits for every byte from `from` up to, not including, `to`. */
export function toHex(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  for (let at = from; at < to; at += 1) text += pairs[bytes[at] ?? 0];
  return text;
}

/** Reads two digits, upper or lower case, for every byte; null when the text is anything else. */
export function fromHex(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length >>> 1);
  return writeHex(text, bytes, 0, bytes.length) ? bytes : null;
}

/** Writes exactly `length` bytes to `at`; false, with some of them written perhaps, when `text` is not their digits. */
export function writeHex(text: string, bytes: Uint8Array, at: number, length: number): boolean {
  if (text.length !== 2 * length) return false;
  for (let index = 0; index < length; index += 1) {
    const high = digitValues[text.charCodeAt(2 * index)] ?? -1;
    const low = digitValues[text.charCodeAt(2 * index + 1)] ?? -1;
    if (high < 0 || low < 0) return false;
    bytes[at + index] = (high << 4) | low;
  }
  return true;
}
