import { type Agent, type AgentDetail, getAgent, listAgents } from '@voltdeck/contract/agents';
import type { AgentId } from '@voltdeck/units/id';
import { Segmented, Skeleton } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { SettledHow } from '../settlements/SettledHow.tsx';
import { changingTerms } from '../settlements/terms-act.tsx';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, nothingText, percentText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { agentTones } from '../ui/state-colours.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { useAddress } from '../ui/use-address.ts';
import { AgentDividers } from './AgentDividers.tsx';
import { AgentIncome } from './AgentIncome.tsx';
import { AgentStaff } from './AgentStaff.tsx';
import { AgentStations } from './AgentStations.tsx';
import { AgentSubordinates } from './AgentSubordinates.tsx';
import { actsOfPage } from './agent-acts.tsx';
import styles from './agents.module.css';

const PictureViewer = lazyPart(() => import('../ui/PictureViewer.tsx'));

/** One agent: what it has and earns, who it is, its staff, stations and agents below; /childrenAccount?id=. */
export default function AgentPage() {
  const id = useRecordId<AgentId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('agents.noSuch')}
        action={
          <ScreenLink screen="operatorList">{phrase('shell.backToList', { list: phrase('agents.title') })}</ScreenLink>
        }
      />
    );
  }
  return <AgentOf key={id} id={id} />;
}

function AgentOf({ id }: { id: AgentId }) {
  const answer = useAnswer(getAgent, { params: { id } });
  useTabTitle(answer.data?.realName);
  const go = useGo();
  const { actsOf, overlay } = useActs<Agent>(
    {
      ...actsOfPage(() => go('operatorList')),
      settlement: changingTerms(({ id, realName }) => ({ agentId: id, dividerId: null, partyName: realName })),
    },
    answer.data === undefined ? undefined : [answer.data],
    {
      list: listAgents,
      one: getAgent,
    },
  );
  const acts = answer.data === undefined ? [] : actsOf(answer.data);
  useOfferedActs(acts.map((act) => ({ ...act, key: `agent.${act.key}` })));
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 8 }} className={styles.page ?? ''} />;
  if (answer.data === undefined) {
    const absent = { title: phrase('agents.noSuch'), list: 'operatorList', listName: phrase('agents.title') } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const agent = answer.data;
  return (
    <div className={styles.page}>
      <Head agent={agent} acts={acts} />
      <Figures agent={agent} />
      <Facts agent={agent} />
      <Records id={id} />
      {overlay}
    </div>
  );
}

type RowActs = ReturnType<ReturnType<typeof useActs<Agent>>['actsOf']>;

/** Who it is, whether its people can sign in, and what can be done. */
function Head({ agent, acts }: { agent: AgentDetail; acts: RowActs }) {
  const { id, realName, state, kind, frozenReason, parentId, parentName, createdAt, lastLoginAt } = agent;
  return (
    <section className={styles.head} aria-label={phrase('agents.glance')}>
      <div className={styles.headLine}>
        <h1 className={styles.name}>{realName}</h1>
        <StateTag tone={agentTones[state]}>{phrase(`agent-state.${state}`)}</StateTag>
        <div className={styles.acts}>
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.brief}>
        <span>{phrase(`agent-kind.${kind}`)}</span>
        {parentId === null ? null : (
          <span>
            {phrase('agents.parent')}{' '}
            <ScreenLink screen="childrenAccount" query={{ id: parentId }}>
              {parentName}
            </ScreenLink>
          </span>
        )}
        <SettledHow party={{ agentId: id }} />
        <span>
          {phrase('agents.lastLogin')}{' '}
          {lastLoginAt === null ? phrase('agents.neverSignedIn') : <Instant at={lastLoginAt} />}
        </span>
        <span>
          {phrase('agents.createdAt')} <Instant at={createdAt} />
        </span>
      </p>
      {state === 'frozen' ? (
        <p className={styles.warning} role="status">
          {phrase('agents.isFrozen', { reason: frozenReason === '' ? nothingText : frozenReason })}
        </p>
      ) : null}
    </section>
  );
}

