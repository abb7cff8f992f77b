import { assignStop, listAbnormalOrders, listStopTargets, type StopTarget } from '@voltdeck/contract/abnormal-orders';
import { getOrder, listOrders, type Order } from '@voltdeck/contract/orders';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { energyText, nothingText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { isoDateTime } from '../ui/instants.ts';
import styles from './order-page.module.css';

type Props = { order: Order; open: boolean; onClose: () => void; onSaved: (orderNumber: string) => void };

/** Gives a parked stop to the order that it ends: one of its station that still awaits its stop. */
export default function AssignStopForm({ order, open, onClose, onSaved }: Props) {
  const params = { id: order.id };
  const detail = useAnswer(getOrder, { params }, { enabled: open });
  const targets = useAnswer(listStopTargets, { params }, { enabled: open });
  const register = detail.data?.meterStopWh ?? null;
  return (
    <RouteForm
      as="dialog"
      route={assignStop}
      params={params}
      title={phrase('abnormal.assignTitle')}
      submitLabel={phrase('abnormal.assign')}
      intro={
        <p className={styles.formIntro}>
          {phrase('abnormal.assignIntro', {
            register: register === null ? nothingText : energyText(register, 3),
            time: isoDateTime(order.endedAt ?? order.placedAt) ?? '',
          })}
        </p>
      }
      fields={{
        orderNumber: {
          label: 'abnormal.assignTo',
          options: (targets.data ?? []).map((target) => ({ value: target.number, label: nameOf(target) })),
          hint: () => (targets.data?.length === 0 ? phrase('abnormal.assignNone') : undefined),
        },
        reason: { label: 'orders.reasonHead', rows: 3, placeholder: 'abnormal.reasonHint' },
      }}
      refreshes={[listAbnormalOrders, listOrders, getOrder]}
      open={open && !detail.isPending && !targets.isPending}
      onClose={onClose}
      onSaved={(_, { orderNumber = '' }) => onSaved(orderNumber)}
    />
  );
}

function nameOf({ number, connectorNumber, startedAt, placedAt, energyWh }: StopTarget): string {
  return phrase('abnormal.assignChoice', {
    number,
    port: connectorNumber,
    time: isoDateTime(startedAt ?? placedAt) ?? '',
    energy: energyText(energyWh),
  });
}
