import { listExposedPorts } from '@voltdeck/contract/exposed-sites';
import { listPulledPorts } from '@voltdeck/contract/pulled-sites';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { Banner } from './Banner.tsx';
import { SourceSwitch } from './SourceSwitch.tsx';
import { toldPortLook } from './told-look.tsx';

const portFilters = {
  partnerId: { title: 'interop.partner' },
  code: {},
  stationCode: {},
  siteCode: {},
  state: {},
  kind: {},
} as const;
const pulledFilters: Filters<typeof listPulledPorts> = { ...portFilters, missing: { title: 'told.missing' } };

const pulledLook: ListPageProps<typeof listPulledPorts>['look'] = {
  ...toldPortLook,
  stationCode: {
    link: ({ stationCode, siteCode, partnerId }) => place('equipmentList', { code: stationCode, siteCode, partnerId }),
  },
  siteCode: { widthPx: 150, link: ({ siteCode, partnerId }) => place('stationList', { code: siteCode, partnerId }) },
  partnerName: { widthPx: 160, link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }) },
  addedAt: { isHidden: true },
};
const exposedLook: ListPageProps<typeof listExposedPorts>['look'] = {
  ...toldPortLook,
  stationCode: { link: ({ stationCode }) => place('equipmentList', { view: 'exposed', code: stationCode }) },
  siteCode: { widthPx: 150, link: ({ siteCode }) => place('stationList', { view: 'exposed', code: siteCode }) },
};

/** Gun ports of partners with what they are doing, and ours as partners see them; /connectorList. */
export default function PartnerPortListPage() {
  const [search] = useSearchParams();
  if (search.get('view') === 'exposed') {
    return (
      <ListPage
        list={listExposedPorts}
        title="menu.connectorList"
        filters={portFilters}
        look={exposedLook}
        tools={<SourceSwitch view="exposed" />}
        before={() => <Banner>{phrase('told.exposedBanner')}</Banner>}
        empty={{ title: 'told.exposedEmpty', text: 'told.exposedEmptyText' }}
      />
    );
  }
  return (
    <ListPage
      list={listPulledPorts}
      title="menu.connectorList"
      filters={pulledFilters}
      look={pulledLook}
      tools={<SourceSwitch view="pulled" />}
      before={() => <Banner>{phrase('told.pulledBanner')}</Banner>}
      empty={{ title: 'told.portEmpty', text: 'told.portEmptyText' }}
    />
  );
}
