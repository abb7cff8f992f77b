import { hasCheckDigit } from '@voltdeck/charging/vin';
import type { VehicleUsage } from '@voltdeck/contract/vehicles';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Card, People } from './customers.ts';

/** Charges without a card at YKC stations: `npm run sim -- vin --protocol ykc --vin …`. */
export const demoVehicle = { vin: 'LVDTAXH2026SZ0001', plate: '粤BD88888', usage: 'taxi' } as const;

export type Vehicle = {
  vin: string;
  plate: string;
  usage: VehicleUsage;
  ownerId: CustomerId | null;
  cardId: CardId;
  createdAt: Instant;
};

/** Every so many cards belong to a registered vehicle, where their driver has a car. */
const cardsPerVehicle = 20;
const offices = ['粤B', '浙A', '沪A', '京A', '川A', '苏A'] as const;
const makers = ['LSV', 'LGX', 'LRW', 'LNB', 'LHG', 'LFV'] as const;
const usages: readonly VehicleUsage[] = [
  'private',
  'private',
  'taxi',
  'private',
  'logistics',
  'official',
  'taxi',
  'bus',
];
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** VIN and plate of the vehicle that a card pays for; null for most cards. Always the same for the same card. */
export function vehicleOfCard({ id, customerId, isLively }: Card): Pick<Vehicle, 'vin' | 'plate'> | null {
  if (isLively || customerId === null || id % cardsPerVehicle !== 0) return null;
  const place = id / cardsPerVehicle;
  const plate = `${pick(offices, place)}D${String((place * 7_919) % 100_000).padStart(5, '0')}`;
  return { vin: vinOf(place), plate };
}

/** The vehicles of drivers who came with a card, and one that charges by its VIN. */
export function vehiclesOf(people: People): Vehicle[] {
  const cars = people.drivers
    .filter(({ rides }) => rides === 'car')
    .flatMap(({ customer, cards }) =>
      cards.flatMap((card): Vehicle[] => {
        const known = vehicleOfCard(card);
        if (known === null) return [];
        const usage = pick(usages, card.id / cardsPerVehicle);
        return [{ ...known, usage, ownerId: customer?.id ?? null, cardId: card.id, createdAt: card.createdAt }];
      }),
    );
  const taxi = people.cards.findLast((card) => card.isLively);
  const byVin: Vehicle[] =
    taxi === undefined
      ? []
      : [{ ...demoVehicle, ownerId: taxi.customerId, cardId: taxi.id, createdAt: taxi.createdAt }];
  return [...byVin, ...cars];
}

function vinOf(place: number): string {
  const maker = pick(makers, place);
  const model = `${pick([...letters], place * 5)}${pick([...letters], place * 11)}${String((place * 31) % 1_000).padStart(3, '0')}`;
  const serial = `PA${String(100_000 + place).padStart(6, '0')}`;
  const vin = [...'0123456789X'].map((digit) => `${maker}${model}${digit}${serial}`).find(hasCheckDigit);
  if (vin === undefined) throw new Error(`no check digit fits the vehicle ${place}`);
  return vin;
}

function pick<Item>(items: readonly Item[], place: number): Item {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
