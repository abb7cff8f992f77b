/**
 * CRC-16/MODBUS: reflected polynomial 0xA001, register 0xFFFF at first, no final XOR (section 2.2). One byte changes the
 * register to `(register >> 8) ^ step[(register ^ byte) & 0xff]`.
 */
const polynomial = 0xa001;
const registerAtFirst = 0xffff;

const step = new Uint16Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  let register = byte;
  for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? (register >>> 1) ^ polynomial : register >>> 1;
  step[byte] = register;
}

/** The CRC of `bytes` from `from` up to, not including, `to`: 0 to 0xFFFF. */
export function crc16(bytes: Uint8Array, from: number, to: number): number {
  let register = registerAtFirst;
  for (let at = from; at < to; at += 1) register = (register >>> 8) ^ (step[(register ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return register;
}

/** Ranges up to 2^8 - 1 bytes, the longest of a frame. */
const doublings = 8;
/** What 1, 2, 4 … 128 zero bytes make of a register: 256 entries for its low byte, 256 for its high byte. */
const zeroBytes = Array.from({ length: doublings }, () => new Uint16Array(512));
for (const [doubling, table] of zeroBytes.entries()) {
  const half = zeroBytes[doubling - 1];
  for (let index = 0; index < 512; index += 1) {
    const register = index < 256 ? index : (index - 256) << 8;
    table[index] =
      half === undefined
        ? (register >>> 8) ^ (step[register & 0xff] ?? 0)
        : afterZeros(half, afterZeros(half, register));
  }
}

function afterZeros(table: Uint16Array, register: number): number {
  return (table[register & 0xff] ?? 0) ^ (table[256 + (register >>> 8)] ?? 0);
}

/**
 * CRCs of any ranges of the same bytes for the price of one pass over them: the CRC is linear, so the register at the
 * end of a range follows from those at both ends of it. A stream that looks like the start of a frame at every byte
 * costs no more than any other.
 */
export class RangeCrc {
  readonly #from: number;
  readonly #registers: Uint16Array;

  /** Ranges may begin at `from` or later and end at `to` or before. */
  constructor(bytes: Uint8Array, from: number, to: number) {
    const registers = new Uint16Array(to - from + 1);
    let register = 0;
    for (let index = 0; index < registers.length - 1; index += 1) {
      register = (register >>> 8) ^ (step[(register ^ (bytes[from + index] ?? 0)) & 0xff] ?? 0);
      registers[index + 1] = register;
    }
    this.#from = from;
    this.#registers = registers;
  }

  /** As `crc16` of the same bytes; at most 255 of them. */
  of(from: number, to: number): number {
    let register = registerAtFirst ^ (this.#registers[from - this.#from] ?? 0);
    for (let doubling = 0, length = to - from; length > 0; doubling += 1, length >>>= 1) {
      const table = zeroBytes[doubling];
      if ((length & 1) === 1 && table !== undefined) register = afterZeros(table, register);
    }
    return register ^ (this.#registers[to - this.#from] ?? 0);
  }
}
