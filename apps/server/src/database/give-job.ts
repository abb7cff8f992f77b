import type { Wallet } from '@voltdeck/ledger/account';
import type {
  ApprovalId,
  CardId,
  GroupMemberId,
  Id,
  InvoiceId,
  OrderId,
  PartnerPullId,
  TariffId,
  TaskId,
} from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './transact.ts';

/** The payloads of the workers' jobs, by name. */
export type Jobs = {
  'run-task': { taskId: TaskId };
  'run-reports': Record<never, never>;
  'apply-due-prices': Record<never, never>;
  'ask-channel': { kind: 'refund'; id: Id<'channel_refund'> } | { kind: 'payout'; id: Id<'channel_payout'> };
  'notify-as-embedded-channel': { notificationId: Id<'embedded_notification'> };
  'work-invoice': { invoiceId: InvoiceId };
  'deliver-invoice': { invoiceId: InvoiceId };
  'clear-blocked-card': { cardId: CardId };
  'stop-test-run': { orderId: OrderId };
  'move-stations': { ruleId: TariffId };
  'tell-approval': { approvalId: ApprovalId; unread?: string };
  'return-pot': { memberId: GroupMemberId };
  'pull-partner': { pullId: PartnerPullId };
  'tell-balance': { wallet: Wallet; besideOrderId: OrderId | null };
};

export type JobOptions = {
  /** Replaces a waiting job with the same key. */
  key: string;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  attemptsMax?: number;
  /** At once if omitted or past. */
  runAt?: Instant;
  /** The job is given only where this holds. */
  where?: RawBuilder<boolean>;
};

const attemptsDefault = 5;

/** Gives the workers a job in the transaction of the fact that it follows, so that both commit or neither does. */
export async function giveJob<Name extends keyof Jobs>(
  trx: Trx,
  name: Name,
  payload: Jobs[Name],
  { key, queue, attemptsMax = attemptsDefault, runAt, where = sql`true` }: JobOptions,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
             queue_name => ${queue ?? null}, max_attempts => ${attemptsMax}, job_key => ${key},
             run_at => ${runAt === undefined ? null : toIso(runAt)}::timestamptz)
     where ${where}`.execute(trx);
}
