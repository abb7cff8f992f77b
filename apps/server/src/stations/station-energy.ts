import type { AnswerOf } from '@voltdeck/contract/route';
import type { getStationEnergy as route } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { spreadEnergy } from './spread-energy.ts';

/** Charges that are read; a station of 32 ports has some 600 a day at the very most. */
const chargesMax = 20_000;
/** A charge that began longer before the first stretch is not looked for. */
const longestChargeMs = 2 * dayMs;

/**
 * Energy of a station today by the hour or over the last days, from those of its orders that the caller may see; null
 * when the station is not visible.
 */
export async function stationEnergy(
  db: Kysely<Tables>,
  caller: Caller,
  id: StationId,
  { days, at }: { days: number; at: Instant },
): Promise<AnswerOf<typeof route> | null> {
  const station = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (station === undefined) return null;
  const byHour = days === 1;
  const from = instant(shanghaiDayStart(at) - (days - 1) * dayMs);
  const orders = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select(['started_at', 'ended_at', 'last_reading_at', 'energy_wh'])
    .where('station_id', '=', id)
    .where('placed_at', '>=', instant(from - longestChargeMs))
    .where('started_at', 'is not', null)
    .orderBy('placed_at', 'desc')
    .limit(chargesMax + 1)
    .execute();
  const charges = orders.slice(0, chargesMax).flatMap((order) => {
    const begun = order.started_at;
    if (begun === null) return [];
    const to = order.ended_at ?? order.last_reading_at ?? begun;
    return [{ from: begun, to: instant(Math.max(to, begun)), energyWh: order.energy_wh }];
  });
  const stretches = spreadEnergy(charges, {
    from,
    everyMs: byHour ? hourMs : dayMs,
    count: byHour ? dayMs / hourMs : days,
  });
  return {
    by: byHour ? 'hour' : 'day',
    stretches: stretches.map((stretch) => ({ ...stretch, from: toIso(stretch.from) })),
    isPartial: orders.length > chargesMax,
  };
}
