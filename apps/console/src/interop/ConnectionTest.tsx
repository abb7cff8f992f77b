import { type ConnectionStep, type ConnectionTest as Test, testConnection } from '@voltdeck/contract/connection-tests';
import { listPartnerExchanges } from '@voltdeck/contract/partner-deliveries';
import type { PartnerId } from '@voltdeck/units/id';
import { Button } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import styles from './interop.module.css';

const tones: Readonly<Record<ConnectionStep['outcome'], Tone>> = {
  passed: 'free',
  failed: 'fault',
  skipped: 'offline',
};

/** Calls a partner step by step, and says where it fails and what to do. */
export default function ConnectionTest({ id }: { id: PartnerId }) {
  const [test, setTest] = useState<Test | null>(null);
  const { attempt, isBusy, failure } = useAttempt();
  const refresh = useRefresh();
  const begin = () =>
    attempt(async () => {
      setTest(null);
      setTest(await call(testConnection, { params: { id }, quiet: true }));
      void refresh(listPartnerExchanges);
    });
  return (
    <div aria-live="polite" aria-busy={isBusy}>
      <p className={styles.intro}>{phrase('connection.intro')}</p>
      <Button onClick={() => void begin()} loading={isBusy}>
        {phrase(test === null ? 'connection.test' : 'connection.again')}
      </Button>
      {isBusy ? <p>{phrase('connection.testing')}</p> : null}
      {failure === null ? null : <p role="alert">{failure}</p>}
      {test === null ? null : (
        <>
          <p>
            <StateTag tone={test.passed ? 'free' : 'fault'}>
              {phrase(test.passed ? 'connection.passed' : 'connection.failed')}
            </StateTag>
          </p>
          <ol className={styles.steps}>
            {test.steps.map((step) => (
              <Step key={step.step} {...step} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function Step({ step, outcome, tookMs, httpStatus, ret, msg, fault, skipped, stationCount }: ConnectionStep) {
  const answer = [
    httpStatus === null ? null : `HTTP ${httpStatus}`,
    ret === null ? null : `Ret ${ret}`,
    msg === '' ? null : msg,
  ].filter((part) => part !== null);
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <StateTag tone={tones[outcome]}>{phrase(`step-outcome.${outcome}`)}</StateTag>
        <strong>{phrase(`connection-step.${step}`)}</strong>
        {outcome === 'skipped' ? null : <span>{phrase('connection.took', { ms: countText(tookMs) })}</span>}
        {answer.length === 0 ? null : <span>{answer.join(' · ')}</span>}
      </div>
      {stationCount === null ? null : <p>{phrase('connection.stationsShown', { count: stationCount })}</p>}
      {skipped === null ? null : <p>{phrase(`step-skipped.${skipped}`)}</p>}
      {fault === null ? null : (
        <p>
          {phrase(`partner-fault.${fault}`)}
          {phrase('connection.stop')}
          {phrase(`partner-advice.${fault}`)}
        </p>
      )}
    </li>
  );
}
