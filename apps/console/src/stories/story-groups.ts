import type { StoryEntry } from '@voltdeck/contract/stories';
import { dayAndTime } from './say-story.ts';

const minuteLength = 5;

export type StoryMinute = { minute: string; entries: StoryEntry[] };
export type StoryDay = { day: string; minutes: StoryMinute[] };

/** The entries by day and minute, in their order. */
export function byMinute(entries: readonly StoryEntry[]): StoryDay[] {
  const days: StoryDay[] = [];
  for (const entry of entries) {
    const { day, time } = dayAndTime(entry.at);
    const minute = time.slice(0, minuteLength);
    let lastDay = days.at(-1);
    if (lastDay === undefined || lastDay.day !== day) {
      lastDay = { day, minutes: [] };
      days.push(lastDay);
    }
    const lastMinute = lastDay.minutes.at(-1);
    if (lastMinute === undefined || lastMinute.minute !== minute) lastDay.minutes.push({ minute, entries: [entry] });
    else lastMinute.entries.push(entry);
  }
  return days;
}
