import type { ApiError } from '@voltdeck/contract/errors';
import * as contract from '@voltdeck/contract/statistics';
import type { Instant } from '@voltdeck/units/instant';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import { atOneMoment } from '../database/transact.ts';
import type { Binder } from '../http/bind.ts';
import { say } from '../http/say.ts';
import { xlsxType } from '../http/xlsx.ts';
import { readForecast } from './forecast.ts';
import { readPortUse } from './port-use.ts';
import type { WantedSales } from './read-sales.ts';
import { isReversed, periodOf } from './sale-period.ts';
import { isTooLong, readSeries } from './sale-series.ts';
import { findSalesProof, startRebuild } from './sales-proof.ts';
import { readSummary } from './sales-summary.ts';
import { rankSites } from './site-ranking.ts';
import { statisticsFile } from './statistics-file.ts';
import { readWeekHours } from './week-hours.ts';

type Asked = { from?: string | undefined; to?: string | undefined };

/** What a query means now; a refusal where its period is longer than one question adds up. */
function wantedOf<Query extends Asked>(query: Query, at: Instant): Result<Query & WantedSales, ApiError> {
  if (isReversed(query)) {
    const fields = (['from', 'to'] as const).map((path) => ({ path, code: 'invalid' as const }));
    return failed({ code: 'request.invalid', fields });
  }
  const period = periodOf(query, at, contract.statisticsDaysByDefault);
  if (period.until - period.from > contract.statisticsDaysMax * dayMs)
    return tooLong(query, contract.statisticsDaysMax);
  return ok({ ...query, period, at });
}

const tooLong = ({ to }: Asked, max: number): Result<never, ApiError> =>
  failed({
    code: 'request.invalid',
    fields: [{ path: to === undefined ? 'from' : 'to', code: 'period_too_long', params: { max } }],
  });

/** How many days a period may have in steps of so long. */
const daysOf = (step: contract.StatisticsStep) => contract.statisticsStepsMax[step] / (step === 'hour' ? 24 : 1);

export function bindStatistics({ bind, bindFile }: Binder, { database: { db } }: Context<'console'>): void {
  bind(contract.getStatistics, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    if (!wanted.ok) return wanted;
    const { period, step } = wanted.value;
    if (isTooLong(period, step)) return tooLong(query, daysOf(step));
    return ok({ items: await readSeries(db, caller, wanted.value) });
  });
  bind(contract.getSalesSummary, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await atOneMoment(db, (trx) => readSummary(trx, caller, wanted.value))) : wanted;
  });
  bind(contract.getSiteRanking, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await rankSites(db, caller, wanted.value)) : wanted;
  });
  bind(contract.getPortUse, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await readPortUse(db, caller, wanted.value)) : wanted;
  });
  bind(contract.getWeekHours, async ({ caller, query, at }) => {
    const wanted = wantedOf(query, at);
    return wanted.ok ? ok(await readWeekHours(db, caller, wanted.value)) : wanted;
  });
  bind(contract.getForecast, async ({ caller, query, at }) => ok(await readForecast(db, caller, query, at)));
  bindFile(contract.getStatisticsFile, async ({ caller, query, at, transact }) => {
    const wanted = wantedOf(query, at);
    if (!wanted.ok) return wanted;
    const { period, step } = wanted.value;
    if (isTooLong(period, step)) return tooLong(query, daysOf(step));
    const noted = await transact(async (trx) => {
      await audit(trx, caller, at, {
        action: 'list.export',
        recordKind: 'export',
        recordId: 'statistics',
        after: query,
      });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const { language } = caller;
    const span = { from: shanghaiDate(period.from), to: shanghaiDate(instant(period.until - 1)) };
    return ok({
      name: `${say(language, 'statistics.fileName', span)}.xlsx`,
      contentType: xlsxType,
      content: await statisticsFile(db, caller, wanted.value, language),
    });
  });
  bind(contract.getSalesProof, async ({ caller }) =>
    // The sums are those of all agents.
    caller.agents === 'all' ? ok(await findSalesProof(db, caller)) : failed({ code: 'access.denied' }),
  );
  bind(contract.rebuildSales, ({ caller, body, at, transact }) =>
    caller.agents === 'all'
      ? transact((trx) => startRebuild(trx, caller, body, at))
      : Promise.resolve(failed({ code: 'access.denied' })),
  );
}
