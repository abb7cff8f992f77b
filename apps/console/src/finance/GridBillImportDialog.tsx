import {
  checkGridBillImport,
  type GridBillImport,
  getGridBillImportReport,
  getGridBillTemplate,
  gridBillImportColumns,
  gridBillImportLimits,
  startGridBillImport,
} from '@voltdeck/contract/grid-bill-imports';
import { listGridBills } from '@voltdeck/contract/grid-bills';
import { useAction } from '../api/queries.ts';
import { upload } from '../api/upload.ts';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { SheetImportDialog } from '../ui/upload/SheetImportDialog.tsx';

type Props = { open: boolean; onClose: () => void; onDone: (text: string) => void };

/** Enters bills from a workbook: checked row by row first, then all at once after consent. */
export default function GridBillImportDialog({ open, onClose, onDone }: Props) {
  const start = useAction(startGridBillImport, { changes: [listGridBills] });
  return (
    <SheetImportDialog<GridBillImport>
      title={phrase('gridBillImport.title')}
      intro={<p>{phrase('gridBillImport.intro')}</p>}
      limits={gridBillImportLimits}
      columns={gridBillImportColumns}
      words={{
        checked: 'gridBillImport.checked',
        changedNow: 'gridBillImport.changedNow',
        start: 'gridBillImport.start',
      }}
      nameTitle="gridBillImport.siteName"
      faultsOf={({ faults }) => faults.map(({ siteName: name, ...row }) => ({ ...row, name }))}
      getTemplate={() => fetchFile(getGridBillTemplate, {})}
      check={(file, options) => upload(checkGridBillImport, file, { ...options, quiet: true })}
      getReport={({ id }) => fetchFile(getGridBillImportReport, { params: { id } })}
      start={({ id }) => start.mutateAsync({ params: { id }, quiet: true })}
      open={open}
      onClose={onClose}
      onDone={({ goodCount: count }) => onDone(phrase('gridBillImport.done', { count }))}
    />
  );
}
