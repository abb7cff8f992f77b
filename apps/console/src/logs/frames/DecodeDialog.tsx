import { protocols } from '@voltdeck/charging/states';
import { explainFrames } from '@voltdeck/contract/logs';
import { Button, Input, Modal, Segmented } from 'antd';
import { useId, useState } from 'react';
import { useAction } from '../../api/queries.ts';
import { type CallFailure, Refused } from '../../api/refused.ts';
import { phrase } from '../../phrases.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FrameMicroscope } from './FrameMicroscope.tsx';
import styles from './microscope.module.css';

const widthPx = 960;
/** The contract's limit. */
const pastedCharsMax = 20_000;

/** Decodes frames from any source, such as a supplier's mail or a capture. Nothing is stored. */
export default function DecodeDialog({ onClose }: { onClose: () => void }) {
  const hintId = useId();
  const [text, setText] = useState('');
  const [protocol, setProtocol] = useState<'auto' | (typeof protocols)[number]>('auto');
  const explain = useAction(explainFrames);
  const isEmpty = text.trim() === '';
  const decode = () => {
    if (isEmpty) return;
    explain.mutate({ body: { text, ...(protocol === 'auto' ? {} : { protocol }) }, quiet: true });
  };
  const frames = explain.data?.frames;
  return (
    <Modal
      title={phrase('logs.decodeTitle')}
      open
      onCancel={onClose}
      width={widthPx}
      footer={null}
      mask={{ closable: false }}
      style={{ top: 40 }}
    >
      <form
        className={styles.paste}
        onSubmit={(event) => {
          event.preventDefault();
          decode();
        }}
      >
        <Input.TextArea
          aria-label={phrase('logs.pasted')}
          aria-describedby={hintId}
          className={styles.pasted ?? ''}
          autoFocus
          rows={5}
          maxLength={pastedCharsMax}
          spellCheck={false}
          value={text}
          placeholder={phrase('logs.pastedExample')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) decode();
          }}
        />
        <p id={hintId} className={styles.hint}>
          {phrase('logs.pastedHint')}
        </p>
        <div className={styles.pasteActs}>
          <Segmented
            aria-label={phrase('logs.protocol')}
            value={protocol}
            options={[
              { value: 'auto', label: phrase('logs.protocolAuto') },
              ...protocols.map((value) => ({ value, label: phrase(`protocol.${value}`) })),
            ]}
            onChange={setProtocol}
          />
          <Button type="primary" htmlType="submit" loading={explain.isPending} disabled={isEmpty}>
            {phrase('logs.decodeVerb')}
          </Button>
        </div>
      </form>
      <div className={styles.results} aria-live="polite">
        {explain.isError ? (
          <ErrorState failure={explain.error} title={titleOf(explain.error)} />
        ) : frames === undefined ? null : frames.length === 0 ? (
          <EmptyState title={phrase('logs.noFrames')} text={phrase('logs.pastedHint')} />
        ) : (
          <>
            <p className={styles.hint}>{phrase('logs.framesFound', { count: frames.length })}</p>
            {frames.map((frame, index) => (
              <FrameMicroscope
                // biome-ignore lint/suspicious/noArrayIndexKey: frames of one paste are told apart by their place alone
                key={`${explain.submittedAt} ${index}`}
                frame={frame}
                title={phrase('logs.frameNumber', { number: index + 1 })}
              />
            ))}
          </>
        )}
      </div>
    </Modal>
  );
}

/** What is wrong with the pasted text, if the server said so. */
function titleOf(failure: CallFailure): string {
  const [fault] = failure instanceof Refused ? failure.fields : [];
  return fault?.message ?? phrase('logs.decodeFailed');
}
