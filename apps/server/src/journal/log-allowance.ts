import { exchangeFaults } from '@voltdeck/charging/exchange';
import type { StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, minuteMs } from '@voltdeck/units/instant';
import type { LoggedExchange } from './exchanges.ts';

export const logLimits = {
  /** Bytes of the log that one station's frames and rows may take per day: many times what a talkative one needs. */
  bytesPerStationDay: 64 * 1024 * 1024,
  /** The size of a row beside its frames, with its share of the indexes. */
  rowBytes: 200,
  /** Beyond the day's bytes, frames are truncated to this … */
  cutCharacters: 200,
  /** … and this many rows a minute are logged. The station's messages are stored and answered all the same. */
  rowsPerMinuteBeyond: 30,
} as const;

export type LogLimits = { readonly [Name in keyof typeof logLimits]: number };

type Use = { bytes: number; minute: number; rows: number };

/** The operators' day begins at midnight in Shanghai. */
const shanghaiOffsetMs = 8 * hourMs;

/** Keeps one station from filling the disk with its frames. */
export class LogAllowance {
  readonly #limits: LogLimits;
  readonly #used = new Map<StationId, Use>();
  #day = 0;

  constructor(limits: LogLimits = logLimits) {
    this.#limits = limits;
  }

  /**
   * Logs an exchange in full, truncated or not at all; once a day it also says that frames are truncated from now on.
   */
  take(exchange: LoggedExchange): { exchange: LoggedExchange | null; notice: LoggedExchange | null } {
    const use = this.#useOf(exchange.stationId, exchange.at);
    const { bytesPerStationDay, rowBytes, cutCharacters, rowsPerMinuteBeyond } = this.#limits;
    if (use.bytes < bytesPerStationDay) {
      use.bytes += rowBytes + Buffer.byteLength(exchange.request) + Buffer.byteLength(exchange.answer ?? '');
      return { exchange, notice: use.bytes < bytesPerStationDay ? null : truncationNotice(exchange) };
    }
    const minute = Math.floor(exchange.at / minuteMs);
    if (use.minute !== minute) {
      use.minute = minute;
      use.rows = 0;
    }
    use.rows += 1;
    if (use.rows > rowsPerMinuteBeyond) return { exchange: null, notice: null };
    const cut = (text: string) => (text.length > cutCharacters ? text.slice(0, cutCharacters) : text);
    const answer = exchange.answer === null ? null : cut(exchange.answer);
    return { exchange: { ...exchange, request: cut(exchange.request), answer }, notice: null };
  }

  #useOf(stationId: StationId, at: Instant): Use {
    const day = Math.floor((at + shanghaiOffsetMs) / dayMs);
    if (day > this.#day) {
      this.#day = day;
      this.#used.clear();
    }
    const known = this.#used.get(stationId);
    if (known !== undefined) return known;
    const use: Use = { bytes: 0, minute: 0, rows: 0 };
    this.#used.set(stationId, use);
    return use;
  }
}

function truncationNotice(exchange: LoggedExchange): LoggedExchange {
  return {
    ...exchange,
    action: null,
    messageId: null,
    request: '',
    answer: null,
    latencyMs: null,
    fault: exchangeFaults.dailyLogLimit,
  };
}
