import type pg from 'pg';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { changeConnectors } from './connectors.ts';
import { copyExchanges, copyNumbered, numbered, type StoredExchange } from './exchanges.ts';
import { changeFigures } from './figures.ts';
import { changeGroundLocks } from './ground-locks.ts';
import type { JournalEntry } from './journal-entry.ts';
import { copyNotes } from './notes.ts';
import { storeReadings } from './readings.ts';
import { changeStations } from './stations.ts';

/**
 * Stores entries in one transaction, all or none. With `isWatched`, the exchanges are numbered before they are stored
 * and returned with their numbers for the live tail; null otherwise.
 * @throws the database's error; the connection is returned clean, or dropped.
 */
export async function writeEntries(
  pool: pg.Pool,
  entries: readonly JournalEntry[],
  { isWatched, mayBeRepeated }: { isWatched: boolean; mayBeRepeated: boolean },
): Promise<StoredExchange[] | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const exchanges = entries.flatMap(({ exchange }) => exchange ?? []);
    const watched = isWatched ? await numbered(client, exchanges) : null;
    await (watched === null ? copyExchanges(client, exchanges) : copyNumbered(client, watched));
    const readings = entries.flatMap((entry) => entry.readings ?? []);
    await storeReadings(client, readings, mayBeRepeated);
    await copyNotes(
      client,
      entries.flatMap(({ notes }) => notes ?? []),
    );
    await changeConnectors(
      client,
      entries.flatMap(({ connectorChanges }) => connectorChanges ?? []),
    );
    await changeGroundLocks(
      client,
      entries.flatMap(({ groundLockChanges }) => groundLockChanges ?? []),
    );
    // Orders before stations, the order in which settlement locks them.
    await changeFigures(
      client,
      entries.flatMap(({ figures }) => figures ?? []),
    );
    await changeStations(
      client,
      entries.flatMap(({ stationChange }) => stationChange ?? []),
    );
    await client.query('commit');
    return watched;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    if (!isDatabaseAway(error)) {
      await client.query('rollback').then(
        () => {
          broken = undefined;
        },
        () => {},
      );
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
