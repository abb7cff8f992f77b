import type { Approval } from '@voltdeck/contract/approval-records';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { auditOf } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';
import { decidingActs, isWaiting, whyNotDecide } from './deciding-acts.tsx';

const ApprovalDrawer = lazyPart(() => import('./ApprovalDrawer.tsx'));
const RefuseApprovalForm = lazyPart(() => import('./RefuseApprovalForm.tsx'));

export const approvalActs: Acts<Approval> = {
  open: {
    on: 'row',
    isQuiet: true,
    label: 'approvals.open',
    overlay: (approval, { open, close, show }) => (
      <ApprovalDrawer
        approval={approval}
        open={open}
        onClose={close}
        onRefuse={(refused) => show('refuse', [refused])}
      />
    ),
  },
  ...decidingActs,
  refuse: {
    on: 'row',
    label: 'approvals.refuse',
    may: 'approval.decide',
    danger: true,
    isFor: isWaiting,
    because: whyNotDecide,
    overlay: (approval, { open, close, tell }) => (
      <RefuseApprovalForm
        approval={approval}
        open={open}
        onClose={close}
        onRefused={({ number }) => tell(phrase('approvals.refused', { number }))}
      />
    ),
  },
  audit: auditOf('approval'),
};
