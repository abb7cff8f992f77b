import { getApproval, listApprovals } from '@voltdeck/contract/approval-records';
import type { OrderId, TariffId, TransferId } from '@voltdeck/units/id';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { opened, type Place, place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { useSessionStore } from '../session/session.ts';
import { nothingText, priceText, yuanText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { approvalActs } from './approval-acts.tsx';
import { approvalTones } from './approval-words.ts';

/** Minimum interval between fetches. */
const askGapMs = 1_000;

const filters: Filters<typeof listApprovals> = {
  mine: { title: 'approvals.mine', words: 'approval-mine' },
  state: {},
  kind: {},
  subject: { title: 'approvals.subject' },
  number: {},
  askerId: { title: 'approvals.asker' },
  from: { title: 'approvals.askedAt' },
  agentId: { title: 'approvals.agent', may: seesAgents },
};

type Look = ListPageProps<typeof listApprovals>['look'];
type Row = Parameters<NonNullable<NonNullable<NonNullable<Look>['subjectText']>['link']>>[0];

function subjectPlace({ subjectKind, subjectId, subjectText }: Row): Place | null {
  switch (subjectKind) {
    case 'order':
      return place('orderListDetailHistory', { id: subjectId as OrderId });
    case 'tariff':
      return place('rulesDetail', { id: subjectId as TariffId });
    case 'recharge':
      return place('chongzhiRecods', { number: subjectText });
    case 'group':
      return place('groupList', { name: subjectText });
    case 'roaming_charge':
      return place('hlhtOrderList', { view: 'roaming', sequence: subjectText });
    case 'agent_withdrawal':
      return place('tixianRecods', { number: subjectText });
    case 'ledger_transfer':
      return opened('ledgerList', 'transfer', { of: subjectId as TransferId });
    default:
      return null;
  }
}

const look: Look = {
  number: { widthPx: 216, isPinned: true, opens: 'open' },
  kind: { widthPx: 148 },
  state: { widthPx: 112, tone: ({ state }) => approvalTones[state] },
  subjectText: { widthPx: 220, link: subjectPlace },
  amountFen: {
    isKeyFact: true,
    text: ({ amountFen, priceChangeE5 }) =>
      amountFen === null ? (priceChangeE5 === null ? nothingText : priceText(priceChangeE5)) : yuanText(amountFen),
  },
  reason: { widthPx: 200 },
  askedAt: { isKeyFact: true },
  agentName: { isHidden: true },
  decisionReason: { isHidden: true },
  failure: { isHidden: true, widthPx: 240 },
};

/** What waits for the user; what they asked for where they decide nothing. */
function initially(): Readonly<Record<string, string>> {
  const permissions = useSessionStore.getState().session?.user.permissions;
  return { mine: permissions?.includes('approval.decide') ? 'waits' : 'asked' };
}

/** Acts that wait or waited for a second person; /approvalList. */
export default function ApprovalListPage() {
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(listApprovals, getApproval), askGapMs);
  useConsoleEvents('approval-changed', askAgain);
  return (
    <ListPage
      list={listApprovals}
      title="approvals.title"
      nameOf={({ number }) => phrase('approvals.one', { number })}
      filters={filters}
      initially={initially}
      look={look}
      acts={approvalActs}
      one={getApproval}
      empty={{ title: 'approvals.empty', text: 'approvals.emptyText' }}
    />
  );
}
