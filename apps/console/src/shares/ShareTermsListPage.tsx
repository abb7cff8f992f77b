import { EditOutlined } from '@ant-design/icons';
import {
  clearShareTerms,
  getDefaultShareTerms,
  listShareTerms,
  type SiteShareTerms,
} from '@voltdeck/contract/share-terms';
import { Skeleton } from 'antd';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, nothingText, percentText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking, askingMany } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import type { ShareTermsForm } from './share-term-fields.tsx';
import styles from './share-terms.module.css';

/** Lazy: most visits to the list never open them. */
const SiteTermsForm = lazyPart(() => import('./SiteTermsForm.tsx'));
const DefaultTermsForm = lazyPart(() => import('./DefaultTermsForm.tsx'));

const filters: Filters<typeof listShareTerms> = {
  siteName: {},
  agentId: { title: 'shareTerms.agent', may: seesAgents },
  region: { title: 'shareTerms.region' },
  configured: {},
};

const look: ListPageProps<typeof listShareTerms>['look'] = {
  siteName: { widthPx: 200, isPinned: true, link: ({ id }) => place('plotDetail', { id }) },
  agentName: {
    widthPx: 160,
    link: ({ agentId }) => (agentId === null ? null : place('childrenAccount', { id: agentId })),
  },
  configured: {
    widthPx: 120,
    render: ({ configured }) =>
      configured ? (
        <StateTag tone="charging">{phrase('shareTerms.isConfigured')}</StateTag>
      ) : (
        phrase('shareTerms.hasDefault')
      ),
  },
  channelFeePercent: { widthPx: 104, isKeyFact: true },
  electricityPercent: { widthPx: 96, isKeyFact: true },
  servicePercent: { widthPx: 96, isKeyFact: true },
  occupancyPercent: { widthPx: 96 },
};

const acts: Acts<SiteShareTerms> = {
  setDefault: {
    on: 'list',
    label: 'shareTerms.setDefault',
    may: 'share_terms.edit',
    icon: <EditOutlined />,
    overlay: ({ open, close, tell }) => <PresentDefault open={open} onClose={close} onSaved={tell} />,
  },
  set: {
    on: 'row',
    label: 'shareTerms.set',
    may: 'share_terms.edit',
    overlay: (site, { open, close, tell }) => (
      <SiteTermsForm sites={[site]} open={open} onClose={close} onSaved={tell} />
    ),
  },
  clear: asking<SiteShareTerms>({
    label: 'shareTerms.clear',
    may: 'share_terms.edit',
    isFor: ({ configured }) => configured,
    question: ({ siteName: name }) => phrase('shareTerms.clearQuestion', { name }),
    details: 'shareTerms.clearDetails',
    act: ({ id }, idempotencyKey) => call(clearShareTerms, { body: { siteIds: [id] }, idempotencyKey }),
    told: () => phrase('shareTerms.cleared'),
    changes: [getDefaultShareTerms],
  }),
  setMany: {
    on: 'rows',
    label: 'shareTerms.setMany',
    may: 'share_terms.edit',
    overlay: (sites, { open, close, tell, done }) => (
      <SiteTermsForm
        sites={sites}
        open={open}
        onClose={close}
        onSaved={(told) => {
          done();
          tell(told);
        }}
      />
    ),
  },
  clearMany: askingMany<SiteShareTerms>({
    label: 'shareTerms.clear',
    may: 'share_terms.edit',
    question: (sites) => phrase('shareTerms.clearManyQuestion', { count: countText(sites.length) }),
    details: () => phrase('shareTerms.clearDetails'),
    act: async (sites, idempotencyKey) => {
      await call(clearShareTerms, { body: { siteIds: sites.map(({ id }) => id) }, idempotencyKey });
      return phrase('shareTerms.cleared');
    },
    changes: [getDefaultShareTerms],
  }),
};

function PresentDefault(over: ShareTermsForm) {
  const { data } = useAnswer(getDefaultShareTerms, {});
  return data === undefined ? null : <DefaultTermsForm present={data} {...over} />;
}

/** What the platform keeps at sites without terms of their own. */
function DefaultPanel() {
  const answer = useAnswer(getDefaultShareTerms, {});
  return (
    <div className={styles.default}>
      <Panel title={phrase('shareTerms.default')}>
        {answer.isPending ? (
          <Skeleton active paragraph={{ rows: 1 }} />
        ) : answer.data === undefined ? (
          <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
        ) : (
          <DefaultFigures terms={answer.data} />
        )}
      </Panel>
    </div>
  );
}

function DefaultFigures({
  terms,
}: {
  terms: NonNullable<ReturnType<typeof useAnswer<typeof getDefaultShareTerms>>['data']>;
}) {
  const figures = [
    ['shareTerms.channelFee', terms.channelFeePercent],
    ['shareTerms.electricity', terms.electricityPercent],
    ['shareTerms.service', terms.servicePercent],
    ['shareTerms.occupancy', terms.occupancyPercent],
  ] as const;
  return (
    <>
      <dl className={styles.figures}>
        {figures.map(([label, percent]) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd className="figure">{terms.configured ? percentText(percent) : nothingText}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {terms.configured
          ? phrase('shareTerms.defaultNote', {
              count: countText(terms.sites - terms.configuredSites),
              configured: countText(terms.configuredSites),
            })
          : phrase('shareTerms.notSet')}
        {terms.changedAt === null || terms.changedBy === null
          ? null
          : ` · ${phrase('shareTerms.changed', { user: terms.changedBy, at: isoDateTime(terms.changedAt) ?? '' })}`}
      </p>
    </>
  );
}

/** What the platform keeps first: the default and the terms of each site; /shareTerms. */
export default function ShareTermsListPage() {
  return (
    <ListPage
      list={listShareTerms}
      title="shareTerms.title"
      nameOf={({ siteName }) => siteName}
      filters={filters}
      look={look}
      acts={acts}
      hasGroups
      before={() => <DefaultPanel />}
      empty={{ title: 'shareTerms.empty', text: 'shareTerms.emptyText' }}
    />
  );
}
