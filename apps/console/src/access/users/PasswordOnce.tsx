import { Button, Modal } from 'antd';
import { phrase } from '../../phrases.ts';
import { CopyNumber } from '../../ui/CopyNumber.tsx';
import styles from './users.module.css';

type Props = { userName: string; realName: string; password: string; open: boolean; onClose: () => void };

/** A password that the server generated, shown only this once. */
export default function PasswordOnce({ userName, realName, password, open, onClose }: Props) {
  return (
    <Modal
      title={phrase('users.onceTitle', { name: realName })}
      open={open}
      onCancel={onClose}
      width={440}
      destroyOnHidden
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {phrase('users.onceKept')}
        </Button>
      }
    >
      <p className={styles.intro}>{phrase('users.onceText')}</p>
      <dl className={styles.once}>
        <div>
          <dt>{phrase('users.userName')}</dt>
          <dd>
            <CopyNumber value={userName} />
          </dd>
        </div>
        <div>
          <dt>{phrase('users.initialPassword')}</dt>
          <dd>
            <CopyNumber value={password} />
          </dd>
        </div>
      </dl>
    </Modal>
  );
}
