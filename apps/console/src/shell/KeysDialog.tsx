import { Modal } from 'antd';
import { Fragment } from 'react';
import { phrase } from '../phrases.ts';
import { type KeyName, keyPlaces, keys, pressesOf } from '../ui/keys.ts';
import styles from './keys-dialog.module.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const names = Object.keys(keys) as KeyName[];

/** All keyboard shortcuts, by where they work. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onCancel={onClose} footer={null} width={560} title={phrase('keys.title')}>
      <div className={styles.places}>
        {keyPlaces.map((place) => (
          <section key={place}>
            <h3 className={styles.place}>{phrase(`keys.place.${place}`)}</h3>
            <dl className={styles.keys}>
              {names
                .filter((name) => keys[name].place === place)
                .map((name) => (
                  <div key={name} className={styles.row}>
                    <dt>{phrase(keys[name].does)}</dt>
                    <dd>
                      {pressesOf(name, isMac).map((press, index) => (
                        <Fragment key={press.join(' ')}>
                          {index === 0 ? null : <span className={styles.or}>{phrase('keys.or')}</span>}
                          <span className={styles.press}>
                            {press.map((key) => (
                              <kbd key={key}>{key}</kbd>
                            ))}
                          </span>
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
