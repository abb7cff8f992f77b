import { isAgreed } from '@voltdeck/charging/abilities';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { BulkCommand } from '@voltdeck/contract/station-commands';
import type { TaskRowState } from '@voltdeck/contract/tasks';
import type { StationId, TaskId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Progress } from '../../background/running-task.ts';
import { countTaskRows, endAskedRows } from '../../background/task-rows.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import { storableJson } from '../../database/column-values.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { askStation } from '../command-station.ts';
import { findStation } from '../queries.ts';

export const stationCommandLimits = {
  /** Stations of one task that are asked at the same time. */
  atOnce: 20,
  /** A longer answer is kept by its kind alone; the interaction log has all of it. */
  answerCharsMax: 4_000,
} as const;

type Work = {
  taskId: TaskId;
  /** No station is asked once a later attempt has begun. */
  attempt: number;
  caller: Caller;
  command: BulkCommand;
  /** Counts rows that have come to an end. */
  progress: Progress;
  signal: AbortSignal;
};

/** The states in which a row stays. */
type Ended = Exclude<TaskRowState, 'waiting' | 'sent'>;

/**
 * Sends the command of a task to its stations, some at a time, and writes each answer to the station's row. A station is
 * asked at most once: a row that was asked before an interruption becomes unknown and is left to a person.
 * @throws the signal's reason when the task is to stop, or the first failure to ask or to write at all, such as a
 * database that is away; rows without an answer then say that they were asked.
 */
export async function sendStationCommands(
  context: Context,
  work: Work,
): Promise<Partial<Record<TaskRowState, number>>> {
  const { taskId, progress, signal } = work;
  const { db } = context.database;
  progress.doneCount = await endAskedRows(db, taskId);
  const asking = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const isStopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (;;) {
    signal.throwIfAborted();
    const row = failures.length > 0 ? null : await nextRow(context, work);
    if (row === null) break;
    const asked: Promise<void> = askOne(context, work, row)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => asking.delete(asked));
    asking.add(asked);
    if (asking.size >= stationCommandLimits.atOnce) await Promise.race([...asking, isStopped]);
  }
  await Promise.race([Promise.all(asking), isStopped]);
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return countTaskRows(db, taskId);
}

type Row = { line: number; stationId: StationId };

/**
 * Takes the next waiting row and marks it as asked, before it is. Null where none waits, or the task was cancelled or
 * taken over: the lock on the task puts every row that was taken before the end of an attempt into that end.
 */
async function nextRow(context: Context, { taskId, attempt }: Work): Promise<Row | null> {
  const { rows } = await sql<{ line: number; record_id: StationId }>`
    with task as (
      select id from tasks where id = ${taskId} and state = 'running' and attempts = ${attempt} for share
    )
    update task_rows set state = 'sent', at = ${new Date(context.now())}
     where id = (select id from task_rows where task_id = (select id from task) and state = 'waiting'
                  order by id limit 1 for update)
    returning line, record_id`.execute(context.database.db);
  const [row] = rows;
  return row === undefined ? null : { line: row.line, stationId: row.record_id };
}

async function askOne(context: Context, work: Work, { line, stationId }: Row): Promise<void> {
  const { taskId, caller, command, progress, signal } = work;
  const end = async (state: Ended, detail: unknown) => {
    await writeEnd(context, { taskId, line }, state, detail);
    progress.doneCount += 1;
  };
  const station = await findStation(context.database.db, caller, stationId);
  if (station === null) return end('skipped', { because: 'gone' });
  const asked = await askStation(context, caller, station, command, context.now(), { taskId });
  if (!asked.ok) return end('refused', { error: asked.error.code satisfies ErrorCode });
  const outcome = asked.value;
  // The sockets close with the server, which says nothing about what the station did.
  if (signal.aborted && outcome.kind === 'offline') return;
  try {
    await end(rowStateOf(outcome), { outcome: storedOutcome(outcome) });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    context.log.error({ error, taskId, line }, 'station commands: an answer cannot be stored');
    // One station's answer must not keep the others from being asked.
    await end('refused', { outcome: { kind: outcome.kind } });
  }
}

async function writeEnd(
  context: Context,
  { taskId, line }: { taskId: TaskId; line: number },
  state: Ended,
  detail: unknown,
): Promise<void> {
  await context.database.db
    .updateTable('task_rows')
    .set({ state, detail: storableJson(JSON.stringify(detail)), at: context.now() })
    .where('task_id', '=', taskId)
    .where('line', '=', line)
    // An interruption may have called it unknown; the answer is better.
    .where('state', 'in', ['sent', 'unknown'])
    .execute();
}

export function rowStateOf(outcome: CommandOutcome): Ended {
  if (isAgreed(outcome)) return 'done';
  switch (outcome.kind) {
    case 'offline':
    case 'timed-out':
      return outcome.kind;
    case 'configuration':
    case 'data':
    case 'clock':
    case 'raw':
      return 'done';
    case 'cards':
      return outcome.cards.every(({ done }) => done) ? 'done' : 'refused';
    default:
      return 'refused';
  }
}

function storedOutcome(outcome: CommandOutcome): { kind: CommandOutcome['kind'] } {
  const isLong = JSON.stringify(outcome).length > stationCommandLimits.answerCharsMax;
  return isLong ? { kind: outcome.kind } : outcome;
}
