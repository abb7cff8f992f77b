import { type EquipmentType, equipmentTypes } from '@voltdeck/charging/states';
import {
  type ComparedWith,
  type SiteRanking,
  type StatisticsMeasure,
  type StatisticsPeriod,
  type StatisticsStep,
  siteRankings,
  statisticsDaysMax,
  statisticsMeasures,
  statisticsPeriods,
  statisticsSteps,
} from '@voltdeck/contract/statistics';
import { addDays, firstOfMonth, lastOfMonth } from '@voltdeck/units/day';
import type { AgentId, SiteId } from '@voltdeck/units/id';
import { dayMs, type Instant, parseShanghaiDate, shanghaiDate } from '@voltdeck/units/instant';

/** Days in China; both are included. */
export type DayPeriod = { from: string; to: string };

/** What every figure of the page is counted for. */
export type SalesFilter = {
  regionCode?: string;
  agentId?: AgentId;
  siteId?: SiteId;
  equipmentType?: EquipmentType;
};

export type StatisticsView = {
  /** Null for a period of the user's own. */
  preset: StatisticsPeriod | null;
  period: DayPeriod;
  comparedWith: ComparedWith;
  step: StatisticsStep;
  /** The steps that fit the period. */
  steps: readonly StatisticsStep[];
  by: SiteRanking;
  measure: StatisticsMeasure;
  filter: SalesFilter;
};

/** The parameters of the address that say what is counted, which a filter set keeps. */
export const viewParameters = [
  'period',
  'from',
  'to',
  'step',
  'regionCode',
  'agentId',
  'siteId',
  'equipmentType',
  'by',
  'measure',
] as const;
export type ViewParameter = (typeof viewParameters)[number];

/** The days that a preset means at `now`. */
export function daysOf(preset: StatisticsPeriod, now: Instant): DayPeriod {
  const today = shanghaiDate(now);
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last_7_days':
      return { from: addDays(today, -6), to: today };
    case 'last_30_days':
      return { from: addDays(today, -29), to: today };
    case 'this_month':
      return { from: firstOfMonth(today), to: today };
    case 'last_month': {
      const from = firstOfMonth(today, -1);
      return { from, to: lastOfMonth(from) };
    }
  }
}

/** How many days a period has. */
export function dayCount({ from, to }: DayPeriod): number {
  const [first, last] = [parseShanghaiDate(from), parseShanghaiDate(to)];
  return first === null || last === null ? 0 : Math.round((last - first) / dayMs) + 1;
}

/** More points than these are no longer told apart. */
const hourlyDaysMax = 7;
const dailyDaysMax = 400;
const monthlyDaysMin = 32;

/** The steps that give a period two points at least, and not more than can be told apart. */
export function stepsFor(period: DayPeriod): readonly StatisticsStep[] {
  const days = dayCount(period);
  const fits: Readonly<Record<StatisticsStep, boolean>> = {
    hour: days <= hourlyDaysMax,
    day: days > 1 && days <= dailyDaysMax,
    month: days >= monthlyDaysMin,
  };
  return statisticsSteps.filter((step) => fits[step]);
}

const usualStep = (steps: readonly StatisticsStep[]): StatisticsStep =>
  steps.includes('day') ? 'day' : (steps[0] ?? 'day');

/** A calendar month, or what there is of one, is compared with the month before, whose length is another one. */
function comparedWithOf(preset: StatisticsPeriod | null, { from, to }: DayPeriod): ComparedWith {
  const isMonth = from === firstOfMonth(from) && to === lastOfMonth(from);
  return preset === 'this_month' || preset === 'last_month' || isMonth ? 'month' : 'span';
}

function periodIn(search: URLSearchParams, now: Instant): Pick<StatisticsView, 'preset' | 'period'> {
  const named = statisticsPeriods.find((preset) => preset === search.get('period'));
  if (named !== undefined) return { preset: named, period: daysOf(named, now) };
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  const days = dayCount({ from, to });
  if (days < 1 || days > statisticsDaysMax) return { preset: 'today', period: daysOf('today', now) };
  return { preset: null, period: { from, to } };
}

function idIn<Id extends number>(search: URLSearchParams, name: string): Id | undefined {
  const id = Number(search.get(name));
  return Number.isSafeInteger(id) && id > 0 ? (id as Id) : undefined;
}

/** What an address shows; today where it says nothing that makes sense. */
export function readView(search: URLSearchParams, now: Instant): StatisticsView {
  const { preset, period } = periodIn(search, now);
  const steps = stepsFor(period);
  const regionCode = search.get('regionCode');
  const agentId = idIn<AgentId>(search, 'agentId');
  const siteId = idIn<SiteId>(search, 'siteId');
  const equipmentType = equipmentTypes.find((type) => type === search.get('equipmentType'));
  return {
    preset,
    period,
    comparedWith: comparedWithOf(preset, period),
    steps,
    step: steps.find((step) => step === search.get('step')) ?? usualStep(steps),
    by: siteRankings.find((by) => by === search.get('by')) ?? 'receivable',
    measure: statisticsMeasures.find((measure) => measure === search.get('measure')) ?? 'receivable',
    filter: {
      ...(regionCode !== null && /^\d{2,6}$/.test(regionCode) ? { regionCode } : {}),
      ...(agentId === undefined ? {} : { agentId }),
      ...(siteId === undefined ? {} : { siteId }),
      ...(equipmentType === undefined ? {} : { equipmentType }),
    },
  };
}

/** The address with some of its parameters changed; undefined removes one. */
export function changeView(
  search: URLSearchParams,
  changes: Readonly<Partial<Record<ViewParameter, string | undefined>>>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** A period in the address: a preset by its name, today by none. */
export function periodParameters(
  chosen: StatisticsPeriod | DayPeriod,
): Pick<Record<ViewParameter, string | undefined>, 'period' | 'from' | 'to' | 'step'> {
  if (typeof chosen !== 'string') return { period: undefined, ...chosen, step: undefined };
  return { period: chosen === 'today' ? undefined : chosen, from: undefined, to: undefined, step: undefined };
}
