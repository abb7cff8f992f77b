import { listStationIdentities } from '@voltdeck/contract/station-identities';
import { listConnectors, listStations } from '@voltdeck/contract/stations';
import { cancelTask, getTaskFile } from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { Alert, Button, Modal } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import { isUnfinished } from '../ui/task-end.ts';
import { fetchFile } from './fetch-file.ts';
import styles from './stations.module.css';
import { TaskOutcome } from './TaskOutcome.tsx';
import { useTask } from './use-task.ts';

const changedLists = [listStationIdentities, listStations, listConnectors];

const outcomeTexts = () => ({
  running: phrase('identities.running'),
  later: phrase('identities.later'),
  done: (count: number) => phrase('identities.done', { count }),
  doneText: phrase('identities.doneText'),
  cancelled: phrase('identities.cancelled'),
  failed: phrase('identities.failed'),
});

/** A batch as it is made, and its file. */
export default function IdentityBatchDialog({
  taskId,
  open,
  onClose,
}: {
  taskId: TaskId;
  open: boolean;
  onClose: () => void;
}) {
  const task = useTask(taskId, changedLists);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = async (act: () => Promise<unknown>) => {
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(failureText(error).text);
    }
  };
  return (
    <Modal
      title={phrase('identities.makeTitle')}
      open={open}
      onCancel={onClose}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <>
          {isUnfinished(task) ? (
            <Button
              danger
              onClick={() => void attempt(() => call(cancelTask, { params: { id: taskId }, quiet: true }))}
            >
              {phrase('identities.cancel')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{phrase('shell.close')}</Button>
          {task?.file == null ? null : (
            <Button
              type="primary"
              onClick={() => void attempt(() => fetchFile(getTaskFile, { params: { id: taskId } }))}
            >
              {phrase('identities.download')}
            </Button>
          )}
        </>
      }
    >
      {failure === null ? null : <Alert className={styles.formAlert ?? ''} type="error" showIcon title={failure} />}
      <div aria-live="polite">
        <TaskOutcome task={task} texts={outcomeTexts()} />
      </div>
    </Modal>
  );
}
