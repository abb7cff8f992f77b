import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from './database/yield-cores.ts';

/** The entry of the thread that writes exports; `exports/export-thread.ts` starts it. */
lowerThreadPriority();
if (parentPort === null) throw new Error('exports-main.ts runs in a thread of the server');
// After lowering its priority: loading this keeps a core busy for some time.
const { serveExports } = await import('./exports/serve-exports.ts');
const { fileSource } = await import('./tasks/list-sources.ts');
const { writeFile } = await import('./http/list-export.ts');
const { writeRehearsal } = await import('./rehearsals/write-rehearsal.ts');
const { writeLabels } = await import('./stations/labels/write-labels.ts');
serveExports(parentPort, workerData, (db, wanted, onRows) => {
  if ('rehearsal' in wanted) return writeRehearsal(db, wanted, onRows);
  if ('labels' in wanted) return writeLabels(db, wanted, onRows);
  return writeFile(fileSource(wanted.list), db, wanted, onRows);
});
