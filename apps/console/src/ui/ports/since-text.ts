import { phrase } from '../../phrases.ts';

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** "12 min", "3 h 5 min", "16 d": how long a port has been as it is, from whole minutes. */
export function sinceText(minutes: number): string {
  if (minutes < hourMinutes) return phrase('orders.minutes', { minutes });
  if (minutes >= dayMinutes) return phrase('orders.days', { days: Math.floor(minutes / dayMinutes) });
  return phrase('orders.hoursMinutes', { hours: Math.floor(minutes / hourMinutes), minutes: minutes % hourMinutes });
}
