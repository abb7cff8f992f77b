import type { TaskRowState } from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export type NewTaskRow = {
  /** What the row is called on screen: a station's number, a line of a file. */
  label: string;
  recordId?: number;
  /** `waiting` when omitted. */
  state?: TaskRowState;
  detail?: unknown;
};

const rowsAtOnce = 5_000;

/** Adds the rows of a task, numbered from 1 in the given order. A task's rows are added once. */
export async function addTaskRows(db: Kysely<Tables>, taskId: TaskId, rows: readonly NewTaskRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.slice(from, from + rowsAtOnce).map(({ label, recordId, state = 'waiting', detail }, index) => ({
      line: from + index + 1,
      label,
      record_id: recordId ?? null,
      state,
      detail: detail ?? null,
    }));
    await sql`
      insert into task_rows (task_id, line, label, record_id, state, detail)
      select ${taskId}, line, label, record_id, state, nullif(detail, 'null')
        from jsonb_to_recordset(${JSON.stringify(part)}::jsonb)
          as part (line integer, label text, record_id bigint, state text, detail jsonb)`.execute(db);
  }
}

/** How many rows of a task are in which state; a state without rows is absent. */
export async function countTaskRows(
  db: Kysely<Tables>,
  taskId: TaskId,
): Promise<Partial<Record<TaskRowState, number>>> {
  const rows = await db
    .selectFrom('task_rows')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('task_id', '=', taskId)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/**
 * Calls those unknown whose answer nobody waits for; one that comes after all replaces it.
 * @returns how many rows of the task have come to an end
 */
export async function endAskedRows(db: Kysely<Tables>, taskId: TaskId): Promise<number> {
  await db
    .updateTable('task_rows')
    .set({ state: 'unknown' satisfies TaskRowState })
    .where('task_id', '=', taskId)
    .where('state', '=', 'sent')
    .execute();
  const { waiting = 0, sent = 0, ...ended } = await countTaskRows(db, taskId);
  return Object.values(ended).reduce((sum, count) => sum + count, 0);
}
