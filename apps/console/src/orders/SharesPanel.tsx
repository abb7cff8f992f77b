import type { OrderDetail } from '@voltdeck/contract/orders';
import { getOrderShares, type OrderShare } from '@voltdeck/contract/shares';
import { addFen } from '@voltdeck/units/money';
import { App, Button } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { moneyText, rateText, yuanText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './order-page.module.css';

/** Lazy: hardly any visit opens it. */
const CorrectSharesForm = lazyPart(() => import('./CorrectSharesForm.tsx'));

/** Who got what of the order, why, and when it was posted. */
export default function SharesPanel({ order }: { order: OrderDetail }) {
  const can = useCan();
  const { message } = App.useApp();
  const [isOpen, setOpen] = useState(false);
  const { data } = useAnswer(getOrderShares, { params: { id: order.id } }, { staleMs: 0 });
  if (data === undefined || (data.shares.length === 0 && !data.isWhole)) return null;
  const { shares, postings } = data;
  const note = data.isWhole
    ? phrase('shares.note', { received: moneyText(data.receivedFen) })
    : phrase('shares.notePart');
  // Nothing charges for occupancy at most sites.
  const fees = (['electricity', 'service', 'occupancy'] as const).filter(
    (fee) => fee !== 'occupancy' || shares.some(({ occupancyFen }) => occupancyFen !== 0),
  );
  const sumOf = (key: `${(typeof fees)[number] | 'amount'}Fen`) => addFen(...shares.map((share) => share[key]));
  const mayCorrect = data.isWhole && can('order.correct_shares') && order.state === 'completed';
  const tools = mayCorrect ? (
    <Button size="small" onClick={() => setOpen(true)}>
      {phrase('shares.correct')}
    </Button>
  ) : undefined;
  return (
    <Panel title={phrase('shares.title')} flush note={note} tools={tools}>
      {shares.length === 0 ? (
        <p className={styles.nothing}>{phrase('shares.nothing')}</p>
      ) : (
        <ScrollRegion label={phrase('shares.title')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('shares.party')}</th>
                <th scope="col">{phrase('shares.why')}</th>
                {fees.map((fee) => (
                  <th key={fee} scope="col" className={styles.right}>
                    {phrase(`shares.${fee}`)}
                  </th>
                ))}
                <th scope="col" className={styles.right}>
                  {phrase('shares.sum')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shares.map((share) => (
                <tr key={`${share.party.kind} ${share.party.id} ${share.reason}`}>
                  <td>{share.party.name ?? phrase('shares.platform')}</td>
                  <td>{whyOf(share)}</td>
                  {fees.map((fee) => (
                    <td key={fee} className={styles.right}>
                      {yuanText(share[`${fee}Fen`])}
                    </td>
                  ))}
                  <td className={styles.right}>{yuanText(share.amountFen)}</td>
                </tr>
              ))}
              <tr className={styles.total}>
                <th scope="row" colSpan={2}>
                  {phrase('shares.sum')}
                </th>
                {fees.map((fee) => (
                  <td key={fee} className={styles.right}>
                    {yuanText(sumOf(`${fee}Fen`))}
                  </td>
                ))}
                <td className={styles.right}>{yuanText(sumOf('amountFen'))}</td>
              </tr>
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {postings.length < 2 ? null : (
        <details className={styles.postings}>
          <summary>{phrase('shares.postings', { count: postings.length })}</summary>
          <table className={styles.figures}>
            <tbody>
              {postings.map(({ number, at, amountFen }) => (
                <tr key={number}>
                  <th scope="row">{phrase('shares.posting', { number })}</th>
                  <td className={`figure ${styles.nowrap}`}>{isoDateTime(at)}</td>
                  <td className={styles.right}>{yuanText(amountFen)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <Suspense>
        {mayCorrect ? (
          <CorrectSharesForm
            order={order}
            open={isOpen}
            onClose={() => setOpen(false)}
            onSaved={() => void message.success(phrase('shares.corrected'))}
          />
        ) : null}
      </Suspense>
    </Panel>
  );
}

function whyOf({ reason, ratesE4, agentRateE4 }: OrderShare): string {
  const word = phrase(`share-reason.${reason}`);
  if (agentRateE4 !== null) return `${word} · ${phrase('shares.ofAbove', { rate: rateText(agentRateE4) })}`;
  if (ratesE4 === null) return word;
  const { electricity, service } = ratesE4;
  if (electricity === service) return `${word} · ${rateText(service)}`;
  return `${word} · ${phrase('shares.rates', { electricity: rateText(electricity), service: rateText(service) })}`;
}
