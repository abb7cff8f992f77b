import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import type { Act } from '../../ui/list-page.ts';
import { withWords } from '../../words.ts';
import type { WalletShown } from './wallet-of.ts';

/** Lazy: most visits to a list never open them. */
const TransferForm = lazyPart(withWords(['transfers'], () => import('./TransferForm.tsx')));
const GiftForm = lazyPart(withWords(['transfers'], () => import('./GiftForm.tsx')));

/** Acts that move the money of a card or a registered user, in their lists and on their pages. */
export function walletActs<Row>(
  walletOf: (row: Row) => WalletShown,
  { receives }: { /** Why it may not receive money now. */ receives: (row: Row) => string | undefined },
) {
  return {
    transfer: {
      on: 'row',
      label: 'transfers.verb',
      may: 'transfer.create',
      because: (row) => {
        const { owedFen, paidFen } = walletOf(row);
        if (owedFen > 0) return phrase('transfers.owes');
        return paidFen > 0 ? undefined : phrase('transfers.nothing');
      },
      overlay: (row, { open, close, tell }) => (
        <TransferForm from={walletOf(row)} open={open} onClose={close} onSaved={tell} />
      ),
    },
    give: {
      on: 'row',
      label: 'gifts.give',
      may: 'gift.create',
      because: receives,
      overlay: (row, { open, close, tell }) => (
        <GiftForm kind="given" target={walletOf(row)} open={open} onClose={close} onSaved={tell} />
      ),
    },
    deduct: {
      on: 'row',
      label: 'gifts.deduct',
      may: 'gift.deduct',
      danger: true,
      because: (row) => (walletOf(row).giftFen > 0 ? undefined : phrase('gifts.nothing')),
      overlay: (row, { open, close, tell }) => (
        <GiftForm kind="deducted" target={walletOf(row)} open={open} onClose={close} onSaved={tell} />
      ),
    },
  } satisfies Record<string, Act<Row>>;
}
