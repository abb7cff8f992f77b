import type { ApiError } from '@voltdeck/contract/errors';
import { getQuality, getQualityLeague, qualityDaysByDefault, qualityDaysMax } from '@voltdeck/contract/quality';
import type { QueryOf } from '@voltdeck/contract/route';
import { daysOf } from '@voltdeck/units/day-period';
import { dayMs, type Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { findLeague, findQuality } from './find-quality.ts';
import type { QualityWanted } from './sums-within.ts';

export function bindQuality({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(getQuality, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await findQuality(db, caller, wanted.value, at)) : wanted;
  });
  bind(getQualityLeague, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await findLeague(db, caller, wanted.value, query.by ?? 'make')) : wanted;
  });
}

/** The day after it is one of a four-digit year, too. */
const lastDay = '9998-12-31';

function wantedOf(query: QueryOf<typeof getQuality>, at: Instant): Result<QualityWanted, ApiError> {
  const { from, to, ...rest } = query;
  const given = daysOf({ from, to }, at, qualityDaysByDefault);
  const period = { ...given, toOn: given.toOn > lastDay ? lastDay : given.toOn };
  const days = (Date.parse(period.toOn) - Date.parse(period.fromOn)) / dayMs + 1;
  if (days < 1) {
    const fields = (['from', 'to'] as const).map((path) => ({ path, code: 'invalid' as const }));
    return failed({ code: 'request.invalid', fields });
  }
  if (days > qualityDaysMax) {
    const path = to === undefined ? 'from' : 'to';
    return failed({
      code: 'request.invalid',
      fields: [{ path, code: 'period_too_long', params: { max: qualityDaysMax } }],
    });
  }
  return ok({ ...rest, ...period });
}
