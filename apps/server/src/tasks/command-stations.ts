import { callerOf } from '../background/task-details.ts';
import { sendStationCommands } from '../stations/commands/send-station-commands.ts';
import { sealedName } from '../stations/commands/start-station-commands.ts';
import type { TaskWork } from './running-task.ts';

/** Sends one command to many stations. */
export const commandStations: TaskWork<'station-commands'> = async (context, task) => {
  const { id: taskId, detail, userId, language, progress, signal } = task;
  const { command, sealedPassword } = detail;
  const opened =
    sealedPassword === null ? null : context.secrets.open(sealedName, Buffer.from(sealedPassword, 'base64'));
  if (opened?.ok === false) return { failed: 'task.failed' };
  const result = await sendStationCommands(context, {
    taskId,
    caller: callerOf(detail, userId, language),
    command: opened === null ? command : ({ ...command, password: opened.value } as typeof command),
    progress,
    signal,
  });
  return { result };
};
