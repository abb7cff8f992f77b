/** A stretch of days off, the last one included, and the weekend days that are worked for it. */
export type PublicHoliday = { from: string; to: string; worked: readonly string[] };

/**
 * Public holidays of China as the General Office of the State Council announced them, one notice a year:
 *
 * - 2025: 国办发明电〔2024〕12号 of 12 November 2024 (Xinhua, in full at m.gmw.cn/2024-11/12/content_1303894933.htm).
 *   Certain: the text of the notice was read.
 * - 2026: the notice of 4 November 2025 (Xinhua, in full at politics.gmw.cn/2025-11/04/content_38391083.htm). Certain:
 *   the text of the notice was read.
 * - 2027: no notice was at hand when this table was written. The year is left out rather than guessed, and days of a
 *   year without a notice are forecast by their weekday (`isCalendarKnown`).
 */
export const publicHolidays: Readonly<Record<number, readonly PublicHoliday[]>> = {
  2025: [
    { from: '2025-01-01', to: '2025-01-01', worked: [] },
    { from: '2025-01-28', to: '2025-02-04', worked: ['2025-01-26', '2025-02-08'] },
    { from: '2025-04-04', to: '2025-04-06', worked: [] },
    { from: '2025-05-01', to: '2025-05-05', worked: ['2025-04-27'] },
    { from: '2025-05-31', to: '2025-06-02', worked: [] },
    { from: '2025-10-01', to: '2025-10-08', worked: ['2025-09-28', '2025-10-11'] },
  ],
  2026: [
    { from: '2026-01-01', to: '2026-01-03', worked: ['2026-01-04'] },
    { from: '2026-02-15', to: '2026-02-23', worked: ['2026-02-14', '2026-02-28'] },
    { from: '2026-04-04', to: '2026-04-06', worked: [] },
    { from: '2026-05-01', to: '2026-05-05', worked: ['2026-05-09'] },
    { from: '2026-06-19', to: '2026-06-21', worked: [] },
    { from: '2026-09-25', to: '2026-09-27', worked: [] },
    { from: '2026-10-01', to: '2026-10-07', worked: ['2026-09-20', '2026-10-10'] },
  ],
};
