import { BellOutlined } from '@ant-design/icons';
import { listTasks } from '@voltdeck/contract/tasks';
import { Button, Tooltip } from 'antd';
import { useNavigate } from 'react-router';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import styles from './top-bar.module.css';

/** Progress comes once a second; what counts is whether a task has begun or ended. */
const askAgainMs = 2_000;

/** How many exports of the signed-in person are under way, and the way to them at `path`. */
export default function TaskBell({ path }: { path: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const answer = useAnswer(listTasks, {
    query: { state: ['waiting', 'running'], pageSize: 100 },
    quiet: true,
  });
  const askAgain = usePaced(() => void answer.refetch(), askAgainMs);
  useConsoleEvents('task-changed', askAgain);
  const count = answer.data?.items.filter((task) => task.userId === user.id).length ?? 0;
  const label = count === 0 ? phrase('shell.tasks') : phrase('shell.tasksRunning', { count });
  return (
    <Tooltip title={label} mouseEnterDelay={0.5}>
      <Button
        type="text"
        icon={
          <span className={styles.bell}>
            <BellOutlined />
            {count === 0 ? null : <span className={styles.count}>{count}</span>}
          </span>
        }
        aria-label={label}
        onClick={() => navigate(path)}
      />
    </Tooltip>
  );
}
