import { Button, Modal } from 'antd';
import { phrase } from '../phrases.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './dividers.module.css';
import type { BatchOutcome } from './TermsAtSitesForm.tsx';

type Props = { outcome: BatchOutcome; open: boolean; onClose: () => void };

/** What became of each site of a batch, those where nothing was added first. */
export default function BatchResult({ outcome: { added, results }, open, onClose }: Props) {
  const refusedFirst = [...results].sort((one, other) => Number(one.termId !== null) - Number(other.termId !== null));
  return (
    <Modal
      title={phrase('dividers.batchResult')}
      open={open}
      onCancel={onClose}
      width={640}
      footer={
        <Button type="primary" onClick={onClose}>
          {phrase('dividers.close')}
        </Button>
      }
    >
      <p>{phrase('dividers.batchDone', { added, count: results.length })}</p>
      <ScrollRegion label={phrase('dividers.batchResult')}>
        <table className={styles.divided}>
          <tbody>
            {refusedFirst.map(({ siteId, siteName, because }) => (
              <tr key={siteId}>
                <th scope="row">{siteName ?? phrase('dividers.unknownSite', { id: siteId })}</th>
                <td className={because === null ? undefined : styles.refused}>
                  {because ?? phrase('dividers.batchAdded')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Modal>
  );
}
