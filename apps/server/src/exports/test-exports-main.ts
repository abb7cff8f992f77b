import { parentPort, workerData } from 'node:worker_threads';
import { listExports } from '../tasks/list-exports.ts';
import { serveExports } from './serve-exports.ts';

/** What a test asks of the thread beside the list's filter. */
export type TestedQuery = { written?: SharedArrayBuffer; dies?: boolean };

/** The thread as the server runs it, but one that counts rows where a blocked thread sees them, and that dies when asked to. */
if (parentPort === null) throw new Error('this runs in a thread');
serveExports(parentPort, workerData, async (db, { list, caller, query, at, title }, onRows) => {
  const { written, dies, ...filter } = query as TestedQuery;
  if (dies === true) process.exit(3);
  const opened = await listExports[list].open(db, caller, filter as never, at);
  return opened.write(title, (rows) => {
    if (written !== undefined) {
      const counted = new Int32Array(written);
      Atomics.add(counted, 0, rows);
      Atomics.notify(counted, 0);
    }
    onRows(rows);
  });
});
