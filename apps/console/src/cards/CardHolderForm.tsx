import { type Card, getCard, listCards, setCardHolder } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { card: Card; open: boolean; onClose: () => void; onSaved: (card: Card) => void };

/** Binds a card to the registered user with a phone. */
export default function CardHolderForm({ card, open, onClose, onSaved }: Props) {
  const { id, number, balanceFen, customerPhone } = card;
  const intro = phrase(customerPhone === null ? 'cards.bindIntro' : 'cards.rebindIntro', {
    number,
    balance: moneyText(balanceFen),
    phone: customerPhone ?? '',
  });
  return (
    <RouteForm
      as="dialog"
      route={setCardHolder}
      params={{ id }}
      title={phrase('cards.bindTitle', { number })}
      submitLabel={phrase('cards.bind')}
      draft={`card holder ${id}`}
      intro={<p>{intro}</p>}
      fields={{
        customerPhone: { label: 'cards.customerPhone', hint: 'cards.bindHint', kind: 'code', requiredIf: () => true },
      }}
      refreshes={[listCards, getCard, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
