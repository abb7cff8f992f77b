import {
  cancelTariffVersion,
  getTariff,
  getTariffVersions,
  listStationTariffs,
  listTariffs,
  type Tariff as Rule,
  type StationTariff,
  type TariffVersion,
  type TariffVersionState,
} from '@voltdeck/contract/tariffs';
import { periods } from '@voltdeck/tariffs/tariff';
import type { TariffId } from '@voltdeck/units/id';
import { Button, Pagination, Skeleton, Switch } from 'antd';
import { Suspense, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, nothingText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { useShowOutcome } from '../ui/list/use-overlay.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { useReopenedDraft } from '../ui/use-draft.ts';
import { DayView } from './DayStrip.tsx';
import { PeriodMark } from './PeriodMark.tsx';
import type { RuleTask } from './RuleFormDrawer.tsx';
import { notOwn, ruleActs } from './rule-acts.tsx';
import { rulePriceText } from './rule-price-text.ts';
import { shapeOf } from './rule-values.ts';
import { savedText } from './saved-text.ts';
import styles from './tariffs.module.css';

const RuleFormDrawer = lazyPart(() => import('./RuleFormDrawer.tsx'));

const versionTones: Readonly<Record<TariffVersionState, Tone>> = {
  waiting: 'occupied',
  in_force: 'free',
  past: 'offline',
  cancelled: 'offline',
};

const historyPageSize = 20;

function versionText({ version, state }: Rule): string {
  return phrase('tariffs.versionIs', { version, state: phrase(`tariff-version.${state}`) });
}

/** The version in force goes by the rule's name; tabs of other versions are told apart. */
function tabTitleOf(rule: Rule): string {
  return rule.state === 'in_force' ? rule.name : `${rule.name} · ${versionText(rule)}`;
}

/** One billing rule: its prices, its versions and the stations that have them; /rules/detail?id=. */
export default function RulePage() {
  const id = useRecordId<TariffId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('tariffs.notFound')}
        action={
          <ScreenLink screen="rulesList">{phrase('shell.backToList', { list: phrase('tariffs.title') })}</ScreenLink>
        }
      />
    );
  }
  return <RuleOf key={id} id={id} />;
}

