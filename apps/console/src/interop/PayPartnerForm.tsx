import { listPartnerPayments, type PartnerPayment, payPartner } from '@voltdeck/contract/partner-deposits';
import { getPartner, listPartners, type Partner } from '@voltdeck/contract/partners';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { partner: Partner; open: boolean; onClose: () => void; onSaved: (payment: PartnerPayment) => void };

/** Books what was paid to a partner for charges of our customers. It asks with the amount. */
export default function PayPartnerForm({ partner: { id, name, payableFen }, open, onClose, onSaved }: Props) {
  const confirm = useConfirm();
  return (
    <RouteForm
      as="dialog"
      route={payPartner}
      params={{ id }}
      draft={`partner payment ${id}`}
      title={phrase('interop.payTitle', { name })}
      submitLabel={phrase('interop.pay')}
      intro={<p>{phrase('interop.payIntro', { payable: moneyText(payableFen) })}</p>}
      fields={{
        amountFen: { label: 'interop.payAmount', hint: 'interop.payAmountHint' },
        remark: { label: 'interop.remark', hint: 'interop.depositRemarkHint', rows: 2 },
      }}
      asksFirst={async ({ amountFen }) =>
        amountFen !== undefined &&
        confirm({
          question: phrase('interop.payQuestion', { name, amount: moneyText(amountFen) }),
          verb: phrase('interop.pay'),
        })
      }
      fieldOf={{ 'partner.payment_range': 'amountFen' }}
      refreshes={[listPartners, getPartner, listPartnerPayments]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
