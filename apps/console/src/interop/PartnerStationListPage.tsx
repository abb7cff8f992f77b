import { listExposedStations } from '@voltdeck/contract/exposed-sites';
import { listPulledStations } from '@voltdeck/contract/pulled-sites';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { Banner } from './Banner.tsx';
import { SourceSwitch } from './SourceSwitch.tsx';
import { toldStationLook } from './told-look.tsx';

const stationFilters = { partnerId: { title: 'interop.partner' }, code: {}, siteCode: {} } as const;
const pulledFilters: Filters<typeof listPulledStations> = { ...stationFilters, missing: { title: 'told.missing' } };

const pulledLook: ListPageProps<typeof listPulledStations>['look'] = {
  ...toldStationLook,
  siteCode: { widthPx: 150, link: ({ siteCode, partnerId }) => place('stationList', { code: siteCode, partnerId }) },
  portCount: {
    isKeyFact: true,
    link: ({ code, siteCode, partnerId }) => place('connectorList', { stationCode: code, siteCode, partnerId }),
  },
  partnerName: { widthPx: 160, link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }) },
  addedAt: { isHidden: true },
};
const exposedLook: ListPageProps<typeof listExposedStations>['look'] = {
  ...toldStationLook,
  siteCode: { widthPx: 150, link: ({ siteCode }) => place('stationList', { view: 'exposed', code: siteCode }) },
  portCount: {
    isKeyFact: true,
    link: ({ code }) => place('connectorList', { view: 'exposed', stationCode: code }),
  },
};

/** Stations of partners, and ours as partners see them; /equipmentList. */
export default function PartnerStationListPage() {
  const [search] = useSearchParams();
  if (search.get('view') === 'exposed') {
    return (
      <ListPage
        list={listExposedStations}
        title="menu.equipmentList"
        filters={stationFilters}
        look={exposedLook}
        tools={<SourceSwitch view="exposed" />}
        before={() => <Banner>{phrase('told.exposedBanner')}</Banner>}
        empty={{ title: 'told.exposedEmpty', text: 'told.exposedEmptyText' }}
      />
    );
  }
  return (
    <ListPage
      list={listPulledStations}
      title="menu.equipmentList"
      filters={pulledFilters}
      look={pulledLook}
      tools={<SourceSwitch view="pulled" />}
      before={() => <Banner>{phrase('told.pulledBanner')}</Banner>}
      empty={{ title: 'told.stationEmpty', text: 'told.stationEmptyText' }}
    />
  );
}
