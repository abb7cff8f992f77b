import type { StationId } from '@voltdeck/units/id';
import { type Instant, minuteMs, shanghaiDayStart } from '@voltdeck/units/instant';
import type { JournalNote } from './notes.ts';

export const noteLimits = {
  /** Notes that one station may add per day: ten gun ports that charge all day, with two every fifteen seconds. */
  perStationDay: 120_000,
  /** Of these, notes of unknown charges: vehicles introduce themselves before their charge is known. */
  orderlessPerStationDay: 2_000,
  /** Beyond either, this many a minute are kept. */
  perMinuteBeyond: 30,
} as const;

export type NoteLimits = { readonly [Name in keyof typeof noteLimits]: number };

type Use = { notes: number; orderless: number; minute: number; notesOfMinute: number };

/** Keeps one station from filling the disk with what vehicles and chargers say, as `LogAllowance` does for its frames. */
export class NoteAllowance {
  readonly #limits: NoteLimits;
  readonly #used = new Map<StationId, Use>();
  #day = 0;

  constructor(limits: NoteLimits = noteLimits) {
    this.#limits = limits;
  }

  /** Whether the note is kept. */
  take({ stationId, at, orderId }: JournalNote): boolean {
    const use = this.#useOf(stationId, at);
    const { perStationDay, orderlessPerStationDay, perMinuteBeyond } = this.#limits;
    const isOrderless = orderId === null;
    if (use.notes < perStationDay && (!isOrderless || use.orderless < orderlessPerStationDay)) {
      use.notes += 1;
      if (isOrderless) use.orderless += 1;
      return true;
    }
    const minute = Math.floor(at / minuteMs);
    if (use.minute !== minute) {
      use.minute = minute;
      use.notesOfMinute = 0;
    }
    use.notesOfMinute += 1;
    return use.notesOfMinute <= perMinuteBeyond;
  }

  #useOf(stationId: StationId, at: Instant): Use {
    const day = shanghaiDayStart(at);
    if (day > this.#day) {
      this.#day = day;
      this.#used.clear();
    }
    const known = this.#used.get(stationId);
    if (known !== undefined) return known;
    const use: Use = { notes: 0, orderless: 0, minute: 0, notesOfMinute: 0 };
    this.#used.set(stationId, use);
    return use;
  }
}
