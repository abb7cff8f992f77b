import {
  changeGridBill,
  createGridBill,
  type GridBill,
  getGridBill,
  listGridBills,
  listMargins,
} from '@voltdeck/contract/grid-bills';
import { phrase } from '../phrases.ts';
import { PriceField } from '../ui/form/PriceField.tsx';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  /** Null for a new one. */
  bill: GridBill | null;
  open: boolean;
  onClose: () => void;
  onSaved: (bill: GridBill) => void;
};

/** Enters or changes a bill of the grid. */
export default function GridBillFormDrawer({ bill, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createGridBill}
      change={changeGridBill}
      record={bill}
      given={bill === null ? {} : { version: bill.version }}
      title={phrase(bill === null ? 'gridBills.add' : 'gridBills.change')}
      submitLabel={phrase(bill === null ? 'gridBills.add' : 'gridBills.change')}
      draft={`grid bill ${bill?.id ?? 'add'}`}
      initial={{ multiplier: 1 }}
      fields={{
        siteId: { label: 'finance.site' },
        accountNumber: { label: 'gridBills.accountNumber', kind: 'text' },
        fromOn: { label: 'gridBills.fromOn', isShort: true },
        toOn: { label: 'gridBills.toOn', isShort: true },
        energyWh: { label: 'gridBills.energy', isShort: true },
        amountFen: { label: 'gridBills.amount', isShort: true, hint: 'gridBills.amountHint' },
        sharpWh: { label: 'gridBills.sharp', heading: 'gridBills.energyByPeriod', isShort: true },
        peakWh: { label: 'gridBills.peak', isShort: true },
        flatWh: { label: 'gridBills.flat', isShort: true },
        valleyWh: { label: 'gridBills.valley', isShort: true },
        sharpPriceE5: {
          label: 'gridBills.sharp',
          heading: 'gridBills.priceByPeriod',
          isShort: true,
          control: <PriceField label={phrase('gridBillImport.sharpPrice')} />,
        },
        peakPriceE5: {
          label: 'gridBills.peak',
          isShort: true,
          control: <PriceField label={phrase('gridBillImport.peakPrice')} />,
        },
        flatPriceE5: {
          label: 'gridBills.flat',
          isShort: true,
          control: <PriceField label={phrase('gridBillImport.flatPrice')} />,
        },
        valleyPriceE5: {
          label: 'gridBills.valley',
          isShort: true,
          control: <PriceField label={phrase('gridBillImport.valleyPrice')} />,
        },
        registerFromWh: { label: 'gridBills.registerFrom', heading: 'gridBills.registers', isShort: true },
        registerToWh: { label: 'gridBills.registerTo', isShort: true },
        multiplier: { label: 'gridBills.multiplier', hint: 'gridBills.multiplierHint' },
        fileId: {
          label: 'gridBills.file',
          hint: 'gridBills.fileHint',
          pictures: { purpose: 'grid_bill' },
          from: ({ fileId: id, fileUrl: url, fileName: name }) =>
            id === null || url === null ? [] : [{ id, key: String(id), url, name: name ?? '' }],
        },
        remark: { label: 'gridBills.remark', rows: 2 },
      }}
      refreshes={[listGridBills, getGridBill, listMargins]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
