import {
  getPartner,
  type KeyDirection,
  ownInterfacePath,
  type Partner,
  type ShownKeys,
} from '@voltdeck/contract/partners';
import { Button, Modal } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { saveFile } from '../ui/save-file.ts';
import styles from './interop.module.css';

type Props = {
  partner: Pick<Partner, 'id' | 'name' | 'operatorId'>;
  /** Those that were made now, by direction. */
  keys: Partial<Readonly<Record<KeyDirection, ShownKeys>>>;
  open: boolean;
  onClose: () => void;
};

const directions = ['inbound', 'outbound'] as const;
const secrets = ['operatorSecret', 'sigSecret', 'dataSecret', 'dataSecretIv'] as const;

/** Keys that the server shows only this once, and the data sheet for the other side. */
export default function KeysOnce({ partner, keys, open, onClose }: Props) {
  const { data } = useAnswer(getPartner, { params: { id: partner.id } });
  return (
    <Modal
      title={phrase('interop.onceTitle', { name: partner.name })}
      open={open}
      onCancel={onClose}
      width={560}
      destroyOnHidden
      mask={{ closable: false }}
      footer={[
        <Button key="sheet" onClick={() => saveSheet({ partner, ownOperatorId: data?.ownOperatorId ?? null, keys })}>
          {phrase('interop.downloadSheet')}
        </Button>,
        <Button key="kept" type="primary" onClick={onClose}>
          {phrase('interop.onceKept')}
        </Button>,
      ]}
    >
      <p className={styles.intro}>{phrase('interop.onceText')}</p>
      {directions.map((direction) => {
        const shown = keys[direction];
        return shown === undefined ? null : (
          <section key={direction} aria-label={phrase(`key-direction.${direction}`)}>
            <h3 className={styles.direction}>{phrase(`key-direction.${direction}`)}</h3>
            <dl className={styles.keys}>
              {secrets.map((name) => (
                <div key={name}>
                  <dt>{phrase(`interop.${name}`)}</dt>
                  <dd>
                    <CopyNumber value={shown[name]} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </Modal>
  );
}

/** What the other side needs to call us: our code, our address and the keys that we issued. */
function saveSheet({
  partner,
  ownOperatorId,
  keys,
}: Pick<Props, 'partner' | 'keys'> & { ownOperatorId: string | null }): void {
  const lines = [
    [phrase('interop.sheetOwnCode'), ownOperatorId ?? ''],
    [phrase('interop.sheetTheirCode'), partner.operatorId],
    [phrase('interop.baseUrl'), `${window.location.origin}${ownInterfacePath}`],
    ...directions.flatMap((direction) => {
      const shown = keys[direction];
      if (shown === undefined) return [];
      return [
        [`# ${phrase(`key-direction.${direction}`)}`, ''],
        ...secrets.map((name) => [phrase(`interop.${name}`), shown[name]]),
      ];
    }),
  ];
  const text = lines.map(([label, value]) => (value === '' ? label : `${label}: ${value}`)).join('\r\n');
  saveFile(new Blob([`\ufeff${text}\r\n`], { type: 'text/plain;charset=utf-8' }), `${partner.operatorId}.txt`);
}
