import { type Approval, decideApproval, getApproval, listApprovals } from '@voltdeck/contract/approval-records';
import { getOrder } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { actText } from './approval-words.ts';

type Props = { approval: Approval; open: boolean; onClose: () => void; onRefused: (approval: Approval) => void };

/** Refuses an act of somebody else, who reads the reason. */
export default function RefuseApprovalForm({ approval, open, onClose, onRefused }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={decideApproval}
      params={{ id: approval.id }}
      given={{ decision: 'refuse' as const }}
      title={phrase('approvals.refuseTitle', { number: approval.number })}
      submitLabel={phrase('approvals.refuse')}
      intro={<p>{phrase('approvals.refuseIntro', { act: actText(approval), who: approval.askerName })}</p>}
      fields={{ reason: { label: 'approvals.refuseReason', rows: 3, requiredIf: () => true } }}
      refreshes={[listApprovals, getApproval, getOrder]}
      open={open}
      onClose={onClose}
      onSaved={onRefused}
    />
  );
}
