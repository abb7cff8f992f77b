import { FileImageOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import styles from './pictures.module.css';
import { usePictureSource } from './use-picture-source.ts';

export type ThumbnailProps = {
  address: string;
  /** The picture's name or description. */
  name: string;
  size?: 'row' | 'large';
  onOpen: () => void;
};

/** A small picture that opens the large one. */
export function Thumbnail({ address, name, size = 'row', onOpen }: ThumbnailProps) {
  const source = usePictureSource(address);
  const [isBroken, setBroken] = useState(false);
  return (
    <button
      type="button"
      className={`${styles.thumbnail} ${size === 'row' ? styles.row : styles.large}`}
      aria-label={phrase('content.viewPicture', { name })}
      onClick={onOpen}
    >
      {source.kind === 'failed' || isBroken ? (
        <FileImageOutlined title={phrase('content.pictureFailed')} />
      ) : source.kind === 'ready' ? (
        <img src={source.src} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <span className={styles.bone} />
      )}
    </button>
  );
}
