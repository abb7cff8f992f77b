import { type Card, changeCard, getCard, listCards } from '@voltdeck/contract/cards';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { card: Card; open: boolean; onClose: () => void; onSaved: (card: Card) => void };

/** Changes how a card is used: its type, what one tap pays, and until when it can start charges. */
export default function CardChangeForm({ card, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={changeCard}
      change={changeCard}
      record={card}
      title={phrase('cards.changeTitle', { number: card.number })}
      submitLabel={phrase('cards.save')}
      draft={`card change ${card.id}`}
      fields={{
        type: { label: 'cards.type', word: (type) => phrase(`card-type.${type}`), hint: 'cards.typeHint' },
        tapAmountFen: { label: 'cards.tapAmount', hint: 'cards.tapAmountHint' },
        expiresAt: { label: 'cards.expiresAt', hint: 'cards.expiresAtHint' },
      }}
      refreshes={[listCards, getCard]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
