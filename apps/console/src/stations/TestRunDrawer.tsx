import { liveTestRunStages, testRunLimits } from '@voltdeck/charging/port-test-run';
import { type Connector, listConnectors } from '@voltdeck/contract/connectors';
import { getTestRun, startTestRun, stopTestRun } from '@voltdeck/contract/port-test-runs';
import { getStation } from '@voltdeck/contract/stations';
import { Alert, Button, Drawer, InputNumber, Segmented, Skeleton } from 'antd';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useAction, useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { failureText } from '../ui/failure-text.ts';
import { startRefusal } from './start-refusal.ts';
import { TestRunResult } from './TestRunResult.tsx';
import styles from './test-run.module.css';

const widthPx = 480;
const refetchGapMs = 1_000;
/** How often a test run is looked at between events. */
const lookEveryMs = 2_000;
const { minutesMin, minutesMax, minutesDefault } = testRunLimits;
const offeredMinutes = [1, minutesDefault, 10, minutesMax];

type Props = { port: Connector; open: boolean; onClose: () => void };

/** Starts a test run of a gun port, shows it live and what came of it. */
export default function TestRunDrawer({ port, open, onClose }: Props) {
  const params = { id: port.id };
  const answer = useAnswer(getTestRun, { params }, { enabled: open, staleMs: 0 });
  const changes = [getTestRun, listConnectors, getStation];
  const start = useAction(startTestRun, { changes });
  const stop = useAction(stopTestRun, { changes });
  const run = answer.data?.run ?? null;
  const isLive = run !== null && liveTestRunStages.has(run.stage);
  useFreshRun({
    port,
    isWatched: open && (isLive || run?.stage === 'unsettled' || start.isPending),
    refetch: () => void answer.refetch(),
  });
  const failure = start.error ?? stop.error;
  return (
    <Drawer
      title={phrase('testRuns.title', { station: port.stationName, number: port.number })}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <div className={styles.drawer}>
          {failure === null ? null : <Alert type="error" showIcon title={failureText(failure).text} />}
          {isLive ? null : (
            <StartTestRun
              port={port}
              hasRun={run !== null}
              isBusy={start.isPending}
              onStart={(minutes) => start.mutate({ params, body: { minutes }, quiet: true })}
            />
          )}
          {run === null ? null : (
            <TestRunResult
              run={run}
              isStopping={stop.isPending}
              onStop={() => stop.mutate({ params: { id: run.orderId }, quiet: true })}
            />
          )}
        </div>
      )}
    </Drawer>
  );
}

/** Fetches the test run again when something happens at its gun port, and regularly while it is watched. */
function useFreshRun(of: { port: Connector; isWatched: boolean; refetch: () => void }): void {
  const { port, isWatched, refetch } = of;
  const askAgain = usePaced(() => {
    if (isWatched) refetch();
  }, refetchGapMs);
  const isOfPort = ({ connectorId }: { connectorId: Connector['id'] | null }) => connectorId === port.id;
  useConsoleEvents('order-changed', (event) => {
    if (isOfPort(event)) askAgain();
  });
  useConsoleEvents('port-order-changed', (event) => {
    if (isOfPort(event)) askAgain();
  });
  useConsoleEvents('connector-changed', (event) => {
    if (isOfPort(event)) askAgain();
  });
  useConsoleEvents('station-changed', (event) => {
    if (event.stationId === port.stationId) askAgain();
  });
  const look = useEffectEvent(refetch);
  useEffect(() => {
    if (!isWatched) return;
    const timer = setInterval(() => look(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isWatched]);
}

function StartTestRun(props: {
  port: Connector;
  hasRun: boolean;
  isBusy: boolean;
  onStart: (minutes: number) => void;
}) {
  const { port, hasRun, isBusy, onStart } = props;
  const [minutes, setMinutes] = useState<number | null>(minutesDefault);
  const hintId = useId();
  const because = startRefusal(port);
  const isValid = minutes !== null && Number.isInteger(minutes) && minutes >= minutesMin && minutes <= minutesMax;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && because === undefined && !isBusy) onStart(minutes);
      }}
    >
      <p className={styles.intro}>{phrase('testRuns.intro')}</p>
      {because === undefined ? null : <Alert type="warning" showIcon title={phrase('testRuns.notNow', { because })} />}
      <div className={styles.minutes}>
        <label htmlFor="minutes">{phrase('testRuns.minutes')}</label>
        <InputNumber
          id="minutes"
          value={minutes}
          onChange={setMinutes}
          precision={0}
          inputMode="numeric"
          suffix={phrase('testRuns.minutesUnit')}
          aria-describedby={hintId}
          {...(isValid ? {} : { status: 'error' as const, 'aria-invalid': true })}
        />
        <Segmented
          aria-label={phrase('testRuns.minutes')}
          options={offeredMinutes.map((value) => ({ value, label: String(value) }))}
          {...(minutes !== null && offeredMinutes.includes(minutes) ? { value: minutes } : { value: 0 })}
          onChange={setMinutes}
        />
        <span id={hintId} className={isValid ? styles.hint : styles.fault} role={isValid ? undefined : 'alert'}>
          {phrase('testRuns.minutesHint', { min: minutesMin, max: minutesMax })}
        </span>
      </div>
      <Button
        type="primary"
        htmlType="submit"
        size="large"
        block
        loading={isBusy}
        disabled={because !== undefined || !isValid}
      >
        {phrase(hasRun ? 'testRuns.startAgain' : 'testRuns.start')}
      </Button>
    </form>
  );
}
