import { type Card, type CardPayout, cancelCard, getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { card: Card; open: boolean; onClose: () => void; onSaved: (saved: Card) => void };

/** Cancels a card after saying in numbers what becomes of its money. */
export default function CancelCardForm({ card, open, onClose, onSaved }: Props) {
  const { number, paidFen, giftFen, customerPhone } = card;
  const paid = moneyText(paidFen);
  const said = (payout: CardPayout | undefined) =>
    phrase(paidFen <= 0 ? 'cards.cancelNothing' : payout === 'customer' ? 'cards.cancelToHolder' : 'cards.cancelCash', {
      paid,
      gift: moneyText(giftFen),
      phone: customerPhone ?? '',
    });
  return (
    <RouteForm
      as="dialog"
      danger
      route={cancelCard}
      params={{ id: card.id }}
      title={phrase('cards.cancelTitle', { number })}
      submitLabel={paidFen <= 0 ? phrase('cards.cancel') : phrase('cards.cancelVerb', { paid })}
      intro={<p>{phrase('cards.cancelIntro', { number })}</p>}
      initial={{ payout: 'cash' }}
      fields={{
        payout: {
          label: 'cards.payout',
          word: (payout) => phrase(`card-payout.${payout}`),
          shownIf: () => customerPhone !== null && paidFen > 0,
          requiredIf: () => true,
        },
        reason: { label: 'cards.reason', rows: 3, requiredIf: () => true },
      }}
      refreshes={[listCards, getCard, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ payout }) => <p aria-live="polite">{said(payout)}</p>}
    </RouteForm>
  );
}
