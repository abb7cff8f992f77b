import type { StatisticsStep } from '@voltdeck/contract/statistics';
import { instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';

/** The name of a step: "2026-11-29 14:00", "2026-11-29" or "2026-11". */
export function stepText(at: string, step: StatisticsStep): string {
  const text = shanghaiDateTime(parseIso(at) ?? instant(0));
  if (step === 'hour') return text.slice(0, 16);
  return text.slice(0, step === 'day' ? 10 : 7);
}

/** Its mark on an axis, without what all steps have in common: the day, or the year. */
export function markTexts(ats: readonly string[], step: StatisticsStep): string[] {
  const names = ats.map((at) => stepText(at, step));
  const inCommon = (length: number) => names.every((name) => name.slice(0, length) === names[0]?.slice(0, length));
  if (step === 'hour' && inCommon(10)) return names.map((name) => name.slice(11));
  return names.map((name) => (step === 'month' || !inCommon(4) ? name : name.slice(5)));
}
