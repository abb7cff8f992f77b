import { PictureOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { usePictureSource } from '../ui/use-picture-source.ts';
import styles from './home.module.css';

/** A site's first picture; `address` is undefined while it is unknown and null where there is none. */
export function SiteCover({ name, address }: { name: string; address: string | null | undefined }) {
  if (address === undefined) return <div className={`${styles.cover} ${styles.noCover}`} aria-busy="true" />;
  return address === null ? <NoCover /> : <Cover key={address} name={name} address={address} />;
}

function Cover({ name, address }: { name: string; address: string }) {
  const source = usePictureSource(address);
  const [isBroken, setBroken] = useState(false);
  if (source.kind === 'failed' || isBroken) return <NoCover />;
  if (source.kind === 'waiting') return <div className={styles.cover} aria-busy="true" />;
  return (
    <img
      className={styles.cover}
      src={source.src}
      alt={phrase('overview.cover', { name })}
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}

function NoCover() {
  return (
    <div className={`${styles.cover} ${styles.noCover}`}>
      <span>
        <PictureOutlined aria-hidden="true" /> {phrase('overview.noCover')}
      </span>
    </div>
  );
}
