import { retriedRowStates, retryStationCommands } from '@voltdeck/contract/station-commands';
import { listTasks, type TaskDetail } from '@voltdeck/contract/tasks';
import { App } from 'antd';
import { phrase } from '../phrases.ts';
import { useGo } from '../session/use-go.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './tasks.module.css';

type Props = { task: TaskDetail; open: boolean; onClose: () => void };

/** The command reached these stations, and whether they carried it out is not known. */
const mayHaveActed: ReadonlySet<string> = new Set(['sent', 'unknown']);

/** Asks the stations again whose rows are in the chosen states. */
export default function RetryForm({ task, open, onClose }: Props) {
  const go = useGo();
  const { message } = App.useApp();
  const present = retriedRowStates.filter((state) => (task.rowCounts[state] ?? 0) > 0);
  return (
    <RouteForm
      as="dialog"
      route={retryStationCommands}
      params={{ id: task.id }}
      title={phrase('tasks.retryTitle')}
      submitLabel={phrase('tasks.retry')}
      intro={<p className={styles.intro}>{phrase('tasks.retryIntro')}</p>}
      initial={{ states: present.filter((state) => !mayHaveActed.has(state)) }}
      fields={{
        states: {
          label: 'tasks.retryStates',
          options: present.map((state) => ({
            value: state,
            label: `${phrase(`task-row-state.${state}`)} (${countText(task.rowCounts[state] ?? 0)})`,
          })),
          hint: ({ states = [] }) => {
            const chosen = states.filter((state) => mayHaveActed.has(state));
            const named = chosen.map((state) => phrase(`task-row-state.${state}`)).join(' / ');
            return chosen.length === 0 ? '' : phrase('tasks.retryUnknown', { state: named });
          },
        },
      }}
      refreshes={[listTasks]}
      open={open}
      onClose={onClose}
      onSaved={({ taskId, stations }) => {
        void message.success(phrase('tasks.retryStarted', { count: stations }));
        go('taskDetail', { id: taskId });
      }}
    />
  );
}
