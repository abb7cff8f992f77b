import { ExperimentOutlined, FolderOpenOutlined } from '@ant-design/icons';
import type { InteractionLog } from '@voltdeck/contract/logs';
import { Button } from 'antd';
import { Suspense, useCallback, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import listStyles from '../ui/list/list-view.module.css';
import { LogView } from './list/LogView.tsx';

const ConversationDrawer = lazyPart(() => import('./conversation/ConversationDrawer.tsx'));
const DecodeDialog = lazyPart(() => import('./frames/DecodeDialog.tsx'));

type Overlay = { kind: 'around'; log: InteractionLog } | { kind: 'file' } | { kind: 'decode' };

/** Every frame exchanged with stations: filters, live view, microscope and conversations; /deviceLogOther. */
export default function InteractionLogPage() {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const close = () => setOverlay(null);
  const showAround = useCallback((log: InteractionLog) => setOverlay({ kind: 'around', log }), []);
  return (
    <div className={listStyles.page}>
      <h1 className="for-readers">{phrase('logs.title')}</h1>
      <LogView
        onAround={showAround}
        tools={
          <>
            <Button icon={<ExperimentOutlined />} onClick={() => setOverlay({ kind: 'decode' })}>
              {phrase('logs.decode')}
            </Button>
            <Button icon={<FolderOpenOutlined />} onClick={() => setOverlay({ kind: 'file' })}>
              {phrase('logs.openConversation')}
            </Button>
          </>
        }
      />
      <Suspense>
        {overlay?.kind === 'around' ? <ConversationDrawer around={overlay.log} onClose={close} /> : null}
        {overlay?.kind === 'file' ? <ConversationDrawer around={null} onClose={close} /> : null}
        {overlay?.kind === 'decode' ? <DecodeDialog onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
