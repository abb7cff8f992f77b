import { type Deposit, depositForPartner, listPartnerMovements } from '@voltdeck/contract/partner-deposits';
import { getPartner, listPartners, type Partner } from '@voltdeck/contract/partners';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { partner: Partner; open: boolean; onClose: () => void; onSaved: (deposit: Deposit) => void };

/** Books what a partner paid in for its charges. It asks with the amount. */
export default function DepositForm({ partner: { id, name, balanceFen }, open, onClose, onSaved }: Props) {
  const confirm = useConfirm();
  return (
    <RouteForm
      as="dialog"
      route={depositForPartner}
      params={{ id }}
      draft={`partner deposit ${id}`}
      title={phrase('interop.depositTitle', { name })}
      submitLabel={phrase('interop.deposit')}
      intro={<p>{phrase('interop.depositIntro', { balance: moneyText(balanceFen) })}</p>}
      fields={{
        amountFen: { label: 'interop.depositAmount' },
        remark: { label: 'interop.remark', hint: 'interop.depositRemarkHint', rows: 2 },
      }}
      asksFirst={async ({ amountFen }) =>
        amountFen !== undefined &&
        confirm({
          question: phrase('interop.depositQuestion', { name, amount: moneyText(amountFen) }),
          verb: phrase('interop.deposit'),
        })
      }
      fieldOf={{ 'recharge.day_limit': 'amountFen' }}
      refreshes={[listPartners, getPartner, listPartnerMovements]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
