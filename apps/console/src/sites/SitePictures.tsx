import type { SitePicture } from '@voltdeck/contract/sites';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { Panel } from '../ui/Panel.tsx';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import styles from './sites.module.css';

const PictureViewer = lazyPart(() => import('../ui/PictureViewer.tsx'));

/** The pictures in their order, each with what it shows. */
export function SitePictures({ pictures }: { pictures: readonly SitePicture[] }) {
  const [viewed, setViewed] = useState<number | null>(null);
  const nameOf = ({ slot, name }: SitePicture) =>
    phrase('sites.picture', { slot: phrase(`picture-slot.${slot}`), name });
  return (
    <Panel title={phrase('sites.pictures')}>
      {pictures.length === 0 ? (
        <span className={styles.quiet}>{phrase('sites.noPictures')}</span>
      ) : (
        <ul className={styles.pictures}>
          {pictures.map((picture, index) => (
            <li key={picture.id}>
              <Thumbnail address={picture.url} name={nameOf(picture)} size="large" onOpen={() => setViewed(index)} />
              <span className={styles.quiet}>{phrase(`picture-slot.${picture.slot}`)}</span>
            </li>
          ))}
        </ul>
      )}
      {viewed === null ? null : (
        <Suspense>
          <PictureViewer
            key={viewed}
            pictures={pictures.map((picture) => ({ address: picture.url, name: nameOf(picture) }))}
            first={viewed}
            open
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </Panel>
  );
}
