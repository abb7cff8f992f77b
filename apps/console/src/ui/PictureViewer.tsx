import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';
import styles from './pictures.module.css';
import { usePictureSource } from './use-picture-source.ts';

type ViewedPicture = { address: string; name: string };

export type PictureViewerProps = {
  pictures: readonly ViewedPicture[];
  /** The index of the first picture to show. */
  first?: number;
  open: boolean;
  onClose: () => void;
};

const widthPx = 880;

/** Pictures as large as the window allows; arrow keys move between them. */
export default function PictureViewer({ pictures, first = 0, open, onClose }: PictureViewerProps) {
  const [index, setIndex] = useState(first);
  const { length } = pictures;
  const go = (step: number) => setIndex((current) => (current + step + length) % length);
  useEffect(() => {
    if (!open || length < 2) return;
    const onKey = ({ key }: KeyboardEvent) => {
      const step = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
      if (step !== 0) setIndex((current) => (current + step + length) % length);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, length]);
  const picture = pictures[Math.min(index, length - 1)];
  if (picture === undefined) return null;
  const title =
    length === 1 ? picture.name : phrase('content.pictureOf', { index: index + 1, total: length, name: picture.name });
  return (
    <Modal
      title={title}
      open={open}
      onCancel={onClose}
      footer={null}
      styles={{ header: { paddingInlineEnd: 32 } }}
      width={widthPx}
      centered
      destroyOnHidden
    >
      <div className={styles.viewer}>
        <Seen key={picture.address} {...picture} />
        {length < 2 ? null : (
          <div className={styles.walk}>
            <Button icon={<LeftOutlined />} onClick={() => go(-1)}>
              {phrase('content.previousPicture')}
            </Button>
            <Button icon={<RightOutlined />} iconPlacement="end" onClick={() => go(1)}>
              {phrase('content.nextPicture')}
            </Button>
          </div>
        )}
      </div>
    </Modal>
  );
}

function Seen({ address, name }: ViewedPicture) {
  const source = usePictureSource(address);
  const [isBroken, setBroken] = useState(false);
  if (source.kind === 'failed' || isBroken) {
    return (
      <p className={styles.failed} role="alert">
        {phrase('content.pictureFailed')}
      </p>
    );
  }
  if (source.kind === 'waiting') return <div className={styles.waiting} aria-busy="true" />;
  return (
    <>
      <img className={styles.seen} src={source.src} alt={name} onError={() => setBroken(true)} />
      <a href={source.src} target="_blank" rel="noopener noreferrer">
        {phrase('content.openOriginal')}
      </a>
    </>
  );
}
