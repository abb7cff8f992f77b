import { listConnectors } from '@voltdeck/contract/connectors';
import { listStationIdentities } from '@voltdeck/contract/station-identities';
import { listStations } from '@voltdeck/contract/stations';
import type { TaskId } from '@voltdeck/units/id';
import { Alert, Modal } from 'antd';
import { phrase } from '../phrases.ts';
import { TaskButtons } from '../ui/tasks/TaskButtons.tsx';
import { TaskOutcome, type TaskTexts } from '../ui/tasks/TaskOutcome.tsx';
import { useTask } from '../ui/tasks/use-task.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import styles from './stations.module.css';

const changedLists = [listStationIdentities, listStations, listConnectors];

const textsOf = (): TaskTexts => ({
  running: phrase('identities.running'),
  later: phrase('identities.later'),
  done: (count) => phrase('identities.done', { count }),
  doneText: phrase('identities.doneText'),
  cancelled: phrase('identities.cancelled'),
  failed: phrase('identities.failed'),
  cancel: phrase('identities.cancel'),
  file: phrase('identities.download'),
});

type Props = { taskId: TaskId; open: boolean; onClose: () => void };

/** A batch as it is made, and its file. */
export default function IdentityBatchDialog({ taskId, open, onClose }: Props) {
  const task = useTask(taskId, changedLists);
  const { attempt, failure } = useAttempt();
  const texts = textsOf();
  return (
    <Modal
      title={phrase('identities.makeTitle')}
      open={open}
      onCancel={onClose}
      mask={{ closable: false }}
      destroyOnHidden
      footer={<TaskButtons taskId={taskId} task={task} texts={texts} attempt={attempt} onClose={onClose} />}
    >
      {failure === null ? null : <Alert className={styles.formAlert ?? ''} type="error" showIcon title={failure} />}
      <div aria-live="polite">
        <TaskOutcome task={task} texts={texts} />
      </div>
    </Modal>
  );
}
