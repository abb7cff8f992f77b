import { type Divider, getDivider, listDividers } from '@voltdeck/contract/dividers';
import { idParameter } from '@voltdeck/contract/fields';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { enabledTone } from '../ui/state-colours.ts';
import { actsOfPage } from './divider-acts.tsx';

/** Lazy: most visits to a list never open it. */
const DividerFormDrawer = lazyPart(() => import('./DividerFormDrawer.tsx'));

const filters: Filters<typeof listDividers> = {
  name: {},
  phone: {},
  agentId: { title: 'dividers.holder', may: seesAgents },
  siteId: { title: 'dividers.site' },
  stationId: { title: 'dividers.station' },
  enabled: {},
  from: { title: 'dividers.enteredOn' },
};

const look: ListPageProps<typeof listDividers>['look'] = {
  name: { widthPx: 168, isPinned: true, link: ({ id }) => place('dividerDetail', { id }) },
  agentName: {
    widthPx: 148,
    link: ({ agentId }) => (agentId === null ? null : place('childrenAccount', { id: agentId })),
  },
  phone: { widthPx: 136 },
  enabled: { widthPx: 104, tone: ({ enabled }) => enabledTone(enabled) },
  electricityRates: { widthPx: 96, isKeyFact: true, isFigure: true },
  serviceRates: { widthPx: 96, isKeyFact: true, isFigure: true },
  occupancyRates: { widthPx: 96, isFigure: true },
  termsInForce: { widthPx: 88 },
  termsToCome: { isHidden: true },
  incomeFen: {
    widthPx: 120,
    isKeyFact: true,
    link: ({ id: dividerId }) => place('dividerIncome', { dividerId }),
  },
  unpaidFen: { widthPx: 112 },
  balanceFen: { widthPx: 112 },
  passwordIsInitial: { isHidden: true },
  lastLoginAt: { isHidden: true },
  remark: { isHidden: true },
  createdBy: { isHidden: true },
  createdAt: { isHidden: true },
};

const taking: Taking<'accountChildren', 'add'> = { agentId: idParameter<'agent'>() };

const acts: Acts<Divider> = {
  add: {
    on: 'list',
    label: 'dividers.add',
    may: 'divider.edit',
    overlay: ({ open, close, show, tell, given }) => (
      <DividerFormDrawer
        divider={null}
        {...givenValues(taking, given)}
        open={open}
        onClose={close}
        onSaved={(divider, password) => {
          tell(phrase('dividers.saved', { name: divider.name }));
          if (password !== null) show('password', [divider], { loginName: divider.loginName, password });
        }}
      />
    ),
  },
  ...actsOfPage(),
};

/** Dividers with their rates and what they got; /accountChildren. */
export default function DividerListPage() {
  return (
    <ListPage
      list={listDividers}
      title="dividers.title"
      record="dividers.divider"
      nameOf={({ name }) => name}
      filters={filters}
      look={look}
      acts={acts}
      hasGroups
      one={getDivider}
      tools={<ScreenLink screen="shareTermsList">{phrase('dividers.commission')}</ScreenLink>}
      empty={{ title: 'dividers.empty', text: 'dividers.emptyText' }}
    />
  );
}