/** What the agent has and what happened there. */
function Figures({ agent }: { agent: AgentDetail }) {
  const figures = [
    { label: 'agents.share', value: percentText(agent.sharePercent), note: phrase('agents.shareHint') },
    { label: 'agents.stations', value: countText(agent.stationCount), note: null },
    { label: 'agents.sites', value: countText(agent.siteCount), note: null },
    { label: 'agents.ports', value: countText(agent.portCount), note: null },
    { label: 'agents.uses', value: countText(agent.useCount), note: phrase('agents.usesHint') },
    { label: 'agents.amount', value: moneyText(agent.amountFen), note: phrase('agents.amountHint') },
    { label: 'agents.income', value: moneyText(agent.incomeFen), note: phrase('agents.incomeHint') },
    { label: 'agents.unpaid', value: moneyText(agent.unpaidFen), note: phrase('agents.unpaidHint') },
    { label: 'agents.balance', value: moneyText(agent.balanceFen), note: phrase('agents.balanceHint') },
    {
      label: 'agents.frozenMoney',
      value: moneyText(agent.frozenFen),
      note: phrase('agents.openWithdrawals', { count: countText(agent.openWithdrawals) }),
    },
    { label: 'agents.prepaid', value: moneyText(agent.prepaidFen), note: phrase('agents.prepaidHint') },
    { label: 'agents.staff', value: countText(agent.staff), note: phrase('agents.staffOf') },
  ] as const;
  return (
    <Panel title={phrase('agents.figures')}>
      <dl className={styles.figures}>
        {figures.map(({ label, value, note }) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd className="figure">
              {value}
              {note === null ? null : <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Who it is and where it is paid. */
function Facts({ agent }: { agent: AgentDetail }) {
  const { loginName, phone, creditCode, payoutKind, payoutNumber } = agent;
  const numberOf = (value: string | null) => (value === null ? nothingText : <CopyNumber value={value} />);
  const textOf = (value: string | null) => (value === null || value === '' ? nothingText : value);
  const facts: readonly (readonly [label: Parameters<typeof phrase>[0], value: ReactNode])[] = [
    ['agents.loginName', numberOf(loginName)],
    ['agents.phone', numberOf(phone)],
    ['agents.position', textOf(agent.positionName)],
    [
      'agents.initialPassword',
      agent.passwordIsInitial === null
        ? nothingText
        : phrase(agent.passwordIsInitial ? 'agents.passwordInitial' : 'agents.passwordChanged'),
    ],
    ['agents.contact', textOf(agent.contact)],
    ['agents.address', textOf(agent.address)],
    ['agents.creditCode', numberOf(creditCode)],
    ['agents.subscribedOn', textOf(agent.subscribedOn)],
    ['agents.payoutKind', payoutKind === null ? phrase('agents.noPayout') : phrase(`payout-kind.${payoutKind}`)],
    ...(payoutKind === null
      ? []
      : ([
          ['agents.payoutHolder', textOf(agent.payoutHolder)],
          ['agents.payoutBank', textOf(agent.payoutBank)],
          ['agents.payoutBranch', textOf(agent.payoutBranch)],
          ['agents.payoutBankCode', textOf(agent.payoutBankCode)],
          ['agents.payoutNumber', numberOf(payoutNumber)],
        ] as const)),
    ['agents.licence', <Licence key="licence" agent={agent} />],
  ];
  return (
    <Panel title={phrase('agents.facts')}>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Licence({ agent: { licenceUrl, realName } }: { agent: AgentDetail }) {
  const [isOpen, setOpen] = useState(false);
  if (licenceUrl === null) return nothingText;
  const name = `${phrase('agents.licence')} ${realName}`;
  return (
    <>
      <Thumbnail address={licenceUrl} name={name} onOpen={() => setOpen(true)} />
      {isOpen ? (
        <Suspense>
          <PictureViewer pictures={[{ address: licenceUrl, name }]} open onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The records of the agent, one kind at a time; the choice is in the address. */
function Records({ id }: { id: AgentId }) {
  const can = useCan();
  const [search, setSearch] = useAddress();
  const tabs = [
    ...(can('user.read') ? [{ value: 'staff', label: phrase('agents.staff') }] : []),
    ...(can('station.read') ? [{ value: 'stations', label: phrase('agents.showStations') }] : []),
    ...(can('divider.read') ? [{ value: 'dividers', label: phrase('agents.dividers') }] : []),
    { value: 'subordinates', label: phrase('agents.subordinates') },
    { value: 'income', label: phrase('agents.dailyIncome') },
  ];
  const [first] = tabs;
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? first?.value;
  return (
    <>
      <div>
        <Segmented
          aria-label={phrase('agents.tabs')}
          value={tab ?? ''}
          options={tabs}
          onChange={(chosen) =>
            setSearch(
              (current) => {
                const next = new URLSearchParams(current);
                if (chosen === first?.value) next.delete('tab');
                else next.set('tab', chosen);
                return next;
              },
              { replace: true },
            )
          }
        />
      </div>
      {tab === 'staff' ? <AgentStaff id={id} /> : null}
      {tab === 'stations' ? <AgentStations id={id} /> : null}
      {tab === 'dividers' ? <AgentDividers id={id} /> : null}
      {tab === 'subordinates' ? <AgentSubordinates id={id} /> : null}
      {tab === 'income' ? <AgentIncome id={id} /> : null}
    </>
  );
}
