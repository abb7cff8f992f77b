import { CloseOutlined, RedoOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { phrase } from '../../phrases.ts';
import styles from './upload.module.css';
import type { Upload } from './use-uploads.ts';

const hundred = 100;

/** The state of an upload in words. */
function uploadText({ state, share, fault }: Upload): string {
  switch (state) {
    case 'waiting':
      return phrase('content.uploadWaiting');
    case 'sending':
      return phrase('content.uploading', { percent: Math.floor(share * hundred) });
    case 'failed':
      return fault ?? '';
    case 'done':
      return phrase('content.uploadDone');
  }
}

/** One upload: progress, stop, retry, and the reason if it failed. */
export function UploadBar({ upload, retry, remove }: { upload: Upload; retry: () => void; remove: () => void }) {
  const { file, state, share, isRetryable } = upload;
  const isMoving = state === 'waiting' || state === 'sending';
  return (
    <>
      {isMoving ? <progress className={styles.progress} max={1} value={share} aria-label={file.name} /> : null}
      <span
        className={state === 'failed' ? styles.fault : styles.quiet}
        {...(state === 'failed' ? { role: 'alert' } : {})}
      >
        {uploadText(upload)}
      </span>
      <span className={styles.acts}>
        {state === 'failed' && isRetryable ? (
          <Button
            type="text"
            size="small"
            icon={<RedoOutlined />}
            aria-label={phrase('content.retryUpload', { name: file.name })}
            title={phrase('content.retryUpload', { name: file.name })}
            onClick={retry}
          />
        ) : null}
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined />}
          aria-label={phrase(isMoving ? 'content.cancelUpload' : 'content.dismissUpload', { name: file.name })}
          title={phrase(isMoving ? 'content.cancelUpload' : 'content.dismissUpload', { name: file.name })}
          onClick={remove}
        />
      </span>
    </>
  );
}
