import type { Permission } from '@voltdeck/contract/permissions';
import type { FinanceTab } from '@voltdeck/contract/screens';
import { Segmented, Skeleton } from 'antd';
import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import { useAddress } from '../ui/use-address.ts';
import styles from './finance.module.css';

type Tab = { label: PhraseKey; may?: Permission; Content: ComponentType };

/** The tabs in their order; one is added with its name in `FinanceTab` and its line here. */
const tabs: Readonly<Record<FinanceTab, Tab>> = {
  statements: { label: 'finance.statements', Content: lazyPart(() => import('./StatementsTab.tsx')) },
  holdings: {
    label: 'finance.holdings',
    may: 'finance.holdings',
    Content: lazyPart(() => import('./HoldingsTab.tsx')),
  },
  margin: { label: 'finance.margin', Content: lazyPart(() => import('./MarginTab.tsx')) },
  proof: { label: 'finance.proof', may: 'finance.holdings', Content: lazyPart(() => import('./ProofTab.tsx')) },
};

const names = Object.keys(tabs) as FinanceTab[];

/** What the money of orders came to, what is owed and held, and what is left after the cost of energy; /financeList. */
export default function FinancePage() {
  const [search, setSearch] = useAddress();
  const can = useCan();
  const mayGo = useMayGo();
  const offered = names.filter((tab) => {
    const { may } = tabs[tab];
    return may === undefined || can(may);
  });
  const tab = offered.find((each) => each === search.get('tab')) ?? 'statements';
  const { Content } = tabs[tab];
  return (
    <div className={styles.frame}>
      <nav className={styles.tabs} aria-label={phrase('finance.tabs')}>
        <Segmented
          aria-label={phrase('finance.tabs')}
          value={tab}
          onChange={(next) => setSearch(next === 'statements' ? {} : { tab: next })}
          options={offered.map((value) => ({ value, label: phrase(tabs[value].label) }))}
        />
        {mayGo('reconciliationList') ? (
          <ScreenLink screen="reconciliationList">{phrase('finance.reconciliation')}</ScreenLink>
        ) : null}
      </nav>
      <div>
        <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
          <Content />
        </Suspense>
      </div>
    </div>
  );
}
