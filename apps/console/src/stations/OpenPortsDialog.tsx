import { type Connector, getStation, listConnectors, listStations, openConnectors } from '@voltdeck/contract/stations';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import styles from './stations.module.css';

type Props = {
  ports: readonly Connector[];
  isOpening: boolean;
  open: boolean;
  onClose: () => void;
  onDone: (text: string) => void;
};

/** Opens or closes the chosen gun ports, all or none. */
export default function OpenPortsDialog({ ports, isOpening, open, onClose, onDone }: Props) {
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const charging = ports.filter(({ orderId }) => orderId !== null).length;
  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const body = { connectorIds: ports.map(({ id }) => id), open: isOpening };
      const { changed } = await call(openConnectors, { body, quiet: true });
      void refresh(listConnectors, listStations, getStation);
      onDone(phrase(isOpening ? 'stations.portsOpened' : 'stations.portsClosed', { count: changed }));
    } catch (error) {
      setFailure(failureText(error).text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={phrase(isOpening ? 'stations.openPortsQuestion' : 'stations.closePortsQuestion', { count: ports.length })}
      open={open}
      onCancel={onClose}
      width={440}
      destroyOnHidden
      footer={
        <>
          <Button onClick={onClose}>{phrase('shell.cancel')}</Button>
          <Button type="primary" danger={!isOpening} loading={isBusy} onClick={() => void send()}>
            {phrase(isOpening ? 'stations.openPortsVerb' : 'stations.closePortsVerb', { count: ports.length })}
          </Button>
        </>
      }
    >
      {isOpening ? null : (
        <p className={styles.quiet}>
          {phrase(charging > 0 ? 'stations.closePortsCharging' : 'stations.closeDetails', { count: charging })}
        </p>
      )}
      {failure === null ? null : <p role="alert">{failure}</p>}
    </Modal>
  );
}
