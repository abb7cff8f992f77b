import { listStationIdentities, removeIdentities, type StationIdentity } from '@voltdeck/contract/station-identities';
import { Alert, Button, Modal } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import styles from './stations.module.css';

type Props = {
  identities: readonly StationIdentity[];
  open: boolean;
  onClose: () => void;
  onRemoved: (text: string) => void;
};

/** Removes identities in stock, all or none. */
export default function RemoveIdentitiesDialog({ identities, open, onClose, onRemoved }: Props) {
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const count = identities.length;
  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const body = { identityIds: identities.map(({ id }) => id) };
      const { removed } = await call(removeIdentities, { body, quiet: true });
      void refresh(listStationIdentities);
      onRemoved(phrase('identities.removed', { count: removed }));
    } catch (error) {
      setFailure(failureText(error).text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={phrase('identities.removeQuestion', { count })}
      open={open}
      onCancel={onClose}
      width={440}
      destroyOnHidden
      footer={
        <>
          <Button onClick={onClose}>{phrase('shell.cancel')}</Button>
          <Button type="primary" danger loading={isBusy} onClick={() => void send()}>
            {phrase('identities.remove')}
          </Button>
        </>
      }
    >
      <p className={styles.quiet}>{phrase('identities.removeDetails')}</p>
      {failure === null ? null : <Alert type="error" showIcon title={failure} />}
    </Modal>
  );
}
