import { getRoamingCharge, type RoamingChargeDetail } from '@voltdeck/contract/roaming';
import type { RoamingChargeId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { energyText, moneyText, nothingText, priceText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import styles from './interop.module.css';

/** What a partner told of a charge: its prices at the start, its bill line by line, and who settled it. */
export function RoamingBill({ id }: { id: RoamingChargeId }) {
  const answer = useAnswer(getRoamingCharge, { params: { id } });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 3 }} />;
  if (answer.data === undefined) return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
  const { bill, secondBill, corrections, prices, doubts, settledBy, reason, stopAskedAt, refusal } = answer.data;
  const told: readonly (readonly [label: Parameters<typeof phrase>[0], value: ReactNode])[] = [
    ['roaming.doubts', doubts.map((doubt) => phrase(`roaming-doubt.${doubt}`)).join(' · ')],
    ['roaming.refusal', refusal && phrase(`roaming-refusal.${refusal}`)],
    ['roaming.stopAskedAt', stopAskedAt && <Instant key="stop" at={stopAskedAt} />],
    ['roaming.settledBy', settledBy],
    ['roaming.reason', reason],
  ];
  const facts = told.filter(([, value]) => value !== null && value !== '');
  return (
    <div className={styles.bills}>
      <section aria-label={phrase('roaming.bill')}>
        <strong>{bill === null ? phrase('roaming.bill') : sumHead('roaming.bill', bill)}</strong>
        {bill === null ? <p>{phrase('roaming.noBill')}</p> : <Lines bill={bill} />}
      </section>
      {secondBill === null ? null : (
        <section aria-label={phrase('roaming.secondBill')}>
          <strong>{sumHead('roaming.secondBill', secondBill)}</strong>
          <Lines bill={{ ...secondBill, lines: [] }} />
        </section>
      )}
      {corrections.length === 0 ? null : <Corrections corrections={corrections} />}
      <section aria-label={phrase('roaming.prices')}>
        <strong>{phrase('roaming.prices')}</strong>
        <table className={styles.table}>
          <tbody>
            {prices.map(({ fromSecond, electricityPriceE5, servicePriceE5 }) => (
              <tr key={fromSecond}>
                <td>{timeOfDay(fromSecond)}</td>
                <td className="figure">{`${priceText(electricityPriceE5)} + ${priceText(servicePriceE5)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {facts.length === 0 ? null : (
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{phrase(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Lines({ bill }: { bill: NonNullable<RoamingChargeDetail['bill']> }) {
  const feeText = (fen: number | null) => (fen === null ? nothingText : moneyText(fen));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{phrase('roaming.startedAt')}</th>
          <th>{phrase('roaming.endedAt')}</th>
          <th>{phrase('roaming.energy')}</th>
          <th>{phrase('roaming.electricityFee')}</th>
          <th>{phrase('roaming.serviceFee')}</th>
        </tr>
      </thead>
      <tbody>
        {bill.lines.map((line) => (
          <tr key={line.from}>
            <td>
              <Instant at={line.from} />
            </td>
            <td>
              <Instant at={line.to} />
            </td>
            <td className="figure">{energyText(line.energyWh, 3)} kWh</td>
            <td className="figure">{feeText(line.electricityFeeFen)}</td>
            <td className="figure">{feeText(line.serviceFeeFen)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th colSpan={2}>{phrase('roaming.amount')}</th>
          <td className="figure">{energyText(bill.energyWh, 3)} kWh</td>
          <td className="figure">{moneyText(bill.electricityFeeFen)}</td>
          <td className="figure">{moneyText(bill.serviceFeeFen)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Corrections({ corrections }: Pick<RoamingChargeDetail, 'corrections'>) {
  return (
    <section aria-label={phrase('roaming.corrections')}>
      <strong>{phrase('roaming.corrections')}</strong>
      <table className={styles.table}>
        <tbody>
          {corrections.map(({ kind, amountFen, reason, userName, at }) => (
            <tr key={at}>
              <td>
                <Instant at={at} />
              </td>
              <td>{phrase(`roaming-correction.${kind}`)}</td>
              <td className="figure">{kind === 'upheld' ? nothingText : moneyText(amountFen)}</td>
              <td>{reason}</td>
              <td>{userName ?? nothingText}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function sumHead(title: 'roaming.bill' | 'roaming.secondBill', { amountFen }: { amountFen: number }): string {
  return `${phrase(title)} · ${moneyText(amountFen)}`;
}

/** 25200 is "07:00". */
function timeOfDay(second: number): string {
  const minutes = Math.floor(second / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
