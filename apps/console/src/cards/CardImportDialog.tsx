import {
  type CardImport,
  cardImportColumns,
  cardImportLimits,
  checkCardImport,
  getCardImportReport,
  getCardTemplate,
  startCardImport,
} from '@voltdeck/contract/card-imports';
import { listCards } from '@voltdeck/contract/cards';
import { useAction } from '../api/queries.ts';
import { upload } from '../api/upload.ts';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { SheetImportDialog } from '../ui/upload/SheetImportDialog.tsx';
import styles from './cards.module.css';

type Props = { open: boolean; onClose: () => void; onDone: (text: string) => void };

/** Issues cards from a workbook: checked row by row first, then all at once after consent. */
export default function CardImportDialog({ open, onClose, onDone }: Props) {
  const start = useAction(startCardImport, { changes: [listCards] });
  return (
    <SheetImportDialog<CardImport>
      title={phrase('cardImport.title')}
      intro={
        <>
          <p>{phrase('cardImport.intro')}</p>
          <p className={styles.quiet}>{phrase('cardImport.noMoney')}</p>
        </>
      }
      limits={cardImportLimits}
      columns={cardImportColumns}
      words={{ checked: 'import.checked', changedNow: 'cardImport.changedNow', start: 'cardImport.start' }}
      nameTitle="cards.number"
      faultsOf={({ faults }) => faults.map(({ cardNumber: name, ...row }) => ({ ...row, name }))}
      getTemplate={() => fetchFile(getCardTemplate, {})}
      check={(file, options) => upload(checkCardImport, file, { ...options, quiet: true })}
      getReport={({ id }) => fetchFile(getCardImportReport, { params: { id } })}
      start={({ id }) => start.mutateAsync({ params: { id }, quiet: true })}
      open={open}
      onClose={onClose}
      onDone={({ goodCount: count }) => onDone(phrase('cardImport.done', { count }))}
    />
  );
}
