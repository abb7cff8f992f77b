import { DownloadOutlined } from '@ant-design/icons';
import { listTasks } from '@voltdeck/contract/tasks';
import { Button, Tooltip } from 'antd';
import type { CallInput } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useGo } from '../session/use-go.ts';
import styles from './top-bar.module.css';

/** Minimum interval between fetches: only the start and end of a task matter here. */
const refetchGapMs = 2_000;

const question: CallInput<typeof listTasks> = { query: { state: ['waiting', 'running'], pageSize: 100 }, quiet: true };

/** The number of the user's running exports, with a link to them. */
export default function TaskBell() {
  const { user } = useSession();
  const go = useGo();
  const answer = useAnswer(listTasks, question);
  const askAgain = useAskAgain(listTasks, question, refetchGapMs);
  useConsoleEvents('task-changed', askAgain);
  const count = answer.data?.items.filter((task) => task.userId === user.id).length ?? 0;
  const label = count === 0 ? phrase('shell.tasks') : phrase('shell.tasksRunning', { count });
  return (
    <Tooltip title={label} mouseEnterDelay={0.5}>
      <Button
        type="text"
        icon={
          <span className={styles.bell}>
            <DownloadOutlined />
            {count === 0 ? null : <span className={styles.count}>{count}</span>}
          </span>
        }
        aria-label={label}
        onClick={() => go('taskList')}
      />
    </Tooltip>
  );
}
