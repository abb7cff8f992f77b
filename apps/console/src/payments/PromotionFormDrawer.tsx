import { changePromotion, createPromotion, listPromotions, type Promotion } from '@voltdeck/contract/promotions';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  promotion: Promotion | null;
  open: boolean;
  onClose: () => void;
  onSaved: (promotion: Promotion) => void;
};

/** Adds or changes a recharge promotion. */
export default function PromotionFormDrawer({ promotion, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createPromotion}
      change={changePromotion}
      record={promotion}
      title={promotion === null ? phrase('promotions.add') : phrase('promotions.editTitle', { name: promotion.name })}
      submitLabel={phrase(promotion === null ? 'promotions.add' : 'promotions.save')}
      draft={`promotion ${promotion?.id ?? 'add'}`}
      initial={{ effective: true, displayed: true, scope: 'both' }}
      fields={{
        name: { label: 'promotions.name' },
        satisfiedFen: { label: 'promotions.satisfied' },
        giftFen: { label: 'promotions.gift' },
        scope: { label: 'promotions.scope', word: (scope) => phrase(`promotion-scope.${scope}`) },
        from: { label: 'promotions.from' },
        to: { label: 'promotions.to' },
        timesPerPerson: { label: 'promotions.times', hint: 'promotions.timesHint' },
        agentId: { label: 'promotions.agent', hint: 'promotions.agentHint' },
        effective: { label: 'promotions.effective' },
        displayed: { label: 'promotions.displayed' },
      }}
      fieldOf={{
        'promotion.period_invalid': 'to',
        'promotion.gift_too_high': 'giftFen',
        'promotion.times_needed': 'timesPerPerson',
      }}
      refreshes={[listPromotions]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
