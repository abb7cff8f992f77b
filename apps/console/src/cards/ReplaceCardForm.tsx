import { type Card, getCard, listCards, replaceCard } from '@voltdeck/contract/cards';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { card: Card; open: boolean; onClose: () => void; onSaved: (card: Card) => void };

/** Gives everything of a lost or broken card to a new one. */
export default function ReplaceCardForm({ card, open, onClose, onSaved }: Props) {
  const { number, paidFen, giftFen } = card;
  return (
    <RouteForm
      as="dialog"
      route={replaceCard}
      params={{ id: card.id }}
      title={phrase('cards.replaceTitle', { number })}
      submitLabel={phrase('cards.replace')}
      draft={`card replace ${card.id}`}
      intro={<p>{phrase('cards.replaceIntro', { paid: moneyText(paidFen), gift: moneyText(giftFen), number })}</p>}
      fields={{
        number: { label: 'cards.newNumber', hint: 'cards.numberHint' },
        physicalNumber: { label: 'cards.physicalNumber', kind: 'code', hint: 'cards.physicalNumberHint' },
      }}
      fieldOf={{ 'card.number_taken': 'number' }}
      refreshes={[listCards, getCard]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
