import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { ApprovalId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import { giveJob } from '../database/give-job.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import type { Trx } from '../database/transact.ts';

/** What an act changes, or why that could not be read. */
export type FactsRead = { facts: ApprovalFact[]; unread: null } | { facts: null; unread: string };

/**
 * Reads what a waiting act changes without ending the transaction where that fails: an act that nobody can explain any
 * more can still end, and so can its record.
 * @throws what the database answers when it is away or two transactions meet; the work is then run again.
 */
export async function readFacts(trx: Trx, read: () => Promise<ApprovalFact[]>): Promise<FactsRead> {
  await sql`savepoint facts_of_act`.execute(trx);
  try {
    const facts = await read();
    await sql`release savepoint facts_of_act`.execute(trx);
    return { facts, unread: null };
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    await sql`rollback to savepoint facts_of_act`.execute(trx);
    return { facts: null, unread: String(error) };
  }
}

/** As the column of an approval that ends has them. */
export function factsColumn({ facts }: FactsRead): string | null {
  return facts === null ? null : JSON.stringify(facts);
}

/** Has consoles told of an approval that ended, and the log of facts that it could not keep. */
export async function tellEndLater(trx: Trx, id: ApprovalId, { unread }: FactsRead): Promise<void> {
  const told = unread === null ? { approvalId: id } : { approvalId: id, unread };
  await giveJob(trx, 'tell-approval', told, { key: `approval-${id}` });
}
