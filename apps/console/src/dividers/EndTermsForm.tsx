import {
  type DividerTerm,
  endDividerTerms,
  getDividedPlace,
  getDivider,
  listDividers,
  listDividerTerms,
} from '@voltdeck/contract/dividers';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { placeText } from './term-fields.tsx';

type Props = { terms: DividerTerm; open: boolean; onClose: () => void; onSaved: (told: string) => void };

/** Ends terms now or after a last day. */
export default function EndTermsForm({ terms, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={endDividerTerms}
      params={{ id: terms.id }}
      title={phrase('dividers.endTitle')}
      submitLabel={phrase('dividers.end')}
      intro={
        <>
          <p>
            {terms.dividerName} · {placeText(terms)}
          </p>
          <p>{phrase('dividers.endDetails')}</p>
        </>
      }
      fields={{ lastOn: { label: 'dividers.endOn', hint: 'dividers.endOnHint' } }}
      fieldOf={{ 'divider.terms_end_earlier': 'lastOn' }}
      refreshes={[listDividers, getDivider, listDividerTerms, getDividedPlace]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('dividers.endedNow'))}
    />
  );
}
