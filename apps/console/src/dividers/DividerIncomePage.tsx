import { listDividerShares } from '@voltdeck/contract/divider-income';
import type { DividerId } from '@voltdeck/units/id';
import { useSearchParams } from 'react-router';
import { place } from '../session/place.ts';
import { type Session, useSession } from '../session/session.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { settlementTones } from '../ui/state-colours.ts';
import IncomePanels from './IncomePanels.tsx';

/** A divider has one name and no list of sites. */
const isStaff = ({ user }: Session) => user.dataScope !== 'divider';

const filters: Filters<typeof listDividerShares> = {
  dividerId: { title: 'dividerIncome.divider', may: isStaff },
  orderNumber: { title: 'dividerIncome.order' },
  siteId: { title: 'dividerIncome.site', may: isStaff },
  from: { title: 'dividerIncome.at' },
};

const look: ListPageProps<typeof listDividerShares>['look'] = {
  orderNumber: {
    widthPx: 208,
    isPinned: true,
    link: ({ orderId }) => place('orderListDetailHistory', { id: orderId }),
  },
  dividerName: { widthPx: 144, link: ({ dividerId }) => place('dividerDetail', { id: dividerId }) },
  siteName: { widthPx: 160 },
  stationName: { widthPx: 144 },
  stationNumber: { isHidden: true },
  connectorNumber: { widthPx: 80 },
  amountFen: { widthPx: 112, isKeyFact: true },
  occupancyFen: { isHidden: true },
  electricityPercent: { isHidden: true },
  servicePercent: { isHidden: true },
  occupancyPercent: { isHidden: true },
  cause: { widthPx: 96, tone: ({ cause }) => (cause === 'settled' || cause === 'paid_later' ? 'free' : 'occupied') },
  startedAt: { isHidden: true },
  at: { widthPx: 168, isKeyFact: true },
  period: { widthPx: 200 },
  periodState: { widthPx: 96, tone: ({ periodState }) => settlementTones[periodState] },
};

type ColumnKey = keyof (typeof listDividerShares)['columns'];
const allColumns = Object.keys(listDividerShares.columns) as ColumnKey[];
const ownColumns = allColumns.filter((key) => key !== 'dividerName');

/** What dividers got, order by order, with the money, the days and the periods of one of them; /dividerIncome. */
export default function DividerIncomePage() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const isOwn = user.dataScope === 'divider';
  const chosen = Number(search.get('dividerId'));
  const id = Number.isSafeInteger(chosen) && chosen > 0 ? (chosen as DividerId) : null;
  return (
    <ListPage
      list={listDividerShares}
      title={isOwn ? 'dividerIncome.own' : 'dividerIncome.title'}
      record="dividerIncome.share"
      filters={filters}
      columns={isOwn ? ownColumns : allColumns}
      hasGroups
      look={look}
      before={() => (isOwn || id !== null ? <IncomePanels id={isOwn ? null : id} /> : null)}
      empty={{ title: 'dividerIncome.empty', text: 'dividerIncome.emptyText' }}
    />
  );
}
