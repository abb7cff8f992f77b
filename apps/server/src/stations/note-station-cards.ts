import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Stores which offline cards a station has, as it confirmed them: its offline charges with these cards are trusted. */
export async function noteStationCards(
  trx: Transaction<Tables>,
  stationId: StationId,
  command: StationCommand,
  { cards }: Extract<CommandOutcome, { kind: 'cards' }>,
  at: Instant,
): Promise<void> {
  const done = new Set(cards.filter((card) => card.done).map(({ physicalNumber }) => unpadded(physicalNumber)));
  if (command.kind === 'store-cards') {
    const stored = command.cards.filter(({ physicalNumber }) => done.has(unpadded(physicalNumber)));
    if (stored.length === 0) return;
    await trx
      .insertInto('station_cards')
      .values(
        stored.map(({ physicalNumber }) => ({ station_id: stationId, physical_number: physicalNumber, given_at: at })),
      )
      .onConflict((conflict) => conflict.columns(['station_id', 'physical_number']).doUpdateSet({ given_at: at }))
      .execute();
  } else if (command.kind === 'clear-cards') {
    const cleared = command.physicalNumbers.filter((number) => done.has(unpadded(number)));
    if (cleared.length === 0) return;
    await trx
      .deleteFrom('station_cards')
      .where('station_id', '=', stationId)
      .where('physical_number', 'in', cleared)
      .execute();
  }
}

/** Shorter chip numbers are padded with leading zero bytes to eight (YKC 1.6, section 2.7 of our notes). */
function unpadded(physicalNumber: string): string {
  return physicalNumber.replace(/^(?:00)+(?=.)/, '');
}
