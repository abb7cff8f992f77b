import { listMargins } from '@voltdeck/contract/grid-bills';
import { Segmented } from 'antd';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { useAddress } from '../ui/use-address.ts';
import { withWords } from '../words.ts';
import { lossText, lossTones } from './loss-words.ts';

const GridBillList = lazyPart(withWords(['stationImports'], () => import('./GridBillList.tsx')));

const filters: Filters<typeof listMargins> = {
  from: { title: 'margins.month' },
  siteId: { title: 'finance.site' },
  agentId: { title: 'finance.agent', may: seesAgents },
};

const look: ListPageProps<typeof listMargins>['look'] = {
  month: { widthPx: 96, isPinned: true },
  siteName: {
    widthPx: 176,
    isKeyFact: true,
    link: ({ siteId }) => place('financeList', { tab: 'margin', view: 'bills', siteId }),
  },
  agentName: { widthPx: 136 },
  receivedFen: { widthPx: 112 },
  sharesFen: { widthPx: 112 },
  costFen: { widthPx: 112 },
  marginFen: { widthPx: 112, isKeyFact: true },
  marginPerKwh: { widthPx: 112, isFigure: true },
  missing: { widthPx: 216, isKeyFact: true },
  lossPercent: {
    widthPx: 112,
    render: (row) =>
      row.lossMark === null ? (
        lossText(row.lossPercent)
      ) : (
        <StateTag tone={lossTones[row.lossMark]}>{lossText(row.lossPercent)}</StateTag>
      ),
  },
  lossMark: { widthPx: 240 },
};

/** What sites earned against what their energy cost; and the bills of the grid that this is reckoned from. */
export default function MarginTab() {
  const [search] = useSearchParams();
  if (search.get('view') === 'bills') {
    return (
      <Suspense>
        <GridBillList tools={<Views view="bills" />} />
      </Suspense>
    );
  }
  return (
    <ListPage
      list={listMargins}
      title="finance.margin"
      record="finance.marginRecord"
      nameOf={({ siteName, month }) => `${siteName} ${month.slice(0, 7)}`}
      filters={filters}
      look={look}
      tools={<Views view="margins" />}
      empty={{ title: 'margins.empty', text: 'margins.emptyText' }}
    />
  );
}

function Views({ view }: { view: 'margins' | 'bills' }) {
  const [, setSearch] = useAddress();
  return (
    <Segmented
      aria-label={phrase('finance.marginViews')}
      value={view}
      onChange={(next) => setSearch({ tab: 'margin', ...(next === 'bills' ? { view: next } : {}) })}
      options={[
        { value: 'margins', label: phrase('finance.margins') },
        { value: 'bills', label: phrase('finance.bills') },
      ]}
    />
  );
}
