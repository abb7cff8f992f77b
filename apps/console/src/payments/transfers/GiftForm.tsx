import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { listMovements } from '@voltdeck/contract/movements';
import { createGift, createGiftDeduction, type GiftKind, listGifts } from '@voltdeck/contract/transfers';
import { addFen, type Fen, formatYuan, subtractFen } from '@voltdeck/units/money';
import { phrase } from '../../phrases.ts';
import { moneyText } from '../../ui/figures.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import type { WalletShown } from './wallet-of.ts';

type Props = {
  kind: GiftKind;
  target: WalletShown;
  open: boolean;
  onClose: () => void;
  onSaved: (said: string) => void;
};

/** Gives a gift or takes gifts back; it says what the gifts will be, and the button says how much. */
export default function GiftForm({ kind, target, open, onClose, onSaved }: Props) {
  const { cardId, customerId, giftFen, owedFen, name } = target;
  const isGiven = kind === 'given';
  const isInRange = (amountFen: Fen | undefined): amountFen is Fen =>
    amountFen !== undefined && amountFen > 0 && (isGiven || amountFen <= giftFen);
  return (
    <RouteForm
      as="dialog"
      danger={!isGiven}
      route={isGiven ? createGift : createGiftDeduction}
      given={cardId === undefined ? { customerId } : { cardId }}
      title={phrase(isGiven ? 'gifts.giveTitle' : 'gifts.deductTitle', { name })}
      submitLabel={({ amountFen }) =>
        isInRange(amountFen)
          ? phrase(isGiven ? 'gifts.giveAmount' : 'gifts.deductAmount', { amount: moneyText(amountFen) })
          : phrase(isGiven ? 'gifts.give' : 'gifts.deduct')
      }
      intro={
        <>
          <p>{phrase(isGiven ? 'gifts.giveIntro' : 'gifts.deductIntro', { gift: moneyText(giftFen) })}</p>
          {isGiven && owedFen > 0 ? <p>{phrase('gifts.repaysFirst', { owed: moneyText(owedFen) })}</p> : null}
        </>
      }
      fields={{
        amountFen: {
          label: 'gifts.amount',
          check: (amountFen) =>
            isGiven || isInRange(amountFen)
              ? null
              : phrase('error.gift.deduction_too_high', { max: formatYuan(giftFen) }),
        },
        reason: { label: 'gifts.reason', rows: 3 },
      }}
      fieldOf={{ 'gift.deduction_too_high': 'amountFen', 'recharge.day_limit': 'amountFen' }}
      refreshes={[listGifts, listCards, getCard, listCustomers, getCustomer, listMovements]}
      open={open}
      onClose={onClose}
      onSaved={({ amountFen }) =>
        onSaved(phrase(isGiven ? 'gifts.givenNow' : 'gifts.deductedNow', { amount: moneyText(amountFen), name }))
      }
    >
      {({ amountFen }) =>
        isInRange(amountFen) ? (
          <p role="status">
            {phrase('gifts.after', {
              before: moneyText(giftFen),
              after: moneyText(isGiven ? addFen(giftFen, amountFen) : subtractFen(giftFen, amountFen)),
            })}
          </p>
        ) : null
      }
    </RouteForm>
  );
}
