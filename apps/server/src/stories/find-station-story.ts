import { canCommandStation } from '@voltdeck/charging/abilities';
import type { NowSentence } from '@voltdeck/charging/story/story-kinds';
import type { StationDetail } from '@voltdeck/contract/stations';
import type { Story } from '@voltdeck/contract/stories';
import type { StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, toIso } from '@voltdeck/units/instant';
import { may } from '../caller/may.ts';
import { findStationDetail } from '../stations/queries.ts';
import { type StoryPeriod, storyPeriod } from './story-period.ts';
import { tellFrames } from './tell-frames.ts';
import { chargesOf, tellOrders } from './tell-orders.ts';
import { tellActs } from './tell-people.ts';
import { type Listener, Telling } from './telling.ts';

/** Stations talk every few seconds: a longer story would be read by nobody. */
const periodLimits = { usualMs: 6 * hourMs, maxMs: 2 * dayMs };

/** The story of a station; null for one out of scope. */
export async function findStationStory(
  listener: Listener,
  id: StationId,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<Story | null> {
  const station = await findStationDetail(listener.db, listener.caller, id);
  if (station === null) return null;
  const period = storyPeriod(asked, listener.now, periodLimits);
  const within = { from: toIso(period.from), to: toIso(period.to) };
  const telling = new Telling(listener);
  tellConnection(telling, station, period);
  const orders = await tellOrders(telling, { stationId: id }, within);
  await tellFrames(telling, {
    from: period.from,
    to: period.to,
    station: { id, number: station.number },
    only: null,
    tellsFailures: true,
    charges: chargesOf(orders, listener.now),
  });
  await tellActs(telling, { recordKind: 'station', recordId: id }, within);
  return {
    subject: { kind: 'station', id, name: station.name },
    ...within,
    isShortened: period.isShortened,
    now: nowOf(station),
    acts: actsOn(telling, station, period),
    ...telling.told(),
  };
}

/** The latest times at which it went and came, which the station's record keeps. */
function tellConnection(telling: Telling, station: StationDetail, { from, to }: StoryPeriod): void {
  const isWithin = (iso: string | null): iso is string =>
    iso !== null && Date.parse(iso) >= from && Date.parse(iso) <= to;
  if (isWithin(station.offlineSince)) telling.tell(station.offlineSince, { kind: 'went_offline', params: {} });
  if (isWithin(station.onlineSince)) telling.tell(station.onlineSince, { kind: 'came_online', params: {} });
}

function nowOf(station: StationDetail): NowSentence[] {
  const now: NowSentence[] = [];
  const { ports, online, enabled, lastSeenAt } = station;
  if (online) now.push({ kind: 'online', params: { sinceAt: station.onlineSince } });
  else if (lastSeenAt === null) now.push({ kind: 'never_online', params: {} });
  else
    now.push({ kind: 'offline', params: { sinceAt: station.offlineSince ?? lastSeenAt, stationName: station.name } });
  if (!enabled) now.push({ kind: 'station_disabled', params: {} });
  const faulty = ports.filter(({ state }) => state === 'fault').length;
  if (faulty > 0) now.push({ kind: 'ports_faulty', params: { count: faulty } });
  const charging = ports.filter(({ state }) => state === 'charging').length;
  if (charging > 0) now.push({ kind: 'ports_charging', params: { count: charging } });
  return now;
}

function actsOn(telling: Telling, station: StationDetail, { from, to }: { from: Instant; to: Instant }): Story['acts'] {
  const { caller } = telling.listener;
  const acts: Story['acts'] = [];
  const page = { to: 'station', id: station.id } as const;
  if (may(caller, 'station.command')) {
    const ability = canCommandStation(station);
    acts.push({ act: 'command', because: ability.allowed ? null : ability.because, link: page });
  }
  if (may(caller, 'station.edit')) {
    acts.push({ act: station.enabled ? 'disable' : 'enable', because: null, link: page });
  }
  acts.push({ act: 'station', because: null, link: page });
  if (may(caller, 'log.read')) {
    const span = { from: toIso(from), until: toIso(to) };
    acts.push({ act: 'log', because: null, link: { to: 'frames', stationNumber: station.number, ...span } });
  }
  return acts;
}
