import { AuditOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { phrase } from '../phrases.ts';
import { useGo } from '../session/use-go.ts';
import { useWaitingApprovals } from '../ui/use-waiting-approvals.ts';
import styles from './top-bar.module.css';

/** A larger number would not fit. */
const shownMax = 99;

/** The number of acts that wait for the user's decision, with a link to them. */
export default function ApprovalBell() {
  const go = useGo();
  const { count } = useWaitingApprovals();
  const label = count === 0 ? phrase('shell.nothingToApprove') : phrase('shell.toApprove', { count });
  return (
    <Tooltip title={label} mouseEnterDelay={0.5}>
      <Button
        type="text"
        icon={
          <span className={styles.bell}>
            <AuditOutlined />
            {count === 0 ? null : <span className={styles.count}>{count > shownMax ? `${shownMax}+` : count}</span>}
          </span>
        }
        aria-label={label}
        onClick={() => go('approvalList', { mine: 'waits' })}
      />
    </Tooltip>
  );
}
