import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { RechargeTarget } from '@voltdeck/contract/payments';
import { createRechargeCode } from '@voltdeck/contract/recharge-codes';
import type { AnswerOf } from '@voltdeck/contract/route';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

export type MadeCode = AnswerOf<typeof createRechargeCode>;

type Props = {
  target: RechargeTarget;
  channels: readonly PaymentChannelName[];
  open: boolean;
  onClose: () => void;
  onMade: (code: MadeCode) => void;
};

/** Asks a payment channel for a code by which somebody puts money on a card or a registered user. */
export default function RechargeCodeForm({ target, channels, open, onClose, onMade }: Props) {
  const { cardId, customerId } = target;
  const [first] = channels;
  return (
    <RouteForm
      as="dialog"
      route={createRechargeCode}
      given={cardId === null ? { customerId: customerId ?? undefined } : { cardId }}
      title={phrase('recharge-codes.formTitle', { target: targetName(target) })}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('recharge-codes.submitEmpty')
          : phrase('recharge-codes.submit', { amount: moneyText(amountFen) })
      }
      intro={<p className={styles.quiet}>{phrase('recharge-codes.intro')}</p>}
      initial={first === undefined ? {} : { channel: first }}
      fields={{
        amountFen: { label: 'recharge-codes.amount' },
        channel: {
          label: 'recharge-codes.channel',
          options: channels.map((channel) => ({ value: channel, label: phrase(`payment-channel.${channel}`) })),
        },
      }}
      open={open}
      onClose={onClose}
      onSaved={onMade}
    />
  );
}
