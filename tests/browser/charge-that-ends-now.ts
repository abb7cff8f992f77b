import type { Api } from '@voltdeck/journeys/api';
import { beginCharge, type NetworkStation } from './told-charge.ts';

/** A charge of 20 kWh that ends now, so that terms which began before share in it; its order. */
export async function chargeThatEndsNow(api: Api, station: NetworkStation): Promise<{ id: number; number: string }> {
  const charge = await beginCharge(api, station, { minutesAgo: 20, minutes: 15 });
  // The begin was cut to the second, and terms begin to the millisecond.
  await charge.stop(20 + 2 / 60);
  return charge.order;
}
