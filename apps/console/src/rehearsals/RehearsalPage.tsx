import {
  getRehearsal,
  listRehearsalFigures,
  type Rehearsal,
  type RehearsalFigureKind,
  type RehearsalResult,
  rehearsalFigureKinds,
} from '@voltdeck/contract/rehearsals';
import { getTask, listTasks, type Task, type TaskDetail } from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import { Alert, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { usePaced } from '../api/paced.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { PeriodChip } from '../orders/PeriodChip.tsx';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useRecordId } from '../session/use-record-id.ts';
import { taskActs } from '../tasks/task-acts.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Energy } from '../ui/Energy.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import type { ListPageProps } from '../ui/list-page.ts';
import { Money } from '../ui/Money.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { TaskProgress } from '../ui/tasks/TaskProgress.tsx';
import { taskFailureText } from '../ui/tasks/task-failure.ts';
import { useTaskChanges } from '../ui/tasks/use-task-changes.ts';
import { differenceText } from './difference.ts';
import styles from './rehearsals.module.css';

const askGapMs = 1_500;

/** What past charges would have cost by another rule; /rules/rehearsal?id=. */
export default function RehearsalPage() {
  const id = useRecordId<TaskId>();
  if (id === null) return <NoRehearsal />;
  return <RehearsalOf key={id} id={id} />;
}

function NoRehearsal() {
  return (
    <EmptyState
      title={phrase('rehearsals.notFound')}
      text={phrase('rehearsals.notFoundText')}
      action={<ScreenLink screen="rulesList">{phrase('rehearsals.toRules')}</ScreenLink>}
    />
  );
}

function RehearsalOf({ id }: { id: TaskId }) {
  const task = useAnswer(getTask, { params: { id } });
  const rehearsal = useAnswer(getRehearsal, { params: { id } });
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(getTask, getRehearsal, listRehearsalFigures), askGapMs);
  useTaskChanges(id, task.data, askAgain);
  const name = rehearsal.data === undefined ? undefined : nameOf(rehearsal.data);
  useTabTitle(name);
  if (task.isPending || rehearsal.isPending) {
    return (
      <div className={styles.page}>
        <Skeleton active paragraph={{ rows: 6 }} />
      </div>
    );
  }
  if (task.data === undefined || rehearsal.data === undefined) {
    const absent = {
      title: phrase('rehearsals.notFound'),
      list: 'rulesList',
      listName: phrase('rehearsals.rules'),
    } as const;
    const failed = task.data === undefined ? task : rehearsal;
    return <ErrorState failure={failed.error} retry={() => void failed.refetch()} absent={absent} />;
  }
  const { result } = rehearsal.data;
  const head = <Head task={task.data} rehearsal={rehearsal.data} />;
  if (result === null) return <div className={styles.page}>{head}</div>;
  return <Figures id={id} charges={result.charges} before={<Outcome head={head} result={result} />} />;
}

const nameOf = ({ tariffName }: Rehearsal) =>
  tariffName === '' ? phrase('rehearsals.draft') : phrase('rehearsals.of', { name: tariffName });

/** Which charges were rehearsed, and how far it is. */
function Head({ task, rehearsal }: { task: TaskDetail; rehearsal: Rehearsal }) {
  const { actsOf } = useActs<Task>({ cancel: taskActs.cancel }, undefined, { list: listTasks });
  const acts = actsOf(task);
  useOfferedActs(acts.map((act) => ({ ...act, key: `task.${act.key}` })));
  const { filter, agentName, siteName, usedRuleName } = rehearsal;
  return (
    <section className={styles.head} aria-label={phrase('rehearsals.glance')}>
      <div className={styles.headLine}>
        <h1 className={styles.name}>{nameOf(rehearsal)}</h1>
        {acts.map(({ key, label, danger, because, onClick }) => (
          <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
            {label}
          </DisabledReason>
        ))}
      </div>
      <p className={styles.facts}>
        <span>
          {phrase('rehearsals.period')} <Instant at={filter.from} /> – <Instant at={filter.to} />
        </span>
        {agentName === null ? null : (
          <span>
            {phrase('rehearsals.agent')} {agentName}
          </span>
        )}
        {siteName === null ? null : (
          <span>
            {phrase('rehearsals.site')} {siteName}
          </span>
        )}
        {usedRuleName === null ? null : (
          <span>
            {phrase('rehearsals.usedRule')} {usedRuleName}
          </span>
        )}
      </p>
      {task.state === 'done' ? null : <TaskProgress task={task} />}
      {task.errorCode === null ? null : <Alert type="error" title={taskFailureText(task)} />}
      {task.state === 'cancelled' ? <Alert type="info" title={phrase('rehearsals.wasCancelled')} /> : null}
    </section>
  );
}

