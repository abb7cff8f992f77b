import type { CardId, CustomerId, OrderId, TaskId } from '@voltdeck/units/id';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './transact.ts';

/** What the workers can be given, by the job's name. */
export type Jobs = {
  'run-export': { taskId: TaskId };
  'tell-balance': { cardId: CardId | null; customerId: CustomerId | null; besideOrderId: OrderId | null };
};

export type JobOptions = {
  /** A job that waits under the same key is replaced. */
  key: string;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  attemptsMax?: number;
  /** Given only where this holds. */
  where?: RawBuilder<boolean>;
};

const attemptsUsual = 5;

/** Gives the workers a job in the transaction of the fact that it follows: neither is there without the other. */
export async function giveJob<Name extends keyof Jobs>(
  trx: Trx,
  name: Name,
  payload: Jobs[Name],
  { key, queue, attemptsMax = attemptsUsual, where = sql`true` }: JobOptions,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
             queue_name => ${queue ?? null}, max_attempts => ${attemptsMax}, job_key => ${key})
     where ${where}`.execute(trx);
}
