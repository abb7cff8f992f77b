import { getSalesProof, rebuildSales, type SalesRebuild } from '@voltdeck/contract/statistics';
import { DatePicker, Drawer, Progress, Skeleton } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useAction, useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useTell } from '../ui/use-tell.ts';
import styles from './statistics.module.css';
import type { DayPeriod } from './statistics-view.ts';

const widthPx = 560;
/** While a comparison runs. */
const progressEveryMs = 2_000;
const dayFormat = 'YYYY-MM-DD';

type Props = { open: boolean; period: DayPeriod; onClose: () => void };

/** Whether the kept sums are what the orders say, and the button that compares them again. */
export default function SalesProofDrawer({ open, period, onClose }: Props) {
  return (
    <Drawer
      title={phrase('statistics.proof')}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      <SalesProof period={period} />
    </Drawer>
  );
}

const isRunning = ({ doneAt, waitsForNight }: SalesRebuild) => doneAt === null && !waitsForNight;

function SalesProof({ period }: { period: DayPeriod }) {
  const tell = useTell();
  const [days, setDays] = useState(period);
  const answer = useAnswer(
    getSalesProof,
    {},
    {
      everyMs: (proof) => (proof?.rebuilds.some(isRunning) === true ? progressEveryMs : null),
    },
  );
  const rebuild = useAction(rebuildSales, { changes: [getSalesProof] });
  const running = answer.data?.rebuilds.find(isRunning);
  return (
    <div className={styles.proof}>
      <p className={styles.proofText}>{phrase('statistics.proofText')}</p>
      <div className={styles.line}>
        <DatePicker.RangePicker
          aria-label={phrase('statistics.rebuildDays')}
          allowClear={false}
          value={[dayjs(days.from), dayjs(days.to)]}
          disabledDate={(date) => date.isAfter(dayjs(), 'day')}
          onChange={(range) => {
            const [from, to] = range ?? [null, null];
            if (from !== null && to !== null) setDays({ from: from.format(dayFormat), to: to.format(dayFormat) });
          }}
        />
        <DisabledReason
          type="primary"
          loading={rebuild.isPending}
          because={running === undefined ? undefined : phrase('statistics.rebuildRuns')}
          onClick={() =>
            rebuild.mutate({ body: { fromOn: days.from, toOn: days.to } }, { onError: (failure) => tell(failure) })
          }
        >
          {phrase('statistics.rebuild')}
        </DisabledReason>
      </div>
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          <dl className={styles.facts}>
            <dt>{phrase('statistics.keptAt')}</dt>
            <dd>
              <Instant at={answer.data.keptAt} />
            </dd>
            <dt>{phrase('statistics.waitingChanges')}</dt>
            <dd className="figure">{countText(answer.data.waiting)}</dd>
          </dl>
          <h3 className={styles.proofHead}>{phrase('statistics.rebuilds')}</h3>
          {answer.data.rebuilds.length === 0 ? (
            <p className={styles.proofText}>{phrase('statistics.noRebuilds')}</p>
          ) : (
            <ul className={styles.rebuilds}>
              {answer.data.rebuilds.map((each) => (
                <Rebuild key={each.id} rebuild={each} />
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}

function Rebuild({ rebuild }: { rebuild: SalesRebuild }) {
  const { fromOn, toOn, because, userName, askedAt, doneAt, days, daysInAll, differing, failed, waitsForNight } =
    rebuild;
  return (
    <li>
      <span className="figure">{fromOn === toOn ? fromOn : `${fromOn} – ${toOn}`}</span>
      <span className={styles.rebuildStates}>
        {waitsForNight ? (
          <StateTag tone="offline">{phrase('statistics.comparedAgain')}</StateTag>
        ) : doneAt === null ? (
          <StateTag tone="charging">{phrase('statistics.comparing')}</StateTag>
        ) : (
          <StateTag tone={differing === 0 ? 'free' : 'occupied'}>
            {differing === 0
              ? phrase('statistics.agrees')
              : phrase('statistics.mended', { count: countText(differing) })}
          </StateTag>
        )}
        {failed === 0 ? null : (
          <StateTag tone="fault">{phrase('statistics.notCompared', { count: countText(failed) })}</StateTag>
        )}
      </span>
      <small>
        {phrase(`rebuild-cause.${because}`)} · {userName === null ? null : `${userName} · `}
        <Instant at={doneAt ?? askedAt} />
        {waitsForNight
          ? null
          : ` · ${phrase('statistics.daysCompared', { days: countText(days), daysInAll: countText(daysInAll) })}`}
      </small>
      {isRunning(rebuild) ? (
        <Progress
          percent={daysInAll === 0 ? 0 : Math.floor((days / daysInAll) * 100)}
          aria-label={phrase('statistics.comparing')}
          size="small"
        />
      ) : null}
    </li>
  );
}
