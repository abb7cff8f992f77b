import { type Approval, type ApprovalDetail, getApproval, listApprovals } from '@voltdeck/contract/approval-records';
import { Button, Drawer, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { useCarryOut } from '../ui/list/use-carry-out.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { actText, approvalTones, factsNote, factTexts } from './approval-words.ts';
import styles from './approvals.module.css';
import { type DecidingAct, decidingActs, whyNotDecide } from './deciding-acts.tsx';

const widthPx = 560;

type Props = { approval: Approval; open: boolean; onClose: () => void; onRefuse: (approval: Approval) => void };

/** One act that waits or waited: what it does in words and figures, who asked and why, and what became of it. */
export default function ApprovalDrawer({ approval, open, onClose, onRefuse }: Props) {
  const answer = useAnswer(getApproval, { params: { id: approval.id } }, { enabled: open });
  const shown = answer.data ?? approval;
  const can = useCan();
  const session = useSession();
  const carryOut = useCarryOut();
  const isDecided = shown.state !== 'waiting';
  const mayDecide = can('approval.decide');
  const isOwn = decidingActs.withdraw.isFor?.(shown, session) ?? false;
  const because = whyNotDecide(shown);
  const begin = ({ deed, changes = [] }: DecidingAct) => carryOut(deed(shown), [listApprovals, ...changes], false);
  return (
    <Drawer
      title={
        <>
          {phrase('approvals.one', { number: shown.number })}{' '}
          <StateTag tone={approvalTones[shown.state]}>{phrase(`approval-state.${shown.state}`)}</StateTag>
        </>
      }
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        isDecided || !(mayDecide || isOwn) ? null : (
          <div className={styles.foot}>
            {isOwn ? (
              <Button onClick={() => begin(decidingActs.withdraw)}>{phrase('approvals.withdraw')}</Button>
            ) : null}
            {mayDecide ? (
              <>
                <DisabledReason danger because={because} onClick={() => onRefuse(shown)}>
                  {phrase('approvals.refuse')}
                </DisabledReason>
                <DisabledReason type="primary" because={because} onClick={() => begin(decidingActs.approve)}>
                  {phrase('approvals.approve')}
                </DisabledReason>
              </>
            ) : null}
          </div>
        )
      }
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Facts approval={answer.data} />
      )}
    </Drawer>
  );
}

function Facts({ approval }: { approval: ApprovalDetail }) {
  const note = factsNote(approval);
  return (
    <>
      <p className={styles.act}>{actText(approval)}</p>
      <dl className={styles.facts}>
        {factTexts(approval).map(({ name, text }) => (
          <Fact key={name} title={name}>
            <span className="figure">{text}</span>
          </Fact>
        ))}
      </dl>
      {note === null ? null : <p className={styles.note}>{note}</p>}
      <h3 className={styles.head}>{phrase('approvals.history')}</h3>
      <dl className={styles.facts}>
        <Fact title={phrase('approvals.asker')}>{approval.askerName}</Fact>
        <Fact title={phrase('approvals.askedAt')}>
          <Instant at={approval.askedAt} exact />
        </Fact>
        <Fact title={phrase('approvals.agent')}>{approval.agentName ?? phrase('list.ofPlatform')}</Fact>
        <Fact title={phrase('approvals.reason')}>{approval.reason || nothingText}</Fact>
        {approval.decidedAt === null ? null : (
          <>
            <Fact title={phrase('approvals.decider')}>{approval.deciderName ?? phrase('approvals.lapsed')}</Fact>
            <Fact title={phrase('approvals.decidedAt')}>
              <Instant at={approval.decidedAt} exact />
            </Fact>
            <Fact title={phrase('approvals.decisionReason')}>{approval.decisionReason || nothingText}</Fact>
          </>
        )}
        {approval.failure === null ? null : <Fact title={phrase('approvals.failure')}>{approval.failure.message}</Fact>}
      </dl>
    </>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
