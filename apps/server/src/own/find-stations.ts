import { closedSiteStates } from '@voltdeck/charging/states';
import { type listStationsNear as route, stationsNearMax } from '@voltdeck/contract/own';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { priceE5 } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import { isNear, metresFrom } from '../database/near-place.ts';
import { type PortTally, portTally } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import { customersTariff } from './find-connector.ts';
import { priceOf } from './price-of.ts';
import { siteColumns, siteOf } from './site-columns.ts';

type Item = AnswerOf<typeof route>['items'][number];

/** Open sites around a place, the nearest first, with their ports and what a charge costs now. */
export async function findStations(
  db: Kysely<Tables>,
  { longitude, latitude, radiusM }: QueryOf<typeof route>,
  at: Instant,
): Promise<Item[]> {
  const place = { longitude, latitude };
  const sites = await db
    .selectFrom('sites')
    .select(siteColumns)
    .select(metresFrom('sites', place).as('distanceM'))
    .select(
      sql<PortTally>`(
        select ${portTally} from connectors join stations on stations.id = connectors.station_id
         where stations.site_id = sites.id and stations.enabled and connectors.registered)`.as('ports'),
    )
    .where('sites.state', 'not in', closedSiteStates)
    .where(isNear('sites', place, radiusM))
    .orderBy('distanceM')
    .orderBy('sites.id')
    .limit(stationsNearMax)
    .execute();
  if (sites.length === 0) return [];
  const prices = await pricesOf(
    db,
    sites.map(({ siteId }) => siteId),
    at,
  );
  return sites.map((site) => ({
    ...siteOf(site),
    distanceM: site.distanceM,
    ports: site.ports,
    ...(prices.get(site.siteId) ?? { priceNowE5: null, feePerStep: null }),
  }));
}

type Prices = Pick<Item, 'priceNowE5' | 'feePerStep'>;

async function pricesOf(db: Kysely<Tables>, ids: readonly SiteId[], at: Instant): Promise<Map<SiteId, Prices>> {
  const rows = await db
    .selectFrom('stations as s')
    .innerJoin('tariffs', (join) => join.on('tariffs.id', '=', customersTariff(at)))
    .select(['s.site_id as siteId', 'tariffs.id', 'tariffs.detail'])
    .distinctOn(['s.site_id', 'tariffs.id'])
    .where('s.site_id', 'in', [...ids])
    .where('s.enabled', '=', true)
    .where('s.free', '=', false)
    .execute();
  const found = new Map<SiteId, Prices>();
  for (const { siteId, detail } of rows) {
    const price = priceOf(detail as Tariff, at);
    const known = found.get(siteId) ?? { priceNowE5: null, feePerStep: null };
    if (price.kind === 'energy') {
      const now = price.now.electricityPriceE5 + price.now.servicePriceE5;
      const { from, to } = known.priceNowE5 ?? { from: now, to: now };
      known.priceNowE5 = { from: priceE5(Math.min(from, now)), to: priceE5(Math.max(to, now)) };
    } else {
      const [lowest] = price.tiers;
      const { stepMinutes } = price;
      if (lowest !== undefined && (known.feePerStep === null || lowest.feeFenPerStep < known.feePerStep.feeFen)) {
        known.feePerStep = { feeFen: lowest.feeFenPerStep, stepMinutes };
      }
    }
    found.set(siteId, known);
  }
  return found;
}
