import { adjustCredit, type CreditScore, getCredit, listCreditMovements, listCredits } from '@voltdeck/contract/credit';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { credit: CreditScore; open: boolean; onClose: () => void; onSaved: (credit: CreditScore) => void };

/** Adds points to a score or takes some away, with a reason. */
export default function AdjustCreditForm({ credit, open, onClose, onSaved }: Props) {
  const { id, nickname, score } = credit;
  return (
    <RouteForm
      as="dialog"
      route={adjustCredit}
      params={{ id }}
      draft={`credit adjustment ${id}`}
      title={phrase('credits.adjustTitle', { name: nickname })}
      submitLabel={phrase('credits.adjustVerb')}
      intro={<p>{phrase('credits.adjustIntro', { score: countText(score) })}</p>}
      fields={{
        points: { label: 'credits.adjustPoints' },
        reason: { label: 'credits.reason', rows: 3 },
      }}
      refreshes={[listCredits, getCredit, listCreditMovements]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
