import { Logger, parseCronItems, run, type TaskList } from 'graphile-worker';
import type { Context } from '../context.ts';
import type { Jobs } from '../database/give-job.ts';
import { laneSizes } from '../database/lanes.ts';
import { proveNewTransfers } from '../ledger/prove-new-transfers.ts';
import { collectDebts } from '../orders/collect-debts.ts';
import { tellBalance } from '../orders/tell-balance.ts';
import { freeJobsOfGoneWorkers, holdWorkers } from '../tasks/hold-workers.ts';
import { runExport } from '../tasks/run-export.ts';
import { takeUpTasks } from '../tasks/take-up-tasks.ts';
import { dropOldPartitions, forgetOldRecords, makeTimePartitions } from './keep-time.ts';
import { tellOfPartitions } from './partitions.ts';
import { sweepFiles } from './sweep-files.ts';

/** Two exports at the most (tasks/task-detail.ts), one for what comes by the clock, two for what follows a fact. */
const jobsAtOnceMax = 5;

/**
 * Work that belongs to no request. Its schedule lives in PostgreSQL, so that of several nodes one does it; at the start
 * nothing of a missed night is made up for, since each job looks at the clock itself.
 */
export async function startJobs(
  databaseUrl: string,
  context: Context<'console'>,
  options: { connections?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const { connections = laneSizes.jobs } = options;
  const { db } = context.database;
  const closing = new AbortController();
  const takeUp = async () => {
    await freeJobsOfGoneWorkers(context);
    await takeUpTasks(context);
  };
  await takeUp();
  const given: { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> } = {
    'run-export': ({ taskId }) => runExport(context, taskId, closing.signal),
    'tell-balance': (told) => tellBalance(context.on('money'), told),
  };
  const runner = await run({
    connectionString: databaseUrl,
    maxPoolSize: connections,
    // One connection listens for new jobs.
    concurrency: Math.min(jobsAtOnceMax, connections - 1),
    noHandleSignals: true,
    events: holdWorkers(context),
    logger: quietLogger(context),
    parsedCronItems: parseCronItems([
      { task: 'take-up-tasks', match: '* * * * *', options: { backfillPeriod: 0 } },
      { task: 'collect-debts', match: '* * * * *', options: { backfillPeriod: 0 } },
      { task: 'prove-ledger', match: '* * * * *', options: { backfillPeriod: 0 } },
      { task: 'make-partitions', match: '7 * * * *', options: { backfillPeriod: 0 } },
      // The night in China, when few charge and fewer look.
      { task: 'sweep-files', match: '45 19 * * *', options: { backfillPeriod: 0 } },
      { task: 'forget-old-records', match: '30 19 * * *', options: { backfillPeriod: 0 } },
    ]),
    taskList: {
      'make-partitions': async () => {
        const now = context.now();
        tellOfPartitions(context, 'partitions made ahead', await makeTimePartitions(db, now));
        tellOfPartitions(context, 'old partitions dropped', await dropOldPartitions(db, now));
      },
      'take-up-tasks': takeUp,
      ...(given as TaskList),
      'collect-debts': async () => {
        const paid = await collectDebts(context.on('money'));
        if (paid > 0) context.log.info({ paid }, 'debts collected from wallets that got money back');
      },
      'prove-ledger': async () => {
        const { differences, outcome, provenTo } = await proveNewTransfers(db, context.now());
        if (differences.length > 0) context.log.error({ differences, provenTo }, 'balances are not what was posted');
        if (outcome === 'in-flight')
          context.log.warn({ provenTo }, 'the proof of the books waits for a long transaction');
      },
      'forget-old-records': () => forgetOldRecords(db, context.now()),
      'sweep-files': async () => {
        const swept = await sweepFiles(context);
        if (Object.values(swept).some((deleted) => deleted > 0)) context.log.info(swept, 'files that nothing shows');
      },
    },
  });
  return {
    async stop() {
      closing.abort();
      await runner.stop();
    },
  };
}

/** The worker tells of every poll; only what is wrong is for the operator. */
function quietLogger({ log }: Context): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'jobs');
    else if (level === 'warning') log.warn({ job: message }, 'jobs');
  });
}
