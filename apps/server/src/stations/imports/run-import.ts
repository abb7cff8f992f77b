import type { Id } from '@voltdeck/units/id';
import type { TaskWork } from '../../background/running-task.ts';
import { callerOf } from '../../background/task-details.ts';
import { type AddedStation, addStations, NumberTaken } from '../add-stations.ts';
import { checkRows, type GoodRow } from './check-rows.ts';
import { keepInstallerFile } from './installer-file.ts';
import { forgetPasswords, goodRows, noteStations } from './kept-rows.ts';

/** Stations per statement: some ten milliseconds. */
const stationsAtOnce = 250;

/** Rolls everything back. */
class Changed extends Error {}

/**
 * Adds the good rows of a checked file in one transaction that also ends the task: all of them are there with the file of
 * their passwords, or none. A restart begins anew.
 */
export const runImport: TaskWork<'station-import'> = async (context, task) => {
  const { userId, language, detail, progress, signal, finishIn } = task;
  const caller = callerOf(detail, userId, language);
  const id = detail.importId as Id<'station_import'>;
  try {
    await context.database.db.transaction().execute(async (trx) => {
      const at = context.now();
      const rows = await goodRows(trx, context.secrets, id);
      const checked = await checkRows(trx, caller, rows);
      const good = checked.flatMap((row): GoodRow[] => ('faults' in row ? [] : [row]));
      if (good.length < checked.length || good.length === 0) throw new Changed();
      const added: AddedStation<GoodRow>[] = [];
      for (let from = 0; from < good.length; from += stationsAtOnce) {
        signal.throwIfAborted();
        const part = good.slice(from, from + stationsAtOnce);
        added.push(...(await addStations(trx, caller, part, at)));
        await noteStations(trx, id, part);
        progress.doneCount = added.length;
      }
      signal.throwIfAborted();
      const file = await keepInstallerFile(context, added, { language, at });
      await forgetPasswords(trx, id);
      await finishIn(trx, { doneCount: added.length, file });
    });
    return 'finished';
  } catch (error) {
    if (error instanceof Changed || error instanceof NumberTaken) return { failed: 'import.changed' };
    throw error;
  }
};
