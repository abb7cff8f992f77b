import { startModes } from '@voltdeck/charging/states';
import type { ScreenQuery } from '@voltdeck/contract/screens';
import { dayMs, instant, parseShanghaiDate, toIso } from '@voltdeck/units/instant';
import type { DayPeriod } from './statistics-view.ts';

type OrderQuery = ScreenQuery<'orderListHistory'>;

/** Test runs are no sales. */
const countedStartModes = startModes.filter((mode) => mode !== 'test');

/** The orders that a figure counts: those that ended from `fromMs` on and before `untilMs`. */
export function ordersBetween(fromMs: number, untilMs: number, narrowed: OrderQuery): OrderQuery {
  return {
    state: ['completed'],
    startMode: countedStartModes,
    time: 'ended',
    from: toIso(instant(fromMs)),
    to: toIso(instant(untilMs - 1)),
    ...narrowed,
  };
}

/** The orders of whole days in China, both included. */
export function ordersOf({ from, to }: DayPeriod, narrowed: OrderQuery): OrderQuery {
  const last = parseShanghaiDate(to) ?? instant(0);
  return ordersBetween(parseShanghaiDate(from) ?? 0, last + dayMs, narrowed);
}
