import { parentPort, workerData } from 'node:worker_threads';
import { standBackThread } from './database/yield-cores.ts';

/** What the thread that writes exports runs; `exports/export-thread.ts` starts it. */
standBackThread();
if (parentPort === null) throw new Error('exports-main.ts runs in a thread of the server');
// After standing back: what is loaded here takes a core for some time.
const { serveExports } = await import('./exports/serve-exports.ts');
const { listExports } = await import('./tasks/list-exports.ts');
serveExports(parentPort, workerData, async (db, { list, caller, query, at, title }, onRows) => {
  const opened = await listExports[list].open(db, caller, query as never, at);
  return opened.write(title, onRows);
});
