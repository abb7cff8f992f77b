import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { Energy } from '../ui/Energy.tsx';
import { isoDateTime } from '../ui/instants.ts';
import type { RowAction } from '../ui/list/list-view.ts';
import { Money } from '../ui/Money.tsx';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { isBelieved, proposalBasis } from './proposal-basis.ts';
import { proposalPreview } from './settle-preview.ts';
import styles from './waiting-panel.module.css';
import { factsOf } from './words.ts';

/**
 * Why an order waits for a person, the proposed settlement, and the button to make it. `settle` is absent without the
 * permission.
 */
export function WaitingPanel({ order, settle }: { order: OrderDetail; settle: RowAction | undefined }) {
  return (
    <Panel
      title={phrase('settlement-wait.person')}
      note={phrase('orders.waitsSince', { time: isoDateTime(order.waitsSince ?? order.placedAt) ?? '' })}
      flush
    >
      <div className={styles.body}>
        <ul className={styles.reasons} aria-label={phrase('orders.waitsWhy')}>
          {order.flags.map((flag) => (
            <li key={flag.rule}>
              <StateTag tone="occupied">{phrase(`abnormal-rule.${flag.rule}`)}</StateTag>
              <p className={styles.why}>{phrase(`abnormal-why.${flag.rule}`)}</p>
              <dl className={styles.facts}>
                {factsOf(flag.evidence).map(({ name, label, text }) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd className="figure">{text}</dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ul>
        <div className={styles.proposal}>
          <Proposal order={order} />
          {settle === undefined ? (
            <p className={styles.quiet}>{phrase('orders.waitsNoRight')}</p>
          ) : (
            <DisabledReason type="primary" because={settle.because} onClick={settle.onClick}>
              {phrase(isBelieved(order) ? 'orders.proposalVerb' : 'orders.settle')}
            </DisabledReason>
          )}
        </div>
      </div>
    </Panel>
  );
}

function Proposal({ order }: { order: OrderDetail }) {
  const basis = proposalBasis(order);
  if (order.proposal === null || basis === null) {
    return (
      <>
        <h3 className={styles.label}>{phrase('orders.proposalNone')}</h3>
        <p className={styles.quiet}>{phrase('orders.proposalNoneText')}</p>
      </>
    );
  }
  const preview = proposalPreview(order);
  return (
    <>
      <h3 className={styles.label}>{phrase('orders.proposal')}</h3>
      <p className={`figure ${styles.amount}`}>
        {preview?.kind === 'bill' ? (
          <Money fen={preview.bill.amountFen} />
        ) : (
          <Energy wh={order.proposal.energyWh} decimals={3} />
        )}
      </p>
      <p className={`figure ${styles.quiet}`}>
        {preview?.kind === 'bill' ? (
          <>
            <Energy wh={order.proposal.energyWh} decimals={3} />
            {' · '}
          </>
        ) : null}
        {phrase('orders.proposalEnd', { time: isoDateTime(order.proposal.endedAt) ?? '' })}
      </p>
      <p className={styles.basis}>{phrase(`orders.proposalBy.${basis}`)}</p>
      {preview?.kind === 'bill' ? null : <p className={styles.quiet}>{phrase('orders.proposalNoPrice')}</p>}
    </>
  );
}