function Outcome({ head, result }: { head: React.ReactNode; result: RehearsalResult }) {
  const unpriced = result.unpriced.reduce((sum, { charges }) => sum + charges, 0);
  return (
    <>
      {head}
      {unpriced === 0 ? null : (
        <Alert
          type="warning"
          className={styles.alert}
          title={phrase('rehearsals.unpriced', { count: countText(unpriced) })}
          description={
            <ul className={styles.reasons}>
              {result.unpriced.map(({ reason, charges, amountFen }) => (
                <li key={reason}>
                  {phrase(`rehearsal-unpriced.${reason}`)}: {countText(charges)} · {moneyText(amountFen)}
                </li>
              ))}
            </ul>
          }
        />
      )}
      <dl className={styles.totals}>
        <Total name={phrase('rehearsals.before')} value={moneyText(result.beforeFen)} />
        <Total
          name={phrase('rehearsals.after')}
          value={moneyText(result.afterFen)}
          more={differenceText(result.beforeFen, result.afterFen)}
        />
        <Part
          name={phrase('rehearsals.electricity')}
          beforeFen={result.beforeElectricityFen}
          afterFen={result.afterElectricityFen}
        />
        <Part
          name={phrase('rehearsals.service')}
          beforeFen={fen(result.beforeFen - result.beforeElectricityFen)}
          afterFen={fen(result.afterFen - result.afterElectricityFen)}
        />
        <Total name={phrase('rehearsals.charges')} value={countText(result.charges)} />
        <Total name={phrase('rehearsals.energy')} value={<Energy wh={result.energyWh} />} />
      </dl>
      <div className={styles.panels}>
        <Periods periods={result.periods} />
        <Biggest biggest={result.biggest} />
      </div>
    </>
  );
}

/** A part of the revenue by the rule, and what it was. */
function Part({ name, beforeFen, afterFen }: { name: string; beforeFen: Fen; afterFen: Fen }) {
  const before = `${phrase('rehearsals.before')} ${moneyText(beforeFen)}`;
  const more = `${before} · ${differenceText(beforeFen, afterFen)}`;
  return <Total name={name} value={moneyText(afterFen)} more={more} />;
}

function Total({ name, value, more }: { name: string; value: React.ReactNode; more?: string }) {
  return (
    <div className={styles.total}>
      <dt>{name}</dt>
      <dd>
        <span className="figure">{value}</span>
        {more === undefined ? null : <span className={styles.more}>{more}</span>}
      </dd>
    </div>
  );
}

