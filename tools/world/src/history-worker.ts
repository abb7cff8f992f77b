import { parentPort, workerData } from 'node:worker_threads';
import { type HistoryNews, writeHistory } from './write-history.ts';

/** Writes the history in a thread: planning it takes seconds of CPU. Any message asks it to stop. */
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});

const { databaseUrl } = workerData as { databaseUrl: string };
await writeHistory(databaseUrl, {
  tell: (news: HistoryNews) => parentPort?.postMessage(news),
  isStopping: () => stopping,
});
parentPort?.close();
