import type { ApprovalId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';

/** Tells consoles that an approval began to wait or waits no more. A job, so that no act has to remember it. */
export async function tellApproval(
  { bus, database }: Pick<Context, 'bus' | 'database'>,
  id: ApprovalId,
): Promise<void> {
  const approval = await database.db
    .selectFrom('approvals')
    .select(['agent_id', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (approval === undefined) return;
  bus.publish({
    agentId: approval.agent_id,
    event: { kind: 'approval-changed', approvalId: id, state: approval.state },
  });
}
