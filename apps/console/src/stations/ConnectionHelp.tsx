import { useQueryClient } from '@tanstack/react-query';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { getStationConnection, renewStationPassword, type Station } from '@voltdeck/contract/stations';
import { Alert, Button, Modal, Skeleton } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { keyOf, useAnswer } from '../api/queries.ts';
import { knownPhrase, phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { connectionSteps } from './connection-steps.ts';
import styles from './stations.module.css';

type Props = {
  station: Pick<Station, 'id' | 'name' | 'number'>;
  /** A password that was just generated, shown only this once. */
  password: string | null;
  open: boolean;
  onClose: () => void;
};

/** Poll interval: refused attempts are not pushed, and an installer is waiting at the charger. */
const refetchGapMs = 5_000;

/** A refusal recorded by the gateway, in words; unknown reasons are shown unchanged. */
function refusalText(reason: string): string {
  return knownPhrase(`stations.refusal.${reason}`) ?? reason;
}

/** What to enter in the charger, and whether it has connected. */
export default function ConnectionHelp({ station, password, open, onClose }: Props) {
  const can = useCan();
  const client = useQueryClient();
  const confirm = useConfirm();
  const [renewed, setRenewed] = useState<string | null>(null);
  const question = { params: { id: station.id } };
  const answer = useAnswer(getStationConnection, question, { enabled: open, staleMs: 0 });
  const { refetch } = answer;
  const isOnline = answer.data?.online === true;
  const refusal = answer.data?.lastRefusal ?? null;
  /** A station that has been heard since was let in: the refusal is over. */
  const isRefused = !isOnline && refusal !== null && refusal.at > (answer.data?.lastSeenAt ?? '');

  useConsoleEvents('station-changed', (event) => {
    if (open && event.stationId === station.id) void fetchAgain(client, keyOf(getStationConnection, question));
  });
  useEffect(() => {
    if (!open || isOnline) return;
    const timer = setInterval(() => void refetch(), refetchGapMs);
    return () => clearInterval(timer);
  }, [open, isOnline, refetch]);

  const hasPassword = answer.data === undefined || protocolTraits[answer.data.protocol].hasPassword;
  const shown = renewed ?? password;
  const leave = () => {
    setRenewed(null);
    onClose();
  };
  const renew = () =>
    void confirm({
      question: phrase('stations.renewQuestion', { name: station.name }),
      details: phrase('stations.renewDetails'),
      verb: phrase('stations.renew'),
      danger: true,
      act: async (idempotencyKey) => {
        const made = await call(renewStationPassword, { params: { id: station.id }, idempotencyKey });
        setRenewed(made.password);
        await refetch();
      },
    });

  return (
    <Modal
      title={phrase('stations.connectTitle', { name: station.name })}
      open={open}
      onCancel={leave}
      width={640}
      destroyOnHidden
      mask={{ closable: shown === null }}
      footer={<Button onClick={leave}>{phrase('shell.close')}</Button>}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void refetch()} />
      ) : (
        <>
          <div className={styles.connected} role="status" data-online={isOnline}>
            <StateTag tone={isOnline ? 'free' : 'offline'}>
              {phrase(isOnline ? 'stations.connected' : 'stations.notConnected')}
            </StateTag>
            <span className={styles.quiet}>
              {isOnline ? (
                phrase('stations.connectedText')
              ) : answer.data.lastSeenAt === null ? (
                phrase('stations.waitingText')
              ) : (
                <>
                  {phrase('stations.lastSeen')} <Instant at={answer.data.lastSeenAt} />
                </>
              )}
            </span>
          </div>
          {refusal === null || !isRefused ? null : (
            <Alert
              type="warning"
              showIcon
              title={refusalText(refusal.reason)}
              description={
                <>
                  {phrase('stations.refusedFrom', { address: refusal.remoteAddress })} · <Instant at={refusal.at} />
                </>
              }
            />
          )}
          <dl className={styles.connection}>
            <Address url={answer.data.url} />
            <Line label={phrase(hasPassword ? 'stations.identity' : 'stations.identityYkc')}>
              <CopyNumber value={answer.data.identity} />
            </Line>
            {answer.data.subprotocol === null ? null : (
              <Line label={phrase('stations.subprotocol')}>
                <CopyNumber value={answer.data.subprotocol} />
              </Line>
            )}
            {hasPassword && answer.data.signIn !== 'password' ? (
              <Line label={phrase('stations.signIn')}>{phrase(`stations.signIn.${answer.data.signIn}`)}</Line>
            ) : null}
            {hasPassword && answer.data.signIn === 'password' ? (
              <Line label={phrase('stations.password')}>
                {shown === null ? (
                  <span className={styles.quiet}>
                    {phrase(answer.data.hasPassword ? 'stations.passwordKept' : 'stations.passwordNone')}
                  </span>
                ) : (
                  <span className={styles.secret}>
                    <CopyNumber value={shown} />
                    <span className={styles.once}>{phrase('stations.shownOnce')}</span>
                  </span>
                )}
                {can('station.edit') && shown === null ? (
                  <Button size="small" onClick={renew}>
                    {phrase('stations.renew')}
                  </Button>
                ) : null}
              </Line>
            ) : null}
          </dl>
          <h3 className={styles.formHead}>{phrase('stations.stepsTitle')}</h3>
          <ol className={styles.steps}>
            {connectionSteps(answer.data).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p className={styles.quiet}>{phrase(hasPassword ? 'stations.addressNote' : 'stations.addressNoteYkc')}</p>
          {hasPassword ? null : <Alert type="info" showIcon title={phrase('stations.noPasswordNote')} />}
          {answer.data.signIn === 'open' ? (
            <Alert type="warning" showIcon title={phrase('stations.openWarning')} />
          ) : null}
        </>
      )}
    </Modal>
  );
}

/** Chargers have separate fields for host and port. */
function Address({ url }: { url: string | null }) {
  const parts = /^tcp:\/\/(.+):(\d+)$/.exec(url ?? '');
  if (url === null) return <Line label={phrase('stations.address')}>{phrase('stations.addressOff')}</Line>;
  if (parts === null) {
    return (
      <Line label={phrase('stations.address')}>
        <CopyNumber value={url} />
      </Line>
    );
  }
  return (
    <>
      <Line label={phrase('stations.host')}>
        <CopyNumber value={parts[1] ?? ''} />
      </Line>
      <Line label={phrase('stations.serverPort')}>
        <CopyNumber value={parts[2] ?? ''} />
      </Line>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
