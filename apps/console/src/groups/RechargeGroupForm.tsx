import { type Group, getGroup, listGroups, rechargeGroup } from '@voltdeck/contract/groups';
import { listMovements } from '@voltdeck/contract/movements';
import { listRecharges, type Recharge } from '@voltdeck/contract/payments';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { group: Group; open: boolean; onClose: () => void; onSaved: (recharge: Recharge) => void };

/** Puts money on a group; its debts are repaid first. */
export default function RechargeGroupForm({ group, open, onClose, onSaved }: Props) {
  const can = useCan();
  const { id, name, balanceFen, owedFen } = group;
  return (
    <RouteForm
      as="dialog"
      route={rechargeGroup}
      params={{ id }}
      draft={`group recharge ${id}`}
      title={phrase('groups.rechargeTitle', { name })}
      submitLabel={phrase('groups.recharge')}
      intro={<p>{phrase('groups.rechargeIntro', { balance: moneyText(balanceFen), owed: moneyText(owedFen) })}</p>}
      fields={{
        amountFen: { label: 'groups.rechargeAmount' },
        giftFen: { label: 'groups.rechargeGift', shownIf: () => can('recharge.gift') },
        remark: { label: 'groups.remark', rows: 2 },
      }}
      fieldOf={{ 'recharge.day_limit': 'amountFen', 'agent.prepaid_too_low': 'amountFen' }}
      refreshes={[listGroups, getGroup, listRecharges, listMovements]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
