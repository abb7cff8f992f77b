import type { Advert, AdvertPage } from '@voltdeck/contract/adverts';
import { Modal } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import styles from './content.module.css';

/** Where an app shows an advert: the whole start screen, or a strip at the top of the page. */
const places: Readonly<Record<AdvertPage, string | undefined>> = {
  splash: styles.adWhole,
  home: styles.adStrip,
  charging: styles.adStrip,
  account: styles.adStrip,
};

/** An advert as a phone would show it. */
export default function AdvertPreview({
  advert,
  open,
  onClose,
}: {
  advert: Advert;
  open: boolean;
  onClose: () => void;
}) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  return (
    <Modal
      title={phrase('content.previewAdvert', { name: advert.title })}
      open={open}
      onCancel={onClose}
      footer={null}
      styles={{ header: { paddingInlineEnd: 32 } }}
      width={460}
      destroyOnHidden
    >
      <div className={styles.phone}>
        <div className={styles.phoneHead}>{phrase(`advert-page.${advert.page}`)}</div>
        <img
          className={places[advert.page]}
          src={advert.pictureUrl}
          alt={advert.title}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
        {advert.page === 'splash' ? null : (
          <div className={styles.phoneLines} aria-hidden="true">
            {Array.from({ length: 5 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
              <span key={index} />
            ))}
          </div>
        )}
      </div>
      <p className={styles.phoneNote}>
        {advert.link === '' ? phrase('content.advertNoLink') : advert.link}
        {size === null ? null : <br />}
        {size === null ? null : phrase('content.advertSize', size)}
      </p>
    </Modal>
  );
}
