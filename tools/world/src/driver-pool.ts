import type { Random } from '@voltdeck/simulator/seeded';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import type { Customer, Driver, People } from './customers.ts';
import { cityOf, type Site } from './network.ts';
import { type Purse, purseOfCard, purseOfCustomer } from './planned-order.ts';

export type DriverPool = {
  /** A driver who can charge at a site then, and their means of payment; null when everybody is busy. */
  draw(site: Site, rides: Driver['rides'], at: Instant, random: Random): { driver: Driver; purse: Purse } | null;
};

/** The minimum pause between two charges of a driver. */
const restMs = 15 * minuteMs;
const triesMax = 8;
/** People prefer a familiar place. */
const favouriteFactor = 4;

type Candidates = { drivers: readonly Driver[]; weightUntil: readonly number[] };

export function openDriverPool(people: People): DriverPool {
  const customerById = new Map<number, Customer>(people.customers.map((customer) => [customer.id, customer]));
  const purseByCard = new Map<number, Purse>();
  const purseByCustomer = new Map<number, Purse>();
  for (const driver of people.drivers) {
    if (driver.customer !== null) purseByCustomer.set(driver.customer.id, purseOfCustomer(driver.customer));
    for (const card of driver.cards) {
      const owner = card.customerId === null ? null : (customerById.get(card.customerId) ?? null);
      purseByCard.set(card.id, purseOfCard(card, owner));
    }
  }
  const candidatesByPlace = new Map<string, Candidates>();
  const candidatesOf = (site: Site, rides: Driver['rides']): Candidates => {
    const key = `${site.id} ${rides}`;
    let candidates = candidatesByPlace.get(key);
    if (candidates === undefined) {
      const city = cityOf(site);
      const drivers = people.drivers.filter((driver) => driver.city === city && driver.rides === rides);
      let sum = 0;
      const weightUntil = drivers.map((driver) => {
        sum += driver.zeal * (driver.favourite === site ? favouriteFactor : 1);
        return sum;
      });
      candidates = { drivers, weightUntil };
      candidatesByPlace.set(key, candidates);
    }
    return candidates;
  };
  const isFree = (purse: Purse, at: Instant): boolean => purse.freeAt + restMs <= at;

  const purseFor = (driver: Driver, at: Instant, random: Random): Purse | null => {
    if (driver.customer !== null && random.chance(driver.online)) {
      const own = purseByCustomer.get(driver.customer.id);
      return own !== undefined && isFree(own, at) ? own : null;
    }
    const usable = driver.cards.filter(
      (card) => card.createdAt < at && (card.expiresAt === null || card.expiresAt > at),
    );
    if (usable.length === 0) return null;
    const purse = purseByCard.get(random.pick(usable).id);
    return purse !== undefined && isFree(purse, at) ? purse : null;
  };

  return {
    draw(site, rides, at, random) {
      const { drivers, weightUntil } = candidatesOf(site, rides);
      const total = weightUntil.at(-1);
      if (total === undefined) return null;
      for (let tries = 0; tries < triesMax; tries += 1) {
        const driver = drivers[firstAbove(weightUntil, random.next() * total)];
        if (driver === undefined || driver.knownSince > at) continue;
        const purse = purseFor(driver, at, random);
        if (purse !== null) return { driver, purse };
      }
      return null;
    },
  };
}

/** The first place whose value is above `mark`, in ascending values. */
function firstAbove(values: readonly number[], mark: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > mark) high = middle;
    else low = middle + 1;
  }
  return low;
}
