import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols, type TariffState } from '@voltdeck/charging/states';
import type { StationPeriod, StationTariff } from '@voltdeck/charging/station-bill';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { parseTimeOfDay } from '@voltdeck/tariffs/time-of-day';
import type { TariffId } from '@voltdeck/units/id';
import { type RawBuilder, sql } from 'kysely';

/** Those of `protocols` whose stations price by themselves. */
const billingProtocols = protocols
  .filter((protocol) => protocolTraits[protocol].billsItself)
  .map((protocol) => sql.lit(protocol));

/** A version has four digits, and 0000 is reported by a station that never had one (YKC 1.6, 0x05). */
const versionsMax = 9_999;

/**
 * A tariff's version at a station: its id, from 0001 to 9999 and round again. A tariff never changes once it is
 * created, so the id stands for its content. Two tariffs may share a version, as may one of another platform: what a
 * station runs is ours only if we also recorded that we gave it this very tariff.
 */
export function tariffVersionOf(id: TariffId): string {
  return String(1 + ((id - 1) % versionsMax)).padStart(4, '0');
}

/**
 * The tariff that a station of `stations` should run: the one for its cards, else the other, and only if it prices by
 * energy. Null where there is none.
 */
export const ownTariffId: RawBuilder<TariffId | null> = sql`coalesce(
  (select id from tariffs where id = stations.card_tariff_id and kind = 'energy'),
  (select id from tariffs where id = stations.wechat_tariff_id and kind = 'energy'))`;

/**
 * How the tariff that a station of `stations` runs relates to the one it should run; null where it does not price by
 * itself.
 */
export const tariffState: RawBuilder<TariffState | null> = sql`(
  select case when stations.protocol not in (${sql.join(billingProtocols)}) then null
              when own.id is null then 'none'
              when stations.running_tariff_version is null then 'unknown'
              when stations.running_tariff_id = own.id
               and stations.running_tariff_version = lpad((1 + (own.id - 1) % ${sql.lit(versionsMax)})::text, 4, '0')
              then 'current'
              else 'differs' end
    from (select ${ownTariffId} as id) as own)`;

const halfHourMinutes = 30;
const halfHoursOfDay = 48;

/** The tariff in the station's form. `tariff` must have been checked. */
export function stationTariffOf(id: TariffId, { prices, slots }: EnergyTariff): StationTariff {
  const priceOf = (period: StationPeriod) => ({
    electricityE5: prices[period].electricity,
    serviceE5: prices[period].service,
  });
  return {
    version: tariffVersionOf(id),
    prices: { sharp: priceOf('sharp'), peak: priceOf('peak'), flat: priceOf('flat'), valley: priceOf('valley') },
    slots: Array.from({ length: halfHoursOfDay }, (_, index) => {
      const minutes = index * halfHourMinutes;
      const slot = slots.find(
        ({ start, end }) => (parseTimeOfDay(start) ?? 0) <= minutes && minutes < (parseTimeOfDay(end) ?? 0),
      );
      if (slot === undefined) throw new Error('the slots of the tariff do not cover the day');
      return slot.period;
    }),
  };
}