function RuleOf({ id }: { id: TariffId }) {
  const session = useSession();
  const can = useCan();
  const go = useGo();
  const told = useShowOutcome();
  const answer = useAnswer(getTariff, { params: { id } });
  useTabTitle(answer.data === undefined ? undefined : tabTitleOf(answer.data));
  // A deleted rule has nothing left to change.
  const { actsOf } = useActs<Rule>(
    ruleActs(() => go('rulesList')),
    undefined,
    { list: listTariffs },
  );
  const [task, setTask] = useState<'edit' | 'copy' | null>(null);
  const rule = answer.data;
  useReopenedDraft(rule === undefined ? null : `tariff ${rule.ruleId}`, () => setTask('edit'));
  const mayEdit = can('tariff.edit');
  const notEditable = rule === undefined ? undefined : (notOwn(rule, session) ?? notInForce(rule));
  const editing = [
    { key: 'edit', label: phrase('tariffs.edit'), because: notEditable, onClick: () => setTask('edit') },
    { key: 'copy', label: phrase('tariffs.copy'), because: undefined, onClick: () => setTask('copy') },
  ];
  const acts = rule === undefined ? [] : [...(mayEdit ? editing : []), ...actsOf(rule)];
  useOfferedActs(acts.map((act) => ({ ...act, key: `tariff.${act.key}` })));

  if (answer.isPending) return <Waiting />;
  if (rule === undefined) {
    const absent = { title: phrase('tariffs.notFound'), list: 'rulesList', listName: phrase('tariffs.title') } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const form: RuleTask | null = task === null ? null : { kind: task, rule };
  return (
    <div className={styles.page}>
      <section className={styles.answerPanel} aria-label={phrase('tariffs.glance')}>
        <div className={styles.head}>
          <h1 className={styles.name}>{rule.name}</h1>
          <StateTag tone={versionTones[rule.state]}>{versionText(rule)}</StateTag>
          {rule.platformDefaultFor.map((kind) => (
            <StateTag key={`platform ${kind}`} tone="charging">
              {phrase('tariffs.platformDefaultFor', { kind: phrase(`equipment-type.${kind}`) })}
            </StateTag>
          ))}
          {rule.agentDefaultFor.map((kind) => (
            <StateTag key={`agent ${kind}`} tone="charging">
              {phrase('tariffs.agentDefaultFor', { kind: phrase(`equipment-type.${kind}`) })}
            </StateTag>
          ))}
          <div className={styles.headActs}>
            {acts.map(({ key, label, because, onClick, ...act }) => (
              <DisabledReason key={key} danger={'danger' in act && act.danger} because={because} onClick={onClick}>
                {label}
              </DisabledReason>
            ))}
          </div>
        </div>
        <p className={styles.glance}>
          <span>{phrase(`tariffs.shape.${shapeOf(rule.detail)}`)}</span>
          <span className={styles.quiet}>{rule.agentName ?? phrase('list.ofPlatform')}</span>
          {rule.state === 'in_force' ? <span>{phrase('tariffs.usedBy', { count: rule.stationCount })}</span> : null}
          <span className={styles.quiet}>
            {phrase('tariffs.effectiveAt')} <Instant at={rule.effectiveAt} exact />
          </span>
          {rule.next === null ? null : (
            <span>
              {phrase('tariffs.nextIs', { version: rule.next.version })} <Instant at={rule.next.effectiveAt} exact />
            </span>
          )}
        </p>
        {rule.note === '' ? null : <p className={styles.quiet}>{phrase('tariffs.noteIs', { note: rule.note })}</p>}
      </section>
      <div className={styles.columns}>
        <div className={styles.main}>
          {rule.detail.kind === 'energy' ? (
            <Panel title={phrase('tariffs.day')}>
              <DayView slots={rule.detail.slots} label={phrase('tariffs.day')} />
            </Panel>
          ) : null}
          <Versions rule={rule} />
          <History rule={rule} />
        </div>
        <Prices detail={rule.detail} />
      </div>
      {form === null ? null : (
        <Suspense>
          <RuleFormDrawer
            task={form}
            open
            onClose={() => setTask(null)}
            onSaved={(saved) => {
              told(savedText(saved));
              // The address names a version, and this one is past now.
              if (saved.id !== id && saved.state === 'in_force') go('rulesDetail', { id: saved.id });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function notInForce({ state }: Rule): string | undefined {
  return state === 'in_force' ? undefined : phrase('tariffs.notInForce');
}

function Prices({ detail }: { detail: Rule['detail'] }) {
  if (detail.kind === 'hour') {
    return (
      <Panel
        title={phrase('tariffs.prices')}
        flush
        note={phrase('tariffs.hourNote', {
          minutes: detail.stepMinutes,
          measure: phrase(`power-measure.${detail.measuredBy}`),
          hours: detail.longestRunHours,
        })}
      >
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('tariffs.tiers')}</th>
              <th scope="col" className={styles.right}>
                {phrase('tariffs.tierFeeHead', { minutes: detail.stepMinutes })}
              </th>
            </tr>
          </thead>
          <tbody>
            {detail.tiers.map(({ fromW, toW, feeFenPerStep }) => (
              <tr key={fromW}>
                <td>
                  {toW === null ? phrase('tariffs.tierOpen', { fromW }) : phrase('tariffs.tierSpan', { fromW, toW })}
                </td>
                <td className={styles.right}>{yuanText(feeFenPerStep)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    );
  }
  return (
    <Panel title={phrase('tariffs.prices')} flush note={phrase('tariffs.perKwh')}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('tariffs.period')}</th>
            <th scope="col" className={styles.right}>
              {phrase('tariffs.electricity')}
            </th>
            <th scope="col" className={styles.right}>
              {phrase('tariffs.service')}
            </th>
            <th scope="col" className={styles.right}>
              {phrase('tariffs.sum')}
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period) => {
            const { electricity, service } = detail.prices[period];
            return (
              <tr key={period}>
                <td>
                  <PeriodMark period={period} />
                </td>
                <td className={styles.right}>{rulePriceText(electricity)}</td>
                <td className={styles.right}>{rulePriceText(service)}</td>
                <td className={styles.right}>{rulePriceText(electricity + service)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

function Versions({ rule }: { rule: Rule }) {
  const answer = useAnswer(getTariffVersions, { params: { id: rule.ruleId } });
  const can = useCan();
  const session = useSession();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const told = useShowOutcome();
  const mayCancel = can('tariff.edit') && notOwn(rule, session) === undefined;
  const cancel = ({ id, version }: TariffVersion) =>
    void confirm({
      question: phrase('tariffs.cancelQuestion', { version, name: rule.name }),
      details: phrase('tariffs.cancelDetails'),
      verb: phrase('tariffs.cancelVersion'),
      danger: true,
      act: async (idempotencyKey) => {
        await call(cancelTariffVersion, { params: { id }, idempotencyKey });
        told(phrase('tariffs.cancelled', { version }));
        await refresh(getTariff, getTariffVersions, listTariffs);
      },
    });
  if (answer.data === undefined) {
    return (
      <Panel title={phrase('tariffs.versions')}>
        {answer.isPending ? (
          <Skeleton active paragraph={{ rows: 3 }} />
        ) : (
          <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
        )}
      </Panel>
    );
  }
  return (
    <Panel title={phrase('tariffs.versions')} flush note={phrase('tariffs.versionsNote')}>
      <ScrollRegion label={phrase('tariffs.versions')}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('tariffs.version')}</th>
              <th scope="col">{phrase('tariffs.state')}</th>
              <th scope="col">{phrase('tariffs.takesEffectAt')}</th>
              <th scope="col" className={styles.right}>
                {phrase('tariffs.stations')}
              </th>
              <th scope="col">{phrase('tariffs.madeBy')}</th>
              <th scope="col">{phrase('tariffs.createdAt')}</th>
            </tr>
          </thead>
          <tbody>
            {answer.data.items.map((version) => (
              <tr key={version.id} aria-current={version.id === rule.id}>
                <td>
                  <ScreenLink screen="rulesDetail" query={{ id: version.id }}>
                    {phrase('tariffs.versionNumber', { version: version.version })}
                  </ScreenLink>
                </td>
                <td>
                  <div className={styles.versionState}>
                    <StateTag tone={versionTones[version.state]}>{phrase(`tariff-version.${version.state}`)}</StateTag>
                    {version.state === 'waiting' && mayCancel ? (
                      <Button danger onClick={() => cancel(version)}>
                        {phrase('tariffs.cancelVersion')}
                      </Button>
                    ) : null}
                  </div>
                </td>
                <td>
                  <Instant at={version.effectiveAt} exact />
                </td>
                <td className={styles.right}>{countText(version.stationCount)}</td>
                <td>{version.createdBy ?? nothingText}</td>
                <td>
                  <Instant at={version.createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}

/** Which stations had which version, and since when: what late and offline charges are priced by. */
function History({ rule }: { rule: Rule }) {
  const [page, setPage] = useState(1);
  const [isCurrent, setCurrent] = useState(true);
  const currentId = useId();
  const answer = useAnswer(
    listStationTariffs,
    { query: { ruleId: rule.ruleId, page, pageSize: historyPageSize, ...(isCurrent ? { isCurrent } : {}) } },
    { keepPrevious: true },
  );
  const tools = (
    <div className={styles.historyTools}>
      <Switch
        size="small"
        aria-labelledby={currentId}
        checked={isCurrent}
        onChange={(next) => {
          setCurrent(next);
          setPage(1);
        }}
      />
      <span id={currentId}>{phrase('tariffs.currentOnly')}</span>
    </div>
  );
  return (
    <Panel title={phrase('tariffs.history')} flush note={phrase('tariffs.historyNote')} tools={tools}>
      {answer.data === undefined ? (
        answer.isPending ? (
          <Skeleton active paragraph={{ rows: 4 }} className={styles.historyPager ?? ''} />
        ) : (
          <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
        )
      ) : answer.data.items.length === 0 ? (
        <EmptyState title={phrase('tariffs.noStations')} text={phrase('tariffs.noStationsText')} />
      ) : (
        <>
          <HistoryTable rows={answer.data.items} />
          {(answer.data.total ?? 0) > historyPageSize ? (
            <div className={styles.historyPager}>
              <Pagination
                size="small"
                current={page}
                pageSize={historyPageSize}
                total={answer.data.total ?? 0}
                showSizeChanger={false}
                onChange={setPage}
              />
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}

function HistoryTable({ rows }: { rows: readonly StationTariff[] }) {
  return (
    <ScrollRegion label={phrase('tariffs.history')}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('tariffs.stationNumber')}</th>
            <th scope="col">{phrase('tariffs.stationName')}</th>
            <th scope="col">{phrase('tariffs.siteName')}</th>
            <th scope="col">{phrase('tariffs.usedFor')}</th>
            <th scope="col">{phrase('tariffs.version')}</th>
            <th scope="col">{phrase('tariffs.fromAt')}</th>
            <th scope="col">{phrase('tariffs.untilAt')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <ScreenLink screen="deviceDetail" query={{ id: row.stationId }}>
                  {row.stationNumber}
                </ScreenLink>
              </td>
              <td>{row.stationName}</td>
              <td>{row.siteName}</td>
              <td>{phrase(`station-tariff-kind.${row.kind}`)}</td>
              <td>{phrase('tariffs.versionNumber', { version: row.version })}</td>
              <td>
                <Instant at={row.fromAt} exact />
              </td>
              <td>{row.untilAt === null ? phrase('tariffs.untilNow') : <Instant at={row.untilAt} exact />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Waiting() {
  return (
    <div className={styles.page} aria-busy="true">
      <section className={styles.answerPanel}>
        <Skeleton active title={{ width: 240 }} paragraph={{ rows: 1 }} />
      </section>
      <section className={styles.answerPanel}>
        <Skeleton active paragraph={{ rows: 6 }} />
      </section>
    </div>
  );
}
