import { CheckOutlined, CloseOutlined } from '@ant-design/icons';
import { type FirstSteps as Answer, getFirstSteps, showFirstSteps } from '@voltdeck/contract/first-steps';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { useTell } from '../ui/use-tell.ts';
import { openWays, rightName, type StepView, stepViews } from './first-step-views.ts';
import styles from './first-steps.module.css';

/** Minimum interval between fetches, while an installer waits for a charger to connect. */
const refetchGapMs = 1_000;

type Props = {
  /** Whether the user asked for the list, which otherwise leaves when it is done. */
  isAsked: boolean;
  onLeave: () => void;
};

/**
 * What is left to do until the first charge. It moves by itself as records appear and stations connect, and leaves when
 * the network runs.
 */
export function FirstSteps({ isAsked, onLeave }: Props) {
  const refresh = useRefresh();
  const tell = useTell();
  const question = { query: isAsked ? { always: true } : {}, quiet: true };
  const answer = useAnswer(getFirstSteps, question, { keepPrevious: true });
  const askAgain = useAskAgain(getFirstSteps, question, refetchGapMs);
  const { data } = answer;
  const state = data?.state;
  const isOpen = state === 'open';
  /** The first charge ended while the list was in sight: it says so until the page is left. */
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  useEffect(() => () => setWasOpen(false), []);

  const isMoving = isOpen || isAsked;
  const hear = () => {
    if (isMoving) askAgain();
  };
  useConsoleEvents('station-changed', hear);
  useConsoleEvents('connector-changed', hear);
  useConsoleEvents('order-changed', hear);
  useConsoleEvents('port-order-changed', hear);

  const show = (shown: boolean) =>
    call(showFirstSteps, { body: { shown } })
      .then(() => refresh(getFirstSteps))
      .catch(tell);
  const bringBack = isAsked && state === 'hidden';
  const onBringBack = useEffectEvent(() => void show(true));
  useEffect(() => {
    if (bringBack) onBringBack();
  }, [bringBack]);

  if (data === undefined) return null;
  if (data.state === 'over' && wasOpen && !isAsked) return <Finished order={data.known.order} />;
  if (data.steps.length === 0 || (data.state !== 'open' && !isAsked)) return null;
  const leave = () => {
    setWasOpen(false);
    onLeave();
    if (data.state === 'open') void show(false);
  };
  return <Steps answer={data} onLeave={leave} />;
}

/** The first charge has its bill. */
function Finished({ order }: { order: Answer['known']['order'] }) {
  return (
    <section className={styles.finished} role="status">
      <CheckOutlined />
      <strong>{phrase('overview.stepsFinished')}</strong>
      {order === null ? null : (
        <ScreenLink screen="orderListDetailHistory" query={{ id: order.id }}>
          {phrase('overview.do.showBill')}
        </ScreenLink>
      )}
    </section>
  );
}

function Steps({ answer, onLeave }: { answer: Answer; onLeave: () => void }) {
  const views = stepViews(answer);
  const doneCount = views.filter(({ isDone }) => isDone).length;
  const next = views.find(({ isDone, after }) => !isDone && after === null);
  return (
    <section className={styles.panel} aria-labelledby="first-steps">
      <header className={styles.head}>
        <h2 id="first-steps" className={styles.title}>
          {phrase(answer.of === 'agent' ? 'overview.stepsOfAgent' : 'overview.steps')}
        </h2>
        <span className={`${styles.count} figure`} role="status">
          {phrase('overview.stepsCount', { done: doneCount, count: views.length })}
        </span>
        <Button type="text" size="small" icon={<CloseOutlined />} className={styles.leave ?? ''} onClick={onLeave}>
          {phrase('overview.stepsLeave')}
        </Button>
      </header>
      <ol className={styles.steps} data-count={views.length}>
        {views.map((view, index) => (
          <Step key={view.step} view={view} number={index + 1} isNext={view === next} />
        ))}
      </ol>
      {answer.of === 'agent' ? <AgentFacts /> : null}
    </section>
  );
}

function Step({ view, number, isNext }: { view: StepView; number: number; isNext: boolean }) {
  const { step, isDone, title, text } = view;
  return (
    <li className={styles.step} data-step={step} data-done={isDone} {...(isNext ? { 'aria-current': 'step' } : {})}>
      <span className={styles.mark} aria-hidden="true">
        {isDone ? <CheckOutlined /> : number}
      </span>
      <div className={styles.words}>
        <h3 className={styles.name}>
          {title}
          {isDone ? <span className="for-readers"> {phrase('overview.stepIsDone')}</span> : null}
        </h3>
        <p className={styles.text}>{text}</p>
        {isDone ? null : <Ways view={view} isNext={isNext} />}
      </div>
    </li>
  );
}

/** The buttons that lead to the forms, or who can do the step. */
function Ways({ view, isNext }: { view: StepView; isNext: boolean }) {
  const can = useCan();
  const mayGo = useMayGo();
  const navigate = useNavigate();
  const ways = openWays(view, can, mayGo);
  const [first] = view.ways;
  if (ways.length === 0) {
    if (first === undefined) return null;
    return <p className={styles.who}>{phrase('overview.stepNeeds', { right: rightName(first.may) })}</p>;
  }
  const because =
    view.after === null ? undefined : phrase('overview.stepAfter', { step: phrase(`overview.step.${view.after}`) });
  return (
    <div className={styles.ways}>
      {ways.map(({ label, place }, index) => (
        <DisabledReason
          key={label}
          size="small"
          type={isNext && index === 0 ? 'primary' : 'default'}
          because={because}
          onClick={() => void navigate(place.address)}
        >
          {label}
        </DisabledReason>
      ))}
    </div>
  );
}

/** What is the platform's, so that nobody looks for it in vain. */
function AgentFacts() {
  const can = useCan();
  return (
    <div className={styles.facts}>
      <strong>{phrase('overview.agentFacts')}</strong>
      <ul>
        <li>{phrase('overview.agentFact.scope')}</li>
        <li>{phrase('overview.agentFact.tariffs')}</li>
        {can('recharge.create') ? <li>{phrase('overview.agentFact.prepaid')}</li> : null}
        {can('customer.read') ? <li>{phrase('overview.agentFact.customers')}</li> : null}
      </ul>
    </div>
  );
}
