import { AuditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { phrase } from '../phrases.ts';
import { useGo } from '../session/use-go.ts';
import { moneyText } from '../ui/figures.ts';
import { useWaitingApprovals } from '../ui/use-waiting-approvals.ts';
import styles from './waiting-approvals.module.css';

/** How many are named on the card. */
const namedMax = 3;

/** What waits for the user's decision; nothing while nothing does. */
export default function WaitingApprovals() {
  const go = useGo();
  const { count, latest } = useWaitingApprovals();
  if (count === 0) return null;
  return (
    <section className={styles.card} aria-label={phrase('approvals.title')}>
      <AuditOutlined className={styles.icon ?? ''} />
      <strong>{phrase('shell.toApprove', { count })}</strong>
      <ul className={styles.acts}>
        {latest.slice(0, namedMax).map(({ id, kind, subjectText, amountFen }) => (
          <li key={id}>
            {phrase(`approval-act.${kind}`, {
              subject: subjectText,
              amount: amountFen === null ? '' : moneyText(amountFen),
            })}
          </li>
        ))}
      </ul>
      <Button type="primary" onClick={() => go('approvalList', { mine: 'waits' })}>
        {phrase('approvals.decide')}
      </Button>
    </section>
  );
}
