import { SaveOutlined } from '@ant-design/icons';
import { type Conversation, getConversation, type InteractionLog } from '@voltdeck/contract/logs';
import type { StationId } from '@voltdeck/units/id';
import { instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { Alert, App, Button, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { countText } from '../../ui/figures.ts';
import { PeriodStandIn } from '../../ui/list/PeriodStandIn.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ConversationTimeline } from './ConversationTimeline.tsx';
import styles from './conversation.module.css';
import { conversationFileName, conversationText } from './conversation-file.ts';
import { ReplayHint } from './ReplayHint.tsx';

/** Minutes before and after a moment, or before now. */
const aroundMinutes = [1, 5, 30] as const;
const lastMinutes = { 15: 'list.last15Minutes', 60: 'list.lastHour', 360: 'list.last6Hours' } as const;

type Stretch = { from: string; to: string };

function around(at: string, minutes: number): Stretch {
  const moment = parseIso(at) ?? instant(0);
  return { from: toIso(instant(moment - minutes * minuteMs)), to: toIso(instant(moment + minutes * minuteMs)) };
}

function untilNow(minutes: number): Stretch {
  const now = Date.now();
  return { from: toIso(instant(now - minutes * minuteMs)), to: toIso(instant(now + minuteMs)) };
}

type Props = {
  station: { id: StationId };
  /** The moment to centre on; defaults to now. */
  around?: string;
  onOpen: (log: InteractionLog) => void;
};

/** What a station and we said to each other in a stretch of time, to read or to save. */
export function StationConversation({ station, around: at, onOpen }: Props) {
  const { message } = App.useApp();
  const choices =
    at === undefined
      ? Object.entries(lastMinutes).map(([value, key]) => ({ value: Number(value), label: phrase(key) }))
      : aroundMinutes.map((value) => ({ value, label: phrase('logs.aroundMinutes', { count: value }) }));
  const first = choices[0]?.value ?? 1;
  const stretchOf = (minutes: number) => (at === undefined ? untilNow(minutes) : around(at, minutes));
  const [minutes, setMinutes] = useState<number | null>(first);
  const [stretch, setStretch] = useState<Stretch>(() => stretchOf(first));
  const [saved, setSaved] = useState<string | null>(null);
  const answer = useAnswer(getConversation, { query: { stationId: station.id, ...stretch } }, { keepPrevious: true });

  const save = (conversation: Conversation) => {
    const name = conversationFileName(conversation);
    saveFile(new Blob([conversationText(conversation)], { type: 'application/json' }), name);
    setSaved(name);
    message.success(phrase('logs.saved', { name }));
  };
  const data = answer.data;
  return (
    <div className={styles.conversation}>
      <div className={styles.stretch}>
        <Segmented
          aria-label={phrase('logs.stretch')}
          value={minutes ?? 0}
          options={[...choices, ...(minutes === null ? [{ value: 0, label: phrase('logs.ownStretch') }] : [])]}
          onChange={(value) => {
            if (value === 0) return;
            setMinutes(value);
            setStretch(stretchOf(value));
          }}
        />
        <span className={styles.period}>
          <PeriodStandIn
            label={phrase('logs.stretch')}
            from={stretch.from}
            to={stretch.to}
            onChange={(from, to) => {
              if (from === undefined || to === undefined) return;
              setMinutes(null);
              setStretch({ from, to });
            }}
          />
        </span>
        <Button onClick={() => (minutes === null ? void answer.refetch() : setStretch(stretchOf(minutes)))}>
          {phrase('list.refresh')}
        </Button>
        <Button
          icon={<SaveOutlined />}
          disabled={data === undefined || data.exchanges.length === 0 || answer.isPlaceholderData}
          onClick={() => {
            if (data !== undefined) save(data);
          }}
        >
          {phrase('logs.save')}
        </Button>
      </div>
      {saved === null ? null : <ReplayHint fileName={saved} />}
      {data === undefined ? (
        answer.isError ? (
          <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
        ) : (
          <div aria-busy="true">
            <Skeleton active paragraph={{ rows: 8 }} />
          </div>
        )
      ) : data.exchanges.length === 0 ? (
        <EmptyState title={phrase('logs.silence')} text={phrase('logs.silenceText')} />
      ) : (
        <>
          {data.isCut ? (
            <Alert
              type="warning"
              showIcon
              title={phrase('logs.conversationCut', { count: countText(data.exchanges.length) })}
            />
          ) : null}
          <div data-old={answer.isPlaceholderData} className={styles.shown}>
            <ConversationTimeline conversation={data} {...(at === undefined ? {} : { moment: at })} onOpen={onOpen} />
          </div>
        </>
      )}
    </div>
  );
}
