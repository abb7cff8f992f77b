import { getCardStations, type OfflineListState, syncCardStations } from '@voltdeck/contract/card-stations';
import type { Card } from '@voltdeck/contract/cards';
import { listTasks } from '@voltdeck/contract/tasks';
import { Alert, Drawer, Skeleton } from 'antd';
import { useAction, useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import styles from './cards.module.css';

type Props = { card: Card; open: boolean; onClose: () => void };

const widthPx = 640;
const tones: Readonly<Record<OfflineListState, Tone>> = { missing: 'occupied', to_clear: 'fault', stored: 'free' };

/** Which stations hold a card for charges while they are offline, and sending it to those that are out of step. */
export default function CardStationsDrawer({ card, open, onClose }: Props) {
  const can = useCan();
  const go = useGo();
  const mayGo = useMayGo();
  const answer = useAnswer(getCardStations, { params: { id: card.id } }, { enabled: open });
  const sync = useAction(syncCardStations, { changes: [listTasks, getCardStations] });
  const { attempt, failure } = useAttempt();
  const send = () =>
    void attempt(async () => {
      const { taskId } = await sync.mutateAsync({ params: { id: card.id }, quiet: true });
      if (!mayGo('taskDetail')) return;
      // Closed first: the drawer is in the address of the list, which going leaves.
      onClose();
      go('taskDetail', { id: taskId });
    });
  const known = answer.data;
  const isInStep = known !== undefined && known.missingCount + known.toClearCount === 0;
  return (
    <Drawer
      title={phrase('cards.stationsTitle', { number: card.number })}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        can('station.command') && known !== undefined ? (
          <DisabledReason
            type="primary"
            loading={sync.isPending}
            because={isInStep ? phrase('error.card.in_sync') : undefined}
            onClick={send}
          >
            {phrase(known.isWanted ? 'cards.storeOn' : 'cards.clearFrom', {
              count: known.isWanted ? known.missingCount : known.toClearCount,
            })}
          </DisabledReason>
        ) : null
      }
    >
      {failure === null ? null : <Alert className={styles.alert ?? ''} type="error" showIcon title={failure} />}
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : known === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          <p>{summaryOf(card, known)}</p>
          {known.stations.length === 0 ? (
            <EmptyState title={phrase('cards.noStations')} text={phrase('cards.noStationsText')} />
          ) : (
            <ScrollRegion label={phrase('cards.stations')}>
              <table className={styles.figures}>
                <thead>
                  <tr>
                    <th scope="col">{phrase('cards.station')}</th>
                    <th scope="col">{phrase('cards.site')}</th>
                    <th scope="col">{phrase('cards.listState')}</th>
                    <th scope="col">{phrase('cards.givenAt')}</th>
                  </tr>
                </thead>
                <tbody>
                  {known.stations.map(({ id, number, name, siteName, online, state, givenAt }) => (
                    <tr key={id}>
                      <td>
                        <ScreenLink screen="deviceDetail" query={{ id }}>
                          {name}
                        </ScreenLink>
                        <div className={styles.quiet}>
                          <span className={styles.mono}>{number}</span>{' '}
                          {phrase(online ? 'station-state.online' : 'station-state.offline')}
                        </div>
                      </td>
                      <td>{siteName}</td>
                      <td>
                        <StateTag tone={tones[state]}>{phrase(`offline-list.${state}`)}</StateTag>
                      </td>
                      <td>
                        <Instant at={givenAt} exact />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          )}
        </>
      )}
    </Drawer>
  );
}

type Known = { isWanted: boolean; storedCount: number; missingCount: number; toClearCount: number };

function summaryOf({ type }: Card, { isWanted, storedCount, missingCount, toClearCount }: Known): string {
  if (!isWanted && toClearCount > 0) return phrase('cards.stillOn', { count: toClearCount });
  if (!isWanted) return phrase(type === 'online' ? 'cards.isOnline' : 'cards.onNone');
  return phrase('cards.onStations', {
    stored: countText(storedCount),
    count: storedCount + missingCount,
  });
}
