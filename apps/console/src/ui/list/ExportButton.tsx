import { DownloadOutlined, DownOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import type { ExportFormat } from '@voltdeck/contract/list';
import {
  backgroundExportRows,
  type ExportList,
  getTask,
  getTaskFile,
  startExport,
  type Task,
} from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { App, Button, Dropdown, Space } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { searchOf } from '../../api/address.ts';
import { type AnyRoute, call } from '../../api/call.ts';
import { useConsoleEvents } from '../../api/events.ts';
import { fetchAgain } from '../../api/fetch-again.ts';
import { keyOf, useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useGo, useMayGo } from '../../session/use-go.ts';
import { withWords } from '../../words.ts';
import { failureText } from '../failure-text.ts';
import { fetchFile } from '../fetch-file.ts';
import { countText } from '../figures.ts';
import { useOfferedActs } from '../offered-acts.ts';
import { exportPercent } from './export-percent.ts';

const loadFailures = withWords(['errors'], () => import('../tasks/task-failure.ts'));

/** Long enough to use the links in the message. */
const messageSeconds = 10;

type Props = {
  route: AnyRoute;
  /** The list's name in the task centre; without one every export is a direct download. */
  list: ExportList | undefined;
  query: Readonly<Record<string, unknown>>;
  /** The number of matching rows; undefined while unknown, Infinity if it cannot be counted. */
  total: number | undefined;
};

/**
 * Downloads the filtered rows: directly if they are few, in the background if they are many. A click exports a
 * workbook, the menu beside it CSV.
 */
export function ExportButton({ route, list, query, total }: Props) {
  const { message } = App.useApp();
  const go = useGo();
  const mayGo = useMayGo();
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
  const downloadNow = (format: ExportFormat) =>
    attempt(async () => {
      const name = await fetchFile(route, { query: { ...query, format } });
      message.success(phrase('list.exported', { name }));
    });
  const startInBackground = (exported: ExportList, format: ExportFormat) =>
    attempt(async () => {
      const started = await call(startExport, { body: { list: exported, format, query: textsOf(query) } });
      setTaskId(started.id);
      message.info({
        duration: messageSeconds,
        content: (
          <>
            {phrase('list.exportStarted', { rows: countText(backgroundExportRows) })}
            {mayGo('taskList') ? (
              <Button type="link" size="small" onClick={() => go('taskList')}>
                {phrase('list.exportTasks')}
              </Button>
            ) : null}
          </>
        ),
      });
    });
  const keepFile = ({ id }: Task) =>
    attempt(async () => {
      await fetchFile(getTaskFile, { params: { id } });
    });

  const onEnd = useEffectEvent((ended: Task) => {
    setTaskId(null);
    const { file } = ended;
    // A page that comes back into sight after days finds its file expired: there is nothing to offer.
    if (ended.state === 'done' && file !== null) {
      message.success({
        duration: messageSeconds,
        content: (
          <>
            {phrase('list.exported', { name: file.name })}
            <Button type="link" size="small" onClick={() => void keepFile(ended)}>
              {phrase('list.exportDownload')}
            </Button>
          </>
        ),
      });
    } else if (ended.state === 'failed') {
      void attempt(async () => {
        const { taskFailureText } = await loadFailures();
        message.error(taskFailureText(ended));
      });
    }
  });
  // The event that ends a task has no file, so the task is fetched before its end is shown.
  const hasEnded = task !== undefined && task.endedAt !== null;
  useEffect(() => {
    if (hasEnded) onEnd(task);
  }, [hasEnded, task]);

  const percent = task === undefined || hasEnded ? null : exportPercent(task);
  const isAtWork = isBusy || taskId !== null;
  const isOff = total === undefined && !isAtWork;
  const start = (format: ExportFormat) =>
    void (list !== undefined && total !== undefined && total > backgroundExportRows
      ? startInBackground(list, format)
      : downloadNow(format));
  const canBegin = total !== undefined && !isAtWork;
  useOfferedActs(canBegin ? [{ key: 'list.export', label: phrase('list.export'), onClick: () => start('xlsx') }] : []);
  return (
    <Space.Compact>
      <Button icon={<DownloadOutlined />} loading={isAtWork} disabled={isOff} onClick={() => start('xlsx')}>
        {percent !== null
          ? phrase('list.exportingPercent', { percent })
          : phrase(isAtWork ? 'list.exporting' : 'list.export')}
      </Button>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        disabled={isOff || isAtWork}
        menu={{
          items: [
            { key: 'xlsx', label: phrase('list.exportExcel'), onClick: () => start('xlsx') },
            { key: 'csv', label: phrase('list.exportCsv'), onClick: () => start('csv') },
          ],
        }}
      >
        <Button icon={<DownOutlined />} aria-label={phrase('list.exportFormats')} disabled={isOff || isAtWork} />
      </Dropdown>
    </Space.Compact>
  );
}

/** The task, updated by server push and fetched when it ends or events were missed. */
function useTask(id: TaskId | null): Task | undefined {
  const client = useQueryClient();
  const input = { params: { id: id ?? (0 as TaskId) } };
  const answer = useAnswer(getTask, input, { enabled: id !== null });
  const askAgain = () => {
    if (id !== null) void fetchAgain(client, keyOf(getTask, input));
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
  // A hidden page receives no events.
  const onShow = useEffectEvent(askAgain);
  useEffect(() => onShow(), []);
  return id === null ? undefined : answer.data;
}

/** The filter as in the list's address. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(searchOf(query)));
}
