import { type InteractionLog, listInteractionLogs } from '@voltdeck/contract/logs';
import type { StationId } from '@voltdeck/units/id';
import { Button, Checkbox, Skeleton } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, nothingText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { prettyFrame } from './pretty-frame.ts';
import styles from './stations.module.css';

const shown = 30;

/** The last frames exchanged with a station, raw and pretty, with the answer each got and the time it took. */
export function FramesPanel({ stationId }: { stationId: StationId }) {
  const [hideHeartbeats, setHide] = useState(true);
  const answer = useAnswer(
    listInteractionLogs,
    { query: { stationId, hideHeartbeats, pageSize: shown } },
    { keepPrevious: true },
  );
  return (
    <Panel
      title={phrase('stations.frames')}
      note={phrase('stations.framesNote', { count: shown })}
      flush
      tools={
        <>
          <Checkbox checked={hideHeartbeats} onChange={(event) => setHide(event.target.checked)}>
            {phrase('stations.hideHeartbeats')}
          </Checkbox>
          <Button size="small" onClick={() => void answer.refetch()} loading={answer.isFetching}>
            {phrase('list.refresh')}
          </Button>
        </>
      }
    >
      {answer.isPending ? (
        <div className={styles.padded}>
          <Skeleton active paragraph={{ rows: 5 }} />
        </div>
      ) : answer.isError ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        <EmptyState title={phrase('stations.noFrames')} text={phrase('stations.noFramesText')} />
      ) : (
        <ul className={styles.frames}>
          {answer.data.items.map((log) => (
            <Frame key={log.id} log={log} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Frame({ log }: { log: InteractionLog }) {
  const [open, setOpen] = useState(false);
  const isFromStation = log.direction === 'from-station';
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.frame}>
          <span className={`figure ${styles.quiet}`}>{isoDateTime(log.at)}</span>
          <span className={styles.direction} data-direction={log.direction}>
            <span aria-hidden="true">{isFromStation ? '↑' : '↓'}</span>{' '}
            {phrase(isFromStation ? 'stations.fromStation' : 'stations.toStation')}
          </span>
          <strong className={styles.mono}>{log.action ?? nothingText}</strong>
          <span className={styles.frameEnd}>
            {log.fault === null ? null : <StateTag tone="fault">{log.fault}</StateTag>}
            {log.answer === null && log.fault === null ? (
              <StateTag tone="occupied">{phrase('stations.noAnswer')}</StateTag>
            ) : null}
            <span className={`figure ${styles.latency}`}>
              {log.latencyMs === null ? nothingText : `${countText(log.latencyMs)} ms`}
            </span>
          </span>
        </summary>
        {open ? (
          <div className={styles.frameBody}>
            <FrameText title={phrase('stations.request')} text={log.request} />
            {log.answer === null ? null : <FrameText title={phrase('stations.answerFrame')} text={log.answer} />}
          </div>
        ) : null}
      </details>
    </li>
  );
}

function FrameText({ title, text }: { title: string; text: string }) {
  return (
    <figure className={styles.frameText}>
      <figcaption className={styles.quiet}>{title}</figcaption>
      <pre>{prettyFrame(text)}</pre>
    </figure>
  );
}
