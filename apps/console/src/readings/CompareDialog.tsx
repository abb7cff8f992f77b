import type { OrderId } from '@voltdeck/units/id';
import { Modal } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { useGo } from '../session/use-go.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { chargeChoices } from './charge-choices.ts';
import styles from './readings.module.css';

type Props = { orderId: OrderId; open: boolean; onClose: () => void };

/** Asks for the charge to compare with, and leads to the comparison. */
export function CompareDialog({ orderId, open, onClose }: Props) {
  const go = useGo();
  const [other, setOther] = useState<OrderId>();
  const isSame = other === orderId;
  return (
    <Modal
      open={open}
      onCancel={onClose}
      title={phrase('readings.compareTitle')}
      okText={phrase('readings.compareWith')}
      cancelText={phrase('shell.cancel')}
      okButtonProps={{ disabled: other === undefined || isSame }}
      onOk={() => {
        if (other === undefined || isSame) return;
        onClose();
        go('chargeComparison', { id: orderId, other });
      }}
    >
      <RecordSelect
        label={phrase('readings.otherCharge')}
        choices={chargeChoices}
        value={other}
        onChange={(value) => setOther(value as OrderId | undefined)}
      />
      <p className={styles.quiet}>{phrase(isSame ? 'readings.sameCharge' : 'readings.otherHint')}</p>
    </Modal>
  );
}
