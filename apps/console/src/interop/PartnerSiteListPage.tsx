import { listExposedSites } from '@voltdeck/contract/exposed-sites';
import { listPartnerPulls, type PartnerPull } from '@voltdeck/contract/partner-pulls';
import { listPulledSites, type PulledSite } from '@voltdeck/contract/pulled-sites';
import type { PartnerId } from '@voltdeck/units/id';
import { useSearchParams } from 'react-router';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { formIn } from '../ui/list/usual-acts.ts';
import type { Act, Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { Banner } from './Banner.tsx';
import { LastPull } from './LastPull.tsx';
import { PullChanges } from './PullChanges.tsx';
import { pullTones } from './pull-words.ts';
import { toldSiteLook } from './told-look.tsx';
import { ViewSwitch } from './ViewSwitch.tsx';

const PullForm = lazyPart(() => import('./PullForm.tsx'));

type View = 'pulled' | 'exposed' | 'syncs';

const siteFilters = { partnerId: { title: 'interop.partner' }, name: {}, code: {}, state: {}, kind: {} } as const;

const pulledFilters: Filters<typeof listPulledSites> = {
  ...siteFilters,
  regionCode: { title: 'told.region' },
  missing: { title: 'told.missing' },
};
const exposedFilters: Filters<typeof listExposedSites> = { ...siteFilters, regionCode: { title: 'told.region' } };

const pulledLook: ListPageProps<typeof listPulledSites>['look'] = {
  ...toldSiteLook,
  stationCount: { link: ({ code, partnerId }) => place('equipmentList', { siteCode: code, partnerId }) },
  partnerName: {
    widthPx: 160,
    isKeyFact: true,
    link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }),
  },
  changedAt: { isHidden: true },
  addedAt: { isHidden: true },
};
const exposedLook: ListPageProps<typeof listExposedSites>['look'] = {
  ...toldSiteLook,
  stationCount: { link: ({ code }) => place('equipmentList', { view: 'exposed', siteCode: code }) },
  partners: { widthPx: 220, isKeyFact: true },
};

const begun = ({ partnerName: name }: PartnerPull) => phrase('pulls.begun', { name });

function pullAct<Row>(): Act<Row> {
  return {
    on: 'list',
    label: 'pulls.now',
    may: 'partner_site.pull',
    overlay: (over) => {
      const given = Number(over.given.partnerId);
      const likely = Number.isSafeInteger(given) && given > 0 ? (given as PartnerId) : undefined;
      return <PullForm partner={null} likely={likely} {...formIn(over, begun)} />;
    },
  };
}

const pulledActs: Acts<PulledSite> = {
  pull: pullAct(),
  stations: {
    on: 'row',
    label: 'told.stations',
    leads: ({ code, partnerId }) => place('equipmentList', { siteCode: code, partnerId }),
  },
  ports: {
    on: 'row',
    label: 'told.ports',
    leads: ({ code, partnerId }) => place('connectorList', { siteCode: code, partnerId }),
  },
};

const pullFilters: Filters<typeof listPartnerPulls> = {
  partnerId: { title: 'interop.partner' },
  outcome: { title: 'pulls.state', words: 'pull-state' },
  pullKind: { title: 'pulls.kind', words: 'pull-kind' },
  from: { title: 'pulls.startedAt' },
};
const pullLook: ListPageProps<typeof listPartnerPulls>['look'] = {
  partnerName: { widthPx: 200, isKeyFact: true },
  state: { isKeyFact: true, tone: ({ state }) => pullTones[state] },
  fault: { widthPx: 240 },
  failure: { widthPx: 200 },
};
const pullActs: Acts<PartnerPull> = { pull: pullAct() };

function Views({ view }: { view: View }) {
  const views = [
    { value: 'pulled', label: 'told.pulled' },
    { value: 'exposed', label: 'told.exposed' },
    { value: 'syncs', label: 'told.syncs' },
  ] as const;
  return <ViewSwitch<View> label="told.view" view={view} views={views} keeps={['partnerId']} />;
}

/** Sites of partners, ours as partners see them, and what each sync changed; /stationList. */
export default function PartnerSiteListPage() {
  const [search] = useSearchParams();
  const refresh = useRefresh();
  useConsoleEvents('partner-pull-changed', () => {
    void refresh(listPartnerPulls);
    void refresh(listPulledSites);
  });
  const given = Number(search.get('partnerId'));
  switch (search.get('view')) {
    case 'exposed':
      return (
        <ListPage
          list={listExposedSites}
          title="menu.stationList"
          filters={exposedFilters}
          look={exposedLook}
          tools={<Views view="exposed" />}
          before={() => <Banner>{phrase('told.exposedBanner')}</Banner>}
          empty={{ title: 'told.exposedEmpty', text: 'told.exposedEmptyText' }}
        />
      );
    case 'syncs':
      return (
        <ListPage
          list={listPartnerPulls}
          title="menu.stationList"
          record="pulls.one"
          filters={pullFilters}
          look={pullLook}
          acts={pullActs}
          details={(pull) => <PullChanges pull={pull} />}
          tools={<Views view="syncs" />}
          empty={{ title: 'pulls.empty', text: 'pulls.emptyText' }}
        />
      );
    default:
      return (
        <ListPage
          list={listPulledSites}
          title="menu.stationList"
          filters={pulledFilters}
          look={pulledLook}
          acts={pulledActs}
          tools={<Views view="pulled" />}
          before={() => (
            <Banner>
              <span>{phrase('told.pulledBanner')}</span>
              <LastPull partnerId={given > 0 ? (given as PartnerId) : undefined} />
            </Banner>
          )}
          empty={{ title: 'told.siteEmpty', text: 'told.siteEmptyText' }}
        />
      );
  }
}
