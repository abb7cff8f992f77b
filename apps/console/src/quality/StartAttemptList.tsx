import { ArrowLeftOutlined } from '@ant-design/icons';
import { listStartAttempts } from '@voltdeck/contract/quality';
import { Button } from 'antd';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { useAddress } from '../ui/use-address.ts';
import { ListedSince } from './ListedSince.tsx';
import { wantedIn } from './quality-query.ts';

const filters: Filters<typeof listStartAttempts> = {
  from: { title: 'quality.at' },
  step: {},
  dropOut: {},
  startMode: {},
  siteId: { title: 'quality.site', may: ({ user }) => user.permissions.includes('site.read') },
  stationId: { title: 'quality.station', may: ({ user }) => user.permissions.includes('station.read') },
  cardNumber: {},
  make: {},
  model: {},
  firmware: {},
  unreported: { title: 'quality.unreported', words: 'league-subject' },
  regionCode: { title: 'quality.region' },
  equipmentType: { title: 'quality.equipment', words: 'equipment-type' },
  customerId: { title: 'quality.customer', may: ({ user }) => user.permissions.includes('customer.read') },
  agentId: { title: 'quality.agent', may: seesAgents },
  isUnderWay: { title: 'quality.isUnderWay' },
  isFirst: {},
  succeeded: {},
};

const look: ListPageProps<typeof listStartAttempts>['look'] = {
  at: { widthPx: 172, isPinned: true },
  step: { widthPx: 120, tone: ({ step }) => (step === 'ended_clean' ? 'free' : null) },
  dropOut: { widthPx: 200, tone: ({ dropOut }) => (dropOut === null ? null : 'fault') },
  times: { widthPx: 100 },
  siteName: { widthPx: 160 },
  stationNumber: { widthPx: 160, link: ({ stationId: id }) => place('deviceDetail', { id }) },
  customerPhone: { link: ({ customerId: id }) => (id === null ? null : place('registerUserDetail', { id })) },
  orderNumber: {
    widthPx: 220,
    link: ({ orderId: id }) => (id === null ? null : place('orderListDetailHistory', { id })),
  },
};

export function StartAttemptList() {
  const [search, setSearch] = useAddress();
  return (
    <ListPage
      list={listStartAttempts}
      title="quality.attemptsTitle"
      record="quality.record"
      filters={filters}
      look={look}
      before={() => <ListedSince />}
      tools={
        <Button icon={<ArrowLeftOutlined />} onClick={() => setSearch(wantedIn(search))}>
          {phrase('quality.backToFigures')}
        </Button>
      }
      empty={{ title: 'quality.attemptsEmpty', text: 'quality.attemptsEmptyText' }}
    />
  );
}
