import type { ApprovalId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/**
 * Tells consoles that an approval began to wait or waits no more, and the log where it ended without its facts. A job, so
 * that no act has to remember it.
 */
export async function tellApproval(
  { bus, database, log }: Pick<Context, 'bus' | 'database' | 'log'>,
  id: ApprovalId,
): Promise<void> {
  const approval = await database.db
    .selectFrom('approvals')
    .select(['agent_id', 'number', 'state', sql<boolean>`facts is null`.as('lacksFacts')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (approval === undefined) return;
  const { number, state, lacksFacts } = approval;
  if (state === 'obsolete' && lacksFacts) log.error({ number }, 'the facts of an approval could not be read');
  bus.publish({
    agentId: approval.agent_id,
    event: { kind: 'approval-changed', approvalId: id, state },
  });
}
