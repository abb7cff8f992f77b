import { parentPort, workerData } from 'node:worker_threads';
import { writeFile } from '../http/list-export.ts';
import { fileSource } from '../tasks/list-sources.ts';
import { serveExports } from './serve-exports.ts';

/** A test's instructions to the thread, beside the list's filter. */
export type TestedQuery = { written?: SharedArrayBuffer; dies?: boolean };

/** The server's export thread, but it counts rows where a blocked thread sees them, and dies on request. */
if (parentPort === null) throw new Error('this runs in a thread');
serveExports(parentPort, workerData, (db, wanted, onRows) => {
  if (!('list' in wanted)) throw new Error('only lists are written here');
  const { written, dies, ...filter } = wanted.filter as TestedQuery;
  if (dies === true) process.exit(3);
  return writeFile(fileSource(wanted.list), db, { ...wanted, filter }, (rows) => {
    if (written !== undefined) {
      const counted = new Int32Array(written);
      Atomics.add(counted, 0, rows);
      Atomics.notify(counted, 0);
    }
    onRows(rows);
  });
});
