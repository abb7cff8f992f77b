import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { explainFrames, type FrameExplanation, getInteractionLog, type InteractionLog } from '@voltdeck/contract/logs';
import { Button, Drawer, Skeleton } from 'antd';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../api/queries.ts';
import type { CallFailure } from '../../api/refused.ts';
import { phrase } from '../../phrases.ts';
import { ScreenLink } from '../../session/ScreenLink.tsx';
import { CopyNumber } from '../../ui/CopyNumber.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { AnswerTag } from '../AnswerTag.tsx';
import { Direction } from '../Direction.tsx';
import { exactTime, messageName } from '../log-words.ts';
import { FrameMicroscope } from './FrameMicroscope.tsx';
import styles from './microscope.module.css';

const widthPx = 1280;
/** Longer frames from a file are not decoded. */
const explainedCharsMax = 20_000;

type Props = {
  /** A row of the log, or of a conversation opened from a file. */
  shown: { kind: 'stored'; key: string } | { kind: 'saved'; log: InteractionLog };
  onClose: () => void;
  onAround?: (log: InteractionLog) => void;
  /** Go to the neighbouring rows, if there are any. */
  newer?: (() => void) | undefined;
  older?: (() => void) | undefined;
};

type Explained = { log: InteractionLog; frames: readonly FrameExplanation[] };

/** A frame of a saved conversation, decoded by the server and not stored. */
async function explain(log: InteractionLog, text: string, signal: AbortSignal): Promise<FrameExplanation[]> {
  if (text.length > explainedCharsMax) return [];
  const { frames } = await call(explainFrames, { body: { protocol: log.protocol, text }, signal, quiet: true });
  return frames;
}

function useExplained(shown: Props['shown']) {
  const stored = useAnswer(
    getInteractionLog,
    { params: { id: shown.kind === 'stored' ? shown.key : '0_0' } },
    { enabled: shown.kind === 'stored', keepPrevious: true },
  );
  const log = shown.kind === 'saved' ? shown.log : null;
  const saved = useQuery<Explained, CallFailure>({
    queryKey: ['a frame of a file', log],
    enabled: log !== null,
    queryFn: async ({ signal }) => {
      if (log === null) throw new Error('nothing is shown');
      const texts = [log.request, ...(log.answer === null ? [] : [log.answer])];
      const frames = await Promise.all(texts.map((text) => explain(log, text, signal)));
      return { log, frames: frames.flat() };
    },
  });
  if (log !== null) return saved;
  const { data } = stored;
  return { ...stored, data: data === undefined ? undefined : { log: data, frames: data.frames } };
}

/** One exchange under the microscope: request and answer side by side, byte by byte or value by value. */
export default function FrameDrawer({ shown, onClose, onAround, newer, older }: Props) {
  const taken = useExplained(shown);
  const log = taken.data?.log ?? (shown.kind === 'saved' ? shown.log : undefined);
  return (
    <Drawer
      title={log === undefined ? phrase('logs.frame') : messageName(log)}
      open
      onClose={onClose}
      size={widthPx}
      styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 0 } }}
      extra={
        <span className={styles.steps}>
          {onAround === undefined || log === undefined ? null : (
            <Button onClick={() => onAround(log)}>{phrase('logs.around')}</Button>
          )}
          <Button
            icon={<UpOutlined />}
            disabled={newer === undefined}
            aria-label={phrase('logs.newer')}
            title={phrase('logs.newer')}
            onClick={newer}
          />
          <Button
            icon={<DownOutlined />}
            disabled={older === undefined}
            aria-label={phrase('logs.older')}
            title={phrase('logs.older')}
            onClick={older}
          />
        </span>
      }
    >
      {taken.data === undefined ? (
        taken.isError ? (
          <ErrorState failure={taken.error} retry={() => void taken.refetch()} />
        ) : (
          <div className={styles.waiting} aria-busy="true">
            <Skeleton active paragraph={{ rows: 10 }} />
          </div>
        )
      ) : (
        <div className={styles.exchange} data-old={taken.isPlaceholderData}>
          <dl className={styles.facts}>
            <div>
              <dt>{phrase('logs.station')}</dt>
              <dd>
                <CopyNumber value={taken.data.log.stationNumber}>
                  {shown.kind === 'stored' ? (
                    <ScreenLink screen="deviceDetail" query={{ id: taken.data.log.stationId }}>
                      {taken.data.log.stationNumber}
                    </ScreenLink>
                  ) : undefined}
                </CopyNumber>
              </dd>
            </div>
            <div>
              <dt>{phrase('logs.at')}</dt>
              <dd className="figure">{exactTime(taken.data.log.at)}</dd>
            </div>
            <div>
              <dt>{phrase('logs.direction')}</dt>
              <dd>
                <Direction of={taken.data.log.direction} />
              </dd>
            </div>
            <div>
              <dt>{phrase('logs.answer')}</dt>
              <dd>
                <AnswerTag log={taken.data.log} />
              </dd>
            </div>
          </dl>
          <Frames {...taken.data} />
        </div>
      )}
    </Drawer>
  );
}

function Frames({ log, frames }: Explained) {
  if (frames.length === 0) {
    return (
      <div className={styles.waiting}>
        <p>{phrase('logs.tooLongToExplain')}</p>
        <pre className={styles.plain}>{log.request}</pre>
        {log.answer === null ? null : <pre className={styles.plain}>{log.answer}</pre>}
      </div>
    );
  }
  return (
    <div className={styles.pair}>
      {frames.map((frame, index) => (
        <FrameMicroscope
          // biome-ignore lint/suspicious/noArrayIndexKey: a request and its answer have no other name
          key={`${log.key} ${index}`}
          frame={frame}
          title={phrase(index === 0 ? 'logs.request' : 'logs.answerFrame')}
        />
      ))}
    </div>
  );
}
