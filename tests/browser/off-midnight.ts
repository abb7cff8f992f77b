import { hourMs, type Instant, minuteMs, shanghaiDayStart } from '@voltdeck/units/instant';

/** Of the day in China: a run that begins from then on may still be at work at midnight. */
const lateMs = 22 * hourMs + 50 * minuteMs;
/** Of the day in China: until then, a charge of half an hour that ends now began yesterday. */
const earlyMs = 45 * minuteMs;
const aheadMs = 4 * hourMs;

/**
 * How far a run's clocks are set ahead, in ms, so that a story about today is not told across two days: 0 unless it is
 * nearly midnight in China, or just past.
 */
export function offMidnightMs(now: Instant): number {
  const ofDay = now - shanghaiDayStart(now);
  return ofDay >= lateMs || ofDay < earlyMs ? aheadMs : 0;
}

/**
 * Sets the clock of this process or page ahead, once. Its text is also sent to pages, so it stands on nothing outside
 * itself.
 */
export function setClockAhead(ms: number): void {
  const real = Date;
  const mark = Symbol.for('voltdeck.clock-ahead');
  if (ms === 0 || mark in real) return;
  const realNow = real.now;
  Object.defineProperty(real, mark, { value: ms });
  real.now = () => realNow() + ms;
  globalThis.Date = new Proxy(real, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made === globalThis.Date ? target : made),
    apply: (target) => new target(target.now()).toString(),
  });
}
