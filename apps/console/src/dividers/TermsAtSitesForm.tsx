import {
  addDividerTermsAtSites,
  getDividedPlace,
  getDivider,
  listDividers,
  listDividerTerms,
  termPlacesMax,
} from '@voltdeck/contract/dividers';
import type { AnswerOf } from '@voltdeck/contract/route';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import { noRates, placeChoices, type TermForm, termFieldOf, termFields } from './term-fields.tsx';

export type BatchOutcome = AnswerOf<typeof addDividerTermsAtSites>;

type Props = Omit<TermForm, 'onSaved'> & { onSaved: (outcome: BatchOutcome) => void };

/** Adds the same terms at many sites; each has its own outcome. */
export default function TermsAtSitesForm({ divider, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={addDividerTermsAtSites}
      params={{ id: divider.id }}
      title={phrase('dividers.addTermsAtSitesTitle', { name: divider.name })}
      submitLabel={({ siteIds }) => phrase('dividers.batchVerb', { count: countText(siteIds?.length ?? 0) })}
      initial={noRates}
      fields={{
        siteIds: {
          label: 'dividers.sites',
          control: <RecordsSelect choices={placeChoices(divider).site} max={termPlacesMax} />,
        },
        ...termFields(divider.agentName, { past: true }),
      }}
      fieldOf={termFieldOf}
      refreshes={[listDividers, getDivider, listDividerTerms, getDividedPlace]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
