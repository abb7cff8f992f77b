import type { CardState, CustomerState } from '@voltdeck/charging/states';
import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import { type Random, seeded } from '@voltdeck/simulator/seeded';
import type { AgentId, CardId, CustomerId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { apportion } from './apportion.ts';
import { cityOf, type Network, type Site } from './network.ts';
import { cardNumberOf, drawNickname, phoneOf, physicalNumberOf } from './people.ts';

export type Rides = 'car' | 'two-wheel';

export type Customer = {
  id: CustomerId;
  phone: string;
  nickname: string;
  state: CustomerState;
  createdAt: Instant;
};

export type Card = {
  id: CardId;
  number: string;
  physicalNumber: string;
  state: CardState;
  customerId: CustomerId | null;
  agentId: AgentId | null;
  expiresAt: Instant | null;
  createdAt: Instant;
  /** For stations that charge while the demo runs; it has no history. */
  isLively: boolean;
};

/** A driver: a registered customer, or the holder of an unbound card. */
export type Driver = {
  customer: Customer | null;
  cards: Card[];
  rides: Rides;
  city: string;
  favourite: Site;
  /** Relative frequency: a few taxi drivers charge every day, many people now and then. */
  zeal: number;
  /** The share of charges paid from the customer's own balance rather than by card, 0 to 1. */
  online: number;
  knownSince: Instant;
};

export type People = { customers: readonly Customer[]; cards: readonly Card[]; drivers: readonly Driver[] };

export const customerCount = 2_000;
export const cardCount = 3_000;
const cardlessCustomers = 400;
const anonymousCards = 350;
export const livelyCards = 200;
const stockCards = 60;

/** Average uses of a port per day by kind, which determine the population of each city. */
export const visitsPerPortDay: Readonly<Record<ChargeKind, number>> = { dc: 2.5, ac: 1.2, 'two-wheel': 0.95 };

export function buildPeople(network: Network): People {
  const random = seeded(network.seed).fork('people');
  const places = placesOf(network);
  const customers: Customer[] = [];
  const cards: Card[] = [];
  const drivers: Driver[] = [];

  const issue = (
    owner: { customerId: CustomerId | null; agentId: AgentId | null; since: Instant },
    options: { state?: CardState; isLively?: boolean } = {},
  ): Card => {
    const index = cards.length;
    const card: Card = {
      id: (index + 1) as CardId,
      number: cardNumberOf(index),
      physicalNumber: physicalNumberOf(index),
      state: options.state ?? 'active',
      customerId: owner.customerId,
      agentId: owner.agentId,
      expiresAt: index % 11 === 0 ? instant(network.beginsAt + (400 + (index % 300)) * dayMs) : null,
      createdAt: owner.since,
      isLively: options.isLively ?? false,
    };
    cards.push(card);
    return card;
  };

  const counts = apportion(
    customerCount,
    places.map((place) => place.visits),
  );
  for (const [place, count] of counts.entries()) {
    const at = places[place];
    if (at === undefined) continue;
    for (let number = 0; number < count; number += 1) {
      const index = customers.length;
      const draw = random.fork(`customer ${index}`);
      const createdAt = joinedAt(network, draw);
      const state = draw.chance(0.012) ? 'disabled' : 'normal';
      const customer: Customer = {
        id: (index + 1) as CustomerId,
        phone: phoneOf(index),
        nickname: drawNickname(draw),
        state,
        createdAt,
      };
      customers.push(customer);
      const hasCard = draw.next() >= cardlessCustomers / customerCount;
      const owner = {
        customerId: customer.id,
        agentId: at.site.agentId,
        since: instant(createdAt + draw.integer(0, 5) * dayMs),
      };
      const own = hasCard ? [issue({ ...owner, since: earlier(owner.since, network.now) })] : [];
      if (state === 'disabled') continue;
      drivers.push({
        customer,
        cards: own,
        rides: at.rides,
        city: cityOf(at.site),
        favourite: at.site,
        zeal: drawZeal(at.rides, draw),
        online: own.length === 0 ? 1 : draw.pick([0, 0.1, 0.3, 0.6]),
        knownSince: instant(createdAt + dayMs),
      });
    }
  }
  for (let number = 0; number < anonymousCards; number += 1) {
    const draw = random.fork(`anonymous ${number}`);
    const at = draw.pick(places);
    const card = issue({ customerId: null, agentId: at.site.agentId, since: joinedAt(network, draw) });
    drivers.push({
      customer: null,
      cards: [card],
      rides: at.rides,
      city: cityOf(at.site),
      favourite: at.site,
      zeal: drawZeal(at.rides, draw) * 0.7,
      online: 0,
      knownSince: instant(card.createdAt + dayMs),
    });
  }
  addFurtherCards(network, drivers, issue, random.fork('further'));
  const lively = random.fork('lively');
  for (let number = 0; number < livelyCards; number += 1) {
    const driver = lively.pick(drivers);
    const since = instant(network.now - lively.integer(2, 40) * 3_600_000);
    issue({ customerId: driver.customer?.id ?? null, agentId: driver.favourite.agentId, since }, { isLively: true });
  }
  for (let number = 0; cards.length < cardCount; number += 1) {
    const draw = random.fork(`rest ${number}`);
    const state =
      number < stockCards ? 'active' : draw.pick(['lost', 'lost', 'disabled', 'cancelled', 'active'] as const);
    const since = instant(network.beginsAt - draw.integer(1, 300) * dayMs);
    const owner = state === 'active' ? null : draw.pick(customers);
    issue({ customerId: owner?.id ?? null, agentId: draw.pick(network.sites).agentId, since }, { state });
  }
  return { customers, cards, drivers };
}

/** Fleets give one person several cards, and some people have a second one. */
function addFurtherCards(
  network: Network,
  drivers: Driver[],
  issue: (owner: { customerId: CustomerId | null; agentId: AgentId | null; since: Instant }) => Card,
  random: Random,
): void {
  const target = cardCount - livelyCards - stockCards - 140;
  let issued = drivers.reduce((sum, driver) => sum + driver.cards.length, 0);
  const registered = drivers.filter((driver) => driver.customer !== null && driver.cards.length > 0);
  while (issued < target) {
    const driver = random.pick(registered);
    const several = driver.rides === 'car' && random.chance(0.03) ? random.integer(3, 8) : 1;
    const since = earlier(instant(driver.knownSince + random.integer(1, 60) * dayMs), network.now);
    const further = Array.from({ length: several }, () =>
      issue({ customerId: driver.customer?.id ?? null, agentId: driver.favourite.agentId, since }),
    );
    issued += several;
    driver.cards.push(...further);
    driver.zeal *= 1 + 0.5 * several;
  }
}

/** Where people charge and what: sites with cars and sites with two-wheelers, with their average visits per day. */
function placesOf(network: Network): { site: Site; rides: Rides; visits: number }[] {
  const visits = new Map<string, { site: Site; rides: Rides; visits: number }>();
  for (const { kind, site, connectors } of network.stations) {
    const rides = kind === 'two-wheel' ? 'two-wheel' : 'car';
    const key = `${site.id} ${rides}`;
    const place = visits.get(key) ?? { site, rides, visits: 0 };
    place.visits += connectors.length * visitsPerPortDay[kind] * site.demand;
    visits.set(key, place);
  }
  return [...visits.values()];
}

/** Two thirds joined before the history starts, the others during it. */
function joinedAt(network: Network, random: Random): Instant {
  const daysAgo = random.chance(0.68) ? random.between(91, 600) : random.between(2, 90);
  return instant(Math.floor(network.now - daysAgo * dayMs));
}

function earlier(at: Instant, limit: Instant): Instant {
  return at < limit - 3_600_000 ? at : instant(limit - 3_600_000);
}

function drawZeal(rides: Rides, random: Random): number {
  if (rides === 'two-wheel') return random.pick([0.4, 0.8, 1, 1, 1.6]);
  return random.chance(0.08)
    ? random.between(6, 12)
    : random.chance(0.25)
      ? random.between(1.5, 3)
      : random.between(0.2, 1);
}
