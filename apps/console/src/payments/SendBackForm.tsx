import { type ChannelPayment, listChannelPayments, sendBackPayment } from '@voltdeck/contract/channel-payments';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  payment: ChannelPayment;
  open: boolean;
  onClose: () => void;
  onSaved: (payment: ChannelPayment) => void;
};

/** Sends money that is on no balance back to its payer. */
export default function SendBackForm({ payment, open, onClose, onSaved }: Props) {
  const amount = moneyText(payment.paidFen ?? 0);
  return (
    <RouteForm
      as="dialog"
      danger
      route={sendBackPayment}
      params={{ id: payment.id }}
      title={phrase('channel-payments.sendBackTitle', { number: payment.number })}
      submitLabel={phrase('channel-payments.sendBackVerb', { amount })}
      intro={<p>{phrase('channel-payments.sendBackIntro', { amount })}</p>}
      fields={{ reason: { label: 'channel-payments.reason', rows: 2 } }}
      refreshes={[listChannelPayments]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
