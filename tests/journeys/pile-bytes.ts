/**
 * YKC 1.6 frames written and read by hand, from the published field tables. Nothing of the product is imported, so that
 * its mistakes cannot hide here.
 */

/** CRC-16/MODBUS, bit by bit. */
function crc(bytes: Uint8Array): number {
  let remainder = 0xffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xa001 : remainder >>> 1;
  }
  return remainder;
}

export type PileFrame = { type: number; sequence: number; body: Buffer };

export function frameOf({ type, sequence, body }: PileFrame): Buffer {
  const inner = Buffer.concat([Buffer.from([sequence & 0xff, sequence >>> 8, 0, type]), body]);
  const check = crc(inner);
  return Buffer.concat([Buffer.from([0x68, inner.length]), inner, Buffer.from([check & 0xff, check >>> 8])]);
}

/** Complete frames at the start of `bytes`, and the rest. Only the CRC of the platform's frames is checked. */
export function framesIn(bytes: Buffer): { frames: PileFrame[]; rest: Buffer } {
  const frames: PileFrame[] = [];
  let rest = bytes;
  for (;;) {
    const length = rest[1];
    if (length === undefined || rest.length < length + 4) return { frames, rest };
    const inner = rest.subarray(2, 2 + length);
    if (rest[0] !== 0x68 || rest.readUInt16LE(2 + length) !== crc(inner)) throw new Error('the platform sent no frame');
    frames.push({ sequence: inner.readUInt16LE(0), type: inner[3] ?? 0, body: Buffer.from(inner.subarray(4)) });
    rest = rest.subarray(length + 4);
  }
}

export const bcd = (digits: string): Buffer => Buffer.from(digits, 'hex');
export const u8 = (value: number): Buffer => Buffer.from([value]);
const little = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
};
export const u16 = (value: number): Buffer => little(value, 2);
export const u32 = (value: number): Buffer => little(value, 4);
export const u40 = (value: number): Buffer => little(value, 5);
export const ascii = (text: string, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.write(text, 'latin1');
  return written;
};
export const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

/** CP56Time2a in Shanghai's time (UTC+8). */
export function pileTime(atMs: number): Buffer {
  const local = new Date(atMs + 8 * 3_600_000);
  const milliseconds = local.getUTCSeconds() * 1_000 + local.getUTCMilliseconds();
  return Buffer.from([
    milliseconds & 0xff,
    milliseconds >>> 8,
    local.getUTCMinutes(),
    local.getUTCHours(),
    local.getUTCDate(),
    local.getUTCMonth() + 1,
    local.getUTCFullYear() - 2000,
  ]);
}

export type LiveData = {
  tradeNo: string;
  pileNo: string;
  gun: number;
  state: 'fault' | 'idle' | 'charging';
  plugged: boolean;
  /** 0.1 V, 0.1 A. */
  voltage?: number;
  current?: number;
  soc?: number;
  minutes?: number;
  /** 1e-4 kWh, 1e-4 yuan. */
  energy?: number;
  amount?: number;
};

export const noTrade = '0'.repeat(32);

/** 0x13, 60 bytes. */
export function liveData(data: LiveData): Buffer {
  const { tradeNo, pileNo, gun, state, plugged, voltage = 0, current = 0, soc = 0, minutes = 0 } = data;
  const { energy = 0, amount = 0 } = data;
  return Buffer.concat([
    bcd(tradeNo),
    bcd(pileNo),
    bcd(String(gun).padStart(2, '0')),
    u8({ fault: 1, idle: 2, charging: 3 }[state]),
    u8(2),
    u8(plugged ? 1 : 0),
    u16(voltage),
    u16(current),
    u8(state === 'charging' ? 85 : 0),
    zeros(8),
    u8(soc),
    u8(state === 'charging' ? 78 : 0),
    u16(minutes),
    u16(state === 'charging' ? 60 : 0),
    u32(energy),
    u32(energy),
    u32(amount),
    u16(0),
  ]);
}

/** Price in 1e-5 yuan per kWh for both parts together, energy in 1e-4 kWh, amount in 1e-4 yuan. */
export type PeriodOfRecord = { price: number; energy: number; amount: number };

export type TransactionRecord = {
  tradeNo: string;
  pileNo: string;
  gun: number;
  startMs: number;
  endMs: number;
  sharp: PeriodOfRecord;
  peak: PeriodOfRecord;
  flat: PeriodOfRecord;
  valley: PeriodOfRecord;
  /** 1e-4 kWh. */
  meterStart: number;
  meterEnd: number;
  energy: number;
  amount: number;
  vin?: string;
  startFlag: number;
  stopReason: number;
  /** 16 hexadecimal digits. */
  physicalCard: string;
};

/** 0x3B, 158 bytes. */
export function transactionRecord(record: TransactionRecord): Buffer {
  const period = ({ price, energy, amount }: PeriodOfRecord) => [u32(price), u32(energy), u32(energy), u32(amount)];
  const body = Buffer.concat([
    bcd(record.tradeNo),
    bcd(record.pileNo),
    bcd(String(record.gun).padStart(2, '0')),
    pileTime(record.startMs),
    pileTime(record.endMs),
    ...period(record.sharp),
    ...period(record.peak),
    ...period(record.flat),
    ...period(record.valley),
    u40(record.meterStart),
    u40(record.meterEnd),
    u32(record.energy),
    u32(record.energy),
    u32(record.amount),
    ascii(record.vin ?? '', 17),
    u8(record.startFlag),
    pileTime(record.endMs),
    u8(record.stopReason),
    bcd(record.physicalCard),
  ]);
  if (body.length !== 158) throw new Error(`a transaction record has 158 bytes, not ${body.length}`);
  return body;
}
