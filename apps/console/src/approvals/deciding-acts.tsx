import { type Approval, decideApproval, getApproval, withdrawApproval } from '@voltdeck/contract/approval-records';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { listRecharges } from '@voltdeck/contract/payments';
import { listTariffs } from '@voltdeck/contract/tariffs';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { useSessionStore } from '../session/session.ts';
import { isoDateTime } from '../ui/instants.ts';
import { asking } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';
import { actText, factTexts } from './approval-words.ts';

/** What an approved act may have changed. */
const changes = [getApproval, listOrders, getOrder, listRecharges, listTariffs];

export const isWaiting = ({ state }: Approval) => state === 'waiting';
export const whyNotDecide = ({ undecidable }: Approval) =>
  undecidable === null ? undefined : phrase(`error.${undecidable}`);

/** The acts on an approval that need no form. */
export const decidingActs: Acts<Approval> = {
  approve: {
    on: 'row',
    label: 'approvals.approve',
    may: 'approval.decide',
    isFor: isWaiting,
    because: whyNotDecide,
    deed: async ({ id }) => {
      // The figures as they are now.
      const approval = await call(getApproval, { params: { id } });
      return {
        ask: {
          question: phrase('approvals.approveQuestion', { act: actText(approval) }),
          details: <ApproveDetails lines={detailLines(approval)} />,
          verb: phrase('approvals.approve'),
        },
        do: async (idempotencyKey) => {
          const decided = await call(decideApproval, { params: { id }, body: { decision: 'approve' }, idempotencyKey });
          return decided.failure === null
            ? phrase('approvals.approved', { act: actText(decided) })
            : { warning: phrase('approvals.failed', { why: decided.failure.message }) };
        },
      };
    },
    changes,
  },
  withdraw: asking<Approval>({
    label: 'approvals.withdraw',
    may: 'approval.read',
    isFor: (approval) => isWaiting(approval) && approval.askerId === useSessionStore.getState().session?.user.id,
    question: (approval) => phrase('approvals.withdrawQuestion', { act: actText(approval) }),
    details: 'approvals.withdrawDetails',
    act: ({ id }, idempotencyKey) => call(withdrawApproval, { params: { id }, idempotencyKey }),
    told: ({ number }) => phrase('approvals.withdrawn', { number }),
    changes,
  }),
};

function detailLines(approval: Parameters<typeof factTexts>[0] & Approval): string[] {
  const { askerName: who, askedAt, reason } = approval;
  return [
    ...factTexts(approval).map(({ name, text }) => phrase('approvals.factLine', { name, text })),
    phrase('approvals.askedBy', { who, time: isoDateTime(askedAt) ?? '' }),
    ...(reason === '' ? [] : [phrase('approvals.because', { reason })]),
  ];
}

function ApproveDetails({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}
