import { getSite, listSites, type Site } from '@voltdeck/contract/sites';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { siteActs } from './site-acts.ts';
import { siteStateTones } from './site-words.ts';

/** Lazy: most visits to a list never open them. */
const SiteFormDrawer = lazyPart(() => import('./SiteFormDrawer.tsx'));
const PictureViewer = lazyPart(() => import('../ui/PictureViewer.tsx'));

const filters: Filters<typeof listSites> = {
  name: {},
  regionCode: { title: 'sites.region' },
  state: {},
  agentId: { title: 'sites.agent', may: seesAgents },
  parkingFee: {},
  invoiceAvailable: {},
  opened: {},
  kind: {},
};

const look: ListPageProps<typeof listSites>['look'] = {
  name: { widthPx: 220, isPinned: true, link: ({ id }) => place('plotDetail', { id }) },
  state: { tone: ({ state }) => siteStateTones[state], widthPx: 168 },
  cover: {
    widthPx: 80,
    render: ({ pictures: [cover] }, begin) =>
      cover === undefined ? null : <Thumbnail address={cover.url} name={cover.name} onOpen={() => begin('pictures')} />,
  },
  region: { widthPx: 220 },
  province: { isHidden: true },
  city: { isHidden: true },
  county: { isHidden: true },
  regionCode: { isHidden: true },
  address: { widthPx: 240 },
  longitude: { isHidden: true },
  latitude: { isHidden: true },
  connectors: { isKeyFact: true, render: ({ id, connectors }) => <PortTally tally={connectors} of={{ siteId: id }} /> },
  parkingInfo: { isHidden: true },
  opened: { tone: ({ opened }) => enabledTone(opened) },
  facilities: { isHidden: true },
  openAllDay: { isHidden: true },
  openingHours: { isHidden: true },
  sitePhone: { isHidden: true },
  servicePhone: { isHidden: true },
  bayCount: { isHidden: true },
  kind: { isHidden: true },
  place: { isHidden: true },
  level: { isHidden: true },
  capacityKva: { isHidden: true },
  powerCapacityKw: { isHidden: true },
  gridAccount: { isHidden: true },
  createdByName: { isHidden: true },
  changedAt: { isHidden: true },
  changedByName: { isHidden: true },
};

const savedText = ({ name }: Site) => phrase('sites.saved', { name });

function formOf(site: Site | null, over: OverlayProps<Site>) {
  return <SiteFormDrawer site={site} {...formIn(over, savedText)} />;
}

const acts: Acts<Site> = {
  add: { on: 'list', label: 'sites.add', may: 'site.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'sites.edit', may: 'site.edit', overlay: formOf },
  stations: { on: 'row', label: 'sites.toStations', leads: ({ id }) => place('deviceList', { siteId: id }) },
  pictures: {
    on: 'row',
    label: 'sites.pictures',
    isQuiet: true,
    overlay: ({ pictures }, { open, close }) => (
      <PictureViewer
        pictures={pictures.map(({ url, name, slot }) => ({
          address: url,
          name: phrase('sites.picture', { slot: phrase(`picture-slot.${slot}`), name }),
        }))}
        open={open}
        onClose={close}
      />
    ),
  },
  audit: auditOf('site'),
  ...siteActs<Site>(),
};

/** Sites: add, edit, open to operators, delete; /plotList. */
export default function SiteListPage() {
  return (
    <ListPage
      list={listSites}
      title="sites.title"
      record="sites.site"
      filters={filters}
      look={look}
      acts={acts}
      one={getSite}
      empty={{ title: 'sites.empty', text: 'sites.emptyText' }}
    />
  );
}
