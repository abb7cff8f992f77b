import { float4, int2, int4, int8, storableJson, storableText } from './column-values.ts';

/** The header and the end of PostgreSQL's binary COPY format (documentation, COPY, "Binary Format"). */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const headerBytes = signature.length + 8;
/** 2000-01-01T00:00:00Z, the epoch of PostgreSQL's timestamps, which count microseconds. */
const postgresEpochMs = 946_684_800_000;
const twoTo32 = 4_294_967_296;

/**
 * Rows in the binary format of COPY … FROM STDIN, which the database reads much faster than text. The caller names the
 * columns in the COPY statement and writes each row's fields in that order with those types.
 */
export class CopyRows {
  #bytes: Buffer;
  #at = headerBytes;
  rows = 0;

  constructor(bytesExpected = 64 * 1024) {
    this.#bytes = Buffer.allocUnsafe(Math.max(headerBytes, bytesExpected));
    signature.copy(this.#bytes);
    this.#bytes.writeInt32BE(0, signature.length);
    this.#bytes.writeInt32BE(0, signature.length + 4);
  }

  /** Starts a row of `fields` fields. */
  row(fields: number): void {
    this.#reserve(2);
    this.#at = this.#bytes.writeInt16BE(fields, this.#at);
    this.rows += 1;
  }

  null(): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeInt32BE(-1, this.#at);
  }

  bigint(value: number | null | undefined): void {
    const held = int8(value);
    if (held === null) {
      this.null();
      return;
    }
    this.#reserve(12);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#int64(held);
  }

  integer(value: number | null | undefined): void {
    const held = int4(value);
    if (held === null) {
      this.null();
      return;
    }
    this.#reserve(8);
    this.#at = this.#bytes.writeInt32BE(4, this.#at);
    this.#at = this.#bytes.writeInt32BE(held, this.#at);
  }

  smallint(value: number | null | undefined): void {
    const held = int2(value);
    if (held === null) {
      this.null();
      return;
    }
    this.#reserve(6);
    this.#at = this.#bytes.writeInt32BE(2, this.#at);
    this.#at = this.#bytes.writeInt16BE(held, this.#at);
  }

  boolean(value: boolean): void {
    this.#reserve(5);
    this.#at = this.#bytes.writeInt32BE(1, this.#at);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
  }

  real(value: number | null | undefined): void {
    const held = float4(value);
    if (held === null) {
      this.null();
      return;
    }
    this.#reserve(8);
    this.#at = this.#bytes.writeInt32BE(4, this.#at);
    this.#at = this.#bytes.writeFloatBE(held, this.#at);
  }

  /** A timestamptz column; `at` in milliseconds since 1970. */
  instant(at: number | null | undefined): void {
    if (at === null || at === undefined) {
      this.null();
      return;
    }
    this.#reserve(12);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#int64((at - postgresEpochMs) * 1000);
  }

  text(given: string | null | undefined): void {
    const value = storableText(given);
    if (value === null) {
      this.null();
      return;
    }
    // UTF-8 needs at most three bytes per UTF-16 unit.
    this.#reserve(4 + value.length * 3);
    const written = this.#bytes.write(value, this.#at + 4, 'utf8');
    this.#bytes.writeInt32BE(written, this.#at);
    this.#at += 4 + written;
  }

  /** A jsonb column, given as JSON text. */
  jsonb(given: string | null | undefined): void {
    const json = storableJson(given);
    if (json === null) {
      this.null();
      return;
    }
    this.#reserve(5 + json.length * 3);
    const written = this.#bytes.write(json, this.#at + 5, 'utf8');
    this.#bytes.writeInt32BE(written + 1, this.#at);
    // The only version of the format.
    this.#bytes.writeUInt8(1, this.#at + 4);
    this.#at += 5 + written;
  }

  /** The whole COPY stream. No rows may be added afterwards. */
  finish(): Buffer {
    this.#reserve(2);
    this.#at = this.#bytes.writeInt16BE(-1, this.#at);
    return this.#bytes.subarray(0, this.#at);
  }

  #int64(value: number): void {
    const high = Math.floor(value / twoTo32);
    this.#at = this.#bytes.writeInt32BE(high, this.#at);
    this.#at = this.#bytes.writeUInt32BE(value - high * twoTo32, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
