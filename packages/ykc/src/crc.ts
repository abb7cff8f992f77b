/**
 * CRC-16/MODBUS: reflected polynomial 0xA001, initial register 0xFFFF, no final XOR (section 2.2). One byte changes the
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

/** The CRC of `bytes` from `from` to before `to`: 0 to 0xFFFF. */
export function crc16(bytes: Uint8Array, from: number, to: number): number {
  let register = registerAtFirst;
  for (let at = from; at < to; at += 1) register = (register >>> 8) ^ (step[(register ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return register;
}

/** Ranges up to 2^8 - 1 bytes, the longest in a frame. */
const doublings = 8;
/** The effect of 1, 2, 4 … 128 zero bytes on a register: 256 entries for its low byte, 256 for its high byte. */
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
 * CRCs of many ranges of the same bytes in one pass: the CRC is linear, so the value of a range follows from the
 * registers at both ends. A stream with a possible frame start at every byte thus costs no more than any other.
 */
export class RangeCrc {
  readonly #from: number;
  readonly #registers: Uint16Array;

  /** Ranges must lie between `from` and `to`. */
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

  /** As `crc16` of the same bytes, at most 255. */
  of(from: number, to: number): number {
    let register = registerAtFirst ^ (this.#registers[from - this.#from] ?? 0);
    for (let doubling = 0, length = to - from; length > 0; doubling += 1, length >>>= 1) {
      const table = zeroBytes[doubling];
      if ((length & 1) === 1 && table !== undefined) register = afterZeros(table, register);
    }
    return register ^ (this.#registers[to - this.#from] ?? 0);
  }
}
