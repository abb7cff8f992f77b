import { instant, parseShanghaiDate, shanghaiDate, toIso } from '@voltdeck/units/instant';

/** The calendar month in Shanghai before the one of `nowMs`, its end excluded. */
export function lastMonth(nowMs: number): { from: string; to: string } {
  const [year = 0, month = 0] = shanghaiDate(instant(nowMs)).split('-').map(Number);
  const first = (months: number) => {
    const date = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
    const at = parseShanghaiDate(date);
    if (at === null) throw new Error(`not a date: ${date}`);
    return toIso(at);
  };
  return { from: first(-1), to: first(0) };
}
