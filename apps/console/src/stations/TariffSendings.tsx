import { type RejectionReason, rejectionReasons } from '@voltdeck/charging/station-command';
import { getStation, listStations, type Station, sendTariffs, tariffSendingMax } from '@voltdeck/contract/stations';
import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { RunningTariff, tariffOutcomeText } from './RunningTariff.tsx';
import styles from './stations.module.css';
import upkeep from './upkeep.module.css';

type Sent = { outcome: string; reason: string | null };
type Props = { stations: readonly Station[]; open: boolean; onClose: () => void };

/** Sends tariffs to the chosen stations and shows the outcome for each. */
export default function TariffSendings({ stations, open, onClose }: Props) {
  const refresh = useRefresh();
  const [sent, setSent] = useState<ReadonlyMap<number, Sent> | null>(null);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // Stations without a tariff of their own are listed too, so that nobody looks for them in vain.
  const able = stations.filter(({ runningTariff }) => runningTariff !== null).slice(0, tariffSendingMax);

  useEffect(() => {
    if (!open) return;
    setSent(null);
    setFailure(null);
  }, [open]);

  const send = async () => {
    setSending(true);
    setFailure(null);
    try {
      const results = await call(sendTariffs, { body: { stationIds: able.map(({ id }) => id) }, quiet: true });
      setSent(new Map(results.map(({ stationId, ...result }) => [stationId, result])));
      await refresh(listStations, getStation);
    } catch (error) {
      setFailure(failureText(error).text);
    } finally {
      setSending(false);
    }
  };

  return (
    <Modal
      title={phrase('command.set-tariff')}
      open={open}
      onCancel={onClose}
      width={640}
      destroyOnHidden
      footer={
        sent === null ? (
          <>
            <Button onClick={onClose}>{phrase('shell.cancel')}</Button>
            <Button type="primary" loading={isSending} disabled={able.length === 0} onClick={() => void send()}>
              {phrase('stations.tariffSend', { count: able.length })}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{phrase('shell.close')}</Button>
        )
      }
    >
      <p className={styles.quiet}>{phrase('stations.tariffSendText')}</p>
      {failure === null ? null : <p role="alert">{failure}</p>}
      <ul className={upkeep.sendings} aria-live="polite">
        {stations.map((station) => (
          <li key={station.id}>
            <span className={styles.mono}>{station.number}</span>
            <span>{station.name}</span>
            <span>
              <Result station={station} sent={sent?.get(station.id) ?? null} />
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function Result({ station, sent }: { station: Station; sent: Sent | null }) {
  if (station.runningTariff === null) return <span className={styles.quiet}>{phrase('stations.tariffNotHere')}</span>;
  if (sent === null) return <RunningTariff station={station} />;
  const { outcome, reason } = sent;
  return (
    <>
      <StateTag tone={outcome === 'accepted' ? 'free' : 'occupied'}>{tariffOutcomeText(outcome)}</StateTag>
      {isRejectionReason(reason) ? ` ${phrase(`rejection-reason.${reason}`)}` : null}
    </>
  );
}

function isRejectionReason(reason: string | null): reason is RejectionReason {
  return (rejectionReasons as readonly (string | null)[]).includes(reason);
}
