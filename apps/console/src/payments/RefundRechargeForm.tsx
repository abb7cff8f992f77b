import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { listMovements } from '@voltdeck/contract/movements';
import { isPaymentChannel } from '@voltdeck/contract/payment-channels';
import { listRechargeRefunds, listRecharges, type Recharge, refundRecharge } from '@voltdeck/contract/payments';
import { formatYuan, subtractFen } from '@voltdeck/units/money';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { isoDateTime } from '../ui/instants.ts';
import { giftTakenBack } from './gift-taken-back.ts';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

type Props = { recharge: Recharge; open: boolean; onClose: () => void; onSaved: (told: string) => void };

/** Sends money of a recharge back the way it came; the button shows how much. */
export default function RefundRechargeForm({ recharge, open, onClose, onSaved }: Props) {
  const { id, number, amountFen: rechargedFen, refundedFen } = recharge;
  const { data } = useAnswer(listRechargeRefunds, { params: { id } }, { staleMs: 0, enabled: open });
  const leftFen = subtractFen(rechargedFen, refundedFen);
  return (
    <RouteForm
      as="dialog"
      danger
      route={refundRecharge}
      params={{ id }}
      title={phrase('recharges.refundTitle', { number })}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('recharges.refundEmpty')
          : phrase('recharges.refundVerb', { amount: moneyText(amountFen) })
      }
      intro={
        <>
          <p>{phrase('recharges.refundIntro', { target: targetName(recharge) })}</p>
          <p className={styles.quiet}>
            {phrase('recharges.refundRange', {
              max: moneyText(data?.refundableFen ?? leftFen),
              amount: moneyText(rechargedFen),
              refunded: moneyText(refundedFen),
            })}
          </p>
          {data === undefined || data.refunds.length === 0 ? null : (
            <section aria-label={phrase('recharges.earlier')}>
              <p className={styles.quiet}>{phrase('recharges.earlier')}</p>
              <ul className={styles.made}>
                {data.refunds.map((refund) => (
                  <li key={refund.id}>
                    <span className="figure">{moneyText(refund.amountFen)}</span>
                    <span>{phrase(`recharge-refund-state.${refund.state}`)}</span>
                    <span className={styles.quiet}>{isoDateTime(refund.createdAt)}</span>
                    {refund.failure === null ? null : <span className={styles.quiet}>{refund.failure}</span>}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      }
      fields={{
        amountFen: {
          label: 'recharges.refundAmount',
          check: (amountFen) =>
            amountFen <= leftFen ? null : phrase('error.recharge.refund_too_high', { max: formatYuan(leftFen) }),
        },
        reason: { label: 'recharges.refundReason', rows: 3 },
      }}
      fieldOf={{
        'recharge.refund_too_high': 'amountFen',
        'recharge.refund_spent': 'amountFen',
        'recharge.refund_gift_spent': 'amountFen',
        'channel.refund_too_high': 'amountFen',
      }}
      refreshes={[listRecharges, listMovements, listRechargeRefunds, listCards, getCard, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={(answer) => {
        const amount = moneyText(answer.refundedFen - refundedFen);
        const isByChannel = isPaymentChannel(answer.channel);
        onSaved(phrase(isByChannel ? 'recharges.refundProcessing' : 'recharges.refundDone', { amount }));
      }}
    >
      {({ amountFen }) =>
        data === undefined || data.giftLeftFen === 0 || amountFen === undefined || amountFen <= 0 ? null : (
          <p role="status">
            {phrase('recharges.refundGift', { gift: moneyText(giftTakenBack({ ...recharge, ...data }, amountFen)) })}
          </p>
        )
      }
    </RouteForm>
  );
}
