import { slotTimes } from './slot-times.ts';

/** A stretch of the day and what holds in it, as a billing rule's body has it. */
export type Slot = { start: string; end: string; period: string };

/** The slots after a change to one. An adjoining neighbour moves its border along, unless nothing of it would be left. */
export function withChange(slots: readonly Slot[], index: number, part: Partial<Slot>): readonly Slot[] {
  const before = slots[index];
  if (before === undefined) return slots;
  const after = { ...before, ...part };
  if (after.end <= after.start) after.end = slotTimes[slotTimes.indexOf(after.start) + 1] ?? after.end;
  return slots.map((slot, at) => {
    if (at === index) return after;
    if (at === index + 1 && slot.start === before.end && after.end < slot.end) return { ...slot, start: after.end };
    if (at === index - 1 && slot.end === before.start && after.start > slot.start) return { ...slot, end: after.start };
    return slot;
  });
}

/** The slots with one more after the last, or splitting the last if it ends at midnight; null when there is no room. */
export function withOneMore(slots: readonly Slot[], period: string): readonly Slot[] | null {
  const last = slots.at(-1);
  const dayEnd = slotTimes.at(-1) ?? '';
  if (last === undefined) return [{ start: slotTimes[0] ?? '', end: dayEnd, period }];
  if (last.end < dayEnd) return [...slots, { start: last.end, end: dayEnd, period }];
  const [from, to] = [slotTimes.indexOf(last.start), slotTimes.indexOf(last.end)];
  if (from < 0 || to - from < 2) return null;
  const middle = slotTimes[Math.floor((from + to) / 2)] ?? dayEnd;
  return [...slots.slice(0, -1), { ...last, end: middle }, { start: middle, end: last.end, period }];
}
