import { equipmentTypes } from '@voltdeck/charging/states';
import { attemptModes, attemptsKeptDays, type getQuality, qualityDaysByDefault } from '@voltdeck/contract/quality';
import type { QueryOf } from '@voltdeck/contract/route';
import { addDays } from '@voltdeck/units/day';
import { type DayPeriod, daysOf } from '@voltdeck/units/day-period';
import type { AgentId, SiteId } from '@voltdeck/units/id';
import {
  dayMs,
  type Instant,
  instant,
  parseIso,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';

export type QualityQuery = QueryOf<typeof getQuality>;

/** The parameters of the address that figures and attempts have in common. */
const common = ['from', 'to', 'siteId', 'agentId', 'regionCode', 'equipmentType', 'startMode'] as const;

export function wantedIn(search: URLSearchParams): Record<string, string> {
  return Object.fromEntries(common.flatMap((name) => (search.has(name) ? [[name, search.get(name) ?? '']] : [])));
}

/** What the address asks for; what it cannot mean is left out. */
export function queryOf(search: URLSearchParams, now: Instant): QualityQuery {
  const idIn = (name: string) => {
    const id = Number(search.get(name));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  };
  const instantIn = (name: string) => {
    const at = parseIso(search.get(name) ?? '');
    return at === null ? undefined : toIso(at);
  };
  const siteId = idIn('siteId') as SiteId | undefined;
  const agentId = idIn('agentId') as AgentId | undefined;
  const region = search.get('regionCode') ?? '';
  const equipmentType = equipmentTypes.find((type) => type === search.get('equipmentType'));
  const startMode = startModesIn(search);
  const from = instantIn('from') ?? lastDays(periods.sevenDays, now).from;
  const to = instantIn('to');
  return {
    from,
    ...(to === undefined ? {} : { to }),
    ...(siteId === undefined ? {} : { siteId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(/^\d{2,6}$/.test(region) ? { regionCode: region } : {}),
    ...(equipmentType === undefined ? {} : { equipmentType }),
    ...(startMode.length === 0 ? {} : { startMode }),
  };
}

/** How charges were started that the address asks for; empty for all. */
function startModesIn(search: URLSearchParams): (typeof attemptModes)[number][] {
  const asked = search.get('startMode')?.split(',') ?? [];
  return attemptModes.filter((mode) => asked.includes(mode));
}

/**
 * The query for what stands behind figures. Figures are of the whole days that a period touches, attempts are listed to
 * the millisecond: their period begins and ends with those days. An open end stays open.
 */
export function queryOfWholeDays({ from, to, ...rest }: QualityQuery): QualityQuery {
  const [first, last] = [parseInstant(from), parseInstant(to)];
  return {
    ...rest,
    ...(first === null ? {} : { from: toIso(shanghaiDayStart(first)) }),
    ...(last === null ? {} : { to: toIso(instant(shanghaiDayStart(last) + dayMs - 1)) }),
  };
}

/** The days that the figures of a query are of. */
export const daysOfQuery = (query: QualityQuery, now: Instant): DayPeriod => daysOf(query, now, qualityDaysByDefault);

/** The parameters of days that were picked. The end stays open where it is today, as with an offered period. */
export function periodOf({ fromOn, toOn }: DayPeriod, now: Instant): { from: string; to: string | undefined } {
  const [first, last] = [parseShanghaiDate(fromOn), parseShanghaiDate(toOn)];
  if (first === null || last === null) return { ...lastDays(periods.sevenDays, now), to: undefined };
  return { from: toIso(first), to: toOn === shanghaiDate(now) ? undefined : toIso(instant(last + dayMs - 1)) };
}

/**
 * The first day whose attempts are all still listed, where a period begins before it; null where the list has every
 * attempt that the figures count.
 */
export function listedSince(query: QualityQuery, now: Instant): string | null {
  const first = addDays(shanghaiDate(now), 1 - attemptsKeptDays);
  return daysOfQuery(query, now).fromOn < first ? first : null;
}

const parseInstant = (text: string | undefined) => parseIso(text ?? '');

/** The periods that are offered, in days up to today. */
export const periods = { today: 1, sevenDays: 7, thirtyDays: 30 } as const;
export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

/** The beginning of the first of so many days up to today, in China; the end stays open. */
export function lastDays(days: number, now: Instant): { from: string } {
  return { from: toIso(instant(shanghaiDayStart(now) - (days - 1) * dayMs)) };
}

/** The offered period that the address names; null for another one. */
export function periodIn(search: URLSearchParams, now: Instant): Period | null {
  if (search.has('to')) return null;
  const from = search.get('from');
  if (from === null) return 'sevenDays';
  return periodNames.find((name) => lastDays(periods[name], now).from === from) ?? null;
}
