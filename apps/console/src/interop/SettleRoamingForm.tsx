import {
  getRoamingCharge,
  listRoamingCharges,
  type RoamingCharge,
  type RoamingChargeDetail,
  settleRoamingCharge,
} from '@voltdeck/contract/roaming';
import { Alert } from 'antd';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  charge: RoamingCharge;
  open: boolean;
  onClose: () => void;
  onSaved: (charge: RoamingChargeDetail) => void;
};

/** Settles a charge at a partner with what both operators agreed on. It starts with what the partner said. */
export default function SettleRoamingForm({ charge, open, onClose, onSaved }: Props) {
  const { id, sequence, energyWh, electricityFeeFen, serviceFeeFen, doubts, heldFen } = charge;
  const sumOf = (values: { electricityFeeFen?: number | undefined; serviceFeeFen?: number | undefined }) =>
    (values.electricityFeeFen ?? 0) + (values.serviceFeeFen ?? 0);
  return (
    <RouteForm
      route={settleRoamingCharge}
      params={{ id }}
      title={phrase('roaming.settleTitle', { sequence })}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
      initial={{ energyWh, electricityFeeFen, serviceFeeFen }}
      submitLabel={(values) =>
        sumOf(values) === 0 && values.energyWh === 0
          ? phrase('roaming.settleNothing')
          : phrase('roaming.settleVerb', { amount: moneyText(sumOf(values)) })
      }
      intro={
        <>
          <p>{phrase('roaming.settleIntro', { held: moneyText(heldFen) })}</p>
          {doubts.length === 0 ? null : (
            <Alert
              type="warning"
              showIcon
              title={doubts.map((doubt) => phrase(`roaming-doubt.${doubt}`)).join(' · ')}
            />
          )}
        </>
      }
      fields={{
        energyWh: { label: 'roaming.energy' },
        electricityFeeFen: { label: 'roaming.electricityFee' },
        serviceFeeFen: { label: 'roaming.serviceFee' },
        reason: { label: 'roaming.reason', hint: 'roaming.reasonHint', rows: 3 },
      }}
      refreshes={[listRoamingCharges, getRoamingCharge]}
    />
  );
}
