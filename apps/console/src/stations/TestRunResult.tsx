import { liveTestRunStages, type TestRunStage } from '@voltdeck/charging/port-test-run';
import type { TestRun } from '@voltdeck/contract/port-test-runs';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useMayGo } from '../session/use-go.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { Energy } from '../ui/Energy.tsx';
import { durationText, tenthText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { isoDateTime } from '../ui/instants.ts';
import { Power } from '../ui/Power.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { useNow } from '../ui/use-now.ts';
import { PortState } from './PortState.tsx';
import styles from './test-run.module.css';

const tickMs = 1_000;

const stageTones: Readonly<Record<TestRunStage, Tone>> = {
  asking: 'occupied',
  waiting: 'occupied',
  charging: 'charging',
  stopping: 'occupied',
  unsettled: 'occupied',
  passed: 'free',
  no_energy: 'fault',
  refused: 'fault',
  not_begun: 'fault',
  cancelled: 'offline',
};

type Props = { run: TestRun; isStopping: boolean; onStop: () => void };

/** A test run while it goes on, and what came of it: whether energy flowed, and what the station said. */
export function TestRunResult({ run, isStopping, onStop }: Props) {
  const isLive = liveTestRunStages.has(run.stage);
  const now = useNow(tickMs, isLive);
  return (
    <section className={styles.run} aria-label={phrase('testRuns.latest')} data-stage={run.stage}>
      <header className={styles.head}>
        <StateTag tone={stageTones[run.stage]}>{phrase(`test-run-stage.${run.stage}`)}</StateTag>
        <span className={styles.hint}>
          <Instant at={run.askedAt} /> ·{' '}
          {phrase('testRuns.startedBy', { userName: run.userName, minutes: run.minutes })}
        </span>
      </header>
      <p className={styles.text} role="status">
        {textOf(run)}
      </p>
      <Figures run={run} now={now} />
      {isLive ? (
        <Button danger block size="large" loading={isStopping} disabled={run.stage === 'stopping'} onClick={onStop}>
          {phrase(run.begunAt === null ? 'testRuns.giveUp' : 'testRuns.stop')}
        </Button>
      ) : null}
      <Facts run={run} />
    </section>
  );
}

/** What the installer should know or do now. */
function textOf(run: TestRun): string {
  switch (run.stage) {
    case 'asking':
      return phrase('testRuns.askingText');
    case 'waiting': {
      const time = run.waitsUntil === null ? '' : (isoDateTime(run.waitsUntil)?.slice(11) ?? '');
      return phrase(run.port.state === 'free' ? 'testRuns.waitingUnplugged' : 'testRuns.waitingPlugged', { time });
    }
    case 'charging':
      if (!run.port.online) return phrase('testRuns.offlineText');
      return phrase(run.energyWh > 0 ? 'testRuns.chargingText' : 'testRuns.chargingNoEnergy');
    case 'stopping':
      return stoppingText(run);
    case 'unsettled':
      return phrase('testRuns.unsettledText');
    case 'passed':
      return phrase('testRuns.passedText');
    case 'no_energy':
      return phrase('testRuns.noEnergyText');
    case 'refused':
      return phrase('testRuns.refusedText', { answer: answerText(run.answer) ?? '' });
    case 'not_begun':
      return run.stopReason === null
        ? phrase('testRuns.notBegunText')
        : phrase('testRuns.failedToBeginText', { reason: phrase(`stop-reason.${run.stopReason}`) });
    case 'cancelled':
      return phrase('testRuns.cancelledText');
  }
}

function stoppingText({ port, stop }: TestRun): string {
  if (!port.online) return phrase('testRuns.offlineText');
  const answer = stop?.answer ?? null;
  if (answer === null || answer.kind === 'accepted' || answer.kind === 'scheduled') {
    return phrase('testRuns.stoppingText');
  }
  return phrase('testRuns.stopFailed', { answer: answerText(answer) ?? '' });
}

/** What the station said, in its own words where it has some. */
function answerText(answer: TestRun['answer']): string | null {
  if (answer === null) return null;
  if (answer.words !== null) return answer.words;
  if (answer.reason !== null) return phrase(`rejection-reason.${answer.reason}`);
  return answer.kind === 'scheduled' ? phrase('testRuns.answerScheduled') : phrase(`command-outcome.${answer.kind}`);
}

function Figures({ run, now }: { run: TestRun; now: number }) {
  if (run.begunAt === null) return null;
  const isCharging = run.orderState === 'charging';
  const begunMs = Date.parse(run.begunAt);
  const untilMs = run.endedAt === null ? now : Date.parse(run.endedAt);
  const leftMs = run.endsAt === null ? 0 : Date.parse(run.endsAt) - now;
  return (
    <dl className={styles.figures}>
      <Figure name={phrase('testRuns.energy')}>
        <Energy wh={run.energyWh} decimals={3} />
      </Figure>
      {isCharging ? (
        <Figure name={phrase('testRuns.power')}>
          <Power w={run.powerW} />
        </Figure>
      ) : null}
      <Figure name={phrase('testRuns.peakPower')}>
        <Power w={run.peakPowerW} />
      </Figure>
      <Figure name={phrase(isCharging ? 'testRuns.lasted' : 'testRuns.duration')}>
        {durationText(Math.max(0, untilMs - begunMs))}
      </Figure>
      {isCharging ? <Figure name={phrase('testRuns.left')}>{durationText(Math.max(0, leftMs))}</Figure> : null}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">{children}</dd>
    </div>
  );
}

const secondsText = (ms: number) => tenthText(Math.max(0, ms) / 1_000);

function Facts({ run }: { run: TestRun }) {
  const mayGo = useMayGo();
  const { answer, answerMs, begunAt, stopReason, stopCode, flags } = run;
  const facts: [name: string, value: ReactNode][] = [];
  if (answer !== null && answerMs !== null) {
    const told = { seconds: secondsText(answerMs), answer: answerText(answer) ?? '' };
    facts.push([phrase('testRuns.answer'), phrase('testRuns.answerIn', told)]);
  }
  if (begunAt !== null) {
    const seconds = secondsText(Date.parse(begunAt) - Date.parse(run.askedAt));
    facts.push([phrase('testRuns.beganIn'), phrase('testRuns.seconds', { seconds })]);
  }
  if (stopReason !== null) facts.push([phrase('testRuns.stopReason'), phrase(`stop-reason.${stopReason}`)]);
  if (stopCode !== null) facts.push([phrase('testRuns.stopCode'), <code key="code">{stopCode}</code>]);
  facts.push([phrase('testRuns.port'), <PortState key="port" port={run.port} />]);
  if (flags.length > 0) {
    facts.push([
      phrase('testRuns.flags'),
      flags.map((rule) => phrase(`abnormal-rule.${rule}`)).join(phrase('list.comma')),
    ]);
  }
  facts.push([
    phrase('testRuns.order'),
    mayGo('orderListDetailReal') ? (
      <ScreenLink key="order" screen="orderListDetailReal" query={{ id: run.orderId }}>
        {run.orderNumber}
      </ScreenLink>
    ) : (
      <CopyNumber key="order" value={run.orderNumber} />
    ),
  ]);
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