/** Revenue by price period, each as two bars and as figures. */
function Periods({ periods }: Pick<RehearsalResult, 'periods'>) {
  const most = Math.max(1, ...periods.flatMap(({ beforeFen, afterFen }) => [beforeFen, afterFen]));
  const bar = (amountFen: number, kind: 'before' | 'after') => (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} data-kind={kind} style={{ inlineSize: `${(100 * amountFen) / most}%` }} />
    </span>
  );
  return (
    <Panel title={phrase('rehearsals.byPeriod')}>
      {periods.length === 0 ? (
        <EmptyState title={phrase('rehearsals.noPeriods')} />
      ) : (
        <ScrollRegion label={phrase('rehearsals.byPeriod')}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{phrase('rehearsals.periodHead')}</th>
                <th scope="col" className={styles.wide}>
                  {phrase('rehearsals.bars')}
                </th>
                <th scope="col" className={styles.right}>
                  {phrase('rehearsals.before')}
                </th>
                <th scope="col" className={styles.right}>
                  {phrase('rehearsals.after')}
                </th>
              </tr>
            </thead>
            <tbody>
              {periods.map(({ period, beforeWh, afterWh, beforeFen, afterFen }) => (
                <tr key={period}>
                  <th scope="row">
                    <PeriodChip period={period} />
                  </th>
                  <td>
                    {bar(beforeFen, 'before')}
                    {bar(afterFen, 'after')}
                  </td>
                  <td className={styles.right}>
                    <Money fen={beforeFen} />
                    <div className={styles.faint}>
                      <Energy wh={beforeWh} />
                    </div>
                  </td>
                  <td className={styles.right}>
                    <Money fen={afterFen} />
                    <div className={styles.faint}>
                      <Energy wh={afterWh} />
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

/** The charges whose bill changes the most. */
function Biggest({ biggest }: Pick<RehearsalResult, 'biggest'>) {
  return (
    <Panel title={phrase('rehearsals.biggest')}>
      {biggest.length === 0 ? (
        <EmptyState title={phrase('rehearsals.noDifference')} />
      ) : (
        <ScrollRegion label={phrase('rehearsals.biggest')} className={styles.tall}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{phrase('rehearsals.order')}</th>
                <th scope="col" className={styles.right}>
                  {phrase('rehearsals.energy')}
                </th>
                <th scope="col" className={styles.right}>
                  {phrase('rehearsals.before')}
                </th>
                <th scope="col" className={styles.right}>
                  {phrase('rehearsals.after')}
                </th>
              </tr>
            </thead>
            <tbody>
              {biggest.map(({ orderId, number, endedAt, energyWh, beforeFen, afterFen }) => (
                <tr key={orderId}>
                  <th scope="row">
                    <ScreenLink screen="orderListDetailHistory" query={{ id: orderId }}>
                      {number}
                    </ScreenLink>
                    <div className={styles.faint}>
                      <Instant at={endedAt} />
                    </div>
                  </th>
                  <td className={styles.right}>
                    <Energy wh={energyWh} />
                  </td>
                  <td className={styles.right}>
                    <Money fen={beforeFen} />
                  </td>
                  <td className={styles.right}>
                    <Money fen={afterFen} />
                    <div className={styles.faint}>{differenceText(beforeFen, afterFen)}</div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

const common: ListPageProps<typeof listRehearsalFigures>['look'] = {
  agentName: { widthPx: 180 },
  charges: { sort: 'charges' },
  beforeFen: { sort: 'before' },
  differenceFen: { sort: 'difference' },
};
const looks: Readonly<Record<RehearsalFigureKind, ListPageProps<typeof listRehearsalFigures>['look']>> = {
  agent: { ...common, siteName: { isHidden: true } },
  site: {
    ...common,
    siteName: {
      widthPx: 220,
      isPinned: true,
      link: ({ siteId }) => (siteId === null ? null : place('plotDetail', { id: siteId })),
    },
  },
};

/** The same by site and by agent. */
function Figures({ id, charges, before }: { id: TaskId; charges: number; before: React.ReactNode }) {
  const [by, setBy] = useState<RehearsalFigureKind>('site');
  return (
    <ListPage
      key={by}
      list={listRehearsalFigures}
      name={`rehearsal-${by}`}
      title="rehearsals.figures"
      nameOf={({ siteName, agentName }) => siteName ?? agentName ?? phrase('list.ofPlatform')}
      isPart
      fixed={{ rehearsalId: id, by }}
      filters={{}}
      look={looks[by]}
      before={() => (
        <>
          {before}
          <Segmented
            className={styles.by}
            aria-label={phrase('rehearsals.figures')}
            value={by}
            onChange={(value) => setBy(value)}
            options={rehearsalFigureKinds.map((kind) => ({ value: kind, label: phrase(`rehearsals.by.${kind}`) }))}
          />
        </>
      )}
      empty={{ title: charges === 0 ? 'rehearsals.noCharges' : 'rehearsals.figuresGone' }}
    />
  );
}
