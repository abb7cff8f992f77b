import { ExperimentOutlined, FolderOpenOutlined } from '@ant-design/icons';
import type { InteractionLog } from '@voltdeck/contract/logs';
import { Button } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { phrase } from '../phrases.ts';
import listStyles from '../ui/list/list-page.module.css';
import { LogView } from './LogView.tsx';

const ConversationDrawer = lazy(() => import('./ConversationDrawer.tsx'));
const DecodeDialog = lazy(() => import('./DecodeDialog.tsx'));

type Over = { kind: 'around'; log: InteractionLog } | { kind: 'file' } | { kind: 'decode' };

/** Every frame exchanged with stations: filters, live view, microscope and conversations; /deviceLogOther. */
export default function InteractionLogPage() {
  const [over, setOver] = useState<Over | null>(null);
  const close = () => setOver(null);
  const showAround = useCallback((log: InteractionLog) => setOver({ kind: 'around', log }), []);
  return (
    <div className={listStyles.page}>
      <h1 className="for-readers">{phrase('logs.title')}</h1>
      <LogView
        onAround={showAround}
        tools={
          <>
            <Button icon={<ExperimentOutlined />} onClick={() => setOver({ kind: 'decode' })}>
              {phrase('logs.decode')}
            </Button>
            <Button icon={<FolderOpenOutlined />} onClick={() => setOver({ kind: 'file' })}>
              {phrase('logs.openConversation')}
            </Button>
          </>
        }
      />
      <Suspense>
        {over?.kind === 'around' ? <ConversationDrawer around={over.log} onClose={close} /> : null}
        {over?.kind === 'file' ? <ConversationDrawer around={null} onClose={close} /> : null}
        {over?.kind === 'decode' ? <DecodeDialog onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
