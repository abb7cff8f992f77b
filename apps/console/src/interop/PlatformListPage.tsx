import {
  giveUpDeliveries,
  listPartnerDeliveries,
  listPartnerExchanges,
  type PartnerDelivery,
  type PartnerExchange,
  replayDeliveries,
} from '@voltdeck/contract/partner-deliveries';
import { listPartners } from '@voltdeck/contract/partners';
import { useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { useCan } from '../session/use-can.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { askingMany } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import type { Tone } from '../ui/state-colours.ts';
import styles from './interop.module.css';
import { ViewSwitch } from './ViewSwitch.tsx';

const views = ['platforms', 'deliveries', 'exchanges'] as const;
type View = (typeof views)[number];

const platformFilters: Filters<typeof listPartners> = { name: {}, role: {}, environment: {}, enabled: {}, pushing: {} };

const platformLook: ListPageProps<typeof listPartners>['look'] = {
  name: { widthPx: 200, isPinned: true, link: ({ id }) => place('supOperatorDetail', { id }) },
  // What waits and what failed stand on the first screen.
  operatorId: { isHidden: true },
  platformName: { isHidden: true },
  role: { widthPx: 240 },
  enabled: { widthPx: 88, tone: ({ enabled }) => (enabled ? 'free' : 'offline') },
  pushing: { isHidden: true },
  pushes: { widthPx: 280, isKeyFact: true },
  pendingDeliveries: {
    isKeyFact: true,
    link: ({ id: partnerId }) => place('platformList', { view: 'deliveries', partnerId, state: ['pending'] }),
  },
  failedDeliveries: {
    isKeyFact: true,
    link: ({ id: partnerId }) => place('platformList', { view: 'deliveries', partnerId, state: ['failed'] }),
  },
};

const deliveryFilters: Filters<typeof listPartnerDeliveries> = {
  partnerId: { title: 'interop.partner' },
  state: {},
  kind: {},
  from: { title: 'deliveries.createdAt' },
};

const deliveryTones: Readonly<Record<PartnerDelivery['state'], Tone>> = {
  pending: 'occupied',
  delivered: 'free',
  failed: 'fault',
  superseded: 'offline',
};

const deliveryLook: ListPageProps<typeof listPartnerDeliveries>['look'] = {
  subject: {
    widthPx: 220,
    isKeyFact: true,
    link: ({ orderId }) => (orderId === null ? null : place('orderListDetailHistory', { id: orderId })),
  },
  state: { widthPx: 104, isKeyFact: true, tone: ({ state }) => deliveryTones[state] },
  answer: { widthPx: 320 },
  httpStatus: { isHidden: true },
};

const idsOf = (rows: readonly PartnerDelivery[]) => rows.map(({ id }) => id);

const deliveryActs: Acts<PartnerDelivery> = {
  replay: askingMany({
    label: 'deliveries.replay',
    may: 'partner_delivery.replay',
    question: ({ length: count }) => phrase('deliveries.replayQuestion', { count }),
    act: async (rows, idempotencyKey) => {
      const { count } = await call(replayDeliveries, { body: { ids: idsOf(rows) }, idempotencyKey });
      return phrase('deliveries.replayed', { count });
    },
    changes: [listPartners],
  }),
  giveUp: askingMany({
    label: 'deliveries.giveUp',
    may: 'partner_delivery.replay',
    danger: true,
    question: ({ length: count }) => phrase('deliveries.giveUpQuestion', { count }),
    act: async (rows, idempotencyKey) => {
      const { count } = await call(giveUpDeliveries, { body: { ids: idsOf(rows) }, idempotencyKey });
      return phrase('deliveries.givenUp', { count });
    },
    changes: [listPartners],
  }),
};

const exchangeFilters: Filters<typeof listPartnerExchanges> = {
  partnerId: { title: 'interop.partner' },
  direction: {},
  interfaceName: {},
  failed: { title: 'exchanges.failed' },
  from: { title: 'exchanges.at' },
};

const exchangeLook: ListPageProps<typeof listPartnerExchanges>['look'] = {
  interfaceName: { widthPx: 260, isKeyFact: true },
  ret: { isKeyFact: true },
  request: { isHidden: true },
  answer: { isHidden: true },
};

/** Both texts of an exchange; a text that is JSON is laid out. */
function Exchange({ request, answer }: PartnerExchange) {
  const texts = [
    ['exchanges.request', request],
    ['exchanges.answer', answer],
  ] as const;
  return (
    <div className={styles.exchange}>
      {texts.map(([title, text]) => (
        <section key={title} aria-label={phrase(title)}>
          <strong>{phrase(title)}</strong>
          <pre>{laidOut(text)}</pre>
        </section>
      ))}
    </div>
  );
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It was cut, or is what went wrong on the way.
    return text;
  }
}

function Views({ view }: { view: View }) {
  const can = useCan();
  const offered = views.filter((value) => value !== 'exchanges' || can('partner.exchanges'));
  return (
    <ViewSwitch
      label="platforms.view"
      view={view}
      views={offered.map((value) => ({ value, label: `platforms.${value}` as const }))}
      keeps={view === 'platforms' ? [] : ['partnerId']}
    />
  );
}

/** Platforms that we push to, what they are still to be told, and what was said with them; /platformList. */
export default function PlatformListPage() {
  const [search] = useSearchParams();
  switch (search.get('view')) {
    case 'deliveries':
      return (
        <ListPage
          list={listPartnerDeliveries}
          title="platforms.title"
          record="platforms.delivery"
          nameOf={({ kind, subject }) => `${phrase(`delivery-kind.${kind}`)} ${subject}`}
          filters={deliveryFilters}
          look={deliveryLook}
          acts={deliveryActs}
          tools={<Views view="deliveries" />}
          empty={{ title: 'deliveries.empty', text: 'deliveries.emptyText' }}
        />
      );
    case 'exchanges':
      return (
        <ListPage
          list={listPartnerExchanges}
          title="platforms.title"
          record="platforms.exchange"
          filters={exchangeFilters}
          look={exchangeLook}
          details={(exchange) => <Exchange {...exchange} />}
          tools={<Views view="exchanges" />}
          empty={{ title: 'exchanges.empty', text: 'exchanges.emptyText' }}
        />
      );
    default:
      return (
        <ListPage
          list={listPartners}
          screen={listScreen('platforms')}
          title="platforms.title"
          record="interop.partner"
          filters={platformFilters}
          columns={[
            'name',
            'operatorId',
            'platformName',
            'role',
            'enabled',
            'environment',
            'pushing',
            'pushes',
            'pendingDeliveries',
            'failedDeliveries',
            'siteCount',
            'baseUrl',
          ]}
          look={platformLook}
          tools={<Views view="platforms" />}
          empty={{ title: 'interop.empty', text: 'interop.emptyText' }}
        />
      );
  }
}
