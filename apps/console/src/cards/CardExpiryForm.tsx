import { type Card, changeCard, getCard, listCards } from '@voltdeck/contract/cards';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { card: Card; open: boolean; onClose: () => void; onSaved: (card: Card) => void };

/** Sets until when a card can start charges. */
export default function CardExpiryForm({ card, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={changeCard}
      change={changeCard}
      record={card}
      title={phrase('cards.expiryTitle', { number: card.number })}
      submitLabel={phrase('cards.save')}
      draft={`card expiry ${card.id}`}
      fields={{ expiresAt: { label: 'cards.expiresAt', hint: 'cards.expiresAtHint' } }}
      refreshes={[listCards, getCard]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
