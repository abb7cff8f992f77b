import {
  type Divider,
  type DividerTerm,
  deleteDividerTerms,
  getDividedPlace,
  getDivider,
  listDividers,
  listDividerTerms,
} from '@voltdeck/contract/dividers';
import type { DividerId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { SettledHow } from '../settlements/SettledHow.tsx';
import { changingTerms } from '../settlements/terms-act.tsx';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { asking } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps } from '../ui/list-page.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { dividerTermTones, enabledTone } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { DividedHere } from './DividedHere.tsx';
import { actsOfPage } from './divider-acts.tsx';
import styles from './dividers.module.css';
import type { BatchOutcome } from './TermsAtSitesForm.tsx';
import { placeOf, placeText } from './term-fields.tsx';
import { overlaysOf, useDividerButtons } from './use-divider-buttons.ts';

/** Lazy: most visits never open them. */
const AddTermsForm = lazyPart(() => import('./AddTermsForm.tsx'));
const BatchResult = lazyPart(() => import('./BatchResult.tsx'));
const EndTermsForm = lazyPart(() => import('./EndTermsForm.tsx'));
const FollowTermsForm = lazyPart(() => import('./FollowTermsForm.tsx'));
const TermsAtSitesForm = lazyPart(() => import('./TermsAtSitesForm.tsx'));

/** One divider: its money, its terms with who else shares there, and what can be done; /accountChildren/detail?id=. */
export default function DividerPage() {
  const id = useRecordId<DividerId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('dividers.noSuch')}
        action={
          <ScreenLink screen="accountChildren">
            {phrase('shell.backToList', { list: phrase('dividers.title') })}
          </ScreenLink>
        }
      />
    );
  }
  return <DividerOf key={id} id={id} />;
}

const look: ListPageProps<typeof listDividerTerms>['look'] = {
  place: { widthPx: 208, isPinned: true, text: placeText },
  electricityPercent: { widthPx: 96, isKeyFact: true },
  servicePercent: { widthPx: 96, isKeyFact: true },
  occupancyPercent: { widthPx: 96 },
  state: { widthPx: 112, tone: ({ state }) => dividerTermTones[state], isKeyFact: true },
  from: { widthPx: 168, isExact: true },
  to: { widthPx: 168, isExact: true },
  siteName: {
    isHidden: true,
    link: ({ siteId }) => (siteId === null ? null : place('plotDetail', { id: siteId })),
  },
  stationName: { isHidden: true },
  stationNumber: { isHidden: true },
  createdAt: { isHidden: true },
  endedAt: { isHidden: true },
};

const columns = [
  'place',
  'electricityPercent',
  'servicePercent',
  'occupancyPercent',
  'state',
  'from',
  'to',
  'createdBy',
  'createdAt',
  'endedBy',
  'endedAt',
  'siteName',
  'stationName',
  'stationNumber',
] as const;

function termActs(divider: Divider): Acts<DividerTerm> {
  return {
    addTerms: {
      on: 'list',
      label: 'dividers.addTerms',
      may: 'divider.terms',
      overlay: ({ open, close, tell }) => <AddTermsForm divider={divider} open={open} onClose={close} onSaved={tell} />,
    },
    addTermsAtSites: {
      on: 'list',
      label: 'dividers.addTermsAtSites',
      may: 'divider.terms',
      overlay: ({ open, close, show }) => (
        <TermsAtSitesForm
          divider={divider}
          open={open}
          onClose={close}
          onSaved={(outcome) => show('batchResult', [], outcome)}
        />
      ),
    },
    batchResult: {
      on: 'list',
      label: 'dividers.batchResult',
      may: 'divider.terms',
      isQuiet: true,
      overlay: ({ open, close, carried }) =>
        carried === null || carried === undefined ? null : (
          <BatchResult outcome={carried as BatchOutcome} open={open} onClose={close} />
        ),
    },
    follow: {
      on: 'row',
      label: 'dividers.follow',
      may: 'divider.terms',
      isFor: ({ state }) => state === 'in_force',
      overlay: (terms, { open, close, tell }) => (
        <FollowTermsForm terms={terms} open={open} onClose={close} onSaved={tell} />
      ),
    },
    end: {
      on: 'row',
      label: 'dividers.end',
      may: 'divider.terms',
      danger: true,
      isFor: ({ state }) => state === 'in_force',
      overlay: (terms, { open, close, tell }) => (
        <EndTermsForm terms={terms} open={open} onClose={close} onSaved={tell} />
      ),
    },
    takeBack: asking<DividerTerm>({
      label: 'dividers.takeBack',
      may: 'divider.terms',
      danger: true,
      isFor: ({ state }) => state === 'to_come',
      question: () => phrase('dividers.takeBackQuestion'),
      details: 'dividers.takeBackDetails',
      act: ({ id }, idempotencyKey) => call(deleteDividerTerms, { params: { id }, idempotencyKey }),
      told: () => phrase('dividers.takenBack'),
      changes: [getDivider, listDividers, getDividedPlace],
    }),
  };
}

