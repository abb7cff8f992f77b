import {
  getLedgerTransfer,
  type LedgerTransferDetail,
  listLedgerTransfers,
  reverseLedgerTransfer,
} from '@voltdeck/contract/books';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { transfer: LedgerTransferDetail; open: boolean; onClose: () => void };

/** Asks for the reversal of what a person entered by mistake; the button shows how much. */
export default function ReverseTransferForm({ transfer: { id, position, amountFen }, open, onClose }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={reverseLedgerTransfer}
      params={{ id }}
      title={phrase('books.reverseTitle', { position })}
      submitLabel={phrase('books.reverseVerb', { amount: moneyText(amountFen) })}
      intro={<p>{phrase('books.reverseIntro')}</p>}
      fields={{ reason: { label: 'books.reverseReason', rows: 3 } }}
      refreshes={[getLedgerTransfer, listLedgerTransfers]}
      open={open}
      onClose={onClose}
      onSaved={onClose}
    />
  );
}
