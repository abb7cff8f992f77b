import type { InteractionLog } from '@voltdeck/contract/logs';
import { Segmented } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { Panel } from '../ui/Panel.tsx';
import { useAddress } from '../ui/use-address.ts';
import { StationConversation } from './conversation/StationConversation.tsx';
import { LogView, type OneStation } from './list/LogView.tsx';
import styles from './logs.module.css';

const ConversationDrawer = lazyPart(() => import('./conversation/ConversationDrawer.tsx'));
const FrameDrawer = lazyPart(() => import('./frames/FrameDrawer.tsx'));

/** A station's log on its own page: as rows, or as a conversation. */
export default function StationLog({ station }: { station: OneStation }) {
  const [search, setSearch] = useAddress();
  const isTimeline = search.get('log') === 'timeline';
  const [around, setAround] = useState<InteractionLog | null>(null);
  const [frame, setFrame] = useState<InteractionLog | null>(null);
  return (
    <Panel
      title={phrase('logs.title')}
      flush
      tools={
        <Segmented
          aria-label={phrase('logs.view')}
          value={isTimeline ? 'timeline' : 'rows'}
          options={[
            { value: 'rows', label: phrase('logs.viewRows') },
            { value: 'timeline', label: phrase('logs.viewTimeline') },
          ]}
          onChange={(view) =>
            setSearch(
              (current) => {
                const next = new URLSearchParams(current);
                if (view === 'timeline') next.set('log', view);
                else next.delete('log');
                return next;
              },
              { replace: true },
            )
          }
        />
      }
    >
      {isTimeline ? (
        <div className={styles.padded}>
          <StationConversation station={station} onOpen={setFrame} />
        </div>
      ) : (
        <LogView station={station} onAround={setAround} />
      )}
      <Suspense>
        {around === null ? null : <ConversationDrawer around={around} onClose={() => setAround(null)} />}
        {frame === null ? null : (
          <FrameDrawer shown={{ kind: 'stored', key: frame.key }} onClose={() => setFrame(null)} />
        )}
      </Suspense>
    </Panel>
  );
}
