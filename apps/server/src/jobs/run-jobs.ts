import { Logger, parseCronItems, run, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { lapseApprovals } from '../approvals/lapse-approvals.ts';
import { tellApproval } from '../approvals/tell-approval.ts';
import { clearBlockedCards } from '../cards/clear-blocked-cards.ts';
import { notifyAsChannel } from '../channels/embedded/notify-as-channel.ts';
import { fetchBills } from '../channels/fetch-bills.ts';
import { carryOutPayout, carryOutRefund, findOut } from '../channels/find-out.ts';
import type { Context } from '../context.ts';
import type { Jobs } from '../database/give-job.ts';
import { laneSizes } from '../database/lanes.ts';
import { keepSums } from '../finance/keep-sums.ts';
import { proveNight } from '../finance/prove-night.ts';
import { returnPot } from '../groups/return-pot.ts';
import { PartnerCaller } from '../interop/deliver/partner-caller.ts';
import { pullDue } from '../interop/pull/pull-due.ts';
import { runPull } from '../interop/pull/pull-sites.ts';
import { collectRoamingDebts } from '../interop/roaming/collect-roaming-debts.ts';
import { deliverDueInvoices, deliverInvoice } from '../invoices/send-invoice.ts';
import { workDueInvoices, workInvoice } from '../invoices/work-invoice.ts';
import { proveAndRecord } from '../ledger/record-proofs.ts';
import { collectDebts } from '../orders/collect-debts.ts';
import { tellBalance } from '../orders/tell-balance.ts';
import { stopOverdueTestRun } from '../orders/test-runs/stop-overdue-test-run.ts';
import { samplePower } from '../overview/sample-power.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { keepAttemptSums } from '../quality/keep-attempt-sums.ts';
import { reconcileDue } from '../reconciliation/reconcile-due.ts';
import { runReports } from '../reports/run-reports.ts';
import { keepPeriodSums } from '../settlements/keep-period-sums.ts';
import { settleDue } from '../settlements/settle-due.ts';
import { keepSales } from '../statistics/keep-sales.ts';
import { askNightlyProof, rebuildSales } from '../statistics/rebuild-sales.ts';
import { moveStationsLeft } from '../tariffs/move-stations.ts';
import { holdWorkers, releaseJobsOfDeadWorkers } from '../tasks/hold-workers.ts';
import { runTask } from '../tasks/run-task.ts';
import { takeUpTasks } from '../tasks/take-up-tasks.ts';
import { applyDuePrices } from './apply-due-prices.ts';
import { dropOldPartitions, forgetEnvelopes, forgetOldRecords, makeTimePartitions } from './keep-time.ts';
import { logPartitionWork } from './partitions.ts';
import { sweepFiles } from './sweep-files.ts';

/** Two exports and two other tasks at most (background/start-task.ts), one scheduled job, one that follows a fact. */
const jobsAtOnceMax = 6;

/**
 * Work outside of requests. Its schedule lives in PostgreSQL, so only one of several nodes runs it. A missed night is
 * not made up for at the start, because each job reads the clock itself.
 */
export async function startJobs(
  databaseUrl: string,
  context: Context<'console'>,
  options: { connections?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const { connections = laneSizes.jobs } = options;
  const { db } = context.database;
  const closing = new AbortController();
  const ownWorkers = new Set<string>();
  const takeUp = async () => {
    await releaseJobsOfDeadWorkers(context, ownWorkers);
    await takeUpTasks(context);
  };
  const applyPrices = async () => {
    await applyDuePrices(context);
  };
  const channelRoom = channelRoomOf(context.on('money'));
  await takeUp();
  const given: { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> } = {
    'apply-due-prices': applyPrices,
    'ask-channel': (asked) =>
      asked.kind === 'refund' ? carryOutRefund(channelRoom, asked.id) : carryOutPayout(channelRoom, asked.id),
    'notify-as-embedded-channel': async ({ notificationId }) => {
      const { embedded } = context.channels;
      if (embedded !== null) await notifyAsChannel(embedded, channelRoom, notificationId);
    },
    'clear-blocked-card': ({ cardId }) => clearBlockedCards(context, cardId),
    'work-invoice': async ({ invoiceId }) => {
      await workInvoice(context.on('money'), invoiceId);
    },
    'deliver-invoice': ({ invoiceId }) => deliverInvoice(context.on('money'), invoiceId),
    'move-stations': ({ ruleId }) => moveStationsLeft(context, ruleId),
    'pull-partner': async ({ pullId }) => {
      const room = context.on('console');
      await runPull(room, new PartnerCaller(room), pullId);
    },
    'return-pot': ({ memberId }) => returnPot(context.on('money'), memberId),
    'run-reports': () => runReports(context),
    'run-task': ({ taskId }) => runTask(context, taskId, closing.signal),
    'stop-test-run': (run) => stopOverdueTestRun(context.on('money'), run),
    'tell-approval': (told) => tellApproval(context, told),
    'tell-balance': (told) => tellBalance(context.on('money'), told),
  };
  // Not the runner's own: that one stops listening for errors before its connections are closed.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, application_name: 'voltdeck jobs' });
  pool.on('error', (error) => {
    if (!pool.ending) context.log.warn({ error: error.message }, 'a connection of the jobs broke');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  const runner = await run({
    pgPool: pool,
    // One connection listens for new jobs.
    concurrency: Math.min(jobsAtOnceMax, connections - 1),
    noHandleSignals: true,
    events: holdWorkers(context, ownWorkers),
    logger: quietLogger(context),
    parsedCronItems: parseCronItems([
      { task: 'take-up-tasks', match: '* * * * *', options: { backfillPeriod: 0 } },
      { task: 'apply-due-prices', match: '* * * * *', options: { backfillPeriod: 0 } },
      { task: 'collect-debts', match: '* * * * *', options: { backfillPeriod: 0 } },
      {
        task: 'run-reports',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'run-reports', jobKey: 'run-reports' },
      },
      // A slow channel holds one place among the jobs: one run at a time, and one that waits.
      {
        task: 'find-out-payments',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'find-out-payments', jobKey: 'find-out-payments' },
      },
      {
        task: 'work-invoices',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'work-invoices', jobKey: 'work-invoices' },
      },
      // A day in China is over at 16:00 UTC; what failed is tried again.
      {
        task: 'settle-periods',
        match: '*/10 * * * *',
        options: { backfillPeriod: 0, queueName: 'settle-periods', jobKey: 'settle-periods' },
      },
      // Bills of a day are there in the next morning in China, and asked for until they are.
      { task: 'fetch-channel-bills', match: '40 2-14 * * *', options: { backfillPeriod: 0 } },
      // After each time that bills may have come; what differs is compared again, because it may have been repaired.
      { task: 'reconcile-days', match: '50 * * * *', options: { backfillPeriod: 0 } },
      { task: 'prove-ledger', match: '* * * * *', options: { backfillPeriod: 0 } },
      // After the proof, up to which it adds; a backlog takes several runs, one at a time.
      {
        task: 'keep-sums',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'keep-sums', jobKey: 'keep-sums' },
      },
      // What charges brought; what is asked to be compared with its orders follows, so that both never wait for each other.
      {
        task: 'keep-sales',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'keep-sales', jobKey: 'keep-sales' },
      },
      { task: 'sample-power', match: '*/5 * * * *', options: { backfillPeriod: 0 } },
      { task: 'prove-sales', match: '25 17 * * *', options: { backfillPeriod: 0 } },
      {
        task: 'keep-attempt-sums',
        match: '* * * * *',
        options: { backfillPeriod: 0, queueName: 'keep-attempt-sums', jobKey: 'keep-attempt-sums' },
      },
      // Yesterday in China is over and added up.
      {
        task: 'prove-statements',
        match: '35 17 * * *',
        options: { backfillPeriod: 0, queueName: 'prove-statements', jobKey: 'prove-statements' },
      },
      { task: 'clear-blocked-cards', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
      {
        task: 'pull-partners',
        match: '12 * * * *',
        options: { backfillPeriod: 0, queueName: 'pull-partners', jobKey: 'pull-partners' },
      },
      { task: 'forget-envelopes', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
      { task: 'lapse-approvals', match: '17 * * * *', options: { backfillPeriod: 0 } },
      { task: 'make-partitions', match: '7 * * * *', options: { backfillPeriod: 0 } },
      // Night in China, when few charge and fewer watch.
      { task: 'sweep-files', match: '45 19 * * *', options: { backfillPeriod: 0 } },
      { task: 'forget-old-records', match: '30 19 * * *', options: { backfillPeriod: 0 } },
    ]),
    taskList: {
      'make-partitions': async () => {
        const now = context.now();
        logPartitionWork(context, 'partitions made ahead', await makeTimePartitions(db, now));
        logPartitionWork(context, 'old partitions dropped', await dropOldPartitions(db, now));
      },
      'take-up-tasks': takeUp,
      ...(given as TaskList),
      // Given by versions before 'apply-due-prices'; one may still wait for its time.
      'apply-price-changes': applyPrices,
      'take-tariff-into-force': applyPrices,
      'clear-blocked-cards': () => clearBlockedCards(context),
      'collect-debts': async () => {
        const paid = await collectDebts(context.on('money'));
        const ofRoaming = await collectRoamingDebts(context.on('money'));
        if (paid + ofRoaming > 0)
          context.log.info({ paid, ofRoaming }, 'collected debts from wallets that got money back');
      },
      'find-out-payments': async () => {
        await findOut(channelRoom);
      },
      'work-invoices': async () => {
        await workDueInvoices(context.on('money'));
        await deliverDueInvoices(context.on('money'));
      },
      'settle-periods': async () => {
        const settled = await settleDue(context.on('money'));
        if (Object.values(settled).some((periods) => periods > 0))
          context.log.info(settled, 'settled with agents and dividers');
      },
      'fetch-channel-bills': async () => {
        const fetched = await fetchBills(channelRoom);
        if (fetched > 0) context.log.info({ fetched }, 'fetched bills of payment channels');
      },
      'reconcile-days': async () => {
        const compared = await reconcileDue({ db, log: context.log, now: context.now });
        if (compared > 0) context.log.info({ compared }, 'compared days with bills, meters and the books');
      },
      'prove-ledger': async () => {
        const { differences, outcome, provenTo } = await proveAndRecord(db, context.now());
        if (differences.length > 0) context.log.error({ differences, provenTo }, 'balances differ from their postings');
        if (outcome === 'in-flight')
          context.log.warn({ provenTo }, 'the proof of the books waits for a long transaction');
      },
      'keep-sums': async () => {
        const left = await keepSums(db);
        if (left !== null && left > 0) context.log.info({ left }, 'sums of statements are being added up');
        await keepPeriodSums(db);
      },
      'keep-sales': async () => {
        await keepSales(db);
        const rebuilt = await rebuildSales({ db, log: context.log, now: context.now });
        if (rebuilt !== null && rebuilt.differing > 0)
          context.log.warn(rebuilt, 'sums of sales differed from their orders; they were made again');
      },
      'sample-power': () => samplePower(db, context.now()),
      'prove-sales': () => askNightlyProof(db, context.now()),
      'keep-attempt-sums': async () => {
        await keepAttemptSums(db);
      },
      'prove-statements': () => proveNight(db, context.log, context.now()),
      'pull-partners': async () => {
        await pullDue(context.on('console'));
      },
      'forget-envelopes': () => forgetEnvelopes(db, context.now()),
      'lapse-approvals': async () => {
        await lapseApprovals(db, context.now());
      },
      'forget-old-records': () => forgetOldRecords(db, context.now()),
      'sweep-files': async () => {
        const swept = await sweepFiles(context);
        if (Object.values(swept).some((deleted) => deleted > 0)) context.log.info(swept, 'deleted unused files');
      },
    },
  });
  return {
    async stop() {
      closing.abort();
      await runner.stop();
      await pool.end();
    },
  };
}

/** The worker logs every poll; the operator needs only what is wrong. */
function quietLogger({ log }: Context): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'jobs');
    else if (level === 'warning') log.warn({ job: message }, 'jobs');
  });
}
