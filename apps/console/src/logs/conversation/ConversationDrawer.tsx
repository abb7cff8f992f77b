import type { Conversation, InteractionLog } from '@voltdeck/contract/logs';
import { Button, Drawer } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { CopyNumber } from '../../ui/CopyNumber.tsx';
import { exactTime } from '../log-words.ts';
import { ConversationTimeline } from './ConversationTimeline.tsx';
import styles from './conversation.module.css';
import { OpenConversation } from './OpenConversation.tsx';
import { ReplayHint } from './ReplayHint.tsx';
import { StationConversation } from './StationConversation.tsx';

const FrameDrawer = lazyPart(() => import('../frames/FrameDrawer.tsx'));

const widthPx = 900;

type Props = {
  /** The row to centre on; null opens a saved file. */
  around: InteractionLog | null;
  onClose: () => void;
};

/** A drawer with a conversation: around a row of a station's log, or from a saved file. */
export default function ConversationDrawer({ around, onClose }: Props) {
  const [opened, setOpened] = useState<{ conversation: Conversation; fileName: string } | null>(null);
  const [frame, setFrame] = useState<InteractionLog | null>(null);
  const isFile = around === null;
  return (
    <Drawer
      title={
        isFile ? phrase('logs.savedConversation') : phrase('logs.conversationWith', { number: around.stationNumber })
      }
      open
      onClose={onClose}
      size={widthPx}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      extra={opened === null ? null : <Button onClick={() => setOpened(null)}>{phrase('logs.openAnother')}</Button>}
    >
      {!isFile ? (
        <StationConversation station={{ id: around.stationId }} around={around.at} onOpen={setFrame} />
      ) : opened === null ? (
        <OpenConversation onOpened={(conversation, fileName) => setOpened({ conversation, fileName })} />
      ) : (
        <>
          <dl className={styles.about}>
            <div>
              <dt>{phrase('logs.file')}</dt>
              <dd className={styles.fileName}>{opened.fileName}</dd>
            </div>
            <div>
              <dt>{phrase('logs.station')}</dt>
              <dd>
                <CopyNumber value={opened.conversation.stationNumber} />
              </dd>
            </div>
            <div>
              <dt>{phrase('logs.protocol')}</dt>
              <dd>{phrase(`protocol.${opened.conversation.protocol}`)}</dd>
            </div>
            <div>
              <dt>{phrase('logs.stretch')}</dt>
              <dd className="figure">
                {phrase('list.fromUntil', {
                  from: exactTime(opened.conversation.from),
                  to: exactTime(opened.conversation.to),
                })}
              </dd>
            </div>
          </dl>
          <ReplayHint fileName={opened.fileName} />
          <ConversationTimeline conversation={opened.conversation} onOpen={setFrame} />
        </>
      )}
      <Suspense>
        {frame === null ? null : (
          <FrameDrawer
            shown={isFile ? { kind: 'saved', log: frame } : { kind: 'stored', key: frame.key }}
            onClose={() => setFrame(null)}
          />
        )}
      </Suspense>
    </Drawer>
  );
}
