/** The same CRC calculated bit by bit, so that tests do not prove a table by itself. */
export function bitwiseCrc(bytes: Uint8Array): number {
  let register = 0xffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = ((register ^ (byte >> bit)) & 1) === 1;
      register >>= 1;
      if (isOdd) register ^= 0xa001;
    }
  }
  return register;
}
