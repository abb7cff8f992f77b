import { type Divider, enableDivider, getDivider, listDividers, listDividerTerms } from '@voltdeck/contract/dividers';
import { phrase } from '../phrases.ts';
import { countText, moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { divider: Divider; open: boolean; onClose: () => void; onSaved: (divider: Divider) => void };

/** Disables a divider; it says in figures what that stops and what goes on. */
export default function DisableDividerForm({ divider, open, onClose, onSaved }: Props) {
  const figures = {
    inForce: countText(divider.termsInForce),
    toCome: countText(divider.termsToCome),
    unpaid: moneyText(divider.unpaidFen),
  };
  return (
    <RouteForm
      as="dialog"
      danger
      route={enableDivider}
      params={{ id: divider.id }}
      given={{ enabled: false }}
      title={phrase('dividers.disableTitle', { name: divider.name })}
      submitLabel={phrase('dividers.disable')}
      intro={<p>{phrase('dividers.disableStops')}</p>}
      initial={{ endTerms: false }}
      fields={{ endTerms: { label: 'dividers.endTerms' } }}
      refreshes={[listDividers, getDivider, listDividerTerms]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ endTerms }) => <p>{phrase(endTerms ? 'dividers.disableEnds' : 'dividers.disableGoesOn', figures)}</p>}
    </RouteForm>
  );
}
