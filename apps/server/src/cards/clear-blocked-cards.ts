import type { CardId, StationId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { noteStationCards } from '../stations/note-station-cards.ts';

/** Stations asked in one run; the next one asks the others. */
const stationsMax = 500;
/** Cards that one command clears: what every protocol carries in a frame. */
const cardsMax = 24;

type Holding = { station_id: StationId; number: string; physical_numbers: string[] };

/**
 * Takes cards that may no longer charge out of the lists with which stations charge while they are offline: `cardId`
 * right after it was blocked, and otherwise whatever is left, at stations that were away.
 */
export async function clearBlockedCards(context: Context<'console'>, cardId?: CardId): Promise<void> {
  const { db } = context.database;
  const one = cardId === undefined ? sql`` : sql`and c.id = ${cardId}`;
  const { rows } = await sql<Holding>`
    select s.id as station_id, s.number, (array_agg(k.physical_number order by c.id))[1:${sql.lit(cardsMax)}] as physical_numbers
      from cards c
      join station_cards k on k.physical_number = c.physical_number
      join stations s on s.id = k.station_id
     where c.state <> 'active' ${one} and s.online
     group by s.id limit ${stationsMax}`.execute(db);
  for (const { station_id: stationId, number, physical_numbers: physicalNumbers } of rows) {
    const command = { kind: 'clear-cards', physicalNumbers } as const;
    const outcome = await context.bus.commandStation(number, command);
    context.log.info(
      { station: number, cards: physicalNumbers.length, outcome: outcome.kind },
      'cleared blocked cards',
    );
    if (outcome.kind !== 'cards') continue;
    await db.transaction().execute((trx) => noteStationCards(trx, stationId, command, outcome, context.now()));
  }
}
