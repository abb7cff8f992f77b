import type { InteractionLog, listInteractionLogs } from '@voltdeck/contract/logs';
import { phrase } from '../../phrases.ts';
import { ScreenLink } from '../../session/ScreenLink.tsx';
import { CopyNumber } from '../../ui/CopyNumber.tsx';
import { nothingText } from '../../ui/figures.ts';
import type { ListColumn } from '../../ui/list/list-view.ts';
import { AnswerTag } from '../AnswerTag.tsx';
import { Direction } from '../Direction.tsx';
import { exactTime, messageName, previewOf, shortTime } from '../log-words.ts';
import styles from '../logs.module.css';

export type ColumnNeeds = {
  open: (log: InteractionLog) => void;
  /** In a station's own log the station column is left out. */
  isOfOneStation: boolean;
};

export function logColumns({ open, isOfOneStation }: ColumnNeeds): ListColumn<typeof listInteractionLogs>[] {
  const columns: ListColumn<typeof listInteractionLogs>[] = [
    {
      key: 'at',
      title: phrase('logs.at'),
      hint: phrase('shell.zone'),
      widthPx: 152,
      initiallyPinned: true,
      render: (log) => (
        <time className={styles.time} dateTime={log.at} title={exactTime(log.at)}>
          {shortTime(log.at)}
        </time>
      ),
    },
    {
      key: 'station',
      title: phrase('logs.station'),
      widthPx: 172,
      render: (log) => (
        <CopyNumber value={log.stationNumber}>
          <ScreenLink screen="deviceDetail" query={{ id: log.stationId }}>
            {log.stationNumber}
          </ScreenLink>
        </CopyNumber>
      ),
    },
    {
      key: 'direction',
      title: phrase('logs.direction'),
      widthPx: 140,
      render: (log) => <Direction of={log.direction} />,
    },
    {
      key: 'message',
      title: phrase('logs.message'),
      widthPx: 204,
      render: (log) => (
        <button type="button" className={`row-action ${styles.message}`} onClick={() => open(log)}>
          {messageName(log)}
          {log.action === null || log.action === messageName(log) ? null : (
            <span className={styles.wire}>{log.action}</span>
          )}
        </button>
      ),
    },
    {
      key: 'content',
      title: phrase('logs.content'),
      widthPx: 388,
      render: (log) => <span className={styles.preview}>{previewOf(log)}</span>,
    },
    { key: 'answer', title: phrase('logs.answer'), widthPx: 152, render: (log) => <AnswerTag log={log} /> },
    {
      key: 'protocol',
      title: phrase('logs.protocol'),
      widthPx: 104,
      initiallyHidden: true,
      render: (log) => phrase(`protocol.${log.protocol}`),
    },
    {
      key: 'messageId',
      title: phrase('logs.messageId'),
      widthPx: 160,
      initiallyHidden: true,
      render: (log) => <span className={styles.mono}>{log.messageId ?? nothingText}</span>,
    },
  ];
  return isOfOneStation ? columns.filter(({ key }) => key !== 'station' && key !== 'protocol') : columns;
}
