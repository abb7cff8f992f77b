import type { PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import type { ConnectorState, SiteState } from '@voltdeck/charging/states';
import type { EnergyTariff, Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { agreedTariffAt, tariffAt } from '../../tariffs/tariff-at.ts';
import { connectorIdOf, openPort } from '../exposed-sites.ts';
import type { Partner } from '../partner.ts';

/** Why a charge could not begin at a gun port now; null where it could. */
export async function refusalAtPort(
  db: Kysely<Tables>,
  partner: Partner,
  portId: string,
): Promise<PartnerRefusal | null> {
  const port = await findPort(db, partner, portId);
  if (port === null) return 'port_unknown';
  if (!port.enabled || !port.open || port.siteState === 'closed_for_business') return 'site_closed';
  if (!port.online) return 'station_offline';
  const refusals: Partial<Record<ConnectorState, PartnerRefusal>> = {
    offline: 'station_offline',
    unavailable: 'site_closed',
    fault: 'station_fault',
    free: 'not_plugged_in',
    charging: 'port_occupied',
    starting: 'port_occupied',
    suspended: 'port_occupied',
    reserved: 'port_occupied',
  };
  return refusals[port.state] ?? null;
}

async function findPort(db: Kysely<Tables>, partner: Partner, portId: string) {
  const id: ConnectorId | null = connectorIdOf(portId);
  if (id === null) return null;
  const port = await openPort(db, partner.id, id)
    .select(['c.id', 'c.state', 'c.open', 't.id as stationId', 't.online', 't.enabled', 't.free'])
    .select(['s.state as siteState', 'o.tariff_id as agreedTariffId'])
    .executeTakeFirst();
  return port === undefined ? null : { ...port, siteState: port.siteState as SiteState };
}

/** What a kWh costs a partner at a gun port over the day. */
export async function priceSlotsAt(
  db: Kysely<Tables>,
  partner: Partner,
  portId: string,
  at: Instant,
): Promise<Result<readonly PartnerPriceSlot[], PartnerRefusal>> {
  const port = await findPort(db, partner, portId);
  if (port === null) return failed('port_unknown');
  if (port.free) return ok([{ fromSecond: 0, electricityPriceE5: zero, servicePriceE5: zero }]);
  const agreedId = port.agreedTariffId ?? partner.tariffId;
  const row = await db
    .selectFrom('stations as s')
    .innerJoin('tariffs as t', (join) =>
      join.on(
        't.id',
        '=',
        agreedId === null
          ? sql<TariffId>`coalesce(${tariffAt(at, 'wechat', sql.ref('s.wechat_tariff_id'))},
                                   ${tariffAt(at, 'card', sql.ref('s.card_tariff_id'))})`
          : agreedTariffAt(at, agreedId),
      ),
    )
    .select('t.detail')
    .where('s.id', '=', port.stationId)
    .executeTakeFirst();
  const tariff = row?.detail as Tariff | undefined;
  // The standard has prices per kWh only.
  if (tariff === undefined || tariff.kind !== 'energy') return failed('price_missing');
  return ok(slotsOf(tariff));
}

const zero = 0 as PartnerPriceSlot['servicePriceE5'];

/** Neighbouring slots of one period are one: the standard has room for 32. */
function slotsOf({ slots, prices }: EnergyTariff): PartnerPriceSlot[] {
  const told: PartnerPriceSlot[] = [];
  let before = '';
  for (const { start, period } of slots) {
    if (period === before) continue;
    before = period;
    const [hours = 0, minutes = 0] = start.split(':').map(Number);
    const { electricity, service } = prices[period];
    told.push({ fromSecond: (hours * 60 + minutes) * 60, electricityPriceE5: electricity, servicePriceE5: service });
  }
  return told;
}
