import { type Card, createCard, listCards } from '@voltdeck/contract/cards';
import type { CustomerId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  given: { customerId?: CustomerId };
  open: boolean;
  onClose: () => void;
  onSaved: (card: Card) => void;
};

/** Issues a card. */
export default function CardFormDrawer({ given, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createCard}
      title={phrase('cards.addTitle')}
      submitLabel={phrase('cards.add')}
      draft="card add"
      initial={{ type: 'online', ...given }}
      fields={{
        number: { label: 'cards.number', hint: 'cards.numberHint' },
        physicalNumber: { label: 'cards.physicalNumber', kind: 'code', hint: 'cards.physicalNumberHint' },
        type: { label: 'cards.type', word: (type) => phrase(`card-type.${type}`), hint: 'cards.typeHint' },
        customerId: { label: 'cards.customer', hint: 'cards.customerHint' },
        tapAmountFen: { label: 'cards.tapAmount', hint: 'cards.tapAmountHint' },
        expiresAt: { label: 'cards.expiresAt', hint: 'cards.expiresAtHint' },
      }}
      fieldOf={{ 'card.number_taken': 'number' }}
      refreshes={[listCards]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
