import { FolderOpenOutlined } from '@ant-design/icons';
import type { Conversation } from '@voltdeck/contract/logs';
import { Alert, Button } from 'antd';
import { type DragEvent, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { sizeText } from '../../ui/figures.ts';
import styles from './conversation.module.css';
import { type FileFault, fileBytesMax, readConversation } from './conversation-file.ts';

type Fault = FileFault | { kind: 'too-large' };

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'wrong-field':
      return phrase('logs.file.wrong-field', { path: fault.path });
    case 'too-large':
      return phrase('logs.file.too-large', { max: sizeText(fileBytesMax) });
    default:
      return phrase(`logs.file.${fault.kind}`);
  }
}

/** Opens a saved conversation by choosing or dropping a file, which is read in the browser and not uploaded. */
export function OpenConversation({ onOpened }: { onOpened: (opened: Conversation, fileName: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<{ name: string; fault: Fault } | null>(null);
  const [isOver, setOver] = useState(false);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    setFault(null);
    if (file.size > fileBytesMax) {
      setFault({ name: file.name, fault: { kind: 'too-large' } });
      return;
    }
    const read = readConversation(await file.text());
    if (read.ok) onOpened(read.value, file.name);
    else setFault({ name: file.name, fault: read.error });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void open(event.dataTransfer.files[0]);
  };
  return (
    <section
      className={styles.drop}
      data-over={isOver}
      aria-label={phrase('logs.openConversation')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{phrase('logs.openHint')}</p>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={phrase('logs.file')}
        className="for-readers"
        tabIndex={-1}
        onChange={(event) => {
          void open(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button type="primary" icon={<FolderOpenOutlined />} onClick={() => input.current?.click()}>
        {phrase('logs.chooseFile')}
      </Button>
      {fault === null ? null : (
        <Alert
          type="error"
          showIcon
          role="alert"
          className={styles.fault ?? ''}
          title={phrase('logs.file.failed', { name: fault.name })}
          description={faultText(fault.fault)}
        />
      )}
    </section>
  );
}
