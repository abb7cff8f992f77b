import { parentPort, workerData } from 'node:worker_threads';
import { type HistoryNews, writeHistory } from './write-history.ts';

/** Writes the history beside the server: planning it keeps a processor busy for seconds. Any message asks it to end. */
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
