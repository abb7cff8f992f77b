const slotMinutes = 30;
const dayMinutes = 24 * 60;

/** "00:00", "00:30" and so on to "24:00". */
export const slotTimes: readonly string[] = Array.from({ length: dayMinutes / slotMinutes + 1 }, (_, index) => {
  const minutes = index * slotMinutes;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
});
