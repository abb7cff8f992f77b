import { getPartner, listPartners } from '@voltdeck/contract/partners';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { partnerActs } from './partner-acts.tsx';

const filters: Filters<typeof listPartners> = {
  name: {},
  operatorId: {},
  role: {},
  environment: {},
  enabled: {},
  siteId: { title: 'interop.seesSite' },
};

const partnerLook: ListPageProps<typeof listPartners>['look'] = {
  name: { widthPx: 200, isPinned: true, link: ({ id }) => place('supOperatorDetail', { id }) },
  operatorId: { widthPx: 136 },
  role: { widthPx: 240, isKeyFact: true },
  enabled: { widthPx: 88, tone: ({ enabled }) => (enabled ? 'free' : 'offline') },
  balanceFen: { isKeyFact: true },
  contactPhone: { widthPx: 136 },
  baseUrl: { widthPx: 280 },
  heldFen: { isHidden: true },
  payableFen: { isHidden: true },
  tariffName: { isHidden: true },
  startBalanceMinFen: { isHidden: true },
  secondServicePhone: { isHidden: true },
  pushes: { isHidden: true },
  remark: { isHidden: true },
  changedAt: { isHidden: true },
};

/** Other operators: who they are, how they are connected, what they may see; /supOperatorList. */
export default function PartnerListPage() {
  return (
    <ListPage
      list={listPartners}
      title="interop.title"
      record="interop.partner"
      filters={filters}
      look={partnerLook}
      acts={partnerActs}
      one={getPartner}
      empty={{ title: 'interop.empty', text: 'interop.emptyText' }}
    />
  );
}
