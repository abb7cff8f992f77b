import { phrase } from '../../phrases.ts';
import { UploadBar } from './UploadBar.tsx';
import styles from './upload.module.css';
import type { Uploads } from './use-uploads.ts';

/** All uploads, one per line. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={phrase('content.uploads')}>
      {uploads.list.map((upload) => (
        <li key={upload.id}>
          <span className={styles.uploadName} title={upload.file.name}>
            {upload.file.name}
          </span>
          <UploadBar upload={upload} retry={() => uploads.retry(upload.id)} remove={() => uploads.remove(upload.id)} />
        </li>
      ))}
    </ul>
  );
}
