import { cancelTask, getTaskFile, type Task, type TaskDetail } from '@voltdeck/contract/tasks';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useAction } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { fetchFile } from '../fetch-file.ts';
import type { Attempt } from '../use-attempt.ts';
import type { TaskTexts } from './TaskOutcome.tsx';
import { isUnfinished } from './task-end.ts';

type Props = {
  taskId: Task['id'];
  /** Undefined until it is known. */
  task: TaskDetail | undefined;
  texts: TaskTexts;
  attempt: Attempt;
  fileIcon?: ReactNode;
  onClose: () => void;
};

/** The buttons of a dialog that has started a task: cancel while it runs, close, and its file once there is one. */
export function TaskButtons({ taskId, task, texts, attempt, fileIcon, onClose }: Props) {
  const cancel = useAction(cancelTask);
  const params = { id: taskId };
  return (
    <>
      {isUnfinished(task) ? (
        <Button danger onClick={() => void attempt(() => cancel.mutateAsync({ params, quiet: true }))}>
          {texts.cancel}
        </Button>
      ) : null}
      <Button onClick={onClose}>{phrase('shell.close')}</Button>
      {task?.file == null ? null : (
        <Button type="primary" icon={fileIcon} onClick={() => void attempt(() => fetchFile(getTaskFile, { params }))}>
          {texts.file}
        </Button>
      )}
    </>
  );
}
