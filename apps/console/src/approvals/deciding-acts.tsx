import { type Approval, decideApproval, getApproval, withdrawApproval } from '@voltdeck/contract/approval-records';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { listRecharges } from '@voltdeck/contract/payments';
import { listTariffs } from '@voltdeck/contract/tariffs';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { useSessionStore } from '../session/session.ts';
import { isoDateTime } from '../ui/instants.ts';
import type { Act, Deed } from '../ui/list-page.ts';
import { actText, factTexts } from './approval-words.ts';

/** What a decision may have changed. */
const changes = [getApproval, listOrders, getOrder, listRecharges, listTariffs];

export const isWaiting = ({ state }: Approval) => state === 'waiting';
export const whyNotDecide = ({ undecidable }: Approval) =>
  undecidable === null ? undefined : phrase(`error.${undecidable}`);

/** Approves an act, after its figures as they are now. */
async function approveDeed({ id }: Pick<Approval, 'id'>): Promise<Deed> {
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
}

async function withdrawDeed(approval: Approval): Promise<Deed> {
  const { id, number } = approval;
  return {
    ask: {
      question: phrase('approvals.withdrawQuestion', { act: actText(approval) }),
      details: phrase('approvals.withdrawDetails'),
      verb: phrase('approvals.withdraw'),
    },
    do: async (idempotencyKey) => {
      await call(withdrawApproval, { params: { id }, idempotencyKey });
      return phrase('approvals.withdrawn', { number });
    },
  };
}

export type DecidingAct = Extract<Act<Approval>, { on: 'row'; deed: unknown }>;

/** The acts on an approval that need no form, in the list and in its drawer. */
export const decidingActs: Readonly<Record<'approve' | 'withdraw', DecidingAct>> = {
  approve: {
    on: 'row',
    label: 'approvals.approve',
    may: 'approval.decide',
    isFor: isWaiting,
    because: whyNotDecide,
    deed: approveDeed,
    changes,
  },
  withdraw: {
    on: 'row',
    label: 'approvals.withdraw',
    isFor: (approval) => isWaiting(approval) && approval.askerId === useSessionStore.getState().session?.user.id,
    deed: withdrawDeed,
    changes,
  },
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
