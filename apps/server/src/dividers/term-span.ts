import { termsBackDaysMax } from '@voltdeck/contract/dividers';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { lastDay } from '@voltdeck/contract/fields';
import { dayMs, type Instant, parseShanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Span } from './holder-terms.ts';

/** The end of a last day in Asia/Shanghai; null for none, and for the last one that there is. */
export function endOf(lastOn: string | null | undefined): number | null {
  const day = lastOn === undefined || lastOn === null || lastOn === lastDay ? null : parseShanghaiDate(lastOn);
  return day === null ? null : day + dayMs;
}

/**
 * From a first day, or now, up to the end of a last one. `past` terms were agreed earlier and are entered late; others
 * begin now at the earliest, today included.
 */
export function spanOf(
  { fromOn, lastOn }: { fromOn?: string | null | undefined; lastOn?: string | null | undefined },
  at: Instant,
  { past }: { past: boolean },
): Result<Span, ApiError> {
  const fault = (path: string, code: FieldFault['code'], params: FieldFault['params'] = {}) =>
    failed({ code: 'request.invalid' as const, fields: [{ path, code, params }] });
  const first = fromOn === undefined || fromOn === null ? null : parseShanghaiDate(fromOn);
  if (first !== null && first < at - termsBackDaysMax * dayMs) {
    return fault('fromOn', 'too_many_days', { max: termsBackDaysMax });
  }
  if (!past && first !== null && first < shanghaiDayStart(at)) return fault('fromOn', 'in_past');
  const fromMs = first === null || (!past && first < at) ? at : first;
  const toMs = endOf(lastOn);
  return toMs !== null && toMs <= fromMs ? fault('lastOn', 'not_after_start') : ok({ fromMs, toMs });
}