function DividerOf({ id }: { id: DividerId }) {
  const answer = useAnswer(getDivider, { params: { id } });
  const go = useGo();
  useTabTitle(answer.data?.name);
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 8 }} />;
  if (answer.data === undefined) {
    const absent = {
      title: phrase('dividers.noSuch'),
      list: 'accountChildren',
      listName: phrase('dividers.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const divider = answer.data;
  const own: Acts<Divider> = {
    ...actsOfPage(() => go('accountChildren')),
    settlement: changingTerms(({ name }) => ({ agentId: null, dividerId: id, partyName: name })),
  };
  return (
    <ListPage
      list={listDividerTerms}
      name="divider-terms-of-one"
      title="dividers.terms"
      nameOf={placeText}
      isPart
      fixed={{ dividerId: id }}
      filters={{ state: {}, siteId: { title: 'dividers.site' }, stationId: { title: 'dividers.station' } }}
      columns={columns}
      hasGroups
      look={look}
      acts={{ ...termActs(divider), ...overlaysOf<DividerTerm>(own, divider) }}
      before={(show, rows) => (
        <DividerHead divider={divider} own={own} show={show} terms={rows?.find(({ state }) => state === 'in_force')} />
      )}
      details={(terms) => <DividedHere dividerId={id} {...placeOf(terms)} />}
      empty={{ title: 'dividers.noTerms', text: 'dividers.emptyText' }}
    />
  );
}

type HeadProps = {
  divider: Divider;
  own: Acts<Divider>;
  show: (name: string) => void;
  /** The first of its terms in force. */
  terms: DividerTerm | undefined;
};

/** Who it is, what it got, and what can be done. */
function DividerHead({ divider, own, show, terms }: HeadProps) {
  const acts = useDividerButtons(own, divider, show);
  useOfferedActs(acts.map((act) => ({ ...act, key: `divider.${act.key}` })));
  const { name, enabled, agentId, agentName, phone, loginName, lastLoginAt, enteredOn, remark } = divider;
  const { payoutHolder, payoutBank, payoutNumber } = divider;
  const figures = [
    { label: 'dividers.incomeSoFar', value: divider.incomeFen, note: null },
    { label: 'dividers.unpaid', value: divider.unpaidFen, note: phrase('dividers.unpaidHint') },
    { label: 'dividers.balance', value: divider.balanceFen, note: phrase('dividers.balanceHint') },
  ] as const;
  return (
    <div className={styles.page}>
      <section className={styles.head} aria-label={phrase('dividers.glance')}>
        <div className={styles.headLine}>
          <h1 className={styles.name}>{name}</h1>
          <StateTag tone={enabledTone(enabled)}>
            {phrase(enabled ? 'station-state.enabled' : 'station-state.disabled')}
          </StateTag>
          <div className={styles.acts}>
            {acts.map(({ key, label, danger, because, onClick }) => (
              <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
                {label}
              </DisabledReason>
            ))}
          </div>
        </div>
        <p className={styles.brief}>
          <span>
            {phrase('dividers.holder')}{' '}
            {agentId === null ? (
              phrase('list.ofPlatform')
            ) : (
              <ScreenLink screen="childrenAccount" query={{ id: agentId }}>
                {agentName}
              </ScreenLink>
            )}
          </span>
          <SettledHow party={{ dividerId: divider.id }} />
          {phone === null ? null : <CopyNumber value={phone} />}
          <span>
            {phrase('dividers.enteredOn')} {enteredOn}
          </span>
          <span>
            {phrase('dividers.loginName')} {loginName ?? phrase('dividers.noAccount')}
          </span>
          {loginName === null ? null : (
            <span>
              {phrase('dividers.lastLogin')}{' '}
              {lastLoginAt === null ? phrase('dividers.neverSignedIn') : <Instant at={lastLoginAt} />}
            </span>
          )}
          {payoutBank === null || payoutNumber === null ? (
            <span>{phrase('dividers.noPayout')}</span>
          ) : (
            <span>
              {phrase('dividers.payoutPart')} {payoutHolder} {payoutBank} {payoutNumber}
            </span>
          )}
          {remark === '' ? null : <span>{remark}</span>}
        </p>
        {enabled ? null : (
          <p className={styles.warning} role="status">
            {phrase('dividers.isDisabled')}
          </p>
        )}
      </section>
      <Panel title={phrase('dividers.figures')}>
        <dl className={styles.figures}>
          {figures.map(({ label, value, note }) => (
            <div key={label}>
              <dt>{phrase(label)}</dt>
              <dd className="figure">
                {moneyText(value)}
                {note === null ? null : <small>{note}</small>}
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
      {terms === undefined ? null : (
        <Panel title={phrase('dividers.divided')} note={placeText(terms)}>
          <DividedHere dividerId={divider.id} {...placeOf(terms)} />
          <p className={styles.brief}>
            {phrase('dividers.termsNote', { holder: agentName ?? phrase('dividers.platform') })}
          </p>
        </Panel>
      )}
    </div>
  );
}
