import type { Context } from '../context.ts';
import type { Jobs } from '../database/give-job.ts';

/**
 * Tells consoles that an approval began to wait or waits no more, and the log of facts that could not be kept at its end.
 * A job, so that no act has to remember it.
 */
export async function tellApproval(
  { bus, database, log }: Pick<Context, 'bus' | 'database' | 'log'>,
  { approvalId, unread }: Jobs['tell-approval'],
): Promise<void> {
  const approval = await database.db
    .selectFrom('approvals')
    .select(['agent_id', 'number', 'state'])
    .where('id', '=', approvalId)
    .executeTakeFirst();
  if (approval === undefined) return;
  const { number, state } = approval;
  if (unread !== undefined) log.error({ number, unread }, 'the facts of an approval could not be read');
  bus.publish({ agentId: approval.agent_id, event: { kind: 'approval-changed', approvalId, state } });
}
