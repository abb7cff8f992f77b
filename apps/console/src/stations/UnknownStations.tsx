import { deleteUnknownStation, listUnknownStations } from '@voltdeck/contract/unknown-stations';
import type { Id } from '@voltdeck/units/id';
import { Alert, Button, Modal } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { useTell } from '../ui/use-tell.ts';
import type { StationFormTask } from './StationFormDrawer.tsx';
import styles from './stations.module.css';

const shownMax = 50;
/** Minimum interval between fetches: a charger with a wrong number retries every few seconds. */
const refetchGapMs = 5_000;

const question = { query: { pageSize: shownMax } };

/** Unregistered stations that tried to connect, to adopt with one click. */
export function UnknownStations({ onAdopt }: { onAdopt: (task: StationFormTask) => void }) {
  const can = useCan();
  const mayCreate = can('station.create');
  const [open, setOpen] = useState(false);
  const answer = useAnswer(listUnknownStations, question, { enabled: mayCreate });
  const askAgain = useAskAgain(listUnknownStations, question, refetchGapMs);
  useConsoleEvents('unknown-stations-changed', askAgain);
  const tell = useTell();
  const forget = (id: Id<'unknown-station'>) =>
    call(deleteUnknownStation, { params: { id } }).then(() => void answer.refetch(), tell);
  const unknown = answer.data;
  if (!mayCreate || unknown === undefined || unknown.total === 0) return null;
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={phrase('stations.unknownBanner', { count: countText(unknown.total ?? 0) })}
        action={
          <Button size="small" onClick={() => setOpen(true)}>
            {phrase('stations.unknownShow')}
          </Button>
        }
      />
      <Modal
        title={phrase('stations.unknownTitle')}
        open={open}
        onCancel={() => setOpen(false)}
        width={760}
        destroyOnHidden
        footer={<Button onClick={() => setOpen(false)}>{phrase('shell.close')}</Button>}
      >
        <p className={styles.quiet}>{phrase('stations.unknownText')}</p>
        <ScrollRegion label={phrase('stations.unknownTitle')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('stations.number')}</th>
                <th scope="col">{phrase('stations.protocol')}</th>
                <th scope="col">{phrase('stations.remoteAddress')}</th>
                <th scope="col" className={styles.right}>
                  {phrase('stations.attempts')}
                </th>
                <th scope="col">{phrase('stations.lastAttempt')}</th>
                <th scope="col">
                  <span className="for-readers">{phrase('list.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {unknown.items.map((station) => (
                <tr key={station.id}>
                  <td>
                    <span className={`${styles.mono} ${styles.unknownNumber}`}>{station.number}</span>
                    {station.identity === null ? null : (
                      <div className={styles.quiet}>
                        {phrase('stations.identityKnown', { batch: station.identity.batch })}
                      </div>
                    )}
                  </td>
                  <td>{phrase(`protocol.${station.protocol}`)}</td>
                  <td className={styles.mono}>{station.remoteAddress}</td>
                  <td className={styles.right}>{countText(station.attempts)}</td>
                  <td>
                    <Instant at={station.lastSeenAt} />
                  </td>
                  <td className={styles.rowActs}>
                    <Button size="small" type="text" onClick={() => void forget(station.id as Id<'unknown-station'>)}>
                      {phrase('stations.forgetUnknown')}
                    </Button>
                    <Button
                      size="small"
                      type="primary"
                      onClick={() => {
                        setOpen(false);
                        onAdopt({
                          kind: 'adopt',
                          id: station.id as Id<'unknown-station'>,
                          number: station.number,
                          protocol: station.protocol,
                          identity: station.identity,
                        });
                      }}
                    >
                      {phrase('stations.adopt')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Modal>
    </>
  );
}
