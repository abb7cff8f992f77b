import { DownloadOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import type { ErrorCode } from '@voltdeck/contract/errors';
import {
  backgroundExportRows,
  type ExportList,
  getTask,
  getTaskFile,
  startExport,
  type Task,
} from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { App, Button } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { addressOf } from '../../api/address.ts';
import { type AnyRoute, type CallArguments, call, download } from '../../api/call.ts';
import { useConsoleEvents } from '../../api/events.ts';
import { keyOf, useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useMayOpen } from '../../session/use-may-open.ts';
import { failureText } from '../failure-text.ts';
import { countText } from '../figures.ts';
import { saveFile } from '../save-file.ts';
import { exportPercent } from './export-percent.ts';

const taskListPath = '/taskList';
/** Long enough to reach for what the message offers. */
const messageSeconds = 10;

type Props = {
  route: AnyRoute;
  /** The list's name in the task centre; without one every export is a direct download. */
  list: ExportList | undefined;
  query: Readonly<Record<string, unknown>>;
  /** How many rows match; undefined while that is not known. */
  total: number | undefined;
};

/** Downloads the filtered rows: at once when they are few, in the background when they are many. */
export function ExportButton({ route, list, query, total }: Props) {
  const { message } = App.useApp();
  const navigate = useNavigate();
  const mayOpen = useMayOpen();
  const [isBusy, setBusy] = useState(false);
  const [taskId, setTaskId] = useState<TaskId | null>(null);
  const task = useTask(taskId);

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (failure) {
      const { text } = failureText(failure);
      message.error({ key: text, content: text });
    } finally {
      setBusy(false);
    }
  };
  const downloadNow = () =>
    attempt(async () => {
      const { file, name } = await download(route, ...([{ query }] as unknown as CallArguments<typeof route>));
      saveFile(file, name);
      message.success(phrase('list.exported', { name }));
    });
  const startInBackground = (exported: ExportList) =>
    attempt(async () => {
      const started = await call(startExport, { body: { list: exported, query: textsOf(query) } });
      setTaskId(started.id);
      message.info({
        duration: messageSeconds,
        content: (
          <>
            {phrase('list.exportStarted', { rows: countText(backgroundExportRows) })}
            {mayOpen(taskListPath) ? (
              <Button type="link" size="small" onClick={() => void navigate(taskListPath)}>
                {phrase('list.exportTasks')}
              </Button>
            ) : null}
          </>
        ),
      });
    });
  const fetchFile = (done: Task) =>
    attempt(async () => {
      const { file, name } = await download(getTaskFile, { params: { id: done.id } });
      saveFile(file, name);
    });

  const onEnd = useEffectEvent((ended: Task) => {
    setTaskId(null);
    if (ended.state === 'done') {
      message.success({
        duration: messageSeconds,
        content: (
          <>
            {phrase('list.exported', { name: ended.file?.name ?? '' })}
            <Button type="link" size="small" onClick={() => void fetchFile(ended)}>
              {phrase('list.exportDownload')}
            </Button>
          </>
        ),
      });
    } else if (ended.state === 'failed') {
      message.error(phrase(`error.${(ended.errorCode ?? 'task.failed') as ErrorCode}`));
    }
  });
  // The event that ends a task names no file: the task itself is asked for before its end is told.
  const hasEnded = task !== undefined && task.endedAt !== null;
  useEffect(() => {
    if (hasEnded) onEnd(task);
  }, [hasEnded, task]);

  const percent = task === undefined || hasEnded ? null : exportPercent(task);
  const isAtWork = isBusy || taskId !== null;
  return (
    <Button
      icon={<DownloadOutlined />}
      loading={isAtWork}
      disabled={total === undefined && !isAtWork}
      onClick={() =>
        void (list !== undefined && total !== undefined && total > backgroundExportRows
          ? startInBackground(list)
          : downloadNow())
      }
    >
      {percent !== null
        ? phrase('list.exportingPercent', { percent })
        : phrase(isAtWork ? 'list.exporting' : 'list.export')}
    </Button>
  );
}

/** The task as it moves: by the server's push, and asked for when it ends or something was missed. */
function useTask(id: TaskId | null): Task | undefined {
  const client = useQueryClient();
  const input = { params: { id: id ?? (0 as TaskId) } };
  const answer = useAnswer(getTask, input, { enabled: id !== null });
  const askAgain = () => {
    if (id !== null) void answer.refetch();
  };
  useConsoleEvents('task-changed', ({ taskId, state, doneCount, totalCount }) => {
    if (taskId !== id) return;
    if (state !== 'waiting' && state !== 'running') askAgain();
    else {
      client.setQueryData<Task>(keyOf(getTask, input), (known) =>
        known === undefined ? known : { ...known, state, doneCount, totalCount },
      );
    }
  });
  useConsoleEvents('missed', askAgain);
  // A kept-alive page heard nothing while it was hidden.
  const onShow = useEffectEvent(askAgain);
  useEffect(() => onShow(), []);
  return id === null ? undefined : answer.data;
}

/** The filter as it stands in the list's address. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(new URL(addressOf('/', {}, query), location.origin).searchParams);
}
