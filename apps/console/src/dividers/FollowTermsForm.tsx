import {
  type DividerTerm,
  followDividerTerms,
  getDividedPlace,
  getDivider,
  listDividers,
  listDividerTerms,
} from '@voltdeck/contract/dividers';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { DividedHere } from './DividedHere.tsx';
import { placeOf, placeText, termFieldOf, termFields } from './term-fields.tsx';

type Props = { terms: DividerTerm; open: boolean; onClose: () => void; onSaved: (told: string) => void };

/** Ends terms and follows them by others at the same place. */
export default function FollowTermsForm({ terms, open, onClose, onSaved }: Props) {
  const { electricityPercent, servicePercent, occupancyPercent } = terms;
  return (
    <RouteForm
      route={followDividerTerms}
      params={{ id: terms.id }}
      title={phrase('dividers.followTitle')}
      submitLabel={phrase('dividers.followVerb')}
      intro={
        <>
          <p>
            {terms.dividerName} · {placeText(terms)}
          </p>
          <p>{phrase('dividers.followDetails')}</p>
        </>
      }
      initial={{ electricityPercent, servicePercent, occupancyPercent }}
      fields={termFields(terms.agentName, { past: false })}
      fieldOf={{ ...termFieldOf, 'divider.terms_end_earlier': 'fromOn' }}
      refreshes={[listDividers, getDivider, listDividerTerms, getDividedPlace]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('dividers.termsSaved'))}
    >
      {({ fromOn, lastOn }) => (
        <DividedHere
          dividerId={terms.dividerId}
          {...placeOf(terms)}
          fromOn={fromOn ?? undefined}
          lastOn={lastOn ?? undefined}
        />
      )}
    </RouteForm>
  );
}
