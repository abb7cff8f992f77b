import type { TaskWork } from '../../background/running-task.ts';
import { callerOf } from '../../background/task-details.ts';
import { sendStationCommands } from './send-station-commands.ts';
import { sealedName } from './start-station-commands.ts';

/** Sends one command to many stations. */
export const runStationCommands: TaskWork<'station-commands'> = async (context, task) => {
  const { id: taskId, attempt, detail, userId, language, progress, signal } = task;
  const { command, sealedPassword } = detail;
  const opened =
    sealedPassword === null ? null : context.secrets.open(sealedName, Buffer.from(sealedPassword, 'base64'));
  if (opened?.ok === false) return { failed: 'task.failed' };
  const result = await sendStationCommands(context, {
    taskId,
    attempt,
    caller: callerOf(detail, userId, language),
    command: opened === null ? command : ({ ...command, password: opened.value } as typeof command),
    progress,
    signal,
  });
  return { result };
};
